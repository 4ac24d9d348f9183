import { type CommunityFile, RoleId } from '@portico/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestPortal, type TestPortal, type TestTenant } from '../../test/support/index.ts';
import { readCommunity, readPlaces } from './data.ts';
import { DEMO_ADMIN_EMAIL } from './demo-context.ts';
import { createDemo } from './index.ts';

const NOW = Date.UTC(2026, 5, 1, 12);

interface Demo {
  portal: TestPortal;
  made: TestTenant;
  passwords: Awaited<ReturnType<typeof createDemo>>['passwords'];
}

/** Two installations that were first started at different times. */
let first: Demo;
let second: Demo;

async function start(now: number): Promise<Demo> {
  const portal = await createTestPortal({ clock: { now: () => now } });
  const made = await portal.createTenant();
  const { key, passwords } = await createDemo(portal.services, made.tenant, made.systemUserId);
  expect(key).toMatchObject({ type: 'service_account', client_id: expect.any(Number) });
  return { portal, made, passwords };
}

beforeAll(async () => {
  first = await start(NOW);
  second = await start(NOW + 173 * 86_400_000 + 7_654_321);
}, 300_000);

afterAll(async () => {
  await first?.portal.close();
  await second?.portal.close();
});

/** Returns the rows of a demo's tables, without times, keys and random references. */
async function contentOf({ portal, made: { tenant } }: Demo): Promise<Record<string, unknown[]>> {
  const db = portal.services.databases.for(tenant.id);
  const content: Record<string, unknown[]> = {};
  const read = async (name: string, columns: string) => {
    content[name] = await db.query(`SELECT ${columns} FROM ${name} WHERE tenant_id = $1 ORDER BY 1, 2`, [tenant.id]);
  };
  await read('users', 'id, external_id, first_name, last_name, contact_email, blocked, service_account');
  await read('groups', 'id, name, members_count');
  await read('communities', 'id, external_id, name, workspace_id, workflow_id');
  await read('fields', 'id, label, type, community_id, searchable, sortable');
  await read('catalog_entries', 'id, catalog_id, label, external_id, deleted');
  await read('workflow_states', 'id, name, workflow_id, external_id');
  await read('workflow_transitions', 'id, name, from_state_id, to_state_id');
  await read('hashtags', 'id, name, community_id');
  await read(
    'posts',
    `id, community_id, custom_no, type, title, description_text, creator_id, visibility, draft, pinned, state_id,
     deleted_at IS NOT NULL AS deleted, comments_count, tasks_count, likes_count, attachments_count`,
  );
  await read('comments', 'id, post_id, creator_id, parent_id, plain');
  await read('tasks', 'id, post_id, creator_id, assignee, type, state, priority, title');
  await read('attachments', 'id, post_id, comment_id, task_id, name, mime_type, size');
  await read('history_events', 'id, post_id, type_id, target_user_id, comment_id');
  return content;
}

it('is the same at each first start: ids, texts and kinds', async () => {
  const [one, other] = [await contentOf(first), await contentOf(second)];
  expect(one['posts']!.length).toBeGreaterThan(500);
  for (const [table, rows] of Object.entries(one)) expect(other[table], table).toEqual(rows);
});

it('has the communities that their files say', async () => {
  const { portal, made } = first;
  const db = portal.services.databases.for(made.tenant.id);
  const [admin] = await db.query<{ id: number }>('SELECT id FROM users WHERE tenant_id = $1 AND contact_email = $2', [
    made.tenant.id,
    DEMO_ADMIN_EMAIL,
  ]);
  for (const { key } of readPlaces().communities) {
    const file = readCommunity(key);
    const { status, body, text } = await made.request(admin!.id, 'POST', '/portal/api/admin/data/community-plans', {
      file,
    });
    expect(status, text).toBe(200);
    expect(body, file.community?.key).toMatchObject({ changes: [], communityId: expect.any(Number) });
  }
});

