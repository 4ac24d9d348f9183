/** Notifications: their recipients, exceptions, list, counts, marks and preferences. */
import { Following, NotificationKind } from '@portico/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  createTestPortal,
  createTestWorld,
  type TestPortal,
  type TestWorld,
} from '../../../test/support/test-world.ts';
import { deliverNotifications } from './deliver-notifications.ts';
import { notifyOfDueTasks } from './notify-of-due-tasks.ts';

let portal: TestPortal;
let world: TestWorld;

beforeAll(async () => {
  portal = await createTestPortal();
});
beforeEach(async () => {
  world = await createTestWorld(portal);
});
afterAll(() => portal?.close());

const { MENTION, ASSIGNMENT, REPLY, FOLLOW } = NotificationKind;
const DUE = { datetime: '2031-12-31T18:00:00', timezone: 'UTC' };
const deliver = () => deliverNotifications(world.db, Date.now());
const list = (userId: number, body: object = {}) =>
  world.ok(userId, 'POST', 'notifications/data/notifications', body).then((page) => page.items);
const unread = async (userId: number) => (await world.ok(userId, 'GET', 'notifications/data/count')).unread;
const kinds = async (userId: number, body?: object) =>
  (await list(userId, body)).map(({ kind }: { kind: number }) => kind);
const mark = (userId: number, body: object) => world.ok(userId, 'POST', 'notifications/manage/mark', body);
const mention = (userId: number) => ({
  description: JSON.stringify([{ insert: { mention: { id: userId, value: 'Somebody' } } }, { insert: '\n' }]),
  descriptionFormat: 1,
});
const comment = (userId: number, postId: number, body: object = {}) =>
  world.ok(userId, 'POST', `posts/manage/create-comment/${postId}`, {
    comment: 'A comment',
    commentFormat: 2,
    ...body,
  });

describe('people are told', () => {
  test('of mentions, tasks, answers and what happens to posts that they follow, once for each write', async () => {
    const { people, groupId } = world;
    const postId = await world.post(people.author, mention(people.reader));
    await deliver();
    expect(await list(people.reader)).toMatchObject([
      {
        kind: MENTION,
        postId,
        communityId: world.communityId,
        authorUser: { id: people.author },
        typeDescription: 'Mentioned in the post',
        read: false,
        done: false,
      },
    ]);
    expect(await kinds(people.author)).toEqual([]);

    const { comment: first } = await comment(people.contributor, postId);
    const commentId = first.id;
    await deliver();
    expect(await list(people.author)).toMatchObject([
      { kind: FOLLOW, commentId, authorUser: { id: people.contributor } },
    ]);
    await comment(people.author, postId, { parentCommentId: commentId });
    await deliver();
    expect(await list(people.contributor)).toMatchObject([{ kind: REPLY, typeDescription: 'Comment added' }]);

    const task = await world.ok(people.author, 'POST', `tasks/manage/create-task/${postId}`, {
      title: 'Task',
      expiration: DUE,
      assigneeGroupId: groupId,
    });
    await world.ok(people.author, 'POST', `tasks/manage/create-task/${postId}`, {
      title: 'Task',
      expiration: DUE,
      assigneeUserId: people.reader,
    });
    await deliver();
    expect((await kinds(people.reader))[0]).toBe(ASSIGNMENT);
    const members = await world.rows<{ id: number }>(
      'SELECT user_id AS id FROM group_members WHERE tenant_id = $1 AND group_id = $2',
      [groupId],
    );
    for (const { id } of members.filter((member) => member.id !== people.author)) {
      expect(await list(id, { kinds: [ASSIGNMENT] })).toContainEqual(expect.objectContaining({ taskId: task.taskId }));
    }
  });

  test('once, though two nodes deliver at the same time, and not again later', async () => {
    const { people } = world;
    for (let index = 0; index < 10; index++) await world.post(people.author, mention(people.reader));
    const made = await Promise.all([deliver(), deliver(), deliver()]);
    expect(made.reduce((sum, one) => sum + one, 0)).toBe(10);
    expect(await deliver()).toBe(0);
    expect(await kinds(people.reader)).toEqual(Array(10).fill(MENTION));
  });

  test('not of drafts, of what they do themselves, of private posts that they do not see, or without sight any more', async () => {
    const { people } = world;
    await world.post(people.author, { ...mention(people.reader), draft: true });
    await world.post(people.author, mention(people.author));
    await world.post(people.author, { ...mention(people.reader), visibility: 1 });
    const postId = await world.post(people.author, mention(people.reader));
    await deliver();
    expect((await list(people.reader)).map((one: { postId: number }) => one.postId)).toEqual([postId]);
    expect(await kinds(people.author)).toEqual([]);
    const form = await world.ok(people.author, 'GET', `posts/manage/post-data-for-edit/${postId}`);
    await world.ok(people.author, 'PUT', `posts/manage/edit-post/${postId}/${form.occToken}`, {
      title: 'Private now',
      description: 'Text',
      descriptionFormat: 2,
      visibility: 1,
    });
    expect(await kinds(people.reader)).toEqual([]);
    expect(await unread(people.reader)).toBe(0);
  });
});

