/** Lists of the caller across communities: waiting items, drafts, and recently read posts. */
import { WaitingKind } from '@portico/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  createTestPortal,
  createTestWorld,
  type TestPortal,
  type TestWorld,
} from '../../../../test/support/test-world.ts';
import { deliverNotifications } from '../deliver-notifications.ts';

let portal: TestPortal;
let world: TestWorld;

beforeAll(async () => {
  portal = await createTestPortal();
});
beforeEach(async () => {
  world = await createTestWorld(portal, {
    workflow: () => ({
      title: 'Review',
      states: [{ name: 'Open', initial: true }, { name: 'Checked' }, { name: 'Done', terminal: true }],
      transitions: [
        { name: 'Check', from: 'Open', to: 'Checked', run: { roles: [2] } },
        { name: 'Withdraw', from: 'Open', to: 'Done', run: { byAuthor: true } },
      ],
    }),
  });
});
afterAll(() => portal?.close());

const { TASK, MENTION, STEP } = WaitingKind;
const list = (userId: number, name: string, body: object = {}) => world.ok(userId, 'POST', `posts/data/${name}`, body);

async function pages(userId: number, name: string, body: object = {}) {
  const found: { kind: number; postId: number; taskId?: number }[] = [];
  let pageToken: string | undefined;
  do {
    const page = await list(userId, name, { ...body, pageSize: 2, ...(pageToken && { pageToken }) });
    found.push(...page.items);
    pageToken = page.nextPageToken;
  } while (pageToken);
  return found;
}

const mention = (userId: number) => ({
  description: JSON.stringify([{ insert: { mention: { id: userId, value: 'Somebody' } } }, { insert: '\n' }]),
  descriptionFormat: 1,
});

