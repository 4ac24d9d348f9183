/**
 * Requests to acknowledge a post: the people asked, their waiting items, acknowledgements and
 * reminders.
 */
import { NotificationKind, WaitingKind } from '@portico/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  createTestPortal,
  createTestWorld,
  faults,
  type TestPortal,
  type TestWorld,
} from '../../../../../test/support/test-world.ts';
import { deliverNotifications, remindOfTasks } from '../../../notifications/index.ts';

let portal: TestPortal;
let world: TestWorld;

beforeAll(async () => {
  portal = await createTestPortal();
});
beforeEach(async () => {
  world = await createTestWorld(portal);
});
afterAll(() => portal?.close());

const DUE = { datetime: '2031-12-31T18:00:00', timezone: 'UTC' };
const ask = (postId: number, body: object, by = world.people.author) =>
  world.send(by, 'POST', `posts/manage/request-acknowledgements/${postId}`, body);
const acknowledge = (userId: number, postId: number) =>
  world.send(userId, 'POST', `posts/manage/acknowledge/${postId}`);
const withdraw = (postId: number, body: object = {}) =>
  world.ok(world.people.author, 'POST', `posts/manage/withdraw-acknowledgements/${postId}`, body);
const list = (postId: number, body: object = {}) =>
  world.ok(world.people.reader, 'POST', `posts/data/acknowledgements/${postId}`, {
    calculateTotalItemsCount: true,
    ...body,
  });
const waiting = async (userId: number) =>
  (await world.ok(userId, 'POST', 'posts/data/waiting', { kinds: [WaitingKind.ACKNOWLEDGEMENT] })).items;
const may = (userId: number, postId: number) => world.ok(userId, 'GET', `posts/data/post-capabilities/${postId}`);

