/** Places of the rows of a list that changes. */

/** A row that is shown. */
export interface StableRow<T> {
  readonly item: T;
  /** Whether it is off the list and only keeps its place. */
  readonly gone: boolean;
}

/** @param before the rows as they were @returns those rows as they are now, then what is new */
export function mergeRows<T>(
  before: readonly StableRow<T>[],
  items: readonly T[],
  nameOf: (item: T) => string,
): readonly StableRow<T>[] {
  const now = new Map(items.map((item) => [nameOf(item), item]));
  const kept = before.map(({ item }): StableRow<T> => {
    const name = nameOf(item);
    const there = now.get(name);
    now.delete(name);
    return there === undefined ? { item, gone: true } : { item: there, gone: false };
  });
  return [...kept, ...[...now.values()].map((item) => ({ item, gone: false }))];
}