describe('people are told of tasks that are due', () => {
  const HOUR = 3_600_000;
  const at = (text: string) => Date.parse(text);

  test('in the morning of the day before in their time zone, and when they are overdue, once for each date', async () => {
    const { people, groupId } = world;
    await world.rows(`UPDATE users SET timezone = 'Asia/Tokyo' WHERE tenant_id = $1 AND id = $2`, [people.reader]);
    await world.rows(`UPDATE users SET timezone = 'America/New_York' WHERE tenant_id = $1 AND id = $2`, [
      people.contributor,
    ]);
    const postId = await world.post(people.author);
    const give = (body: object) =>
      world.ok(people.author, 'POST', `tasks/manage/create-task/${postId}`, {
        title: 'Report',
        expiration: { datetime: '2031-05-10T12:00:00', timezone: 'UTC' },
        ...body,
      });
    const own = await give({ assigneeUserId: people.reader });
    const ofGroup = await give({ assigneeGroupId: groupId });
    const due = (text: string) => notifyOfDueTasks(world.db, at(text));
    const told = async (userId: number) =>
      (await list(userId, { kinds: [NotificationKind.DUE] })).map((one: { overdue: boolean }) => one.overdue);
    // 8:00 of May 9 is 23:00 UTC of the day before in Tokyo, and 12:00 UTC in New York.
    expect(await due('2031-05-08T22:59:59Z')).toBe(0);
    expect(await due('2031-05-08T23:00:00Z')).toBe(1);
    expect(await due('2031-05-09T11:59:59Z')).toBe(0);
    expect(await Promise.all([due('2031-05-09T12:00:00Z'), due('2031-05-09T12:00:00Z')])).toSatisfy(
      (made: number[]) => made[0]! + made[1]! === 1,
    );
    expect(await list(people.reader, { kinds: [NotificationKind.DUE] })).toMatchObject([
      {
        postId,
        taskId: own.taskId,
        taskTitle: 'Report',
        typeDescription: 'Task due',
        expirationTimestamp: at('2031-05-10T12:00:00Z'),
        overdue: false,
        authorUser: { id: people.author },
      },
    ]);
    expect(await due('2031-05-10T12:00:00Z')).toBe(2);
    expect(await due('2031-05-10T13:00:00Z')).toBe(0);
    expect(await told(people.contributor)).toEqual([true, false]);
    // A new date causes new notifications, except for people who are done or have switched them
    // off.
    const later = { datetime: '2031-06-10T12:00:00', timezone: 'UTC' };
    const body = { title: 'Report', assigneeUserId: people.reader, expiration: later };
    await world.ok(people.author, 'PUT', `tasks/manage/edit-task/${own.taskId}/${own.nextOccToken}`, body);
    await world.ok(people.contributor, 'POST', `tasks/manage/set-task-state/${ofGroup.taskId}`, { state: 3 });
    await give({ assigneeUserId: people.contributor, expiration: later });
    await world.ok(people.contributor, 'POST', 'notifications/manage/preferences', {
      preferences: [{ kind: NotificationKind.DUE, communityId: world.communityId, enabled: false }],
    });
    expect(await due('2031-06-10T12:00:00Z')).toBe(1);
    expect(await told(people.reader)).toEqual([true, true, false]);
    expect(await told(people.contributor)).toEqual([true, false]);
  });

  test('not of tasks that were made after that, of what they do not see, or too late', async () => {
    const { people } = world;
    const postId = await world.post(people.author);
    const soon = new Date(Date.now() + HOUR).toISOString().slice(0, 19);
    const body = { title: 'Now', assigneeUserId: people.reader, expiration: { datetime: soon, timezone: 'UTC' } };
    await world.ok(people.author, 'POST', `tasks/manage/create-task/${postId}`, body);
    expect(await notifyOfDueTasks(world.db, Date.now())).toBe(0);
    expect(await notifyOfDueTasks(world.db, Date.now() + 26 * HOUR)).toBe(0);
    expect(await notifyOfDueTasks(world.db, Date.now() + 2 * HOUR)).toBe(1);
    await world.role(people.reader, null);
    expect(await list(people.reader, { kinds: [NotificationKind.DUE] })).toEqual([]);
  });

  test('also behind very many that nobody is told of yet', async () => {
    const { people } = world;
    const postId = await world.post(people.author);
    const insert = (assignee: number, count: number, createdAt: string, dueAt: string) =>
      world.rows(
        `INSERT INTO tasks (tenant_id, post_id, title, assignee, creator_id, created_at, modifier_id, modified_at, expires_at)
         SELECT p.tenant_id, p.id, 'Report', $3, $4, $5, $4, $5, $6 FROM posts p, generate_series(1, $7) WHERE p.tenant_id = $1 AND p.id = $2`,
        [postId, assignee, people.author, createdAt, dueAt, count],
      );
    await insert(people.contributor, 5_001, '2031-05-10T11:00:00Z', '2031-05-10T13:00:00Z');
    await insert(people.reader, 1, '2031-05-01T11:00:00Z', '2031-05-11T07:00:00Z');
    const due = (text: string) => notifyOfDueTasks(world.db, at(text));
    expect(await due('2031-05-10T12:00:00Z')).toBe(1);
    expect(await due('2031-05-10T13:00:00Z')).toBe(5_001);
    expect(await due('2031-05-10T13:00:00Z')).toBe(0);
  });
});