describe('a request to acknowledge a post', () => {
  test('waits for people and members of groups until each acknowledges it, once', async () => {
    const { people, groupId } = world;
    const postId = await world.post(people.author, { title: 'House rules' });
    const before = await world.ok(people.reader, 'GET', `posts/data/post-detail-by-id/${postId}`);
    expect(await may(people.author, postId)).toMatchObject({ canRequestAcknowledgements: true, canAcknowledge: false });
    const asked = await ask(postId, { userIds: [people.reader], groupIds: [groupId], expiration: DUE });
    expect(asked.body).toEqual({ postId, askedCount: 2 });
    // Nobody is asked twice.
    expect((await ask(postId, { groupIds: [groupId] })).body).toEqual({ postId, askedCount: 0 });
    await deliverNotifications(world.db, Date.now());
    const told = await world.ok(people.contributor, 'POST', 'notifications/data/notifications', {});
    expect(told.items).toMatchObject([
      { kind: NotificationKind.ASSIGNMENT, postId, authorUser: { id: people.author } },
    ]);
    for (const userId of [people.reader, people.contributor]) {
      expect(await waiting(userId)).toMatchObject([{ postId, taskTitle: 'House rules', postTitle: 'House rules' }]);
      expect(await may(userId, postId)).toMatchObject({ canRequestAcknowledgements: false, canAcknowledge: true });
    }
    expect(await list(postId, { acknowledged: false })).toMatchObject({
      totalItemsCount: 2,
      items: [
        { user: {}, requestUser: { id: people.author }, acknowledged: false, overdue: false, expiration: {} },
        {},
      ],
    });
    const first = await acknowledge(people.reader, postId);
    expect(first.body).toEqual({ postId, acknowledgementTimestamp: expect.any(Number) });
    expect((await acknowledge(people.reader, postId)).body).toEqual(first.body);
    expect(await waiting(people.reader)).toEqual([]);
    expect((await may(people.reader, postId)).canAcknowledge).toBe(false);
    expect((await list(postId, { acknowledged: true })).items).toMatchObject([
      {
        user: { id: people.reader },
        acknowledged: true,
        ...{ acknowledgementTimestamp: first.body.acknowledgementTimestamp },
      },
    ]);
    expect((await list(postId, { pageSize: 1 })).nextPageToken).toEqual(expect.any(String));
    // A person without a request cannot acknowledge the post, and nobody can for another person.
    expect((await acknowledge(people.manager, postId)).status).toBe(403);
    const [{ taskId }] = (await list(postId, { acknowledged: false })).items;
    for (const [method, path, body] of [
      ['POST', `set-task-state/${taskId}`, { state: 3 }],
      ['PUT', `edit-task/${taskId}/1`, { title: 'x', expiration: DUE, assigneeUserId: people.reader }],
      ['DELETE', `delete-task/${taskId}`, undefined],
    ] as const)
      expect((await world.send(people.manager, method, `tasks/manage/${path}`, body)).status, path).toBe(403);
    const after = await world.ok(people.reader, 'GET', `posts/data/post-detail-by-id/${postId}`);
    expect(after.tasksCount).toBe(before.tasksCount + 2);
    expect(after.totalStandardTasksCount).toBe(before.totalStandardTasksCount);
    const { items } = await world.ok(people.reader, 'POST', `posts/data/history-list/${postId}`, {});
    expect(items[0]).toMatchObject({ typeId: 21, tasks: [{ type: 2 }, { type: 2 }] });
  });

  test('asks only people who can read the post, and is out of sight with it', async () => {
    const { people, groupId, db } = world;
    const hidden = await world.post(people.author, { visibility: 1 });
    expect(faults(await ask(hidden, { userIds: [people.reader] }))).toEqual(['userIds[0]: UNKNOWN_REFERENCE']);
    expect((await ask(hidden, { groupIds: [groupId] })).body.askedCount).toBe(0);
    // A request lets nobody read the post, also once the post is private.
    const postId = await world.post(people.author);
    expect((await ask(postId, { userIds: [people.reader] })).body.askedCount).toBe(1);
    await db.execute('UPDATE posts SET visibility = 1 WHERE tenant_id = $1 AND id = $2', [db.tenantId, postId]);
    expect(await waiting(people.reader)).toEqual([]);
    expect((await acknowledge(people.reader, postId)).status).toBe(404);
    expect((await world.send(people.reader, 'POST', `posts/data/acknowledgements/${postId}`, {})).status).toBe(404);
  });

  test('is for the author and managers, of published posts, where the community has it', async () => {
    const { people } = world;
    const postId = await world.post(people.author);
    const body = { userIds: [people.reader] };
    expect((await ask(postId, body, people.contributor)).status).toBe(403);
    expect((await ask(postId, body, people.outsider)).status).toBe(404);
    expect((await ask(postId, body, people.manager)).body.askedCount).toBe(1);
    expect((await ask(await world.post(people.author, { draft: true }), body)).status).toBe(403);
    expect(faults(await ask(postId, {}))).toEqual(['userIds: REQUIRED_FIELD']);
    expect(faults(await ask(postId, { ...body, reminders: [{ value: 1, range: 3 }] }))).toEqual([
      'expiration: REQUIRED_FIELD',
    ]);
    expect(faults(await ask(postId, { groupIds: [999_999_999] }))).toEqual(['groupIds[0]: UNKNOWN_REFERENCE']);
    const other = await createTestWorld(portal, { community: { acknowledgeTaskEnabled: false } });
    const there = await other.post(other.people.author);
    const path = `posts/manage/request-acknowledgements/${there}`;
    expect((await other.send(other.people.manager, 'POST', path, { userIds: [other.people.reader] })).status).toBe(403);
  });

  test('can be withdrawn while it is open', async () => {
    const { people } = world;
    const postId = await world.post(people.author);
    const everybody = [people.reader, people.contributor, people.manager];
    await ask(postId, { userIds: everybody });
    await acknowledge(people.reader, postId);
    expect(await withdraw(postId, { userIds: [people.contributor] })).toEqual({ postId, withdrawnCount: 1 });
    expect(await waiting(people.contributor)).toEqual([]);
    expect(await withdraw(postId)).toEqual({ postId, withdrawnCount: 1 });
    // The acknowledgement stays; other people can be asked again.
    expect((await list(postId)).items).toMatchObject([{ user: { id: people.reader }, acknowledged: true }]);
    expect((await ask(postId, { userIds: everybody })).body.askedCount).toBe(2);
  });

  test('reminds those who have not acknowledged it, once', async () => {
    const { people } = world;
    const postId = await world.post(people.author);
    const due = Date.parse(`${DUE.datetime}Z`);
    const reminders = [{ value: 2, range: 2 }];
    await ask(postId, { userIds: [people.reader, people.contributor], expiration: DUE, reminders });
    await acknowledge(people.reader, postId);
    const hour = 3_600_000;
    expect(await remindOfTasks(world.db, due - 3 * hour)).toBe(0);
    expect(await remindOfTasks(world.db, due - hour)).toBe(1);
    expect(await remindOfTasks(world.db, due - hour)).toBe(0);
    const { items } = await world.ok(people.contributor, 'POST', 'notifications/data/notifications', {
      kinds: [NotificationKind.DUE],
    });
    expect(items).toMatchObject([{ postId }]);
  });
});
