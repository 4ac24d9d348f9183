/** Restoring deleted tasks, and reminders of tasks. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  atOnce,
  createTestPortal,
  createTestWorld,
  type TestPortal,
  type TestWorld,
} from '../../../../test/support/test-world.ts';
import { deliverNotifications, remindOfTasks } from '../../notifications/index.ts';

let portal: TestPortal;
let world: TestWorld;

beforeAll(async () => {
  portal = await createTestPortal();
  world = await createTestWorld(portal);
});
afterAll(() => portal?.close());

const DUE = { datetime: '2031-12-31T18:00:00', timezone: 'UTC' };
const AT = Date.UTC(2031, 11, 31, 18);
const HOUR = 3_600_000;
const create = async (by: number, postId: number, body: object = {}): Promise<number> =>
  (await world.ok(by, 'POST', `tasks/manage/create-task/${postId}`, { title: 'T', expiration: DUE, ...body })).taskId;
const restore = (by: number, taskId: number) => world.send(by, 'POST', `tasks/manage/restore-task/${taskId}`);
const deleted = async (by: number): Promise<number[]> =>
  (
    await world.ok(by, 'POST', 'tasks/data/tasks', { relation: 'any', communityId: world.communityId, deleted: true })
  ).items.map(({ id }: { id: number }) => id);

describe('a deleted task', () => {
  test('is there again as it was, once, and its assignee sees the private post again', async () => {
    const { people } = world;
    const postId = await world.post(people.author, { visibility: 1 });
    const attachments = [{ name: 'a.txt', contentRef: await world.upload(people.author, 'a.txt') }];
    const taskId = await create(people.author, postId, { assigneeUserId: people.reader, attachments });
    const sees = async () => (await world.send(people.reader, 'GET', `posts/data/post-detail-by-id/${postId}`)).status;
    await world.ok(people.author, 'DELETE', `tasks/manage/delete-task/${taskId}`);
    expect(await sees()).toBe(404);
    expect(await deleted(people.author)).toEqual([taskId]);
    expect(await deleted(people.contributor)).toEqual([]);
    expect((await restore(people.contributor, taskId)).status).toBe(404);
    expect(await atOnce(8, () => restore(people.author, taskId))).toEqual({ 200: 8 });
    expect(await sees()).toBe(200);
    const [row] = await world.rows(
      `SELECT p.tasks_count AS tasks, p.attachments_count AS files, t.attachments_count AS own
         FROM posts p JOIN tasks t ON t.tenant_id = p.tenant_id AND t.post_id = p.id WHERE p.tenant_id = $1 AND p.id = $2`,
      [postId],
    );
    expect(row).toEqual({ tasks: 1, files: 1, own: 1 });
    expect(await deleted(people.author)).toEqual([]);
  });

  test('is restored by who deleted it and by managers, for 30 days', async () => {
    const { people } = world;
    const postId = await world.post(people.author);
    const ids = [
      await create(people.author, postId, { assigneeUserId: people.author }),
      await create(people.author, postId, { assigneeUserId: people.author }),
    ];
    await world.ok(people.manager, 'DELETE', `tasks/manage/delete-task/${ids[0]}`);
    await world.ok(people.author, 'DELETE', `tasks/manage/delete-task/${ids[1]}`);
    await world.rows('UPDATE tasks SET deleted_at = $3 WHERE tenant_id = $1 AND id = $2', [
      ids[1],
      new Date(Date.now() - 31 * 86_400_000),
    ]);
    expect((await restore(people.author, ids[0]!)).status).toBe(403);
    expect((await restore(people.reader, ids[0]!)).status).toBe(403);
    expect((await restore(people.manager, ids[1]!)).status).toBe(403);
    expect(await deleted(people.manager)).toEqual([ids[0]]);
    expect((await restore(people.manager, ids[0]!)).status).toBe(200);
  });
});

describe('reminders', () => {
  test('are set, follow the expiration, and are sent once while the task is open', async () => {
    const { people, groupId } = world;
    const postId = await world.post(people.author);
    const taskId = await create(people.author, postId, { assigneeGroupId: groupId });
    const path = `tasks/manage/reminders/${taskId}`;
    const reminders = [
      { value: 2, range: 2 },
      { value: 1, range: 3 },
    ];
    const { taskData } = await world.ok(people.author, 'PUT', path, { reminders });
    expect(taskData.reminders).toMatchObject(reminders);
    expect((await world.send(people.contributor, 'PUT', path, { reminders })).status).toBe(403);
    await deliverNotifications(world.db, Date.now());
    expect(await remindOfTasks(world.db, AT - 25 * HOUR)).toBe(0);
    expect(await remindOfTasks(world.db, AT - 24 * HOUR)).toBe(1);
    expect(await remindOfTasks(world.db, AT - 24 * HOUR)).toBe(0);
    const told = await world.ok(people.contributor, 'POST', 'notifications/data/notifications', { kinds: [6] });
    expect(told.items).toMatchObject([{ kind: 6, taskId, postId, overdue: false, authorUser: { id: people.author } }]);
    // A day later: both are due again.
    const detail = await world.ok(people.author, 'GET', `tasks/data/task-detail-by-id/${taskId}`);
    await world.ok(people.author, 'PUT', `tasks/manage/edit-task/${taskId}/${detail.occToken}`, {
      title: 'T',
      expiration: { ...DUE, datetime: '2032-01-01T18:00:00' },
      assigneeGroupId: groupId,
    });
    expect(await remindOfTasks(world.db, AT)).toBe(1);
    await world.ok(people.author, 'POST', `tasks/manage/set-task-state/${taskId}`, { state: 3 });
    expect(await remindOfTasks(world.db, AT + 24 * HOUR)).toBe(0);
  });
});
