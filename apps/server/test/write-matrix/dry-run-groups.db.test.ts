/**
 * Notifications of a dry run to groups: only callers who manage users see the members of a group.
 */
import type { OperationId } from '@portico/contract';
import { takeIds } from '@portico/platform/db/take-ids';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestPortal, type TestPortal } from '../support/index.ts';
import { send } from './calls.fixture.ts';
import { type Call, createRecipeWorld, EVENT, type TestWorld } from './recipes.fixture.ts';

let portal: TestPortal;
let world: TestWorld;
beforeAll(async () => {
  portal = await createTestPortal();
  world = await createRecipeWorld(portal);
});
afterAll(() => portal?.close());

/** An event of the author's that everybody can read. */
async function event(body: object): Promise<number> {
  const made = await world.ok(world.people.author, 'POST', `posts/manage/create-event-post/${world.communityId}`, {
    title: 'Much',
    descriptionFormat: 2,
    description: 'text',
    announcement: false,
    visibility: 2,
    event: EVENT,
    ...body,
  });
  return made.postId;
}

const dryRunOf = async (userId: number, id: OperationId, call: Call) => {
  const answer = await send(world, userId, id, call, { dryRun: true });
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
};
const told = (dryRun: { notifications: { userId: number; description: string }[] }) =>
  dryRun.notifications.map(({ userId, description }) => [userId, description]);
const task = () => ({
  title: 'To do',
  assigneeGroupId: world.groupId,
  expiration: { datetime: '2031-12-31T18:00:00', timezone: 'Europe/Rome' },
  priority: 1,
});

describe('notifications', () => {
  /** Whether the author manages users, from their next request on. */
  const managing = (manages: boolean) =>
    world.rows(
      `WITH changed AS (UPDATE users SET manages_users = $3 WHERE tenant_id = $1 AND id = $2)
       UPDATE tenant_versions SET access_version = access_version + 1 WHERE tenant_id = $1`,
      [world.people.author, manages],
    );
  const asManager = async <T>(work: () => Promise<T>): Promise<T> => {
    await managing(true);
    return work().finally(() => managing(false));
  };

  test('go to the members of a group that is given a task, and to nobody blocked', async () => {
    const { author, contributor, manager } = world.people;
    const postId = await event({ watcherUserIds: [manager], watcherGroupIds: [world.groupId] });
    const body = task();
    const { dryRun } = await asManager(() => dryRunOf(author, 'createTask', { params: { postId }, body }));
    expect(told(dryRun)).toEqual(
      expect.arrayContaining([
        [
          contributor,
          'Task assigned: “Much”. Told because the user is assigned the task as a member of the group Editors.',
        ],
      ]),
    );
    expect(dryRun.notifications.some(({ userId }: { userId: number }) => userId === author)).toBe(false);
    await world.rows('UPDATE users SET blocked = true WHERE tenant_id = $1 AND id = $2', [contributor]);
    const without = await asManager(() => dryRunOf(author, 'createTask', { params: { postId }, body }));
    await world.rows('UPDATE users SET blocked = false WHERE tenant_id = $1 AND id = $2', [contributor]);
    expect(told(without.dryRun).map(([userId]) => userId)).not.toContain(contributor);
  });

  test('tell of a group, not of who is in it, whoever does not manage users', async () => {
    const { author, manager } = world.people;
    const postId = await event({ watcherUserIds: [manager], watcherGroupIds: [world.groupId] });
    const assigned = await dryRunOf(author, 'createTask', { params: { postId }, body: task() });
    expect(told(assigned.dryRun)).toEqual(
      expect.arrayContaining([
        [
          undefined,
          'Task assigned: “Much”. Told to those of the group Editors who can read it: the group is assigned the task.',
        ],
      ]),
    );
    expect(JSON.stringify(assigned.dryRun.notifications)).not.toContain('member of');
    const body = { comment: 'Yes', commentFormat: 2 };
    const watched = async () =>
      told((await dryRunOf(author, 'createPostComment', { params: { postId }, body })).dryRun);
    const before = await watched();
    expect(before).toEqual([
      [manager, 'Comment added: “Much”. Told because the user watches the post.'],
      [
        undefined,
        'Comment added: “Much”. Told to those of the group Editors who can read it: the group watches the post.',
      ],
    ]);
    // Nor does it tell whether anybody is in it.
    await world.rows('DELETE FROM group_members WHERE tenant_id = $1 AND group_id = $2', [world.groupId]);
    const after = await watched();
    await world.rows('INSERT INTO group_members (tenant_id, group_id, user_id) VALUES ($1, $2, $3)', [
      world.groupId,
      world.people.contributor,
    ]);
    expect(after).toEqual(before);
  });

  test('list a hundred, and say how many more there are', async () => {
    const { author, manager } = world.people;
    const groupId = (await takeIds(world.db, 'groups', 1))[0]!;
    const members = await takeIds(world.db, 'users', 150);
    const { communityId } = world;
    await world.rows(`INSERT INTO groups (tenant_id, id, name, name_key) VALUES ($1, $2, 'Many', 'many')`, [groupId]);
    await world.rows(
      `INSERT INTO users (tenant_id, id, first_name, last_name, first_key, last_key)
       SELECT a.tenant_id, n.id, 'N', n.id::text, 'n', n.id::text FROM tenant_versions a, unnest($2::bigint[]) AS n (id) WHERE a.tenant_id = $1`,
      [members],
    );
    await world.rows(
      `INSERT INTO group_members (tenant_id, group_id, user_id)
       SELECT a.tenant_id, $2, n.id FROM tenant_versions a, unnest($3::bigint[]) AS n (id) WHERE a.tenant_id = $1`,
      [groupId, members],
    );
    await world.rows(
      'INSERT INTO community_roles (tenant_id, community_id, principal, role_id) VALUES ($1, $2, $3, 3)',
      [communityId, -groupId],
    );
    const postId = await event({ watcherGroupIds: [groupId], watcherUserIds: [manager] });
    const body = { comment: 'Yes', commentFormat: 2 };
    const { dryRun } = await asManager(() => dryRunOf(author, 'createPostComment', { params: { postId }, body }));
    expect(dryRun.notifications).toHaveLength(101);
    expect(new Set(dryRun.notifications.map(({ userId }: { userId: number }) => userId)).size).toBe(101);
    expect(dryRun.notifications[0]).toMatchObject({
      userId: manager,
      description: 'Comment added: “Much”. Told because the user watches the post.',
    });
    expect(dryRun.notifications[1].description).toContain('watches the post as a member of the group Many.');
    expect(dryRun.notifications.at(-1)).toEqual({ description: '51 more would be told, who are not listed.' });
    const other = await dryRunOf(author, 'createPostComment', { params: { postId }, body });
    expect(told(other.dryRun).map(([userId]) => userId)).toEqual([manager, undefined]);
  });
});
