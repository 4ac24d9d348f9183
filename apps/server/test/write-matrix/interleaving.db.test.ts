/**
 * Writes without a token, and repeats with one key, all at once: safe in any interleaving.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestPortal, type TestAnswer, type TestPortal } from '../support/index.ts';
import { longForm } from '../support/long-form.ts';
import { send } from './calls.fixture.ts';
import { dump } from './dump.fixture.ts';
import { createRecipeWorld, recipes, type TestWorld } from './recipes.fixture.ts';

/** A multiple of five: one test has five kinds of writes. */
const WRITERS = longForm ? 50 : 15;
const OF_A_KIND = WRITERS / 5;
const MANAGE = '/portal/api/external/v2/communication';

let portal: TestPortal;
let world: TestWorld;
beforeAll(async () => {
  portal = await createTestPortal();
  world = await createRecipeWorld(portal);
});
afterAll(() => portal?.close());

const statuses = (answers: TestAnswer[]) => {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};
const many = <T>(make: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: WRITERS }, (_, at) => make(at)));

const REMOVALS = [
  'deleteArea',
  'deleteBusinessUnit',
  'deleteRole',
  'discardMail',
  'deletePost',
  'markPostAsErasable',
  'deleteTask',
  'deletePostComment',
  'deleteSavedView',
  'deletePostTemplate',
  'deleteCommunityDraft',
  'deleteUser',
  'eraseUser',
  'deleteGroup',
  'deleteIdentityProvider',
  'deleteWorkspace',
  'deleteCommunity',
  'removeMyIdentity',
  'removeUserIdentity',
  'removeTotp',
  'removePasskey',
  'revokeSession',
  'revokeUserSession',
  'revokePersonalToken',
  'revokeCalendarFeed',
  'deletePushSubscription',
  'deleteWebhook',
] as const;
const SETTINGS = [
  'editCatalogDeleted',
  'editCatalogEntryDeleted',
  'putCatalogEntries',
  'editPostWatchers',
  'editPostEventPartecipate',
  'blockUser',
  'unblockUser',
  'signOutUser',
  'changeUsers',
  'revokeServiceAccountKey',
  'inviteUser',
  'sendPasswordReset',
  'startTotp',
  'removeUserTotp',
  'revokeOtherSessions',
  'renamePasskey',
  'editCommunityMembers',
  'editMembersEverywhere',
  'archiveCommunity',
  'archiveWorkspace',
  'moveCommunity',
  'setTaskState',
  'restorePost',
  'markNotifications',
  'markWaiting',
  'importUsers',
  'visitCommunity',
  'editNotificationPreferences',
  'editFavouriteView',
  'editFavouriteCommunity',
  'editDefaultView',
  'editPostLike',
  'editPostFollowing',
  'editPostPin',
  'editPostAnnouncement',
  'editPostRead',
  'editTaskReminders',
  'requestAcknowledgements',
  'withdrawAcknowledgements',
  'acknowledgePost',
  'restorePostComment',
  'restoreTask',
  'createCalendarFeed',
  'createPushSubscription',
  'editCommunityFollowing',
  'editPostCommentLike',
  'retryWebhookDelivery',
  'replayWebhook',
] as const;
/** Only the first of these on one object succeeds; the others return 409. */
const ONCE = ['createCommunityWorkflow', 'cancelDefinitionChange', 'confirmTotp', 'confirmPasskey'] as const;
const CREATIONS = [
  ...(['createCustomPost', 'createEventPost', 'createPostComment', 'createTask', 'createUser'] as const),
  ...(['createServiceAccount', 'createIdentityProvider', 'createWorkspace', 'createCommunity'] as const),
  ...(['createPostField', 'createScreenField', 'createSavedView', 'createPostFromTemplate', 'applyCommunity'] as const),
  ...(['createArea', 'createBusinessUnit', 'createRole'] as const),
  ...([
    'createGroup',
    'createCatalog',
    'createCatalogEntry',
    'copyCustomPost',
    'copyEventPost',
    'uploadNewFile',
  ] as const),
];
/** Many of these on one object: writes of many posts in `posts/writing`, imports, which take an upload or end, in their module, templates, which the manager makes, in the matrix, files in the mixture below, members of groups in the matrix, keys, tokens and webhooks in their modules. A mail that waits again is not retried: a 400. Leaving takes a slot of bulk writes, of which an account has two. Test messages are few an hour. */
const ELSEWHERE = [
  'createPostTemplate',
  'startImport',
  'importCommunityArchive',
  'cancelImport',
  'undoImport',
  'retryMail',
  'sendTestMail',
  'transitionPosts',
  'patchPosts',
  'deletePosts',
  'reassignTasks',
  'leaveUser',
  'createPosts',
  'editPostAttachments',
  'editGroupMembers',
  'createServiceAccountKey',
  'createPersonalToken',
  'createWebhook',
  'rotateWebhookSecret',
  'sendWebhookTest',
] as const;

