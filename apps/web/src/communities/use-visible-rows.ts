import { type RefObject, useCallback, useRef, useSyncExternalStore } from 'react';

/** Number of rows rendered before and after the visible rows. */
const OVERSCAN = 8;

interface VisibleRange {
  /** The first visible row. */
  readonly first: number;
  /** Number of visible rows, including partly visible ones. */
  readonly rows: number;
}

/**
 * Computes which rows of a long list are rendered during scrolling. All rows have the same height,
 * so no row is measured.
 * @param height of a row in pixels
 * @returns `from` and `to` (exclusive), and `show`, which scrolls only as far as needed to make a
 *   row visible
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
