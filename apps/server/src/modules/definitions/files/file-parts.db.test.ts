/** Communities as files: hashtags, views of posts, and relations to other communities. */
import type { CommunityFile, PlanCommunityResponse } from '@portico/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestPortal, type TestPortal, type TestTenant } from '../../../../test/support/index.ts';
import { ensureHashtags } from '../../communities/index.ts';

let portal: TestPortal;
let tenant: TestTenant;
let admin: number;

beforeAll(async () => {
  portal = await createTestPortal();
  tenant = await portal.createTenant();
  admin = await tenant.createUser({ admin: true });
});
afterAll(() => portal?.close());

/** Sender and target of a request. */
interface As {
  readonly of: TestTenant;
  readonly actor: number;
}
const asAdmin = (): As => ({ of: tenant, actor: admin });

async function send({ of, actor }: As, method: string, path: string, body?: object) {
  const { status, body: answer, text } = await of.request(actor, method, `/portal/api${path}`, body);
  return { status, answer, text };
}
async function ok(as: As, method: string, path: string, body?: object) {
  const { status, answer, text } = await send(as, method, path, body);
  expect(status, text).toBe(200);
  return answer;
}
const plan = (file: CommunityFile, as = asAdmin()): Promise<PlanCommunityResponse> =>
  ok(as, 'POST', '/admin/data/community-plans', { file });
const shown = async (file: CommunityFile, as = asAdmin()) =>
  (await plan(file, as)).changes!.map(({ action, kind, key }) => `${action} ${kind} ${key}`);
const apply = (file: CommunityFile, as = asAdmin()) => send(as, 'POST', '/admin/manage/community-plans', { file });
async function build(file: CommunityFile, as = asAdmin()): Promise<number> {
  const { status, answer, text } = await apply(file, as);
  expect(status, text).toBe(200);
  expect(await shown(file, as)).toEqual([]);
  return answer.communityId;
}
async function refused(file: CommunityFile): Promise<[string, string]> {
  const { status, answer } = await apply(file);
  expect(status).toBe(400);
  const [{ field, code }] = answer.validationErrors.list;
  return [field, code];
}
const exported = (id: number, as = asAdmin()): Promise<CommunityFile> =>
  ok(as, 'GET', `/admin/manage/communities/${id}/file`);

const files = (prefix: string): { parts: CommunityFile; orders: CommunityFile } => {
  const common = { version: 1, workspace: { key: 'ops', name: 'Operations' }, groupRoles: [], hashtags: [] } as const;
  return {
    parts: {
      ...common,
      groupRoles: [],
      hashtags: [],
      community: { key: `${prefix}-parts`, name: 'Parts' },
      fields: [
        { key: 'price', label: 'Price', type: 'DECIMAL' },
        { key: 'stock', label: 'Stock', type: 'INT' },
      ],
      views: [
        { name: 'Short', descriptionEnabled: false, scenarios: ['RELATION'], fields: ['stock', 'price'] },
        { name: 'List' },
        { name: 'Unused', scenarios: [] },
      ],
    },
    orders: {
      ...common,
      groupRoles: [],
      hashtags: [],
      community: { key: `${prefix}-orders`, name: 'Orders' },
      fields: [],
      views: [{ name: 'Line', titleEnabled: false }],
      relations: [
        { name: 'Parts', to: `${prefix}-parts`, itemName: 'Part', cardinality: 'MANY', view: 'Short', required: true },
        { name: 'Follows', to: `${prefix}-orders`, cardinality: 'ONE', view: 'Line' },
        { name: 'See also', to: `${prefix}-parts` },
      ],
    },
  };
};

test('views and relations are exported, and make the same community in an empty tenant, to the byte', async () => {
  const { parts, orders } = files('first');
  const ids = [await build(parts), await build(orders)];
  const written = await Promise.all(ids.map((id) => exported(id)));
  expect(written.map(({ $schema: _, ...said }) => said)).toEqual([parts, orders]);

  const of = await portal.createTenant();
  const other: As = { of, actor: await of.createUser({ admin: true }) };
  for (const file of written)
    expect(JSON.stringify(await exported(await build(file, other), other))).toBe(JSON.stringify(file));

  const definition = await ok(asAdmin(), 'GET', `/communication/settings/communities/${ids[1]}/post-definition`);
  expect(definition.communityRelations).toMatchObject([
    { name: 'Parts', itemName: 'Part', cardinality: 2, required: true, view: { name: 'Short', scenarios: [3] } },
    { name: 'Follows', cardinality: 1, required: false, view: { name: 'Line', titleEnabled: false } },
    { name: 'See also', targetCommunity: { id: ids[0] } },
  ]);
});

