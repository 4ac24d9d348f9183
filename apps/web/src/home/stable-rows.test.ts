/** Rows keep their places while the pointer is among them. */
import { expect, test } from 'vitest';
import { insertKept, mergeRows } from './stable-rows.ts';

const nameOf = ({ id }: { id: number }) => String(id);

test('what is taken off keeps its place, what changed is shown as it is now, and what is new comes last', () => {
  const before = [1, 2, 3].map((id) => ({ item: { id, read: false }, gone: false }));
  const after = mergeRows(
    before,
    [
      { id: 4, read: false },
      { id: 3, read: true },
      { id: 1, read: false },
    ],
    nameOf,
  );
  expect(after.map(({ item, gone }) => [item.id, item.read, gone])).toEqual([
    [1, false, false],
    [2, false, true],
    [3, true, false],
    [4, false, false],
  ]);
  // An item that returns, for example by Undo, takes its former place.
  expect(mergeRows(after, [{ id: 2, read: false }], nameOf).map(({ item, gone }) => [item.id, gone])).toEqual([
    [1, true],
    [2, false],
    [3, true],
    [4, true],
  ]);
});

test('what was finished stays after what it followed while the list changes around it', () => {
  const items = [1, 2, 3, 4].map((id) => ({ id }));
  const before = insertKept([], items, nameOf, new Set());
  const kept = new Set(['1', '3']);
  const after = insertKept(before, [{ id: 5 }, { id: 2 }], nameOf, kept);
  expect(after.map(({ item, gone }) => [item.id, gone])).toEqual([
    [1, true],
    [5, false],
    [2, false],
    [3, true],
  ]);
  // Items that return take their former places.
  expect(insertKept(after, items, nameOf, kept).map(({ item, gone }) => [item.id, gone])).toEqual(
    items.map(({ id }) => [id, false]),
  );
});
