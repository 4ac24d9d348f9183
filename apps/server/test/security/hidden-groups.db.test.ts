/**
 * Groups that are not visible are for administrators. A stored name of such a group stays when a
 * caller who does not know it edits the object.
 */
import { FieldType } from '@portico/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addField } from '../../src/modules/communities/define-fields.ts';
import { createFieldWorld, createPost, type FieldWorld } from '../../src/modules/posts/writing/writing.fixture.ts';
import { createTestPortal, type TestPortal } from '../support/index.ts';

const COMMUNICATION = '/portal/api/external/v2/communication';
const DUE = { datetime: '2031-12-31T18:00:00', timezone: 'Europe/Rome' };

let portal: TestPortal;
let world: FieldWorld;
/** Not visible; the author is in the second. */
let hidden: number;
let own: number;
let field: string;

beforeAll(async () => {
  portal = await createTestPortal();
  world = await createFieldWorld(portal);
  const { db, people, tenant, communityId } = world;
  const make = async (name: string, memberId: number) => {
    const [group] = await db.query<{ id: number }>(
      'INSERT INTO groups (tenant_id, name, name_key, visible) VALUES ($1, $2, lower($2), false) RETURNING id',
      [db.tenantId, name],
    );
    await db.execute('INSERT INTO group_members (tenant_id, group_id, user_id) VALUES ($1, $2, $3)', [
      db.tenantId,
      group!.id,
      memberId,
    ]);
    return group!.id;
  };
  hidden = await make('Secret board', people.manager);
  own = await make('Own board', people.author);
  await db.execute('UPDATE communities SET events_enabled = true, watchers_enabled = 1 WHERE tenant_id = $1', [
    db.tenantId,
  ]);
  await db.execute('UPDATE users SET manages_users = true WHERE tenant_id = $1 AND id = $2', [
    db.tenantId,
    people.manager,
  ]);
  await db.execute(
    `UPDATE tenant_versions SET access_version = access_version + 1, definitions_version = definitions_version + 1
      WHERE tenant_id = $1`,
    [db.tenantId],
  );
  const made = await addField(
    await tenant.scope(people.admin),
    { communityId },
    {
      type: FieldType.GENERIC_ENTITY_LIST,
      label: 'GROUPS',
      sortable: false,
      metadata: { generic_entity_list_config_id: 'core.group' },
    },
  );
  field = String(made.id);
});
afterAll(() => portal?.close());

async function ask(userId: number, method: 'POST' | 'PUT' | 'GET', path: string, body?: object) {
  const answer = await world.tenant.request(userId, method, `${COMMUNICATION}/${path}`, body);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}
const detail = (postId: number) => ask(world.people.author, 'GET', `posts/data/post-detail-by-id/${postId}`);
async function patch(userId: number, postId: number, body: object) {
  const { db } = world;
  const [post] = await db.query<{ version: number }>('SELECT version FROM posts WHERE tenant_id = $1 AND id = $2', [
    db.tenantId,
    postId,
  ]);
  return ask(userId, 'POST', `posts/manage/patch-post/${postId}`, { ...body, occToken: post!.version });
}

