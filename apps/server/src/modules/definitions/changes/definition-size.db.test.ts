/** Limit of the texts of a definition together, for every way to write a definition. */
import { definitionLimits, FieldType } from '@portico/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runImports } from '../../../jobs/run-imports.ts';
import { storeFile } from '../../files/index.ts';
import { type ChangingPortal, createChangingPortal } from './definition-changes.fixture.ts';

const LIMIT = definitionLimits.together;
const long = (length: number) => 'x'.repeat(length);

let changing: ChangingPortal;
beforeAll(async () => {
  changing = await createChangingPortal();
});
afterAll(() => changing?.portal.close());

type Purchasing = Awaited<ReturnType<ChangingPortal['purchasing']>>;

/** Creates a community whose definition lacks some bytes up to the limit, more or less. */
async function almostFull(missing: number) {
  const made = await changing.purchasing();
  const field = await made.field('Text', FieldType.STRING, { description: 'Short' });
  const states = [
    { name: 'Open', initial: true },
    { name: 'Long', description: 'Long' },
  ];
  await changing.ask('POST', `${made.path}/workflow`, { title: 'Order', states });
  await fill(made, LIMIT - missing);
  return { ...made, fieldId: field.id };
}

/** Gives a state a description of some length, past every rule. No body and no file is so long. */
async function fill({ path, communityId }: Purchasing, length: number) {
  const { tenant, admin, ask } = changing;
  const { db } = await tenant.scope(admin);
  await db.execute(
    `UPDATE workflow_states s SET description = repeat('x', $3), deleted = true FROM communities c
      WHERE s.tenant_id = $1 AND c.tenant_id = $1 AND c.id = $2 AND s.workflow_id = c.workflow_id AND s.name = 'Long'`,
    [db.tenantId, communityId, length],
  );
  // Another write makes every process read the definition again.
  const form = { name: 'Purchasing', externalId: `full-${communityId}` };
  await ask('PUT', path, { ...form, occToken: (await ask('GET', path)).occToken });
}

async function formOf({ path }: Purchasing, fieldId: number) {
  const {
    type: _type,
    catalogId: _catalog,
    parentId: _parent,
    ...form
  } = await changing.ask('GET', `${path}/fields/${fieldId}`);
  return form;
}

const tooLarge = (field = '') => ({
  field,
  code: 'TEXT_TOO_LONG',
  args: [LIMIT, expect.any(Number)],
  defaultMessage: expect.stringMatching(
    new RegExp(`at most ${LIMIT} bytes .* had \\d+, and would have \\d+ \\(.*states \\d+`),
  ),
});

test('forms add no more than the limit', async () => {
  const { refused, ask } = changing;
  const made = await almostFull(5_000);
  const { path, fieldId } = made;
  const description = long(10_000);
  expect(await refused(`${path}/fields`, { label: 'More', type: 1, description })).toMatchObject([tooLarge()]);
  const form = await formOf(made, fieldId);
  expect(await refused(`${path}/fields/${fieldId}`, { ...form, description }, 'PUT')).toMatchObject([tooLarge()]);
  const { occToken } = form;
  expect(await refused(path, { name: 'Purchasing', description, occToken }, 'PUT')).toMatchObject([tooLarge()]);
  const { screenFields: _screenFields, ...workflow } = await ask('GET', `${path}/workflow`);
  const states = [{ ...workflow.states[0], description }];
  expect(await refused(`${path}/workflow`, { ...workflow, states }, 'PUT')).toMatchObject([tooLarge()]);
  const enumValues = Array.from({ length: 500 }, (_, n) => ({
    label: `Value ${n}`,
    translations: { it: `Valore ${n}` },
  }));
  const choice = { label: 'Kind', type: FieldType.ENUM, enumValues };
  expect(await refused(`${path}/fields`, choice)).toMatchObject([tooLarge()]);
  await ask('POST', `${path}/fields`, { ...choice, enumValues: enumValues.slice(0, 50) });
});

test('a definition above the limit may be edited as long as it does not grow', async () => {
  const { refused, ask } = changing;
  const made = await almostFull(500_000);
  const { path, fieldId } = made;
  await ask('PUT', `${path}/fields/${fieldId}`, { ...(await formOf(made, fieldId)), description: long(400_000) });
  await fill(made, LIMIT - 100_000);
  expect(await refused(`${path}/fields`, { label: 'More', type: FieldType.STRING })).toMatchObject([tooLarge()]);
  const before = await made.token();
  await ask('PUT', `${path}/fields/${fieldId}`, { ...(await formOf(made, fieldId)), label: 'Same' });
  await ask('PUT', `${path}/fields/${fieldId}`, { ...(await formOf(made, fieldId)), description: 'Short' });
  await made.field('More', FieldType.STRING);
  const restore = { occToken: await made.token(), onExisting: 'keep' };
  const restored = await refused(`${path}/definition-versions/${before}/restore`, restore);
  expect(restored).toMatchObject([tooLarge()]);
});

test('files and imports add no more, and say so', async () => {
  const { ask, refused, portal, tenant, admin } = changing;
  const { path } = await almostFull(100_000);
  const description = long(150_000);
  const { $schema: _schema, ...file } = await ask('GET', `${path}/file`);
  const larger = { ...file, fields: [...file.fields, { key: 'more', label: 'More', type: 'STRING', description }] };
  expect(await refused('/community-plans', { file: larger })).toMatchObject([tooLarge('file.fields[1]')]);

  const rows = Buffer.from('id,note\n1,One\n');
  const { contentRef } = await storeFile(await tenant.scope(admin), portal.services.storage, rows);
  const mapping = `externalId: {column: id, prefix: order-}
title: note
fields:
  more: {column: note, type: STRING, label: More, description: ${description}}
`;
  const fileName = 'orders.csv';
  const { id } = await ask('POST', `${path}/imports`, { contentRef, fileName, mapping });
  await runImports(portal.services, tenant.tenant, new AbortController().signal);
  const ended = await tenant.request(admin, 'GET', `/portal/api/admin/data/imports/${id}`);
  expect(ended.body).toMatchObject({ state: 'failed', problem: expect.stringContaining(`at most ${LIMIT} bytes`) });
});
