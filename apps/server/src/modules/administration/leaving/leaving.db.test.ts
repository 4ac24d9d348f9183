/** A person leaves: the preview, and the successor who takes over. */
import { FieldType, FilterType } from '@portico/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createTestPortal,
  createTestWorld,
  faults,
  type TestPortal,
  type TestWorld,
} from '../../../../test/support/test-world.ts';

const USERS = '/portal/api/admin/manage/users';
const people = { generic_entity_list_config_id: 'core.user' };
const ofPeople = (label: string, more: object = {}) => ({
  label,
  type: FieldType.GENERIC_ENTITY_LIST,
  metadata: people,
  searchable: true,
  ...more,
});

let portal: TestPortal;
let world: TestWorld;
/** User with `manageUsers` only, who sees no post. */
let clerk: number;

beforeAll(async () => {
  portal = await createTestPortal();
  world = await createTestWorld(portal, {
    fields: [ofPeople('Owner'), ofPeople('Helper', { searchable: false })],
    workflow: () => ({
      title: 'Approval',
      states: [
        { name: 'Open', initial: true, screen: 'Care', edit: { roles: [2] } },
        { name: 'Approved', screen: 'Approve', edit: { roles: [2] } },
      ],
      screenFields: [ofPeople('Carer'), ofPeople('Approved by'), ofPeople('Signed by')],
      screens: [
        { name: 'Care', fields: [{ label: 'Carer' }] },
        { name: 'Approve', fields: [{ label: 'Approved by' }] },
      ],
      transitions: [{ name: 'Approve', from: 'Open', to: 'Approved', screen: 'Approve' }],
    }),
  });
  await world.db.execute('UPDATE workflow_transitions SET sets = $3 WHERE tenant_id = $1 AND id = $2', [
    world.db.tenantId,
    world.workflow!.transitionIds[0],
    JSON.stringify([{ fieldId: field('Signed by'), source: 'actor' }]),
  ]);
  await world.db.execute(
    'UPDATE tenant_versions SET definitions_version = definitions_version + 1 WHERE tenant_id = $1',
    [world.db.tenantId],
  );
  const made = await asAdmin('POST', USERS, {
    firstname: 'Clara',
    lastname: 'Clerk',
    adminCapabilities: ['manageUsers'],
  });
  expect(made.status, made.text).toBe(200);
  clerk = made.body.userId;
});
afterAll(() => portal?.close());

const field = (label: string) => world.fieldIds.get(label) ?? world.workflow!.fields.get(label)!.id;
const asAdmin = (method: string, path: string, body?: object) =>
  world.tenant.request(world.people.admin, method, path, body);
const leave = (by: number, userId: number, body: object, query = '') =>
  world.tenant.request(by, 'POST', `${USERS}/${userId}/leave${query}`, body);
