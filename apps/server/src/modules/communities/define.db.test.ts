import { FieldType, ValidationType } from '@portico/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestPortal, type TestPortal } from '../../../test/support/index.ts';
import { writeTransaction } from '../../kernel/access/index.ts';
import { createStage, failure, faults, type Stage } from './communities.fixture.ts';
import { addEnumValues, addField, ensureField } from './define-fields.ts';
import { attachWorkflow, createWorkflow, ensureState, ensureTransition } from './define-workflow.ts';
import { getDefinition } from './definitions.ts';
import { ensureHashtags } from './ensure-hashtags.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await createTestPortal();
});
afterAll(async () => {
  await portal.close();
});

/** Inserts many posts straight into their table. */
async function fill(on: Stage, communityId: number, count: number): Promise<void> {
  const { db } = await on.admin();
  await db.execute(
    `INSERT INTO posts (tenant_id, id, community_id, custom_no, visibility, creator_id, created_at, modifier_id, modified_at,
       token_by, token_at, operated_at, active_at, recent_at)
     SELECT a.tenant_id, $2 * 1000000 + n, $2, n, 2, $3, $4, $3, $4, $3, $4, $4, $4, $4
       FROM tenant_versions a, generate_series(1, $5::int) AS n WHERE a.tenant_id = $1`,
    [db.tenantId, communityId, on.adminId, new Date(), count],
  );
}

async function emptyRows(on: Stage, fieldId: number): Promise<number> {
  const { db } = await on.admin();
  const [row] = await db.query<{ count: number }>(
    'SELECT count(*) AS count FROM post_values WHERE tenant_id = $1 AND field_id = $2 AND empty',
    [db.tenantId, fieldId],
  );
  return row!.count;
}

