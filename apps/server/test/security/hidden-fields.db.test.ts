/**
 * Fields that only some roles see: for others they do not exist, in any operation. Every operation
 * is asked about objects whose fields are all hidden; then the tests cover values sent for such
 * fields, filters and orders by them, and their survival.
 */
import { FieldType, type OperationId, operationList } from '@portico/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { workOnChange } from '../../src/modules/definitions/index.ts';
import { createTestPortal, type TestPortal } from '../support/index.ts';
import { numbersIn } from '../support/numbers-in.ts';
import { createTestWorld, faults, type TestWorld } from '../support/test-world.ts';
import { type Attacked, makeAttacked, spreadIds } from './objects.fixture.ts';
import { ownRequest, wire } from './requests.fixture.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came
type Json = any;

let portal: TestPortal;

beforeAll(async () => {
  portal = await createTestPortal();
});
afterAll(() => portal.close());

describe('every operation', () => {
  let mine: Attacked;
  let ids: number[];

  beforeAll(async () => {
    await spreadIds(portal);
    mine = await makeAttacked(portal, 'Quaggafield');
    const { db } = mine.world;
    const fields = await db.query<{ id: number }>(
      `UPDATE fields SET visible_roles = '{1}', label = 'Canary ' || id, conditions = '[]' WHERE tenant_id = $1 RETURNING id`,
      [db.tenantId],
    );
    ids = fields.map(({ id }) => id);
    await db.execute('UPDATE communities SET etag = etag + 1 WHERE tenant_id = $1', [db.tenantId]);
    await db.execute('UPDATE tenant_versions SET definitions_version = definitions_version + 1 WHERE tenant_id = $1', [
      db.tenantId,
    ]);
  });

  /** The operations whose answers name a hidden field by id or label. */
  async function naming(userId: number): Promise<string[]> {
    const found: string[] = [];
    for (const { id } of operationList) {
      const asked = wire(ownRequest(id as OperationId, mine.open));
      const answer = await mine.world.tenant.request(userId, asked.method, asked.path, asked.body);
      // A path that was asked for may be repeated.
      const sent = numbersIn(asked.path);
      const named = numbersIn(answer.body ?? answer.text);
      if (ids.some((field) => named.has(field) && !sent.has(field)) || answer.text.includes('Canary'))
        found.push(`${id} ${answer.status}`);
    }
    return found;
  }

  test('tells managers of the fields and nobody else', async () => {
    const { people } = mine.world;
    const told = await naming(people.manager);
    for (const id of ['getPostDefinition', 'getPostDetailById', 'listCommunityPostsFiltered', 'getPostFieldForEdit'])
      expect(told).toContain(`${id} 200`);
    expect(await naming(people.reader)).toEqual([]);
    expect(await naming(people.contributor)).toEqual([]);
  });
});

