/**
 * Definitions that change while posts hold data: at once and in the background, with the effect on
 * values and states.
 */
import { definitionLimits, FieldType } from '@portico/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADMIN, type ChangingPortal, createChangingPortal } from './definition-changes.fixture.ts';

let portal: ChangingPortal['portal'];
let tenant: ChangingPortal['tenant'];
let admin: number;
let ask: ChangingPortal['ask'];
let refused: ChangingPortal['refused'];
let work: ChangingPortal['work'];
let purchasing: ChangingPortal['purchasing'];

beforeAll(async () => {
  ({ portal, tenant, admin, ask, refused, work, purchasing } = await createChangingPortal());
});
afterAll(() => portal?.close());

test('a field is removed when it is said what becomes of its values, and comes back with them', async () => {
  const { path, token, field, post, values, find } = await purchasing();
  const vendor = await field('Vendor', FieldType.STRING, { externalId: 'vendor' });
  const note = await field('Note', FieldType.TEXT_AREA);
  const [one, two] = [await post({ [vendor.id]: 'Oak & Co' }), await post({ [vendor.id]: 'Elm', [note.id]: 'Old' })];
  const remove = `${path}/definition-fields/${vendor.id}/remove`;
  const before = await token();
  for (const query of ['', '?dryRun=true'])
    expect(await refused(`${remove}${query}`, { occToken: before })).toMatchObject([
      { field: 'onExisting', code: 'MAPPING_REQUIRED', args: [2, 2, one, two] },
    ]);
  await ask('POST', remove, { occToken: before, onExisting: 'map', intoFieldId: note.id });
  expect([await values(one), await values(two)]).toEqual([{ [note.id]: 'Oak & Co' }, { [note.id]: 'Old' }]);
  expect((await find({ columnId: vendor.id, typeId: 1, parameters: ['Elm'] })).status).toBe(400);
  // The former version exists, and lists the changes.
  const { versions } = await ask('GET', `${path}/definition-versions`);
  expect(versions[0]).toMatchObject({ present: true, madeById: admin });
  const told = await ask('GET', `${path}/definition-versions/${versions[0].version}`);
  expect(told.changes).toMatchObject([{ kind: 'field', id: vendor.id, name: 'Vendor', change: 'removed' }]);
  await ask('POST', `${path}/definition-versions/${before}/restore`, { occToken: await token() });
  expect(await values(one)).toEqual({ [vendor.id]: 'Oak & Co', [note.id]: 'Oak & Co' });
  const form = await ask('GET', `${path}/fields/${vendor.id}`);
  expect(form).toMatchObject({ label: 'Vendor', externalId: 'vendor' });
  // With `clear` the values are deleted.
  await ask('POST', remove, { occToken: await token(), onExisting: 'clear' });
  await ask('POST', `${path}/definition-versions/${before}/restore`, { occToken: await token() });
  expect(await values(two)).toEqual({ [note.id]: 'Old' });
});

test('what other parts name is not removed; going back asks where it would hide values', async () => {
  const { path, token, field, post, values } = await purchasing();
  const kind = await field('Kind', FieldType.ENUM, { enumValues: [{ label: 'A' }, { label: 'B' }] });
  const conditions = [{ fieldId: kind.id, operator: 'in', values: [kind.values[0]] }];
  const { occToken } = await ask('GET', path);
  const more = await field('More', FieldType.INT, { conditions });
  expect(await refused(`${path}/definition-fields/${kind.id}/remove`, { occToken: await token() })).toMatchObject([
    { field: 'fieldId', code: 'INVALID_VALUE' },
  ]);
  const id = await post({ [kind.id]: kind.values[0], [more.id]: 3 });
  const restore = `${path}/definition-versions/${occToken}/restore`;
  expect(await refused(restore, { occToken: await token() })).toMatchObject([
    { code: 'MAPPING_REQUIRED', args: [1, 1, id] },
  ]);
  await ask('POST', restore, { occToken: await token(), onExisting: 'keep' });
  expect(await values(id)).toEqual({ [kind.id]: kind.values[0] });
});