describe('fields', () => {
  test('are refused with everything that is wrong', async () => {
    const on = await createStage(portal);
    const communityId = await on.community('C');
    const text = await addField(
      await on.admin(),
      { communityId },
      { type: FieldType.STRING, label: 'T', externalId: 't' },
    );
    const add = async (field: Parameters<typeof addField>[2]) => addField(await on.admin(), { communityId }, field);
    expect(
      await faults(
        add({
          type: FieldType.DELTA_AREA,
          label: ' ',
          sortable: true,
          catalogId: undefined,
          enumValues: [{ label: 'x' }],
          parentId: text.id,
          externalId: 't',
          validations: [{ typeId: ValidationType.MAX_VALUE, parameter: '3' }],
        }),
      ),
    ).toEqual({
      label: 'REQUIRED_FIELD',
      sortable: 'INVALID_VALUE',
      enumValues: 'INVALID_VALUE',
      parentId: 'UNKNOWN_REFERENCE',
      externalId: 'DUPLICATE_VALUE',
      'validations[0]': 'INVALID_VALUE',
    });
    expect(
      await faults(
        add({ type: FieldType.STRING, label: 'P', validations: [{ typeId: ValidationType.PATTERN, parameter: '(' }] }),
      ),
    ).toEqual({ 'validations[0]': 'INVALID_VALUE' });
    expect(await faults(add({ type: FieldType.GENERIC_ENTITY_LIST, label: 'E' }))).toEqual({
      'metadata.generic_entity_list_config_id': 'INVALID_VALUE',
    });
    expect(await faults(add({ type: FieldType.ENUM, label: 'E', catalogId: 999_999 }))).toEqual({
      catalogId: 'UNKNOWN_REFERENCE',
    });
    const reader = await on.member(communityId, 3);
    const refused = addField(await on.as(reader), { communityId }, { type: FieldType.INT, label: 'N' });
    expect((await failure(refused)).status).toBe(403);
    const manager = await on.member(communityId, 1);
    await addField(await on.as(manager), { communityId }, { type: FieldType.INT, label: 'N' });
    const elsewhere = await createStage(portal);
    const astray = addField(await elsewhere.admin(), { communityId }, { type: FieldType.INT, label: 'N' });
    expect((await failure(astray)).status).toBe(404);
  });

  test('give each post that exists an empty row, few or many, and none when nobody can filter by them', async () => {
    const on = await createStage(portal);
    const few = await on.community('Few');
    const many = await on.community('Many');
    await fill(on, few, 3);
    await fill(on, many, 1000);
    const add = async (communityId: number, more: object = {}) =>
      (await addField(await on.admin(), { communityId }, { type: FieldType.INT, label: 'N', externalId: 'n', ...more }))
        .id;
    expect(await emptyRows(on, await add(few))).toBe(3);
    const large = await add(many);
    expect(await emptyRows(on, large)).toBe(1000);
    const definition = await getDefinition(await on.admin(), many);
    expect(definition!.fieldById.get(large)).toMatchObject({ externalId: 'n', label: 'N' });
    expect(await emptyRows(on, await add(few, { externalId: 'm', searchable: false }))).toBe(0);
  });

  test('reach posts that come while the older ones are filled', async () => {
    const on = await createStage(portal);
    const communityId = await on.community('C');
    await fill(on, communityId, 1500);
    const scope = await on.admin();
    let running = true;
    const fields = addField(await on.admin(), { communityId }, { type: FieldType.INT, label: 'N' }).finally(() => {
      running = false;
    });
    let next = 2000;
    while (running) {
      // Writes values for the fields of the present definition, as each write of a post does.
      await writeTransaction(scope, 'none', async (write) => {
        const definition = await getDefinition(write, communityId);
        const [row] = await write.tx.query<{ id: number }>(
          `INSERT INTO posts (tenant_id, community_id, custom_no, visibility, creator_id, created_at, modifier_id, modified_at,
             token_by, token_at, operated_at, active_at, recent_at)
           VALUES ($1, $2, $3, 2, $4, $5, $4, $5, $4, $5, $5, $5, $5) RETURNING id`,
          [write.tx.tenantId, communityId, next++, on.adminId, new Date()],
        );
        for (const field of definition!.fields) {
          await write.tx.execute(
            'INSERT INTO post_values (tenant_id, field_id, post_id, empty) VALUES ($1, $2, $3, true)',
            [write.tx.tenantId, field.id, row!.id],
          );
        }
      });
    }
    expect(await emptyRows(on, (await fields).id)).toBe(1500 + next - 2000);
  });

  test('are found again by external id or label, with the values they lack added', async () => {
    const on = await createStage(portal);
    const communityId = await on.community('C');
    const ensure = async (field: Parameters<typeof ensureField>[2]) =>
      ensureField(await on.admin(), { communityId }, field);
    const first = await ensure({
      type: FieldType.ENUM,
      label: 'Kind',
      externalId: 'kind',
      enumValues: [{ label: 'a' }],
    });
    const again = await ensure({
      type: FieldType.ENUM,
      label: 'Kind',
      enumValues: [{ label: 'b' }, { label: 'a' }, { label: 'b' }],
    });
    expect(again.id).toBe(first.id);
    expect(again.enumValueIds).toEqual([expect.any(Number), first.enumValueIds[0], again.enumValueIds[0]]);
    const definition = await getDefinition(await on.admin(), communityId);
    expect(definition!.fieldById.get(first.id)!.enumValues.map((value) => value.label)).toEqual(['a', 'b']);
    expect(await faults(ensure({ type: FieldType.INT, label: 'Kind' }))).toEqual({ type: 'INVALID_VALUE' });
    const number = await ensure({ type: FieldType.INT, label: 'N' });
    expect(await faults(addEnumValues(await on.admin(), number.id, [{ label: 'x' }]))).toEqual({
      fieldId: 'INVALID_VALUE',
    });
  });
});