describe('a hidden field', () => {
  let world: TestWorld;
  let field: Record<'open' | 'salary' | 'remark', number>;
  const UNKNOWN = 99_999_999;

  beforeAll(async () => {
    world = await createTestWorld(portal, {
      fields: [
        { label: 'Open', type: FieldType.STRING },
        { label: 'Salary', type: FieldType.INT, sortable: true, required: true, visibleRoles: [1] },
        { label: 'Remark', type: FieldType.DELTA_AREA },
      ],
    });
    field = {
      open: world.fieldIds.get('Open')!,
      salary: world.fieldIds.get('Salary')!,
      remark: world.fieldIds.get('Remark')!,
    };
  });

  const detail = async (userId: number, postId: number) =>
    (await world.ok(userId, 'GET', `posts/data/post-detail-by-id/${postId}`)).customData;
  const edit = async (userId: number, postId: number, customData: Json) => {
    const { occToken } = await world.ok(userId, 'GET', `posts/manage/post-data-for-edit/${postId}`);
    const body = { title: 'Edited', description: 'Some text', descriptionFormat: 2, customData };
    return world.send(userId, 'PUT', `posts/manage/edit-post/${postId}/${occToken}`, body);
  };
  const outcome = (answer: { status: number; text: string }): [number, string] => [
    answer.status,
    answer.text.replace(/"requestId":"[^"]*"/, ''),
  ];
  /** The outcome for a missing field, in the words for another id. */
  const as = ([status, text]: readonly [number, string], id: number) => [
    status,
    text.replaceAll(String(UNKNOWN), String(id)),
  ];

  test('is not demanded of those who do not see it, and survives their edits, whole or in part', async () => {
    const { author, manager } = world.people;
    const postId = await world.post(author, { customData: { [field.open]: 'a' } });
    expect((await edit(manager, postId, { [field.open]: 'a', [field.salary]: 4711 })).status).toBe(200);
    expect(await detail(author, postId)).toEqual({ [field.open]: 'a' });
    expect((await edit(author, postId, { [field.open]: 'b' })).status).toBe(200);
    const { occToken } = await world.ok(author, 'GET', `posts/manage/post-data-for-edit/${postId}`);
    const patch = { occToken, customData: { [field.open]: 'c' } };
    await world.ok(author, 'POST', `posts/manage/patch-post/${postId}`, patch);
    expect(await detail(manager, postId)).toEqual({ [field.open]: 'c', [field.salary]: 4711 });
  });

  test('cannot be probed: its value, a wrong value and a field that is not there are told alike', async () => {
    const { author, manager } = world.people;
    const postId = await world.post(author, { customData: { [field.open]: 'a' } });
    await edit(manager, postId, { [field.open]: 'a', [field.salary]: 4711 });
    const asked = async (id: number, value: number) => outcome(await edit(author, postId, { [id]: value }));
    const unknown = await asked(UNKNOWN, 4711);
    expect(unknown[0]).toBe(400);
    expect(await asked(field.salary, 4711)).toEqual(as(unknown, field.salary));
    expect(await asked(field.salary, 1)).toEqual(as(unknown, field.salary));
    const created = await world.send(author, 'POST', `posts/manage/create-post/${world.communityId}`, {
      title: 'A post',
      description: 'Some text',
      descriptionFormat: 2,
      announcement: false,
      customData: { [field.salary]: 1 },
    });
    expect(faults(created)).toEqual([`customData.${field.salary}: UNKNOWN_FIELD`]);
  });

  test('filters and orders nothing for those who do not see it', async () => {
    const { author, manager } = world.people;
    const path = `posts/data/list/community/${world.communityId}`;
    const list = async (userId: number, id: number, body: (id: number) => Json) =>
      outcome(await world.send(userId, 'POST', path, body(id)));
    const bodies: ((id: number) => Json)[] = [
      (id) => ({ postFieldFilters: [{ columnId: id, typeId: 1, parameters: [4711] }] }),
      (id) => ({ postFieldFilters: [{ columnId: id, typeId: 7, parameters: [] }], calculateTotalItemsCount: true }),
      (id) => ({ orderBy: `postCustomField-${id}` }),
    ];
    for (const body of bodies) {
      const unknown = await list(author, UNKNOWN, body);
      expect(unknown[0]).toBe(400);
      expect(await list(author, field.salary, body)).toEqual(as(unknown, field.salary));
      expect((await list(manager, field.salary, body))[0]).toBe(200);
    }
    const sum = async (userId: number, id: number) =>
      outcome(
        await world.send(userId, 'POST', `posts/data/summary/community/${world.communityId}`, {
          measure: 'sum',
          measureOf: `postCustomField-${id}`,
        }),
      );
    expect(await sum(author, field.salary)).toEqual(as(await sum(author, UNKNOWN), field.salary));
    expect((await sum(manager, field.salary))[0]).toBe(200);
    const named = async (id: number) =>
      outcome(await world.send(author, 'GET', `posts/data/post-detail-by-id/1?fields=customData.${id}`));
    expect(await named(field.salary)).toEqual(as(await named(UNKNOWN), field.salary));
  });

  test('leaves search and mentions once it is hidden, and comes back to them', async () => {
    const { author, reader, admin } = world.people;
    const mention = { insert: { mention: { id: reader, value: 'x' } } };
    const remark = JSON.stringify([{ insert: 'zanzibar ' }, mention, { insert: '\n' }]);
    const postId = await world.post(author, { customData: { [field.remark]: remark } });
    const found = async () =>
      (
        await world.ok(author, 'POST', `posts/data/list/community/${world.communityId}`, { containsText: 'zanzibar' })
      ).items.map(({ id }: Json) => id);
    const mentioned = async () =>
      (await world.ok(author, 'GET', `posts/data/post-detail-by-id/${postId}`)).mentions.map(({ id }: Json) => id);
    const show = async (visibleToRoles: number[]) => {
      const path = `/portal/api/admin/manage/communities/${world.communityId}/fields/${field.remark}`;
      const form = await world.tenant.request(admin, 'GET', path);
      const body = { label: 'Remark', visibleToRoles, occToken: form.body.occToken };
      expect((await world.tenant.request(admin, 'PUT', path, body)).status).toBe(200);
      const system = await world.tenant.scope(world.tenant.systemUserId);
      while (await workOnChange(system));
    };
    expect([await found(), await mentioned()]).toEqual([[postId], [reader]]);
    await show([1]);
    expect([await found(), await mentioned()]).toEqual([[], []]);
    await show([]);
    expect([await found(), await mentioned()]).toEqual([[postId], [reader]]);
  });

  test('does not depend on what fewer see, nor tell of itself in comments', async () => {
    const { admin } = world.people;
    const path = `/portal/api/admin/manage/communities/${world.communityId}/fields`;
    const refused = async (body: Json) => faults(await world.tenant.request(admin, 'POST', path, body));
    const below = { label: 'Below', type: FieldType.STRING };
    expect(await refused({ ...below, conditions: [{ fieldId: field.salary, operator: 'notEmpty' }] })).toEqual([
      'visibleToRoles: INVALID_VALUE',
    ]);
    expect(await refused({ ...below, visibleToRoles: [2], metadata: { generate_post_comment: 'true' } })).toEqual([
      'visibleToRoles: INVALID_VALUE',
    ]);
  });
});