test.each([
  ['at once', 0],
  ['in the background', definitionLimits.postsAtOnce],
])('values of a list are merged, and the type of a field changes, %s', async (_how, more) => {
  const { path, token, field, post, values, fill, count, find } = await purchasing();
  const kind = await field('Kind', FieldType.ENUM, {
    sortable: true,
    enumValues: [{ label: 'Red' }, { label: 'Blue' }, { label: 'Green' }],
  });
  const [red, blue, green] = kind.values as [number, number, number];
  const first = await post({ [kind.id]: red });
  if (more > 0) await fill(first, more);
  const enumValues = [
    { id: blue, label: 'Blue' },
    { id: green, label: 'Green' },
  ];
  const merge = { label: 'Kind', enumValues, onExisting: 'map', valueMapping: [{ fromId: red, toId: blue }] };
  const merged = await ask('PUT', `${path}/fields/${kind.id}`, { ...merge, occToken: await token() });
  expect(merged.changeId !== undefined).toBe(more > 0);
  if (more > 0) {
    // Until the change takes effect, writes use the old definition, and another edit must wait.
    const again = { ...merge, occToken: await token() };
    expect((await tenant.request(admin, 'PUT', `${ADMIN}${path}/fields/${kind.id}`, again)).status).toBe(409);
    await post({ [kind.id]: red });
    await work();
    const { changes } = await ask('GET', `${path}/definition-changes`);
    expect(changes.find(({ id }: { id: number }) => id === merged.changeId)).toMatchObject({
      kind: 'editField',
      status: 'finished',
      posts: more + 2,
      postsDone: more + 2,
    });
  }
  expect(await count(kind.id)).toEqual([[blue, more > 0 ? more + 2 : 1]]);
  expect((await find({ columnId: kind.id, typeId: 1, parameters: [red] })).body.items).toEqual([]);
  // A choice becomes a list with the same values, under a new id.
  const type = { type: FieldType.ENUM_LIST, occToken: await token() };
  const { fieldId, changeId } = await ask('POST', `${path}/definition-fields/${kind.id}/type`, type);
  if (changeId !== undefined) {
    const late = await post({ [kind.id]: green });
    await work();
    expect(await values(late)).toEqual({ [fieldId]: [green] });
  }
  expect(await values(first)).toEqual({ [fieldId]: [blue] });
  expect((await find({ columnId: fieldId, typeId: 1, parameters: [blue] })).body.items.length).toBeGreaterThan(0);
  const form = await ask('GET', `${path}/fields/${fieldId}`);
  expect(form.enumValues.map(({ label }: { label: string }) => label)).toEqual(['Blue', 'Green', 'Red']);
});

test('a text becomes a choice, a number or nothing else; what it cannot hold is counted', async () => {
  const { path, token, field, post, values } = await purchasing();
  const text = await field('Size', FieldType.STRING);
  const [small, odd] = [await post({ [text.id]: ' small ' }), await post({ [text.id]: 'odd' })];
  const change = `${path}/definition-fields/${text.id}/type`;
  const occToken = await token();
  const form = { type: FieldType.ENUM, enumValues: [{ label: 'Small' }, { label: 'Large' }], occToken };
  expect(await refused(change, form)).toMatchObject([{ code: 'MAPPING_REQUIRED', args: [1, 1, odd] }]);
  expect(await refused(change, { type: FieldType.GENERIC_ENTITY_LIST, occToken })).toMatchObject([
    { field: 'type', code: 'INVALID_VALUE' },
  ]);
  const { fieldId } = await ask('POST', change, { ...form, onExisting: 'clear' });
  const { enumValues } = await ask('GET', `${path}/fields/${fieldId}`);
  expect([await values(small), await values(odd)]).toEqual([{ [fieldId]: enumValues[0].id }, {}]);
  // The change back to text has lost nothing.
  const late = await post({ [fieldId]: enumValues[1].id });
  await ask('POST', `${path}/definition-versions/${occToken}/restore`, { occToken: await token() });
  expect([await values(small), await values(odd), await values(late)]).toEqual([
    { [text.id]: ' small ' },
    { [text.id]: 'odd' },
    { [text.id]: 'Large' },
  ]);
});

test.each([
  ['at once', 0],
  ['in the background', definitionLimits.postsAtOnce],
])('states are merged and split by the values of posts, %s', async (_how, more) => {
  const { path, field, post, fill, communityId } = await purchasing();
  const amount = await field('Amount', FieldType.INT);
  const states = [{ name: 'Open', initial: true }, { name: 'Small' }, { name: 'Large' }];
  const { stateIds } = await ask('POST', `${path}/workflow`, { title: 'Approval', states });
  const [open, small, large] = stateIds as [number, number, number];
  const first = await post({ [amount.id]: 5 });
  if (more > 0) await fill(first, more);
  await post({ [amount.id]: 500 });
  const { screenFields: _fields, ...form } = await ask('GET', `${path}/workflow`);
  const [, ...kept] = form.states;
  const edit = { ...form, states: [{ ...kept[0], initial: true }, kept[1]], onExisting: 'map' };
  expect(await refused(`${path}/workflow`, { ...edit, stateMapping: [] }, 'PUT')).toMatchObject([
    { field: 'stateMapping', code: 'REQUIRED_FIELD' },
  ]);
  const conditions = [{ fieldId: amount.id, operator: 'atLeast', values: [100] }];
  const stateMapping = [
    { fromStateId: open, to: 'Large', conditions },
    { fromStateId: open, to: 'Small' },
  ];
  await ask('PUT', `${path}/workflow`, { ...edit, stateMapping });
  await work();
  const { db } = await tenant.scope(admin);
  const rows = await db.query(
    'SELECT state_id AS state, count(*) AS posts FROM posts WHERE tenant_id = $1 AND community_id = $2 GROUP BY 1 ORDER BY 1',
    [db.tenantId, communityId],
  );
  expect(rows).toEqual([
    { state: small, posts: more + 1 },
    { state: large, posts: 1 },
  ]);
});