test('every write that consumes no token is tried by many at once', () => {
  const free = Object.entries(recipes).filter(([, { token, keepsToken }]) => !token || keepsToken);
  const tried = [...REMOVALS, ...SETTINGS, ...ONCE, ...CREATIONS, ...ELSEWHERE];
  expect(tried.sort(), 'each is in one of the lists of this test').toEqual(free.map(([id]) => id).sort());
});

describe('many at once', () => {
  test.each(REMOVALS)('of %s: one finds it there, the others find it gone', async (id) => {
    const recipe = recipes[id]!;
    const call = await recipe.prepare(world);
    const answers = await many(() => send(world, world.people[recipe.by], id, call));
    expect(statuses(answers)).toEqual({ 200: 1, 404: WRITERS - 1 });
  });

  test.each(ONCE)('of %s: one succeeds, the others are refused', async (id) => {
    const recipe = recipes[id]!;
    const call = await recipe.prepare(world);
    const answers = await many(() => send(world, world.people[recipe.by], id, call));
    expect(statuses(answers)).toEqual({ 200: 1, 409: WRITERS - 1 });
  });

  test.each(SETTINGS)('of %s: all succeed, and the object is as after one', async (id) => {
    const recipe = recipes[id]!;
    const call = await recipe.prepare(world);
    expect(statuses(await many(() => send(world, world.people[recipe.by], id, call)))).toEqual({ 200: WRITERS });
    const before = await dump(world);
    expect((await send(world, world.people[recipe.by], id, call)).status).toBe(200);
    const after = await dump(world);
    for (const table of ['catalogs', 'catalog_entries', 'post_watchers', 'event_answers', 'users']) {
      expect(after.lines(table)).toHaveLength(before.lines(table).length);
    }
  });

  test('of comments, files, watchers, tasks, steps and answers on one post: nothing is lost or counted twice', async () => {
    const { author, contributor, manager, reader } = world.people;
    const postId = await world.post(author);
    const names = [author, contributor, manager, reader];
    const answers = await many((index) => {
      const who = index % 2 === 0 ? author : manager;
      const request = (method: string, path: string, body: object) =>
        world.tenant.request(who, method, `${MANAGE}/${path}`, body);
      switch (index % 5) {
        case 0:
          return request('POST', `posts/manage/create-comment/${postId}`, { comment: `c${index}`, commentFormat: 2 });
        case 1:
          return request('PUT', `posts/manage/edit-post-attachments/${postId}`, {
            addAttachments: [
              { type: 2, name: `f${index}.txt`, drive: { driveId: `d${index}`, mimeType: 'text/plain' } },
            ],
          });
        case 2:
          return request('PUT', `posts/manage/edit-post-watchers/${postId}`, {
            addWatcherUserIds: [names[index % 4]!],
          });
        case 3:
          return request('POST', `tasks/manage/create-task/${postId}`, {
            title: `t${index}`,
            assigneeUserId: contributor,
            expiration: { datetime: '2031-01-01T10:00:00', timezone: 'UTC' },
          });
        default:
          return request('POST', `posts/manage/create-comment/${postId}`, {
            comment: 'the same',
            commentFormat: 2,
            clientUid: `one-${postId}-${who}`,
          });
      }
    });
    expect(statuses(answers)).toEqual({ 200: WRITERS });
    const [row] = await world.rows<Record<string, number>>(
      `SELECT p.comments_count AS comments, p.attachments_count AS files, p.tasks_count AS tasks, p.watchers_count AS watchers,
              p.version,
              (SELECT count(*) FROM comments c WHERE c.tenant_id = $1 AND c.post_id = p.id) AS "commentRows",
              (SELECT count(*) FROM attachments a WHERE a.tenant_id = $1 AND a.post_id = p.id) AS "fileRows",
              (SELECT count(*) FROM tasks t WHERE t.tenant_id = $1 AND t.post_id = p.id) AS "taskRows",
              (SELECT count(*) FROM post_watchers w WHERE w.tenant_id = $1 AND w.post_id = p.id) AS "watcherRows",
              (SELECT count(*) FROM history_events h WHERE h.tenant_id = $1 AND h.post_id = p.id AND h.type_id = 3) AS said,
              (SELECT count(*) FROM history_events h WHERE h.tenant_id = $1 AND h.post_id = p.id AND h.type_id = 11) AS attached
         FROM posts p WHERE p.tenant_id = $1 AND p.id = $2`,
      [postId],
    );
    // The comments of the first kind, and one more for each of the two who repeat theirs.
    const comments = OF_A_KIND + 2;
    expect(row).toEqual({
      comments,
      commentRows: comments,
      said: comments,
      files: OF_A_KIND,
      fileRows: OF_A_KIND,
      attached: OF_A_KIND,
      tasks: OF_A_KIND,
      taskRows: OF_A_KIND,
      watchers: row!['watcherRows'],
      watcherRows: row!['watcherRows'],
      // No write of this test raises the token.
      version: 1,
    });
  });

  test.each(CREATIONS)('of %s with one Idempotency-Key: done once, answered alike', async (id) => {
    const recipe = recipes[id]!;
    const call = await recipe.prepare(world);
    const headers = { 'Idempotency-Key': `together-${id}` };
    const before = await dump(world);
    const answers = await many(() => send(world, world.people[recipe.by], id, call, { headers }));
    expect(statuses(answers)).toEqual({ 200: WRITERS });
    expect(new Set(answers.map(({ text }) => JSON.stringify(JSON.parse(text)))).size).toBe(1);
    const after = await dump(world);
    const tables = [
      ...['posts', 'comments', 'tasks', 'users', 'groups', 'catalogs', 'catalog_entries', 'file_contents'],
      ...[
        'identity_providers',
        'workspaces',
        'communities',
        'fields',
        'saved_views',
        'areas',
        'business_units',
        'own_roles',
      ],
    ];
    const made = tables.map((table) => after.lines(table).length - before.lines(table).length);
    expect(made.reduce((sum, count) => sum + count, 0)).toBe(1);
    // The key is its user's own.
    const other = await send(world, world.people.manager, id, call, { headers });
    const seenBy = recipe.by === 'admin' ? 403 : 200;
    expect(other.status).toBe(recipe.unseen ? 404 : seenBy);
    if (other.status === 200) expect(other.body).not.toEqual(answers[0]!.body);
  });

  test.each(['createCustomPost', 'createEventPost', 'createPostComment', 'createTask'] as const)(
    'of %s with one clientUid: one is made, and all are answered with it',
    async (id) => {
      const recipe = recipes[id]!;
      const call = await recipe.prepare(world);
      const uid = { clientUid: `uid-${id}` };
      const body = { ...call.body, ...uid };
      const answers = await many(() => send(world, world.people.author, id, { ...call, body }));
      expect(statuses(answers)).toEqual({ 200: WRITERS });
      const ids = answers.map(({ body: found }) => found.postId ?? found.taskId ?? found.comment.id);
      expect(new Set(ids).size).toBe(1);
      // Somebody else's use of it reveals nothing.
      const other = await send(world, world.people.manager, id, { ...call, body });
      expect(other.status).toBe(409);
      expect(other.body.code).toBe('DUPLICATE_CLIENT_UID');
      for (const key of ['currentOccToken', 'changedBy', 'postId']) expect(other.body[key]).toBeUndefined();
    },
  );

  test('a refused write leaves its key free for the corrected one', async () => {
    const recipe = recipes.createTask!;
    const call = await recipe.prepare(world);
    const headers = { 'Idempotency-Key': 'second try' };
    const wrong = { ...call, body: { ...call.body, assigneeUserId: undefined } };
    expect((await send(world, world.people.author, 'createTask', wrong, { headers })).status).toBe(400);
    expect((await send(world, world.people.author, 'createTask', call, { headers })).status).toBe(200);
  });
});
