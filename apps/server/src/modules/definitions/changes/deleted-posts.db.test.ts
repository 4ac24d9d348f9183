/** Deleted posts cost lists nothing, and come back with the values that changes of definitions made of theirs. */
import { FieldType, FilterType } from '@portico/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ChangingPortal, createChangingPortal, POSTS } from './definition-changes.fixture.ts';

let changing: ChangingPortal;

beforeAll(async () => {
  changing = await createChangingPortal();
});
afterAll(() => changing?.portal.close());

const sent = async (method: string, path: string) => {
  const { status, text } = await changing.tenant.request(changing.admin, method, `${POSTS}/manage/${path}`);
  expect(status, text).toBe(200);
};
const remove = (postId: number) => sent('DELETE', `delete-post/${postId}`);
const restore = (postId: number) => sent('POST', `restore-post/${postId}`);

/** Returns the rows of a post by which lists filter and order. */
async function rowsOf(postId: number): Promise<unknown[]> {
  const { db } = await changing.tenant.scope(changing.admin);
  const values = await db.query(
    `SELECT field_id, ord, empty, big, num, txt, ref, ref_community FROM post_values
      WHERE tenant_id = $1 AND post_id = $2 ORDER BY field_id, ord`,
    [db.tenantId, postId],
  );
  const texts = await db.query('SELECT field_id, norm FROM post_texts WHERE tenant_id = $1 AND post_id = $2', [
    db.tenantId,
    postId,
  ]);
  return [...values, ...texts];
}

test('a deleted post has no rows that lists read, and a restored one has the same as before', async () => {
  const { field, post, find } = await changing.purchasing();
  const indexed = { searchable: true, sortable: true };
  const [text, number, empty, kinds] = [
    await field('Vendor', FieldType.STRING, indexed),
    await field('Amount', FieldType.INT, indexed),
    await field('Due', FieldType.DATE, indexed),
    await field('Kinds', FieldType.ENUM_LIST, { searchable: true, enumValues: [{ label: 'A' }, { label: 'B' }] }),
  ];
  const id = await post({ [text.id]: 'Oak', [number.id]: 7, [kinds.id]: kinds.values });
  const before = await rowsOf(id);
  expect(before).toHaveLength(6);
  await remove(id);
  expect(await rowsOf(id)).toEqual([]);
  await restore(id);
  expect(await rowsOf(id)).toEqual(before);
  const found = await find({ columnId: empty.id, typeId: FilterType.IS_EMPTY, parameters: [] });
  expect(found.body.items.map(({ id: found }: { id: number }) => found)).toEqual([id]);
});

test('changes of a definition count and convert the values of deleted posts', async () => {
  const { path, token, field, post, values, find } = await changing.purchasing();
  const kind = await field('Kind', FieldType.ENUM, {
    searchable: true,
    sortable: true,
    enumValues: [{ label: 'Red' }, { label: 'Blue' }],
  });
  const [red, blue] = kind.values as [number, number];
  const [live, deleted] = [await post({ [kind.id]: red }), await post({ [kind.id]: red })];
  await remove(deleted);
  const edit = { label: 'Kind', enumValues: [{ id: blue, label: 'Blue' }] };
  const asked = await changing.refused(`${path}/fields/${kind.id}`, { ...edit, occToken: await token() }, 'PUT');
  expect(asked).toMatchObject([{ code: 'MAPPING_REQUIRED', args: [2, 2, live] }]);
  const mapping = { onExisting: 'map', valueMapping: [{ fromId: red, toId: blue }] };
  await changing.ask('PUT', `${path}/fields/${kind.id}`, { ...edit, ...mapping, occToken: await token() });
  const type = { type: FieldType.ENUM_LIST, occToken: await token() };
  const { fieldId } = await changing.ask('POST', `${path}/definition-fields/${kind.id}/type`, type);
  const more = await field('More', FieldType.INT, { searchable: true, sortable: true });
  expect(await rowsOf(deleted)).toEqual([]);
  await restore(deleted);
  expect(await values(deleted)).toEqual({ [fieldId]: [blue] });
  const ids = async (filter: object) =>
    (await find(filter)).body.items.map(({ id }: { id: number }) => id).toSorted((a: number, b: number) => a - b);
  expect(await ids({ columnId: fieldId, typeId: FilterType.EQUAL, parameters: [blue] })).toEqual([live, deleted]);
  expect(await ids({ columnId: more.id, typeId: FilterType.IS_EMPTY, parameters: [] })).toEqual([live, deleted]);
});