describe('what waits for the caller', () => {
  test('is their tasks, mentions and steps, the newest first, each until it is done', async () => {
    const { people, communityId } = world;
    const mentioned = await world.post(people.manager, mention(people.contributor));
    const watched = await world.post(people.manager, { watcherUserIds: [people.contributor] });
    const { taskId } = await world.ok(people.manager, 'POST', `tasks/manage/create-task/${mentioned}`, {
      title: 'Look at it',
      expiration: { datetime: '2031-12-31T18:00:00', timezone: 'UTC' },
      assigneeUserId: people.contributor,
    });
    await deliverNotifications(world.db, Date.now());
    const all = await pages(people.contributor, 'waiting');
    const kinds = (items: { kind: number; postId: number }[]) =>
      items.map(({ kind, postId }) => `${kind} ${postId}`).sort();
    // The task names the contributor on its post, so the step of the post also waits for them.
    expect(kinds(all)).toEqual(
      [`${TASK} ${mentioned}`, `${MENTION} ${mentioned}`, `${STEP} ${mentioned}`, `${STEP} ${watched}`].sort(),
    );
    const page = await list(people.contributor, 'waiting', { calculateTotalItemsCount: true, kinds: [STEP] });
    expect(page).toMatchObject({ totalItemsCount: 2, items: [{ kind: STEP }, { kind: STEP }] });
    expect(page.items[0]).toMatchObject({ communityId, transitions: [{ name: 'Check', screen: false }] });
    expect(await pages(people.contributor, 'waiting', { kinds: [TASK] })).toMatchObject([
      { taskId, taskTitle: 'Look at it', authorUser: { id: people.manager } },
    ]);
    // The author is asked to withdraw the post; a manager, with all rights, is asked for nothing.
    expect(kinds(await pages(people.manager, 'waiting'))).toEqual(
      [`${STEP} ${mentioned}`, `${STEP} ${watched}`].sort(),
    );
    expect(await pages(people.reader, 'waiting')).toEqual([]);

    const [{ notificationId }] = (await list(people.contributor, 'waiting', { kinds: [MENTION] })).items;
    await world.ok(people.contributor, 'POST', 'notifications/manage/mark', { ids: [notificationId], done: true });
    await world.ok(people.contributor, 'POST', `tasks/manage/set-task-state/${taskId}`, { state: 3 });
    const [step] = world.workflow!.transitionIds;
    await world.ok(people.contributor, 'POST', `posts/manage/execute-post-workflow-operation/${watched}/${step}`, {});
    expect(kinds(await pages(people.contributor, 'waiting'))).toEqual([`${STEP} ${mentioned}`]);
  });

  test('shows the words around a mention, of the post or of a comment, until the mention is gone, without a view', async () => {
    const { people } = world;
    const text = (words: string) =>
      JSON.stringify([
        { insert: { mention: { id: people.contributor, value: 'Somebody' } } },
        { insert: `${words}\n` },
      ]);
    const long = 'x'.repeat(300);
    const postId = await world.post(people.author, { description: text(` of the post ${long}`), descriptionFormat: 1 });
    const { comment } = await world.ok(people.author, 'POST', `posts/manage/create-comment/${postId}`, {
      comment: text(' of the comment'),
    });
    await deliverNotifications(world.db, Date.now());
    const waiting = async () =>
      (await list(people.contributor, 'waiting', { kinds: [MENTION] })).items
        .map(({ excerpt }: { excerpt?: string }) => excerpt)
        .sort();
    const [ofComment, ofPost] = await waiting();
    expect(ofComment).toContain(' of the comment');
    expect(ofPost).toContain(' of the post x');
    expect(ofPost).toHaveLength(240);
    const told = async () =>
      (await world.ok(people.contributor, 'POST', 'notifications/data/notifications', {})).items
        .map(({ excerpt = '' }: { excerpt?: string }) => excerpt)
        .sort();
    expect(await told()).toEqual([ofComment, ofPost]);
    await world.ok(people.author, 'DELETE', `comments/manage/comment/${comment.id}`);
    expect(await waiting()).toEqual([ofPost]);
    expect(await told()).toEqual(['', ofPost]);
    const { comment: second } = await world.ok(people.author, 'POST', `posts/manage/create-comment/${postId}`, {
      comment: text(' of another'),
    });
    await deliverNotifications(world.db, Date.now());
    expect(await waiting()).toHaveLength(2);
    const edited = await world.ok(people.author, 'GET', `comments/manage/comment/${second.id}`);
    await world.ok(people.author, 'PUT', `comments/manage/comment/${second.id}`, {
      occToken: edited.occToken,
      comment: JSON.stringify([{ insert: 'nobody\n' }]),
    });
    expect(await waiting()).toEqual([ofPost]);
    const form = await world.ok(people.author, 'GET', `posts/manage/post-data-for-edit/${postId}`);
    await world.ok(people.author, 'POST', `posts/manage/patch-post/${postId}`, {
      description: JSON.stringify([{ insert: 'nobody\n' }]),
      descriptionFormat: 1,
      occToken: form.occToken,
    });
    expect(await waiting()).toEqual([]);
    // What happened stays told, without a text that is about somebody else by now.
    expect(await told()).toEqual(['', '', '']);
    expect((await world.ok(people.contributor, 'GET', 'posts/data/waiting-count')).mentions).toBe(0);
    expect((await list(people.contributor, `list/community/${world.communityId}`, { mentioned: true })).items).toEqual(
      [],
    );
    const [seen] = await world.rows<{ count: number }>(
      'SELECT count(*) AS count FROM post_user_state WHERE tenant_id = $1 AND user_id = $2 AND viewed_at IS NOT NULL',
      [people.contributor],
    );
    expect(seen?.count).toBe(0);
  });

  test('holds nothing of posts that they do not see', async () => {
    const { people } = world;
    const postId = await world.post(people.author, { ...mention(people.reader), watcherUserIds: [people.contributor] });
    await deliverNotifications(world.db, Date.now());
    expect(await pages(people.reader, 'waiting')).toHaveLength(1);
    const form = await world.ok(people.author, 'GET', `posts/manage/post-data-for-edit/${postId}`);
    await world.ok(people.author, 'PUT', `posts/manage/edit-post/${postId}/${form.occToken}`, {
      title: 'Title',
      ...mention(people.reader),
      visibility: 1,
    });
    expect(await pages(people.reader, 'waiting')).toEqual([]);
    expect(await pages(people.contributor, 'waiting')).toHaveLength(1);
    expect((await world.send(people.reader, 'POST', 'posts/data/waiting', { communityId: 999_999 })).status).toBe(404);
  });
});

describe('what waits and is marked as done', () => {
  test('is off the list and not counted until it changes', async () => {
    const { people } = world;
    const postId = await world.post(people.manager, mention(people.contributor));
    const due = {
      expiration: { datetime: '2031-12-31T18:00:00', timezone: 'UTC' },
      assigneeUserId: people.contributor,
    };
    const { taskId, nextOccToken } = await world.ok(people.manager, 'POST', `tasks/manage/create-task/${postId}`, {
      title: 'Look at it',
      ...due,
    });
    await world.post(people.contributor, { draft: true });
    await deliverNotifications(world.db, Date.now());
    const count = () => world.ok(people.contributor, 'GET', 'posts/data/waiting-count');
    const kinds = async () => (await pages(people.contributor, 'waiting')).map(({ kind }) => kind).sort();
    expect(await count()).toEqual({ tasks: 1, acknowledgements: 0, mentions: 1, steps: 1, drafts: 1 });
    const [{ notificationId }] = (await list(people.contributor, 'waiting', { kinds: [MENTION] })).items;
    const items = [
      { kind: TASK, id: taskId },
      { kind: MENTION, id: notificationId },
      { kind: STEP, id: postId },
    ];
    const mark = (userId: number, body: object) => world.ok(userId, 'POST', 'posts/manage/mark-waiting', body);
    // Items that wait for another user are ignored.
    expect(await mark(people.reader, { items })).toEqual({ marked: 0 });
    expect(await kinds()).toEqual([TASK, MENTION, STEP]);
    expect(await mark(people.contributor, { items })).toEqual({ marked: 3 });
    expect(await mark(people.contributor, { items })).toEqual({ marked: 0 });
    expect(await kinds()).toEqual([]);
    expect(await count()).toEqual({ tasks: 0, acknowledgements: 0, mentions: 0, steps: 0, drafts: 1 });
    // A new event on the task, and so on its post.
    await world.ok(people.manager, 'PUT', `tasks/manage/edit-task/${taskId}/${nextOccToken}`, {
      title: 'Soon',
      ...due,
    });
    expect(await kinds()).toEqual([TASK, STEP]);
    await mark(people.contributor, { items });
    expect(await mark(people.contributor, { items, done: false })).toEqual({ marked: 3 });
    expect(await kinds()).toEqual([TASK, MENTION, STEP]);
  });
});