test('a field is not removed unasked while an earlier change brings values into it', async () => {
  const { path, token, field, post, fill, count } = await purchasing();
  const vendor = await field('Vendor', FieldType.STRING);
  const note = await field('Note', FieldType.STRING);
  const text = await field('Text', FieldType.STRING);
  await fill(await post({ [vendor.id]: 'Oak' }));
  const remove = (id: number) => `${path}/definition-fields/${id}/remove`;
  const into = async (intoFieldId: number) => ({ occToken: await token(), onExisting: 'map', intoFieldId });
  await ask('POST', remove(vendor.id), await into(note.id));
  expect(await refused(remove(note.id), { occToken: await token() })).toMatchObject([
    { field: 'onExisting', code: 'MAPPING_REQUIRED' },
  ]);
  await ask('POST', remove(note.id), await into(text.id));
  await work();
  expect(await count(text.id)).toEqual([['Oak', definitionLimits.postsAtOnce + 1]]);
});

test('the version before is kept where an edit turns out to concern no post', async () => {
  const { path, token, field, post, fill } = await purchasing();
  const code = await field('Code', FieldType.STRING);
  const states = [{ name: 'Open', initial: true }, { name: 'Unused' }];
  const { stateIds } = await ask('POST', `${path}/workflow`, { title: 'Approval', states });
  await fill(await post({ [code.id]: 'k-1' }));
  const before = await token();
  const { screenFields: _fields, ...form } = await ask('GET', `${path}/workflow`);
  const edit = { ...form, states: [form.states[0]], onExisting: 'map' };
  await ask('PUT', `${path}/workflow`, { ...edit, stateMapping: [{ fromStateId: stateIds[1], to: 'Open' }] });
  const { versions } = await ask('GET', `${path}/definition-versions`);
  expect(versions.map(({ version }: { version: number }) => version)).toContain(before);
});

test('lists filter by a field once its rows are complete; a change can be cancelled', async () => {
  const { path, token, field, post, fill, find } = await purchasing();
  const code = await field('Code', FieldType.STRING, { searchable: false });
  await fill(await post({ [code.id]: 'k-1' }));
  const filter = { columnId: code.id, typeId: 1, parameters: ['k-1'] };
  expect((await find(filter)).status).toBe(400);
  const edit = { label: 'Code', searchable: true, sortable: true };
  const begun = await ask('PUT', `${path}/fields/${code.id}`, { ...edit, occToken: await token() });
  const cancelled = await ask('DELETE', `${path}/definition-changes/${begun.changeId}`);
  expect(cancelled.change).toMatchObject({ id: begun.changeId, status: 'cancelled', fieldId: code.id });
  await work();
  expect((await find(filter)).status).toBe(400);
  await ask('PUT', `${path}/fields/${code.id}`, { ...edit, occToken: await token() });
  expect((await find(filter)).status).toBe(400);
  await work();
  const found = await find(filter);
  expect(found.status, found.text).toBe(200);
  expect(found.body.items.length).toBeGreaterThan(1);
});

test('changes of a community are worked on one after the other, by however many nodes', async () => {
  const { path, token, field, post, fill, count } = await purchasing();
  const vendor = await field('Vendor', FieldType.STRING);
  const note = await field('Note', FieldType.STRING);
  const text = await field('Text', FieldType.STRING);
  await post({ [note.id]: 'Elm' });
  await fill(await post({ [vendor.id]: 'Oak' }));
  const replace = async (from: number, intoFieldId: number) =>
    ask('POST', `${path}/definition-fields/${from}/remove`, {
      occToken: await token(),
      onExisting: 'map',
      intoFieldId,
    });
  const { changeId } = await replace(vendor.id, note.id);
  await replace(note.id, text.id);
  const { db } = await tenant.scope(admin);
  // Another node works on the first change.
  await db.transaction(async (tx) => {
    await tx.query('SELECT FROM definition_changes WHERE tenant_id = $1 AND id = $2 FOR UPDATE', [
      db.tenantId,
      changeId,
    ]);
    await work();
  });
  await work();
  expect(await count(text.id)).toEqual([
    ['Elm', 1],
    ['Oak', definitionLimits.postsAtOnce + 1],
  ]);
});