test('a plan shows what becomes of views and relations; lists that the file does not have leave them as they are', async () => {
  const { parts, orders } = files('second');
  const [partsId, ordersId] = [await build(parts), await build(orders)];
  const without = ({ views: _views, relations: _relations, ...file }: CommunityFile) => file;
  expect(await shown(without(orders))).toEqual([]);
  expect(await shown({ ...without(orders), relations: [] })).toEqual([
    'remove relation Parts',
    'remove relation Follows',
    'remove relation See also',
  ]);

  // The view is removed together with the relation that uses it.
  const changed: CommunityFile = {
    ...orders,
    views: [{ name: 'Row' }],
    relations: [
      { name: 'Parts', to: 'second-parts', view: 'List' },
      { name: 'Before', to: 'second-orders', view: 'Row' },
    ],
  };
  const before = await plan(changed);
  expect(before.changes).toMatchObject([
    { action: 'create', kind: 'view', key: 'Row' },
    { action: 'remove', kind: 'view', key: 'Line' },
    {
      action: 'change',
      kind: 'relation',
      key: 'Parts',
      properties: [
        { name: 'itemName', before: '"Part"' },
        { name: 'cardinality', before: '"MANY"' },
        { name: 'view', before: '"Short"', after: '"List"' },
        { name: 'required', before: 'true', after: 'false' },
      ],
    },
    { action: 'create', kind: 'relation', key: 'Before' },
    { action: 'remove', kind: 'relation', key: 'Follows' },
    { action: 'remove', kind: 'relation', key: 'See also' },
  ]);
  await build(changed);
  expect((await exported(ordersId)).relations).toEqual(changed.relations);

  // No view contains the removed field any more; communities that show posts with the view see the
  // change.
  const occToken = async () => (await ok(asAdmin(), 'GET', `/admin/manage/communities/${ordersId}`)).occToken;
  const token = await occToken();
  const [short, ...others] = parts.views!;
  await build({ ...parts, fields: [parts.fields![1]!], views: [{ ...short!, fields: ['stock'] }, ...others] });
  expect((await exported(partsId)).views![0]!.fields).toEqual(['stock']);
  expect(await occToken()).toBe(token);
  await build({
    ...parts,
    fields: [parts.fields![1]!],
    views: [
      { ...short!, fields: ['stock'] },
      { name: 'List', fields: ['stock'] },
    ],
  });
  expect(await occToken()).toBeGreaterThan(token);

  expect(await refused({ ...parts, fields: [parts.fields![1]!], views: [{ name: 'Short' }] })).toEqual([
    'file.views',
    'INVALID_VALUE',
  ]);
});

test('what views and relations name has to be there, and who does not see the other community learns nothing of it', async () => {
  const { parts, orders } = files('third');
  const relation = { name: 'R', to: 'third-parts' };
  expect(await refused({ ...orders, relations: [relation] })).toEqual(['file.relations[0].to', 'UNKNOWN_REFERENCE']);
  await build(parts);
  expect(await refused({ ...orders, relations: [{ ...relation, view: 'None' }] })).toEqual([
    'file.relations[0].view',
    'UNKNOWN_REFERENCE',
  ]);
  expect(await refused({ ...orders, relations: [relation, relation] })).toEqual([
    'file.relations[1].name',
    'DUPLICATE_VALUE',
  ]);
  expect(await refused({ ...parts, views: [{ name: 'V', fields: ['none'] }] })).toEqual([
    'file.views[0].fields[0]',
    'UNKNOWN_REFERENCE',
  ]);

  const id = await build(orders);
  const manager: As = { of: tenant, actor: await tenant.createUser() };
  await ok(asAdmin(), 'PUT', `/admin/manage/communities/${id}/members`, {
    userRoles: [{ userId: manager.actor, roleId: 1 }],
  });
  const seen = await exported(id, manager);
  expect(seen.relations?.map(({ name }) => name)).toEqual(['Follows']);
  // Relations that the manager does not see stay.
  await build({ ...seen, relations: [{ ...seen.relations![0]!, itemName: 'Order' }] }, manager);
  expect((await exported(id)).relations?.map(({ name, itemName }) => [name, itemName])).toEqual([
    ['Parts', 'Part'],
    ['Follows', 'Order'],
    ['See also', undefined],
  ]);
  expect((await apply(orders, manager)).status).toBe(400);
});