describe('the tree of communities', () => {
  const placesOf = async (userId: number) => {
    const { workspaces } = await world.ok(userId, 'GET', 'communities/data/tree');
    return workspaces.flatMap(({ communities }: { communities: object[] }) => communities);
  };
  test('counts what others did since the last visit and the caller has not opened', async () => {
    const { people, communityId } = world;
    const [first] = [await world.post(people.author), await world.post(people.author, { visibility: 1 })];
    expect(await placesOf(people.reader)).toEqual([
      { communityId, communityName: 'News', favourite: false, newPosts: 1 },
    ]);
    expect(await placesOf(people.manager)).toMatchObject([{ newPosts: 2 }]);
    expect(await placesOf(people.author)).toMatchObject([{ newPosts: 0 }]);
    expect(await world.ok(people.outsider, 'GET', 'communities/data/tree')).toEqual({ workspaces: [] });
    const { visitTimestamp } = await world.ok(people.reader, 'PUT', `communities/manage/visit/${communityId}`, {});
    const until = await world.ok(people.reader, 'PUT', `communities/manage/visit/${communityId}`, {
      untilTimestamp: 1,
    });
    // A visit with an earlier time does not move the recorded visit back.
    expect(until.visitTimestamp).toBe(visitTimestamp);
    expect(await placesOf(people.reader)).toMatchObject([{ newPosts: 0, visitTimestamp }]);
    const body = { comment: 'Hello', commentFormat: 2 };
    await world.ok(people.author, 'POST', `posts/manage/create-comment/${first}`, body);
    await world.post(people.author);
    expect(await placesOf(people.reader)).toMatchObject([{ newPosts: 2 }]);
    await world.rows(
      `INSERT INTO post_user_state (tenant_id, user_id, post_id, community_id, viewed_at)
       VALUES ($1, $2, $3, $4, now() + interval '1 hour')`,
      [people.reader, first, communityId],
    );
    expect(await placesOf(people.reader)).toMatchObject([{ newPosts: 1 }]);
    expect((await world.send(people.outsider, 'PUT', `communities/manage/visit/${communityId}`, {})).status).toBe(404);
  });

  test('counts again what a visit had taken off, when the visit is taken back', async () => {
    const { people, communityId } = world;
    const visit = (body: object) => world.ok(people.reader, 'PUT', `communities/manage/visit/${communityId}`, body);
    await visit({});
    await visit({ takeBack: true });
    const [{ newPosts, visitTimestamp }] = await placesOf(people.reader);
    expect(visitTimestamp).toBeUndefined();
    await world.post(people.author);
    const first = await visit({});
    await world.post(people.author);
    await visit({});
    expect(await placesOf(people.reader)).toMatchObject([{ newPosts: 0 }]);
    expect(await visit({ takeBack: true, untilTimestamp: first.visitTimestamp })).toEqual(first);
    expect(await placesOf(people.reader)).toMatchObject([{ newPosts: 1 }]);
    // Taking back neither moves a visit to a later time nor creates one.
    expect(await visit({ takeBack: true, untilTimestamp: Date.now() + 1_000 })).toEqual(first);
    expect(await visit({ takeBack: true })).toEqual({ communityId });
    expect(await visit({ takeBack: true, untilTimestamp: 1 })).toEqual({ communityId });
    expect(await placesOf(people.reader)).toMatchObject([{ newPosts: newPosts + 2 }]);
  });

  test('does not count what the caller did to comments, tasks and attachments', async () => {
    const { people, communityId } = world;
    const { author, contributor, manager } = people;
    const postId = await world.post(author);
    const body = { comment: 'Hello', commentFormat: 2 };
    const { comment } = await world.ok(author, 'POST', `posts/manage/create-comment/${postId}`, body);
    const due = { expiration: { datetime: '2031-12-31T18:00:00', timezone: 'UTC' }, assigneeUserId: manager };
    const task = await world.ok(author, 'POST', `tasks/manage/create-task/${postId}`, { title: 'Look', ...due });
    const file = { name: 'plan.txt', contentRef: await world.upload(author) };
    const attach = (files: object) => world.ok(author, 'PUT', `posts/manage/edit-post-attachments/${postId}`, files);
    let attachmentIds: number[] = [];
    const edited = { comment: 'Hello again', commentFormat: 2, occToken: 1 };
    for (const act of [
      () => world.ok(author, 'PUT', `comments/manage/comment/${comment.id}`, edited),
      () =>
        world.ok(author, 'PUT', `tasks/manage/edit-task/${task.taskId}/${task.nextOccToken}`, { title: 'See', ...due }),
      async () => {
        attachmentIds = (await attach({ addAttachments: [file] })).addedAttachments.map(({ id }: { id: number }) => id);
      },
      () => attach({ removeAttachmentIds: attachmentIds }),
      () => world.ok(author, 'DELETE', `comments/manage/comment/${comment.id}`),
      () => world.ok(author, 'DELETE', `tasks/manage/delete-task/${task.taskId}`),
      () => world.ok(author, 'DELETE', `posts/manage/delete-post/${postId}`),
      () => world.ok(author, 'POST', `posts/manage/restore-post/${postId}`),
    ]) {
      for (const userId of [author, manager])
        await world.ok(userId, 'PUT', `communities/manage/visit/${communityId}`, {});
      await act();
      expect(await placesOf(author)).toMatchObject([{ newPosts: 0 }]);
      expect((await list(author, 'recent')).items).not.toContainEqual(expect.objectContaining({ changed: true }));
    }
    expect(await placesOf(manager)).toMatchObject([{ newPosts: 1 }]);
    // A later event by another user counts as new again.
    await world.ok(contributor, 'POST', `posts/manage/create-comment/${postId}`, body);
    expect(await placesOf(author)).toMatchObject([{ newPosts: 1 }]);
    expect((await list(author, 'recent')).items).toMatchObject([{ postId, changed: true }]);
  });

  test('does not count comments that are deleted and restored', async () => {
    const { people, communityId } = world;
    const postId = await world.post(people.author);
    const body = { comment: 'Hello', commentFormat: 2 };
    const { comment } = await world.ok(people.contributor, 'POST', `posts/manage/create-comment/${postId}`, body);
    for (const userId of [people.contributor, people.manager])
      await world.ok(userId, 'PUT', `communities/manage/visit/${communityId}`, {});
    for (const [method, what] of [
      ['DELETE', 'comment'],
      ['POST', 'restore'],
    ] as const) {
      await world.ok(people.contributor, method, `comments/manage/${what}/${comment.id}`);
      expect(await placesOf(people.contributor)).toMatchObject([{ newPosts: 0 }]);
      expect(await placesOf(people.manager)).toMatchObject([{ newPosts: 0 }]);
    }
  });
});

