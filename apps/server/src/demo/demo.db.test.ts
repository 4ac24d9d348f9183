import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestPortal, type TestPortal, type TestTenant } from '../testing/index.ts';
import { createDemo, DEMO_ADMIN_EMAIL } from './index.ts';

const NOW = Date.UTC(2026, 5, 1, 12);

let portal: TestPortal;
/** Two tenants that were filled one after the other. */
let tenants: readonly [TestTenant, TestTenant];

beforeAll(async () => {
  portal = await createTestPortal({ clock: { now: () => NOW } });
  tenants = [await portal.createTenant(), await portal.createTenant()];
  for (const { tenant, systemUserId } of tenants) {
    const key = await createDemo(portal.services, tenant, systemUserId);
    expect(key).toMatchObject({ type: 'service_account', client_id: expect.any(Number) });
  }
}, 300_000);

afterAll(async () => {
  await portal?.close();
});

/** What a tenant's story is: who wrote what, where, when, and what became of it. */
async function storyOf({ tenant }: TestTenant) {
  const db = portal.services.databases.for(tenant.id);
  return db.query(
    `SELECT c.external_id AS place, p.custom_no AS number, p.type, p.title, u.external_id AS author, p.created_at AS at, p.visibility,
            p.draft, p.deleted_at IS NOT NULL AS deleted, s.external_id AS state, p.comments_count AS comments,
            p.tasks_count AS tasks, p.likes_count AS likes, p.attachments_count AS files
       FROM posts p JOIN communities c ON c.tenant_id = p.tenant_id AND c.id = p.community_id
       JOIN users u ON u.tenant_id = p.tenant_id AND u.id = p.creator_id
       LEFT JOIN workflow_states s ON s.tenant_id = p.tenant_id AND s.id = p.state_id
      WHERE p.tenant_id = $1 ORDER BY 1, 2`,
    [tenant.id],
  );
}

it('tells every tenant the same story, in whatever order its communities are filled', async () => {
  const [first, second] = [await storyOf(tenants[0]), await storyOf(tenants[1])];
  expect(first.length).toBeGreaterThan(500);
  expect(second).toEqual(first);
});

async function licencesAndCredentials({ tenant }: TestTenant): Promise<void> {
  const db = portal.services.databases.for(tenant.id);
  // Exactly two people have a licence, who write no posts; nobody has a disabled way to sign in.
  const licensed = await db.query<{ service: boolean; posts: number; active: boolean }>(
    `SELECT u.service_account AS service, NOT u.blocked AND u.deleted_at IS NULL AS active,
            (SELECT count(*) FROM posts p WHERE p.tenant_id = u.tenant_id AND p.creator_id = u.id) AS posts
       FROM users u WHERE u.tenant_id = $1 AND u.licence_types <> '{}'`,
    [tenant.id],
  );
  expect(licensed).toEqual(Array(2).fill({ service: false, active: true, posts: 0 }));
  const disabled = await db.query(
    `SELECT id FROM users WHERE tenant_id = $1 AND ((google_account_id IS NOT NULL AND NOT google_enabled)
        OR (microsoft_account_id IS NOT NULL AND NOT microsoft_enabled) OR (custom_username IS NOT NULL AND NOT custom_active))`,
    [tenant.id],
  );
  expect(disabled).toEqual([]);
}

it('has an administrator whom the start can name, two licences, and nothing later than now', async () => {
  const made = tenants[0];
  const db = portal.services.databases.for(made.tenant.id);
  const [admin] = await db.query<{ users: boolean; workplace: boolean }>(
    'SELECT manages_users AS users, manages_workplace AS workplace FROM users WHERE tenant_id = $1 AND contact_email = $2',
    [made.tenant.id, DEMO_ADMIN_EMAIL],
  );
  expect(admin).toEqual({ users: true, workplace: true });
  const [late] = await db.query<{ posts: number; events: number; comments: number }>(
    `SELECT (SELECT count(*) FROM posts WHERE tenant_id = $1 AND greatest(created_at, modified_at, active_at) > $2) AS posts,
            (SELECT count(*) FROM history_events WHERE tenant_id = $1 AND at > $2) AS events,
            (SELECT count(*) FROM comments WHERE tenant_id = $1 AND created_at > $2) AS comments`,
    [made.tenant.id, new Date(NOW)],
  );
  expect(late).toEqual({ posts: 0, events: 0, comments: 0 });
  await licencesAndCredentials(made);
});