describe('a group that is not visible', () => {
  test('is named by its members, and by who manages users', async () => {
    const { author, manager } = world.people;
    const { postId } = await createPost(world, author, { customData: { [field]: [own] } });
    await patch(author, postId, { watcherGroupIds: [own] });
    expect((await detail(postId)).watcherGroups).toMatchObject([{ id: own }]);
    const task = { title: 'To do', assigneeGroupId: hidden, expiration: DUE, priority: 1 };
    await ask(manager, 'POST', `tasks/manage/create-task/${postId}`, task);
  });

  test('is unknown as a value of a field, as an id that never existed', async () => {
    const { tenant, people, communityId } = world;
    const answers = [];
    for (const id of [hidden, 79_999_999]) {
      const answer = await tenant.request(
        people.author,
        'POST',
        `${COMMUNICATION}/posts/manage/create-post/${communityId}`,
        { title: 'A', description: 'A', descriptionFormat: 2, announcement: false, customData: { [field]: [id] } },
      );
      const text = answer.text.replace(/"requestId":"[^"]*"/, '');
      answers.push({ status: answer.status, text: text.replaceAll('79999999', String(hidden)) });
    }
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]!.status).toBe(400);
  });

  test('stays in a field, among watchers and as the assignee of a task when who does not know it edits them', async () => {
    const { author, manager } = world.people;
    const { postId } = await createPost(world, author);
    const named = { watcherGroupIds: [hidden], customData: { [field]: [hidden] } };
    await patch(manager, postId, named);
    const shown = await detail(postId);
    const change = { title: 'Renamed', watcherGroupIds: [hidden, own], customData: { [field]: [hidden, own] } };
    await patch(author, postId, change);
    const after = await detail(postId);
    const idsOf = (groups: { id: number }[]) => groups.map(({ id }) => id).sort((a, b) => a - b);
    expect(idsOf(shown.watcherGroups)).toEqual([hidden]);
    expect(idsOf(after.watcherGroups)).toEqual([hidden, own]);
    expect(idsOf(after.customData[field])).toEqual([hidden, own]);
    await patch(author, postId, { customData: { [field]: [own] } });
    expect(idsOf((await detail(postId)).customData[field])).toEqual([own]);

    const task = { title: 'To do', assigneeGroupId: own, expiration: DUE, priority: 1 };
    const made = await ask(author, 'POST', `tasks/manage/create-task/${postId}`, task);
    const edit = (userId: number, token: number, change: object) =>
      ask(userId, 'PUT', `tasks/manage/edit-task/${made.taskId}/${token}`, { ...task, ...change });
    const given = await edit(manager, made.nextOccToken, { assigneeGroupId: hidden, addWatcherGroupIds: [hidden] });
    const again = { title: 'Renamed', assigneeGroupId: hidden, addWatcherGroupIds: [hidden] };
    const kept = await edit(author, given.nextOccToken, again);
    expect(kept.taskData).toMatchObject({ title: 'Renamed', assigneeGroup: { id: hidden } });
  });

  test('is unknown as the group from which a field takes people, and as a name in the file of a community', async () => {
    const { people, communityId, db, tenant } = world;
    const manages = await world.tenant.createUser();
    await db.execute(
      `INSERT INTO community_roles (tenant_id, community_id, principal, role_id)
       SELECT $1, $2, $3, role_id FROM community_roles WHERE tenant_id = $1 AND community_id = $2 AND principal = $4`,
      [db.tenantId, communityId, manages, people.manager],
    );
    await db.execute('UPDATE tenant_versions SET access_version = access_version + 1 WHERE tenant_id = $1', [
      db.tenantId,
    ]);
    const admin = '/portal/api/external/v2/admin';
    const send = (as: number, method: string, path: string, body?: object) =>
      tenant.request(as, method, `${admin}/${path}`, body);
    const form = (label: string, group: number) => ({
      type: FieldType.GENERIC_ENTITY_LIST,
      label,
      metadata: { generic_entity_list_config_id: 'core.user', user_picker_from_group: String(group) },
    });
    const add = (as: number, group: number) =>
      send(as, 'POST', `manage/communities/${communityId}/fields`, form(`People ${group}`, group));
    const plain = (text: string) => text.replaceAll(/79999999/g, 'X').replaceAll(String(hidden), 'X');
    const told = async (answer: ReturnType<typeof send>) => {
      const { status, body, text } = await answer;
      const made = [body.requestId, body.planToken].filter(Boolean);
      return { status, text: plain(made.reduce((said, one) => said.replaceAll(one, ''), text)) };
    };
    const refused = await told(add(manages, hidden));
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('metadata.user_picker_from_group');
    expect(refused).toEqual(await told(add(manages, 79_999_999)));
    // A caller who knows the group names it; then it stays when somebody else edits the field.
    const made = await add(people.manager, hidden);
    expect(made.status, made.text).toBe(200);
    const edit = async (as: number, group: number) => {
      const { body } = await send(as, 'GET', `manage/communities/${communityId}`);
      const { label, metadata } = form('Of the board', group);
      return send(as, 'PUT', `manage/communities/${communityId}/fields/${made.body.fieldId}`, {
        label,
        metadata,
        occToken: body.occToken,
      });
    };
    expect((await edit(manages, hidden)).status).toBe(200);
    expect((await edit(manages, own)).status).toBe(400);

    const { body: file } = await send(manages, 'GET', `manage/communities/${communityId}/file`);
    const other = { key: 'others', label: 'Others', type: 'GENERIC_ENTITY_LIST' };
    const withGroup = (name: string) => ({
      ...file,
      groupRoles: [...(file.groupRoles ?? []), { group: name, role: 'READER' }],
      fields: [
        ...file.fields,
        { ...other, metadata: { generic_entity_list_config_id: 'core.user', user_picker_from_group: name } },
      ],
    });
    const second = await db.query<{ id: number }>(
      `INSERT INTO groups (tenant_id, name, name_key, visible) VALUES ($1, 'Secret jury', 'secret jury', false) RETURNING id`,
      [db.tenantId],
    );
    expect(second).toHaveLength(1);
    const plans = [];
    const applied = [];
    for (const name of ['Secret jury', 'Nobody jury']) {
      const same = (text: string) => text.replaceAll(name, 'X');
      const planned = await told(send(manages, 'POST', 'data/community-plans', { file: withGroup(name) }));
      plans.push({ ...planned, text: same(planned.text) });
      const done = await told(send(manages, 'POST', 'manage/community-plans', { file: withGroup(name) }));
      applied.push({ ...done, text: same(done.text) });
    }
    // Neither a hidden group nor none: the file would create the group, which needs another right.
    expect(plans[0]!.status, plans[0]!.text).toBe(403);
    expect(plans[0]).toEqual(plans[1]);
    expect(applied[0]!.status).toBe(403);
    expect(applied[0]).toEqual(applied[1]);
  });

  test('is not named by a dry run', async () => {
    const { author, manager } = world.people;
    const { postId } = await createPost(world, author);
    await patch(manager, postId, { watcherGroupIds: [hidden, own] });
    const body = { comment: 'Yes', commentFormat: 2 };
    const { dryRun } = await ask(author, 'POST', `posts/manage/create-comment/${postId}?dryRun=true`, body);
    const told = dryRun.notifications.map(({ description }: { description: string }) => description);
    expect(told.join()).toContain('of the group Own board');
    expect(told.join()).toContain('of a group that you cannot see');
    expect(told.join()).not.toContain('Secret');
  });
});
