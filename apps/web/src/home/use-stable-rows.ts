/** Keeps rows where they are while the pointer is among them, so that a click does not hit another one. */
import { type PointerEvent, useRef, useState } from 'react';
import { mergeRows, type StableRow } from './stable-rows.ts';

/**
 * The rows of a list in the places that they had when the pointer came: what is taken off keeps its place, what is new comes last. When
 * the pointer leaves, or the page is loaded again, the list is as it is.
 * @param nameOf what tells items apart
 */
export function useStableRows<T>(items: readonly T[], nameOf: (item: T) => string) {
  const [held, setHeld] = useState(false);
  const previous = useRef<readonly StableRow<T>[]>([]);
  previous.current = held ? mergeRows(previous.current, items, nameOf) : items.map((item) => ({ item, gone: false }));
  return {
    rows: previous.current,
    pointerHandlers: {
      // A finger points at nothing between two touches.
      onPointerEnter: ({ pointerType }: PointerEvent) => setHeld(pointerType === 'mouse'),
      onPointerLeave: () => setHeld(false),
    },
  };
}
