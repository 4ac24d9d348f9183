/**
 * Limit of the number of values in the lists of all fields of a community. Runs only in the long
 * form (`longForm`).
 */
import { definitionLimits, FieldType } from '@portico/contract';
import { takeIds } from '@portico/platform/db/take-ids';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestPortal, type TestPortal, type TestTenant } from '../../../../test/support/index.ts';

let portal: TestPortal;
let tenant: TestTenant;
let admin: number;
let communityId: number;
let path: string;
const fieldIds: number[] = [];
/** Numbers of values of the fields: together the limit. */
const SIZES = [5_000, 10_000, 10_000, 10_000, 10_000, 5_000];
/** Timeout: each write of a definition of this size saves a version of it. */
const SLOW = 300_000;
const ADMIN = '/portal/api/admin/manage';

beforeAll(async () => {
  portal = await createTestPortal();
  tenant = await portal.createTenant();
  admin = await tenant.createUser({ admin: true });
  const { workspaceId } = await ask('POST', '/workspaces', { name: 'Workspace' });
  ({ communityId } = await ask('POST', '/communities', { workspaceId, name: 'Stock' }));
  path = `/communities/${communityId}`;
  for (const index of SIZES.keys()) {
    const { fieldId } = await ask('POST', `${path}/fields`, choice(`Part ${index}`, 1));
    fieldIds.push(fieldId);
  }
  // Insert straight into the table: each write by an operation would save a version of all earlier
  // values.
  const { db } = await tenant.scope(admin);
  for (const [index, size] of SIZES.entries())
    await db.execute(
      `INSERT INTO field_enum_values (tenant_id, field_id, position, label, label_key)
       SELECT f.tenant_id, f.id, n, n::text, n::text FROM fields f, generate_series(1, $3) AS n WHERE f.tenant_id = $1 AND f.id = $2`,
      [db.tenantId, fieldIds[index], size - 1],
    );
});
afterAll(() => portal?.close());

async function ask(method: string, path: string, body?: object) {
  const { status, body: answer, text } = await tenant.request(admin, method, `${ADMIN}${path}`, body);
  expect(status, text).toBe(200);
  return answer;
}
async function refused(method: string, path: string, body: object, field: string) {
  const { status, body: answer, text } = await tenant.request(admin, method, `${ADMIN}${path}`, body);
  expect<number>(status, text).toBe(400);
  expect(answer.validationErrors.list).toMatchObject([{ field, code: 'TOO_MANY_ITEMS', args: [50_000] }]);
}
const choice = (label: string, count: number) => ({
  label,
  type: FieldType.ENUM,
  enumValues: Array.from({ length: count }, (_, index) => ({ label: String(index) })),
});

const token = async () => (await ask('GET', path)).occToken as number;
/** Returns the form of a field for an edit. */
async function formOf(fieldId: number) {
  const {
    type: _type,
    catalogId: _catalog,
    parentId: _parent,
    ...form
  } = await ask('GET', `${path}/fields/${fieldId}`);
  return form;
}

test(
  'the fields of posts and screens have 50,000 values together',
  async () => {
    const [first] = fieldIds as [number];
    await refused('POST', `${path}/fields`, choice('More', 1), 'enumValues');
    const form = await formOf(first);
    const longer = { ...form, enumValues: [...form.enumValues, { label: 'More' }] };
    await refused('PUT', `${path}/fields/${first}`, longer, 'enumValues');
    const states = [{ name: 'Open', initial: true }];
    const workflow = { title: 'Approval', states, screenFields: [choice('Kind', 1)] };
    await refused('POST', `${path}/workflow`, workflow, 'screenFields');
    await ask('POST', `${path}/workflow`, { ...workflow, screenFields: [] });
    await refused('POST', `${path}/workflow/fields`, choice('Kind', 1), 'enumValues');
    const { fieldId, nextOccToken } = await ask('POST', `${path}/fields`, { label: 'Note', type: FieldType.STRING });
    const become = { type: FieldType.ENUM, enumValues: [{ label: 'One' }], occToken: nextOccToken };
    await refused('POST', `${path}/definition-fields/${fieldId}/type`, become, 'enumValues');
    await ask('PUT', `${path}/fields/${first}`, { ...form, label: 'Renamed', occToken: nextOccToken });
  },
  SLOW,
);

test(
  'a field that is removed makes room, and a former version brings no more back than there may be',
  async () => {
    const [first] = fieldIds as [number];
    const before = await token();
    await ask('POST', `${path}/definition-fields/${fieldIds.at(-1)}/remove`, { occToken: before });
    const form = await formOf(first);
    await ask('PUT', `${path}/fields/${first}`, { ...form, enumValues: [...form.enumValues, { label: 'More' }] });
    const restore = async () => ({ occToken: await token(), onExisting: 'keep' });
    await refused('POST', `${path}/definition-versions/${before}/restore`, await restore(), 'version');
    await ask('POST', `${path}/workflow/fields`, choice('Kind', 1));
    await refused('POST', `${path}/fields`, choice('More', 4_999), 'enumValues');
    // With many posts the change would take effect later, so it is refused before.
    const { db } = await tenant.scope(admin);
    const body = { title: 'Order', description: 'Text', descriptionFormat: 2, announcement: false };
    const made = await tenant.request(
      admin,
      'POST',
      `/portal/api/communication/posts/manage/create-post/${communityId}`,
      body,
    );
    expect(made.status, made.text).toBe(200);
    const ids = await takeIds(db, 'posts', definitionLimits.postsAtOnce);
    await db.execute(
      `INSERT INTO posts (tenant_id, id, community_id, custom_no, visibility, creator_id, created_at, modifier_id, modified_at,
       token_by, token_at, operated_at, active_at, recent_at, title, title_key, custom_data, screen_data, state_id, published_at)
     SELECT p.tenant_id, n.id, p.community_id, 100000 + n.place, p.visibility, p.creator_id, p.created_at, p.modifier_id,
            p.modified_at, p.token_by, p.token_at, p.operated_at, p.active_at, p.recent_at, p.title, p.title_key, p.custom_data,
            p.screen_data, p.state_id, p.published_at
       FROM posts p, unnest($3::bigint[]) WITH ORDINALITY AS n (id, place) WHERE p.tenant_id = $1 AND p.id = $2`,
      [db.tenantId, made.body.postId, ids],
    );
    await refused('POST', `${path}/definition-versions/${before}/restore`, await restore(), 'version');
  },
  SLOW,
);