test('hashtags have external ids, which stay where the file says nothing of them', async () => {
  const file: CommunityFile = {
    ...files('fourth').parts,
    hashtags: ['later', 'urgent'],
    hashtagExternalIds: { urgent: 'U-1' },
  };
  const id = await build(file);
  const { $schema: _, ...written } = await exported(id);
  expect(written).toEqual(file);
  const of = await portal.createTenant();
  const other: As = { of, actor: await of.createUser({ admin: true }) };
  expect(JSON.stringify(await exported(await build(written, other), other))).toBe(JSON.stringify(await exported(id)));

  const { hashtagExternalIds: _ids, ...without } = file;
  expect(await shown(without)).toEqual([]);
  await build(without);
  const changed = { ...file, hashtags: ['urgent', 'later', 'new'], hashtagExternalIds: { urgent: 'U-2', new: 'N' } };
  expect((await plan(changed)).changes).toEqual([
    {
      action: 'change',
      kind: 'hashtag',
      key: 'urgent',
      properties: [{ name: 'externalId', before: '"U-1"', after: '"U-2"' }],
    },
    { action: 'create', kind: 'hashtag', key: 'new' },
  ]);
  await build(changed);
  const { hashtags } = await ok(asAdmin(), 'GET', `/communication/settings/communities/${id}/post-definition`);
  expect(hashtags.map(({ name, externalId }: { name: string; externalId?: string }) => [name, externalId])).toEqual([
    ['later', undefined],
    ['new', 'N'],
    ['urgent', 'U-2'],
  ]);
  // A hashtag that differs only in case, accents or the leading sign is the same hashtag.
  const respelled = { ...file, hashtags: ['#Urgent', 'LATER', 'néw'], hashtagExternalIds: { '#Urgent': 'U-2' } };
  expect(await shown(respelled)).toEqual([]);
  expect(await refused({ ...file, hashtagExternalIds: { none: 'N' } })).toEqual([
    'file.hashtagExternalIds.none',
    'UNKNOWN_REFERENCE',
  ]);
  expect(await refused({ ...file, hashtagExternalIds: { urgent: 'x'.repeat(256) } })).toEqual([
    'file.hashtagExternalIds.urgent',
    'TEXT_TOO_LONG',
  ]);
});

test('a hashtag that is out of use comes back where the file has it', async () => {
  const file: CommunityFile = { ...files('retired').parts, hashtags: ['later'] };
  const id = await build(file);
  await ensureHashtags(await tenant.scope(admin), id, [{ name: 'urgent', deleted: true }]);
  expect(await shown(file)).toEqual([]);
  const respelled = { ...file, hashtags: ['later', '#Urgent'], hashtagExternalIds: { '#Urgent': 'U-1' } };
  expect(await shown(respelled)).toEqual(['create hashtag #Urgent']);
  await build(respelled);
  expect(await exported(id)).toMatchObject({
    hashtags: ['later', 'urgent'],
    hashtagExternalIds: { urgent: 'U-1' },
  });
});

test('the plan names defaults that come back', async () => {
  const { parts } = files('defaults');
  const file: CommunityFile = {
    ...parts,
    community: { ...parts.community, likeEnabled: false, titleEnabled: 'REQUIRED', description: 'Parts' },
    views: [],
    fields: [{ key: 'size', label: 'Size', type: 'INT', required: true, visibleInPreview: false, readonly: true }],
  };
  await build(file);
  const { changes } = await plan({
    ...file,
    community: parts.community!,
    fields: [{ key: 'size', label: 'Size', type: 'INT' }],
  });
  expect(changes!.map(({ kind, properties }) => [kind, properties])).toEqual([
    [
      'community',
      [
        { name: 'description', before: '"Parts"' },
        { name: 'titleEnabled', before: '"REQUIRED"', after: '"OPTIONAL"' },
        { name: 'likeEnabled', before: 'false', after: 'true' },
      ],
    ],
    [
      'field',
      [
        { name: 'required', before: 'true', after: 'false' },
        { name: 'readonly', before: 'true', after: 'false' },
        { name: 'visibleInPreview', before: 'false', after: 'true' },
      ],
    ],
  ]);
});