it('is exported, and made again in an empty tenant, to the byte', async () => {
  const { portal, made } = first;
  const other = await portal.createTenant();
  const [admin] = await portal.services.databases
    .for(made.tenant.id)
    .query<{ id: number }>('SELECT id FROM users WHERE tenant_id = $1 AND contact_email = $2', [
      made.tenant.id,
      DEMO_ADMIN_EMAIL,
    ]);
  const send = async (of: TestTenant, actor: number, method: string, path: string, body?: object) => {
    const answer = await of.request(actor, method, `/portal/api/admin/${path}`, body);
    expect(answer.status, answer.text).toBe(200);
    return answer.body;
  };
  const { items } = await send(made, admin!.id, 'POST', 'data/communities', { pageSize: 100 });
  const written: CommunityFile[] = [];
  for (const { id } of items) written.push(await send(made, admin!.id, 'GET', `manage/communities/${id}/file`));
  expect(written.length).toBe(readPlaces().communities.length);
  const actor = await other.createUser({ admin: true });
  const apply = (file: CommunityFile) => send(other, actor, 'POST', 'manage/community-plans', { file });
  // Fields and relations may name other communities, so all communities exist before them.
  for (const { relations: _relations, ...file } of written) await apply({ ...file, fields: [], views: [] });
  for (const { relations: _relations, ...file } of written) await apply(file);
  for (const file of written) {
    const { communityId } = await apply(file);
    const again = await send(other, actor, 'GET', `manage/communities/${communityId}/file`);
    expect(JSON.stringify(again)).toBe(JSON.stringify(file));
  }
});

async function licencesAndCredentials({ portal, made: { tenant } }: Demo): Promise<void> {
  const db = portal.services.databases.for(tenant.id);
  // Exactly two people have a licence, who write no posts and are named by nothing that the older line reads; nobody has a disabled way to sign in.
  const licensed = await db.query<{ service: boolean; posts: number; active: boolean; named: number }>(
    `SELECT u.service_account AS service, NOT u.blocked AND u.deleted_at IS NULL AS active,
            (SELECT count(*) FROM posts p WHERE p.tenant_id = u.tenant_id AND p.creator_id = u.id) AS posts,
            (SELECT count(*) FROM post_watchers w WHERE w.tenant_id = u.tenant_id AND w.principal = u.id)
            + (SELECT count(*) FROM task_watchers w WHERE w.tenant_id = u.tenant_id AND w.principal = u.id)
            + (SELECT count(*) FROM post_values v JOIN fields f ON f.tenant_id = v.tenant_id AND f.id = v.field_id
                WHERE v.tenant_id = u.tenant_id AND v.ref = u.id AND f.metadata ->> 'generic_entity_list_config_id' = 'core.user')
            + CASE WHEN u.manager_id IS NULL THEN 0 ELSE 1 END AS named
       FROM users u WHERE u.tenant_id = $1 AND u.licence_types <> '{}'`,
    [tenant.id],
  );
  expect(licensed).toEqual(Array(2).fill({ service: false, active: true, posts: 0, named: 0 }));
  const disabled = await db.query(
    `SELECT id FROM users WHERE tenant_id = $1 AND ((google_account_id IS NOT NULL AND NOT google_enabled)
        OR (microsoft_account_id IS NOT NULL AND NOT microsoft_enabled) OR (custom_username IS NOT NULL AND NOT custom_active))`,
    [tenant.id],
  );
  expect(disabled).toEqual([]);
}

it('has an administrator whom the start can name, two licences, and nothing later than now', async () => {
  const { portal, made } = first;
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
  await licencesAndCredentials(first);
});

it('gives its administrator and two members a password, with which they choose their own', async () => {
  const { made, passwords } = first;
  const rights: unknown[] = [];
  for (const { username, password } of passwords) {
    const signIn = (body: object) =>
      made.request(null, 'POST', '/portal/api/core/auth/create-access-token-by-credentials', { username, ...body });
    expect((await signIn({ password })).body.validationErrors.list).toMatchObject([{ field: 'newPassword' }]);
    const newPassword = `the own one of ${username}`;
    const { body } = await signIn({ password, newPassword });
    expect((await signIn({ password, newPassword })).status).toBe(401);
    const started = await made.request(null, 'POST', '/portal/api/core/auth/start-session', {
      username,
      password: newPassword,
    });
    const Cookie = started.headers.getSetCookie()[0]!.split(';')[0]!;
    const inBrowser = await made.request(null, 'GET', '/portal/api/core/auth/current-user-data', undefined, { Cookie });
    expect(inBrowser.body.userData.id).toBe(started.body.userId);
    const authorization = { Authorization: `Bearer ${body.accessToken}` };
    const people = await made.request(null, 'POST', '/portal/api/admin/data/users', {}, authorization);
    const me = await made.request(null, 'GET', '/portal/api/core/auth/current-user-data', undefined, authorization);
    const scope = await made.scope(me.body.userData.id);
    rights.push({ users: people.status, manages: [...scope.actor.roles.values()].includes(RoleId.MANAGER) });
  }
  expect(passwords[0]!.username).toBe('admin');
  expect(rights).toEqual([
    { users: 200, manages: expect.any(Boolean) },
    { users: 403, manages: true },
    { users: 403, manages: false },
  ]);
});
