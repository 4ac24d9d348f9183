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

/** @param kept names of rows that keep their places though they are off the list @returns the list, with these after what they followed */
export function insertKept<T>(
  before: readonly StableRow<T>[],
  items: readonly T[],
  nameOf: (item: T) => string,
  kept: ReadonlySet<string>,
): readonly StableRow<T>[] {
  const rows: StableRow<T>[] = items.map((item) => ({ item, gone: false }));
  const names = items.map(nameOf);
  let at = 0;
  for (const { item } of before) {
    const name = nameOf(item);
    const place = names.indexOf(name);
    if (place >= 0) at = place + 1;
    else if (kept.has(name)) {
      rows.splice(at, 0, { item, gone: true });
      names.splice(at, 0, name);
      at += 1;
    }
  }
  return rows;
}
