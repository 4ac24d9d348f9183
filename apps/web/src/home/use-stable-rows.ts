/** Keeps rows where they are, so that a click does not hit another one. */
import { type PointerEvent, useRef, useState } from 'react';
import { insertKept, mergeRows, type StableRow } from './stable-rows.ts';

/**
 * The rows of a list in the places that they had when the pointer came: what is taken off keeps its place, what is new comes last. When
 * the pointer leaves, the list is as it is. What the reader has finished here keeps its place until the page is opened again.
 * @param nameOf what tells items apart
 */
export function useStableRows<T>(items: readonly T[], nameOf: (item: T) => string) {
  const [held, setHeld] = useState(false);
  const [kept, setKept] = useState<ReadonlySet<string>>(new Set());
  const previous = useRef<readonly StableRow<T>[]>([]);
  previous.current = held
    ? mergeRows(previous.current, items, nameOf)
    : insertKept(previous.current, items, nameOf, kept);
  return {
    rows: previous.current,
    /** Says that the reader has finished an item. */
    keep: (item: T) => setKept((before) => new Set([...before, nameOf(item)])),
    /** Whether the reader has finished it. */
    isKept: (item: T) => kept.has(nameOf(item)),
    pointerHandlers: {
      // A finger points at nothing between two touches.
      onPointerEnter: ({ pointerType }: PointerEvent) => setHeld(pointerType === 'mouse'),
      onPointerLeave: () => setHeld(false),
    },
  };
}