const preview = async (by: number, userId: number) => {
  const answer = await world.tenant.request(by, 'GET', `${USERS}/${userId}/leaving`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
};
const contributor = async () => {
  const userId = await world.tenant.createUser({ firstName: 'Lea', lastName: 'Ver' });
  await world.role(userId, 2);
  return userId;
};

const expiration = { datetime: '2031-06-01T12:00:00', timezone: 'UTC' };
const task = async (postId: number, assigneeUserId: number): Promise<number> =>
  (
    await world.ok(world.people.manager, 'POST', `tasks/manage/create-task/${postId}`, {
      title: 'Task',
      expiration,
      assigneeUserId,
    })
  ).taskId;
const openTasks = async (by: number, userId: number): Promise<number[]> => {
  const page = await world.ok(by, 'POST', 'tasks/data/tasks', { assigneeUserIds: [userId], open: true });
  return page.items.map(({ id }: { id: number }) => id).sort((a: number, b: number) => a - b);
};
const versions = (postIds: number[]) =>
  world.rows<{ version: number }>(
    'SELECT version FROM posts WHERE tenant_id = $1 AND id = ANY ($2::bigint[]) ORDER BY id',
    [postIds],
  );

/** Returns the people in the fields of a post, by label. */
async function held(postId: number): Promise<Record<string, number[]>> {
  const [row] = await world.rows<{ custom: Record<string, number[]>; screen: Record<string, number[]> }>(
    'SELECT custom_data AS custom, screen_data AS screen FROM posts WHERE tenant_id = $1 AND id = $2',
    [postId],
  );
  const labels = ['Owner', 'Helper', 'Carer', 'Approved by', 'Signed by'];
  const data = { ...row!.custom, ...row!.screen };
  return Object.fromEntries(labels.flatMap((label) => (data[field(label)] ? [[label, data[field(label)]!]] : [])));
}

/**
 * Creates a person with two tasks, one on a private post that only managers see, and two posts that
 * hold the person in fields.
 */
async function leaver() {
  const userId = await contributor();
  const { manager } = world.people;
  const open = await world.post(manager, {
    customData: { [field('Owner')]: [userId], [field('Helper')]: [manager, userId] },
  });
  const closed = await world.post(manager, { visibility: 1, customData: { [field('Owner')]: [userId, manager] } });
  const screen = await world.ok(manager, 'GET', `posts/manage/post-workflow-screen-data-for-edit/${open}`);
  await world.ok(manager, 'PUT', `posts/manage/edit-post-workflow-screen-data/${open}/${screen.screenOccToken}`, {
    screenData: { [field('Carer')]: [userId] },
  });
  const taskIds = [await task(open, userId), await task(closed, userId)];
  return { userId, open, closed, taskIds };
}

describe('the preview', () => {
  test('counts posts that the caller does not see, and names none of them', async () => {
    const { userId } = await leaver();
    await world.ok(userId, 'POST', `posts/manage/create-post/${world.communityId}`, {
      title: 'Draft',
      description: 'Some text',
      descriptionFormat: 2,
      draft: true,
    });
    const seen = await preview(world.people.admin, userId);
    const unseen = await preview(clerk, userId);
    expect(unseen).toEqual({
      userId,
      state: 'active',
      postsCount: 0,
      draftsCount: 1,
      openTasksCount: 2,
      unseenOpenTasksCount: 2,
      openAcknowledgementsCount: 0,
      fields: ['Carer', 'Helper', 'Owner'].map((label) => ({
        fieldId: field(label),
        label,
        communityId: world.communityId,
        communityName: 'News',
        postsCount: label === 'Owner' ? 2 : 1,
        unseenPostsCount: label === 'Owner' ? 2 : 1,
        canHandOver: true,
      })),
      roles: [
        {
          communityId: world.communityId,
          communityName: 'News',
          everywhere: false,
          roleId: 2,
          roleName: 'contributor',
          canHandOver: false,
        },
      ],
      groups: [],
      adminCapabilities: [],
      managedUsersCount: 0,
    });
    expect(seen.roles[0].canHandOver).toBe(true);
    await world.role(world.people.admin, 3);
    const partly = await preview(world.people.admin, userId);
    await world.role(world.people.admin, null);
    expect([partly.openTasksCount, partly.unseenOpenTasksCount]).toEqual([2, 1]);
  });

  test('is for holders of manageUsers, about anybody who is or was there', async () => {
    const userId = await contributor();
    const refused = await world.tenant.request(world.people.manager, 'GET', `${USERS}/${userId}/leaving`);
    expect(refused.status).toBe(403);
    const group = { name: 'Administrators', adminCapabilities: ['manageUsers'], memberIds: [userId] };
    const { groupId } = (await asAdmin('POST', '/portal/api/admin/manage/groups', group)).body;
    const { name, adminCapabilities } = group;
    expect((await preview(clerk, userId)).groups).toEqual([{ groupId, name, adminCapabilities }]);
    expect((await asAdmin('POST', `${USERS}/${userId}/erase`)).status).toBe(200);
    expect((await preview(clerk, userId)).state).toBe('erased');
    expect((await asAdmin('GET', `${USERS}/4711000/leaving`)).status).toBe(404);
  });
});

describe('the act', () => {
  test('gives tasks and fields to the successor, also in posts that the caller does not see', async () => {
    const { userId, open, closed, taskIds } = await leaver();
    const successor = await contributor();
    const before = await versions([open, closed]);
    const fieldIds = ['Owner', 'Helper', 'Carer'].map(field);
    const body = { account: 'block', successorUserId: successor, fieldIds };
    const dry = await leave(clerk, userId, body, '?dryRun=true');
    expect(dry.status, dry.text).toBe(200);
    expect(await openTasks(world.people.manager, userId)).toEqual(taskIds);
    const done = await leave(clerk, userId, body);
    expect(done.status, done.text).toBe(200);
    const { dryRun, ...counts } = dry.body;
    expect(counts).toEqual(done.body);
    expect(dryRun.changes.length).toBeGreaterThan(0);
    expect(done.body).toEqual({
      userId,
      state: 'blocked',
      rolesCount: 0,
      tasksCount: 2,
      fieldPostsCount: 2,
      leftTasksCount: 0,
      leftFieldPostsCount: 0,
      notRunCount: 0,
    });
    expect(await openTasks(world.people.manager, userId)).toEqual([]);
    // The task on the private post opens it to the successor.
    expect(await openTasks(successor, successor)).toEqual(taskIds);
    expect(await held(open)).toEqual({
      Owner: [successor],
      Helper: [world.people.manager, successor],
      Carer: [successor],
    });
    expect(await held(closed)).toEqual({ Owner: [successor, world.people.manager] });
    const after = await versions([open, closed]);
    expect(after.map(({ version }) => version)).toEqual(before.map(({ version }) => version + 1));
    const history = await world.rows<{ type: number }>(
      'SELECT type_id AS type FROM history_events WHERE tenant_id = $1 AND post_id = $2 AND author_id = $3',
      [open, clerk],
    );
    const types = history.map(({ type }) => type);
    expect(types.sort((a, b) => a - b)).toEqual([2, 17, 21]);
    const found = await world.ok(world.people.manager, 'POST', `posts/data/list/community/${world.communityId}`, {
      postFieldFilters: [{ columnId: field('Owner'), typeId: FilterType.CONTAINS, parameters: [successor] }],
    });
    expect(found.items.map(({ id }: { id: number }) => id).sort((a: number, b: number) => a - b)).toEqual([
      open,
      closed,
    ]);
    // A repeated request finds nothing left to do.
    const again = await leave(clerk, userId, body);
    expect(again.body).toMatchObject({ state: 'blocked', tasksCount: 0, fieldPostsCount: 0 });
  });

  test('leaves values that say who did something', async () => {
    const userId = await contributor();
    const successor = await contributor();
    const postId = await world.post(userId);
    const step = world.workflow!.transitionIds[0]!;
    const path = `posts/manage/post-workflow-screen-data-for-edit/${postId}?workflowOperationId=${step}`;
    const screen = await world.ok(userId, 'GET', path);
    await world.ok(userId, 'POST', `posts/manage/execute-post-workflow-operation/${postId}/${step}`, {
      screenOccToken: screen.screenOccToken,
      screenData: { [field('Approved by')]: [userId] },
    });
    const { fields } = await preview(clerk, userId);
    expect(
      fields.map(({ label, canHandOver }: { label: string; canHandOver: boolean }) => [label, canHandOver]),
    ).toEqual([
      ['Approved by', false],
      ['Signed by', false],
    ]);
    const fieldIds = [field('Owner'), field('Approved by'), field('Signed by')];
    const refused = await leave(clerk, userId, { account: 'delete', successorUserId: successor, fieldIds });
    expect([refused.status, faults(refused)]).toEqual([
      400,
      ['fieldIds[1]: INVALID_VALUE', 'fieldIds[2]: INVALID_VALUE'],
    ]);
    const done = await leave(clerk, userId, { account: 'delete', successorUserId: successor });
    expect(done.body).toMatchObject({ state: 'deleted' });
    expect(await held(postId)).toEqual({ 'Approved by': [userId], 'Signed by': [userId] });
  });

  test('the caller as successor gains no sight', async () => {
    const { userId, open, closed, taskIds } = await leaver();
    await world.role(clerk, 3);
    const body = { account: 'keep', successorUserId: clerk, fieldIds: [field('Owner')] };
    const done = await leave(clerk, userId, body);
    await world.role(clerk, null);
    expect(done.body).toMatchObject({ tasksCount: 1, fieldPostsCount: 1, leftTasksCount: 1, leftFieldPostsCount: 1 });
    expect(await openTasks(world.people.manager, userId)).toEqual([taskIds[1]]);
    expect([(await held(open))['Owner'], (await held(closed))['Owner']]).toEqual([
      [clerk],
      [userId, world.people.manager],
    ]);
  });

  test('leaves what the successor would not see, until they have a role', async () => {
    const { userId, taskIds } = await leaver();
    const { outsider, admin } = world.people;
    const body = { account: 'delete', successorUserId: outsider };
    const nothing = await leave(clerk, userId, body);
    expect(nothing.body).toMatchObject({ state: 'deleted', tasksCount: 0, leftTasksCount: 2 });
    await world.role(outsider, 3);
    const rest = await leave(clerk, userId, body);
    await world.role(outsider, null);
    expect(rest.body).toMatchObject({ state: 'deleted', tasksCount: 2, leftTasksCount: 0 });
    expect(await openTasks(world.people.manager, outsider)).toEqual(taskIds);
    expect((await asAdmin('GET', `${USERS}/${admin}/leaving`)).status).toBe(200);
  });

  test('roles go with the person who may give them, and the stronger one stays', async () => {
    const [userId, successor] = [await contributor(), await world.tenant.createUser()];
    const { admin, manager } = world.people;
    const workspace = await asAdmin('POST', '/portal/api/admin/manage/workspaces', { name: 'Second' });
    const { workspaceId } = workspace.body;
    const form = await asAdmin('GET', `/portal/api/admin/manage/workspaces/${workspaceId}/edit`);
    const token = form.body.occToken;
    const member = { name: 'Second', addUserRoleAssociations: [{ userId, roleId: 2 }], addUserIds: [userId] };
    const edited = await asAdmin('PUT', `/portal/api/admin/manage/workspaces/${workspaceId}/${token}`, member);
    expect(edited.status, edited.text).toBe(200);
    const body = {
      account: 'keep',
      successorUserId: successor,
      communityIds: [world.communityId],
      workspaceIds: [workspaceId],
    };
    expect((await leave(clerk, userId, body)).status).toBe(403);
    expect((await leave(clerk, userId, { ...body, workspaceIds: [] })).status).toBe(403);
    const postId = await world.post(manager);
    await task(postId, userId);
    const dry = await leave(admin, userId, body, '?dryRun=true');
    const done = await leave(admin, userId, body);
    expect(done.body).toMatchObject({ rolesCount: 3, tasksCount: 1 });
    expect(dry.body).toMatchObject(done.body);
    const left = await preview(admin, userId);
    const taken = await preview(admin, successor);
    expect(left.roles).toEqual([]);
    expect(taken.roles.map(({ roleId }: { roleId?: number }) => roleId)).toEqual([2, 2, undefined]);
    const back = await leave(admin, successor, { ...body, successorUserId: manager, workspaceIds: [] });
    expect(back.body).toMatchObject({ rolesCount: 1 });
    expect((await preview(admin, manager)).roles).toMatchObject([{ communityId: world.communityId, roleId: 1 }]);
    const entries = await world.rows<{ after: object }>(
      `SELECT v.after FROM audit_entries e JOIN audit_values v ON v.tenant_id = e.tenant_id AND v.entry_id = e.id
        WHERE e.tenant_id = $1 AND e.object = 'user' AND e.object_id = $2 AND v.after ? 'successorUserId'`,
      [userId],
    );
    expect(entries).toMatchObject([
      { after: { successorUserId: successor, tasks: true, communityIds: [world.communityId] } },
    ]);
  });

  test('nobody leaves who must stay', async () => {
    const { admin, manager } = world.people;
    const userId = await contributor();
    expect((await leave(manager, userId, { account: 'block' })).status).toBe(403);
    expect((await leave(clerk, clerk, { account: 'block' })).status).toBe(403);
    expect((await leave(clerk, admin, { account: 'keep' })).status).toBe(403);
    expect((await leave(admin, 4_711_000, { account: 'block' })).status).toBe(404);
    const bad = [
      [{}, ['account: REQUIRED_FIELD']],
      [{ account: 'keep', successorUserId: userId }, ['successorUserId: INVALID_VALUE']],
      [
        { account: 'keep', fieldIds: [4_711_000] },
        ['successorUserId: REQUIRED_FIELD', 'fieldIds[0]: UNKNOWN_REFERENCE'],
      ],
      [
        { account: 'keep', successorUserId: manager, communityIds: [4_711_000], workspaceIds: [4_711_000] },
        ['communityIds[0]: UNKNOWN_REFERENCE', 'workspaceIds[0]: UNKNOWN_REFERENCE'],
      ],
    ] as const;
    for (const [body, expected] of bad) expect(faults(await leave(clerk, userId, body))).toEqual(expected);
    const gone = await contributor();
    expect((await asAdmin('POST', `${USERS}/${gone}/block`)).status).toBe(200);
    const blocked = await leave(clerk, userId, { account: 'keep', successorUserId: gone });
    expect(faults(blocked)).toEqual(['successorUserId: UNKNOWN_REFERENCE']);
  });

  test('many posts go in parts, and a repeat with the same key answers the same', async () => {
    const [userId, successor] = [await contributor(), await contributor()];
    const postId = await world.post(world.people.manager, { customData: { [field('Helper')]: [userId] } });
    // A single statement, since this test does not need sixty writes over the API.
    await world.db.execute(
      `INSERT INTO posts (tenant_id, community_id, custom_no, type, visibility, creator_id, created_at, published_at, modifier_id,
              modified_at, operated_at, active_at, recent_at, token_by, token_at, title, title_key, custom_data, state_id, init_state_id)
       SELECT p.tenant_id, p.community_id, 1000000 + n, p.type, p.visibility, p.creator_id, p.created_at, p.published_at, p.modifier_id,
              p.modified_at, p.operated_at, p.active_at, p.recent_at, p.token_by, p.token_at, p.title, p.title_key, p.custom_data, p.state_id, p.init_state_id
         FROM posts p, generate_series(1, 59) AS n WHERE p.tenant_id = $1 AND p.id = $2`,
      [world.db.tenantId, postId],
    );
    const body = { account: 'keep', successorUserId: successor, fieldIds: [field('Helper')] };
    const send = () =>
      world.tenant.request(clerk, 'POST', `${USERS}/${userId}/leave`, body, { 'idempotency-key': `leave ${userId}` });
    const first = await send();
    expect(first.body, first.text).toMatchObject({ fieldPostsCount: 60, notRunCount: 0 });
    expect((await send()).body).toEqual(first.body);
    expect((await preview(clerk, userId)).fields).toEqual([]);
  });

  test('an erasure counts what is left behind', async () => {
    const { userId } = await leaver();
    const answer = await world.tenant.request(clerk, 'GET', `${USERS}/${userId}/erasure`);
    expect(answer.body).toMatchObject({ kept: { openTasks: 2, fieldPosts: 2 }, removed: { roles: 1 } });
  });
});
