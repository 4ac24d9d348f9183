import { type RefObject, useCallback, useRef, useSyncExternalStore } from 'react';

/** Rows beyond each end of what is visible that are in the document, too. */
const OVERSCAN = 8;

interface VisibleRange {
  /** The first row in sight. */
  readonly first: number;
  /** How many rows are visible, begun ones included. */
  readonly rows: number;
}

/**
 * Which rows of a long list belong in the document while somebody scrolls. All rows have one height, so that none is measured.
 * @param height of a row in pixels
 * @returns `from` and `to` (exclusive), and `show`, which scrolls no further than a row needs to be visible
 */
export function useVisibleRows(
  scroller: RefObject<HTMLElement | null>,
  count: number,
  height: number,
): { from: number; to: number; show: (index: number) => void } {
  const visible = useRef<VisibleRange>({ first: 0, rows: Math.ceil(window.innerHeight / height) });
  const subscribe = useCallback(
    (changed: () => void) => {
      const element = scroller.current!;
      const look = () => {
        const first = Math.floor(element.scrollTop / height);
        const rows = Math.ceil(element.clientHeight / height) + 1;
        if (first === visible.current.first && rows === visible.current.rows) return;
        visible.current = { first, rows };
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
  const { first, rows } = useSyncExternalStore(subscribe, () => visible.current);
  const show = (index: number) => {
    const element = scroller.current!;
    const top = index * height;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + height > element.scrollTop + element.clientHeight)
      element.scrollTop = top + height - element.clientHeight;
  };
  return {
    from: Math.max(0, Math.min(first, count - 1) - OVERSCAN),
    to: Math.min(count, first + rows + OVERSCAN),
    show,
  };
}