describe('posts of the caller', () => {
  test('drafts are theirs alone, the last edited first', async () => {
    const { people } = world;
    const drafts: number[] = [];
    for (let index = 0; index < 3; index++) drafts.push(await world.post(people.author, { draft: true }));
    expect((await pages(people.author, 'my-drafts')).map(({ postId }) => postId)).toEqual(drafts.toReversed());
    expect(await pages(people.manager, 'my-drafts')).toEqual([]);
    const page = await list(people.author, 'my-drafts', { pageSize: 1, calculateTotalItemsCount: true });
    expect(page.totalItemsCount).toBe(3);
  });

  test('those read last come first, without those that are out of sight', async () => {
    const { people } = world;
    const [first, second, hidden] = [
      await world.post(people.author),
      await world.post(people.author),
      await world.post(people.author),
    ];
    await world.rows(
      `INSERT INTO post_user_state (tenant_id, user_id, post_id, community_id, viewed_at)
       SELECT a.tenant_id, $2, p, $3, '2030-01-01'::timestamptz + p * interval '1 second'
         FROM tenant_versions a, unnest($4::bigint[]) p WHERE a.tenant_id = $1`,
      [people.reader, world.communityId, [second, first, hidden]],
    );
    await world.rows('UPDATE posts SET visibility = 1 WHERE tenant_id = $1 AND id = $2', [hidden]);
    const found = await list(people.reader, 'recent');
    expect(found.items.map(({ postId }: { postId: number }) => postId)).toEqual(
      [second, first].sort((a, b) => b! - a!),
    );
    expect(found.items[0]).toMatchObject({ changed: false, communityName: expect.any(String) });
  });
});