describe('workflows', () => {
  test('say by name what they do not have', async () => {
    const on = await createStage(portal);
    const states = [{ name: 'Open', initial: true }, { name: 'Done' }, { name: 'Done' }];
    const transitions = [{ name: 'Close', from: 'Open', to: 'Closed' }];
    await expect(createWorkflow(await on.admin(), { title: 'W', states, transitions })).rejects.toMatchObject({
      errors: [
        { field: 'states[2].name', defaultMessage: expect.stringContaining('has this name') },
        { field: 'transitions[0].to', defaultMessage: 'There is no “Closed”; there are: Open, Done.' },
      ],
    });
  });

  test('are refused when their parts do not fit', async () => {
    const on = await createStage(portal);
    const make = async (workflow: Parameters<typeof createWorkflow>[1]) => createWorkflow(await on.admin(), workflow);
    expect(
      await faults(
        make({
          title: '',
          states: [{ name: 'A' }, { name: 'A', screen: 'none' }],
          transitions: [{ name: 't', from: 'A', to: 'B' }],
          screens: [{ name: 'S', fields: [{ label: 'none' }] }],
        }),
      ),
    ).toEqual({
      title: 'REQUIRED_FIELD',
      'states[1].name': 'DUPLICATE_VALUE',
      'states[1].screen': 'UNKNOWN_REFERENCE',
      states: 'REQUIRED_FIELD',
      'transitions[0].to': 'UNKNOWN_REFERENCE',
      'screens[0].fields': 'UNKNOWN_REFERENCE',
    });
    const user = await on.tenant.createUser();
    const refused = createWorkflow(await on.as(user), { title: 'W', states: [{ name: 'A', initial: true }] });
    expect((await failure(refused)).status).toBe(403);
  });

  test('grow by states and transitions, and are shared by communities', async () => {
    const on = await createStage(portal);
    const one = await on.community('One');
    const two = await on.community('Two');
    await fill(on, one, 2);
    await fill(on, two, 600);
    const workflow = await createWorkflow(await on.admin(), {
      title: 'W',
      states: [{ name: 'Open', initial: true }],
      screenFields: [{ type: FieldType.INT, label: 'N' }],
    });
    for (const community of [one, two]) await attachWorkflow(await on.admin(), community, workflow.id);
    expect(await emptyRows(on, workflow.fields.get('N')!.id)).toBe(602);
    const closed = await ensureState(await on.admin(), workflow.id, { name: 'Closed', terminal: true });
    expect(await ensureState(await on.admin(), workflow.id, { name: 'Closed' })).toBe(closed);
    const between = { name: 'Close', fromStateId: workflow.states.get('Open')!, toStateId: closed };
    const transition = await ensureTransition(await on.admin(), workflow.id, between);
    expect(await ensureTransition(await on.admin(), workflow.id, between)).toBe(transition);
    for (const community of [one, two]) {
      const definition = await getDefinition(await on.admin(), community);
      expect(definition!.workflow!.states.map((state) => state.name)).toEqual(['Open', 'Closed']);
      expect(definition!.workflow!.transitionById.get(transition)).toMatchObject({ roles: [2], toStateId: closed });
      expect(definition!.community.etag).toBe(4);
    }
    const field = await addField(await on.admin(), { workflowId: workflow.id }, { type: FieldType.FLAG, label: 'F' });
    expect(await emptyRows(on, field.id)).toBe(602);
    const { db } = await on.admin();
    await db.execute('UPDATE posts SET state_id = $2 WHERE tenant_id = $1 AND community_id = $3', [
      db.tenantId,
      closed,
      one,
    ]);
    const other = await createWorkflow(await on.admin(), { title: 'O', states: [{ name: 'Open', initial: true }] });
    expect(await faults(attachWorkflow(await on.admin(), one, other.id))).toEqual({ workflowId: 'INVALID_VALUE' });
    const foreign = ensureTransition(await on.admin(), other.id, between);
    expect((await failure(foreign)).status).toBe(404);
  });
});

describe('hashtags', () => {
  test('are made once by any number of writers at the same time', async () => {
    const on = await createStage(portal);
    const communityId = await on.community('C');
    const scope = await on.admin();
    const names = ['one', 'Two', 'three'];
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, n) => ensureHashtags(scope, communityId, n % 2 ? names : names.toReversed())),
    );
    const [first] = made;
    for (const [n, ids] of made.entries()) expect(n % 2 ? ids.toReversed() : ids).toEqual(first);
    expect(await faults(ensureHashtags(scope, communityId, ['ok', '#', 'x'.repeat(300)]))).toEqual({
      '[1].name': 'REQUIRED_FIELD',
      '[2].name': 'TEXT_TOO_LONG',
    });
  });
});
