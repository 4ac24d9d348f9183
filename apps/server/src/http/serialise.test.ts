/** Answers written in parts are the same JSON. */
import type { JsonSchema } from '@portico/contract/schemas';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { serialiserOf } from './serialise.ts';

const schema: JsonSchema = { $ref: 'PagedListPostsResponse#' };

const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('"', '\\', '\u2028', '"items":[]', ',', '[]'));

it('writes long lists as the whole would be written', async () => {
  const serialise = serialiserOf(schema);
  await fc.assert(
    fc.asyncProperty(fc.array(text, { maxLength: 60 }), fc.option(text, { nil: undefined }), async (titles, token) => {
      const items = titles.map((title, index) => ({ id: index + 1, title }));
      const answer = { items, ...(token !== undefined && { nextPageToken: token }) };
      expect(JSON.parse(String(await serialise(answer)))).toEqual(answer);
    }),
    { numRuns: 50 },
  );
});

it('writes lists of objects within objects, the absent and the short ones too', async () => {
  const serialise = serialiserOf({ $ref: 'GetWorkspaceForEditResponse#' });
  const users = fc.option(fc.array(text, { maxLength: 20 }), { nil: undefined });
  await fc.assert(
    fc.asyncProperty(users, users, users, async (members, users, administrators) => {
      const list = (names: readonly string[] | undefined) =>
        names && { items: names.map((firstName, id) => ({ id, firstName })), totalItemsCount: names.length };
      const items = members?.map((name, id) => ({ id: `user-${id}`, name }));
      const contentData = {
        name: 'Office',
        ...(administrators && { adminGroups: { items: [] } }),
        ...(users && { memberUsers: list(users) }),
        ...(items && { members: { items, totalItemsCount: items.length } }),
      };
      const answer = { contentData, id: 3, occToken: 1 };
      expect(JSON.parse(String(await serialise(answer)))).toEqual(answer);
    }),
    { numRuns: 50 },
  );
});

it('writes long texts, and long values without a schema, as the whole would be written', async () => {
  const serialise = serialiserOf({ $ref: 'PagedListPostsResponse#' });
  const long = fc.tuple(text, fc.integer({ min: 1, max: 70_000 })).map(([part, length]) => {
    return part === '' ? part : part.repeat(Math.ceil(length / part.length));
  });
  const value = fc.oneof(
    long,
    fc.integer(),
    fc.array(fc.record({ id: fc.integer(), name: text }), { minLength: 90, maxLength: 110 }),
  );
  const item = fc.record({ title: long, descriptionDelta: long, customData: fc.dictionary(fc.string(), value) });
  await fc.assert(
    fc.asyncProperty(fc.array(item, { maxLength: 12 }), async (items) => {
      expect(JSON.parse(String(await serialise({ items })))).toEqual({ items });
    }),
    { numRuns: 20 },
  );
});

it('turns within one text', async () => {
  const title = '\u0001😀'.repeat(1_000_000);
  let turns = 0;
  let counting = true;
  const count = () => {
    turns += 1;
    if (counting) setImmediate(count);
  };
  setImmediate(count);
  const body = await serialiserOf(schema)({ items: [{ id: 1, title }] });
  counting = false;
  expect(turns).toBeGreaterThan(2);
  expect(JSON.parse(String(body)).items[0].title === title).toBe(true);
});

it('turns between parts', async () => {
  const items = Array.from({ length: 400 }, (_, id) => ({ id, title: 'é'.repeat(20_000) }));
  let turns = 0;
  let counting = true;
  const count = () => {
    turns += 1;
    if (counting) setImmediate(count);
  };
  setImmediate(count);
  const body = await serialiserOf(schema)({ items });
  counting = false;
  expect(turns).toBeGreaterThan(1);
  expect(JSON.parse(String(body))).toEqual({ items });
});

it('writes answers without a schema as they are', async () => {
  expect(await serialiserOf(undefined)({ a: [1] })).toBe('{"a":[1]}');
});