describe('what people follow or have muted', () => {
  const follow = (userId: number, what: string, following: number) =>
    world.ok(userId, 'PUT', `${what.startsWith('p') ? 'posts' : 'communities'}/manage/following/${what.slice(1)}`, {
      following,
    });
  const { NONE, FOLLOWED, MUTED } = Following;
  const state = async (userId: number, postId: number) => {
    const post = await world.ok(userId, 'GET', `posts/data/post-detail-by-id/${postId}`);
    return [post.followedByMe, post.myState.following, post.myState.communityFollowing];
  };
  const followed = async (userId: number): Promise<number[]> =>
    (
      await world.ok(userId, 'POST', `posts/data/list/community/${world.communityId}`, {
        followedByMe: true,
      })
    ).items.map(({ id }: { id: number }) => id);

  test('a post: followed of everything, unfollowed of what is meant for them, muted of tasks alone', async () => {
    const { people } = world;
    const postId = await world.post(people.author, { watcherUserIds: [people.contributor] });
    await deliver();
    expect(await state(people.reader, postId)).toEqual([false, NONE, NONE]);
    expect(await state(people.contributor, postId)).toEqual([true, FOLLOWED, NONE]);
    await follow(people.reader, `p${postId}`, FOLLOWED);
    await follow(people.contributor, `p${postId}`, NONE);
    await follow(people.author, `p${postId}`, MUTED);
    expect(await state(people.reader, postId)).toEqual([true, FOLLOWED, NONE]);
    expect(await state(people.contributor, postId)).toEqual([false, NONE, NONE]);
    expect(await state(people.author, postId)).toEqual([false, MUTED, NONE]);
    expect(await followed(people.reader)).toEqual([postId]);
    expect(await followed(people.contributor)).toEqual([]);
    const before = await kinds(people.contributor);
    await comment(people.manager, postId, { comment: 'For all', commentFormat: 2 });
    await deliver();
    expect(await kinds(people.reader)).toEqual([FOLLOW]);
    expect(await kinds(people.contributor)).toEqual(before);
    expect(await kinds(people.author)).toEqual([]);
    for (const userId of [people.contributor, people.author]) {
      await comment(people.manager, postId, { comment: mention(userId).description, commentFormat: 1 });
      const task = { title: 'Task', expiration: DUE, assigneeUserId: userId };
      await world.ok(people.manager, 'POST', `tasks/manage/create-task/${postId}`, task);
    }
    await deliver();
    expect(await kinds(people.contributor, { kinds: [MENTION, ASSIGNMENT] })).toEqual([ASSIGNMENT, MENTION]);
    expect(await kinds(people.author)).toEqual([ASSIGNMENT]);
  });

  test('a community: of every post that they see, or of none that they did not choose', async () => {
    const { people, communityId } = world;
    await follow(people.reader, `c${communityId}`, FOLLOWED);
    await follow(people.author, `c${communityId}`, MUTED);
    expect(await world.ok(people.reader, 'GET', `communities/data/following/${communityId}`)).toEqual({
      communityId,
      following: FOLLOWED,
    });
    await world.post(people.contributor, { visibility: 1 });
    const postId = await world.post(people.contributor);
    const [chosen, other] = [await world.post(people.author), await world.post(people.author)];
    await follow(people.author, `p${chosen}`, FOLLOWED);
    await deliver();
    expect((await list(people.reader)).map((one: { postId: number }) => one.postId)).toEqual([other, chosen, postId]);
    for (const id of [chosen, other]) await comment(people.manager, id, { comment: 'So', commentFormat: 2 });
    await deliver();
    expect((await list(people.author)).map((one: { postId: number }) => one.postId)).toEqual([chosen]);
    // People who have muted the community do not receive announcements either.
    await world.ok(people.manager, 'PUT', `posts/manage/announcement/${postId}`, {});
    await deliver();
    expect(await kinds(people.author, { kinds: [NotificationKind.ANNOUNCEMENT] })).toEqual([]);
    expect(await kinds(people.contributor, { kinds: [NotificationKind.ANNOUNCEMENT] })).toHaveLength(1);
    const path = `communities/manage/following/${communityId}`;
    expect((await world.send(people.outsider, 'PUT', path, { following: FOLLOWED })).status).toBe(404);
  });

  test('is refused where a community has no watchers, except to be told of less', async () => {
    const { people } = world;
    const draft = await world.post(people.author, { draft: true });
    const put = (following: number) =>
      world.send(people.author, 'PUT', `posts/manage/following/${draft}`, { following });
    expect((await put(FOLLOWED)).status).toBe(403);
    expect((await put(MUTED)).status).toBe(200);
  });
});

