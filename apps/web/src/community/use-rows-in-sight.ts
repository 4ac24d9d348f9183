import { type RefObject, useCallback, useRef, useSyncExternalStore } from 'react';

/** Rows beyond each end of what is seen that are in the document, too. */
const BEYOND = 8;

interface InSight {
  /** The first row in sight. */
  readonly first: number;
  /** How many rows are seen, begun ones included. */
  readonly rows: number;
}

/**
 * Which rows of a long list belong in the document while somebody scrolls. All rows have one height, so that none is measured.
 * @param height of a row in pixels
 * @returns `from` and `to` (exclusive), and `show`, which scrolls no further than a row needs to be seen
 */
export function useRowsInSight(
  scroller: RefObject<HTMLElement | null>,
  count: number,
  height: number,
): { from: number; to: number; show: (index: number) => void } {
  const seen = useRef<InSight>({ first: 0, rows: Math.ceil(window.innerHeight / height) });
  const subscribe = useCallback(
    (changed: () => void) => {
      const element = scroller.current!;
      const look = () => {
        const first = Math.floor(element.scrollTop / height);
        const rows = Math.ceil(element.clientHeight / height) + 1;
        if (first === seen.current.first && rows === seen.current.rows) return;
        seen.current = { first, rows };
        changed();
      };
      const resized = new ResizeObserver(look);
      resized.observe(element);
      element.addEventListener('scroll', look, { passive: true });
      return () => {
        resized.disconnect();
        element.removeEventListener('scroll', look);
      };
    },
    [scroller, height],
  );
  const { first, rows } = useSyncExternalStore(subscribe, () => seen.current);
  const show = (index: number) => {
    const element = scroller.current!;
    const top = index * height;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + height > element.scrollTop + element.clientHeight)
      element.scrollTop = top + height - element.clientHeight;
  };
  return {
    from: Math.max(0, Math.min(first, count - 1) - BEYOND),
    to: Math.min(count, first + rows + BEYOND),
    show,
  };
}
