/** Keeps rows where they are, so that a click does not hit another one. */
import { type PointerEvent, useRef, useState } from 'react';
import { insertKept, mergeRows, type StableRow } from './stable-rows.ts';

/**
 * The rows of a list in their places at the time the pointer arrived: removed items keep their
 * place, new items come last. When the pointer leaves, the list is updated. Items that the reader
 * finished here keep their place until the page is opened again.
 * @param nameOf returns the identity of an item
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
    /** Marks an item as finished by the reader. */
    keep: (item: T) => setKept((before) => new Set([...before, nameOf(item)])),
    /** Whether the reader finished the item. */
    isKept: (item: T) => kept.has(nameOf(item)),
    pointerHandlers: {
      // A touch has no hovering pointer.
      onPointerEnter: ({ pointerType }: PointerEvent) => setHeld(pointerType === 'mouse'),
      onPointerLeave: () => setHeld(false),
    },
  };
}