describe('notifications of the caller', () => {
  test('are paged from the newest, marked as read and done, by id and up to one', async () => {
    const { people } = world;
    for (let index = 0; index < 5; index++) await world.post(people.author, mention(people.reader));
    await deliver();
    const first = await world.ok(people.reader, 'POST', 'notifications/data/notifications', {
      pageSize: 3,
      calculateTotalItemsCount: true,
    });
    const second = await world.ok(people.reader, 'POST', 'notifications/data/notifications', {
      pageSize: 3,
      pageToken: first.nextPageToken,
    });
    expect(first.totalItemsCount).toBe(5);
    const ids = [...first.items, ...second.items].map(({ id }: { id: number }) => id);
    expect(ids).toEqual([...ids].sort((a, b) => b - a));
    expect(ids).toHaveLength(5);
    expect(second.nextPageToken).toBeUndefined();

    expect(await mark(people.reader, { ids: [ids[0]], done: true })).toEqual({ marked: 1, unread: 4 });
    expect(await mark(people.reader, { ids: [ids[0]], done: true })).toEqual({ marked: 0, unread: 4 });
    expect(await mark(people.reader, { untilId: ids[2], read: true })).toEqual({ marked: 3, unread: 1 });
    expect((await list(people.reader, { unread: true })).map(({ id }: { id: number }) => id)).toEqual([ids[1]]);
    expect((await list(people.reader, { done: true })).map(({ id }: { id: number }) => id)).toEqual([ids[0]]);
    expect(await mark(people.reader, { ids: [ids[4]], read: false })).toEqual({ marked: 1, unread: 2 });
    // Notifications of other users are not marked.
    expect(await mark(people.author, { ids, read: true })).toEqual({ marked: 0, unread: 0 });
    expect(await unread(people.reader)).toBe(2);
  });

  test('are switched off by kind, and on again in one community', async () => {
    const { people, communityId } = world;
    const set = (preferences: object[]) =>
      world.ok(people.reader, 'POST', 'notifications/manage/preferences', { preferences });
    expect((await set([{ kind: MENTION, enabled: false }])).preferences).toEqual([{ kind: MENTION, enabled: false }]);
    await world.post(people.author, mention(people.reader));
    await deliver();
    expect(await kinds(people.reader)).toEqual([]);
    expect((await set([{ kind: MENTION, enabled: true, communityId }])).preferences).toEqual([
      { kind: MENTION, enabled: false },
      { kind: MENTION, enabled: true, communityId },
    ]);
    expect((await world.ok(people.reader, 'GET', 'notifications/data/preferences')).preferences).toHaveLength(2);
    await world.post(people.author, mention(people.reader));
    await deliver();
    expect(await kinds(people.reader)).toEqual([MENTION]);
  });
});
