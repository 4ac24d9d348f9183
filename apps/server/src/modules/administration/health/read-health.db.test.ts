/** Figures of a tenant: they concern it alone, and only its administrators read them. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestPortal, type TestPortal, type TestTenant } from '../../../../test/support/index.ts';
import { version } from '../../../kernel/version.ts';
import { createCommunity, createWorkspace, setCommunityRole } from '../../communities/index.ts';

const PATH = '/portal/api/admin/data/health';
const POSTS = '/portal/api/external/v2/communication/posts/manage/create-post';

let portal: TestPortal;

beforeAll(async () => {
  portal = await createTestPortal();
});
afterAll(() => portal?.close());

/** Runs a statement as the owner of the database. */
async function asOwner({ tenant: { id } }: TestTenant, sql: string, values: readonly unknown[]): Promise<void> {
  await portal.owner.query(`SELECT set_config('app.tenant_id', $1, false)`, [String(id)]);
  await portal.owner.query(sql, [...values]);
}

/** Creates a tenant with a community that holds posts and attachments. */
async function fill(posts: number, bytes: number): Promise<{ tenant: TestTenant; admin: number }> {
  const tenant = await portal.createTenant();
  const admin = await tenant.createUser({ admin: true });
  const system = await tenant.scope(tenant.systemUserId);
  const workspaceId = await createWorkspace(system, { name: 'Operations' });
  const communityId = await createCommunity(system, { workspaceId, name: 'Service desk' });
  await setCommunityRole(system, communityId, [admin], 1);
  const ids: number[] = [];
  for (let made = 0; made < posts; made++) {
    const post = { title: 'Lift', announcement: false, visibility: 2 };
    const created = await tenant.request(admin, 'POST', `${POSTS}/${communityId}`, post);
    expect(created.status, created.text).toBe(200);
    ids.push(created.body.postId);
  }
  await asOwner(
    tenant,
    `INSERT INTO file_contents (tenant_id, content_ref, size, state, creator_id, created_at, attached_at)
     VALUES ($1, 'a', $2, 1, $3, now(), now()), ($1, 'b', 5, 1, $3, now(), NULL)`,
    [tenant.tenant.id, bytes, admin],
  );
  await asOwner(
    tenant,
    `INSERT INTO attachments (tenant_id, post_id, community_id, entity_type, name, name_key, mime_type, size, content_ref,
                              creator_id, created_at, modifier_id, modified_at)
     VALUES ($1, $2, $3, 1, 'a', 'a', 'text/plain', $4, 'a', $5, now(), $5, now())`,
    [tenant.tenant.id, ids[0], communityId, bytes, admin],
  );
  return { tenant, admin };
}

test('counts people, posts and files of the tenant alone, and is refused to others', async () => {
  const one = await fill(3, 1_000);
  const other = await fill(1, 70);
  const { body } = await one.tenant.request(one.admin, 'GET', PATH);
  expect(body).toMatchObject({
    version,
    activeUsersCount: 1,
    communitiesCount: 1,
    postsCount: 3,
    filesBytes: 1_000,
    filesCount: 1,
    failedMailsCount: 0,
    runningImportsCount: 0,
    largestCommunities: [{ name: 'Service desk', filesBytes: 1_000, filesCount: 1 }],
  });
  const { body: theirs } = await other.tenant.request(other.admin, 'GET', PATH);
  expect(theirs).toMatchObject({ postsCount: 1, filesBytes: 70 });
  const member = await one.tenant.createUser();
  expect((await one.tenant.request(member, 'GET', PATH)).status).toBe(403);
});
