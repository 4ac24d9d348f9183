/** Comments and likes: content, reading and permissions. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  atOnce,
  createTestPortal,
  createTestWorld,
  faults,
  statementsOf,
  type TestPortal,
  type TestWorld,
} from '../../../../test/support/test-world.ts';
import { deleteComment } from './delete-comment.ts';
import { likeComment, likePost, unlikePost } from './likes.ts';

let portal: TestPortal;
let world: TestWorld;

beforeAll(async () => {
  portal = await createTestPortal();
  world = await createTestWorld(portal);
});
afterAll(() => portal?.close());

const add = (postId: number) => `posts/manage/create-comment/${postId}`;
const list = (postId: number) => `posts/data/comments-list/${postId}`;

async function say(user: number, postId: number, text: string, more: object = {}) {
  return (await world.ok(user, 'POST', add(postId), { comment: text, commentFormat: 2, ...more })).comment;
}

async function events(postId: number) {
  return world.rows<{ typeId: number; target: number | null; commentId: number | null }>(
    `SELECT type_id AS "typeId", target_user_id AS target, comment_id AS "commentId" FROM history_events
      WHERE tenant_id = $1 AND post_id = $2 AND type_id <> 1 ORDER BY id`,
    [postId],
  );
}

describe('writing', () => {
  test('a comment with mentions, attachments and an answer to it', async () => {
    const { people } = world;
    const postId = await world.post(people.author);
    const delta = JSON.stringify([
      { insert: 'Hello ' },
      { insert: { mention: { id: people.reader, value: 'Rita' } } },
      { insert: '\n' },
    ]);
    const contentRef = await world.upload(people.contributor, 'face.png');
    const { comment } = await world.ok(people.contributor, 'POST', add(postId), {
      comment: delta,
      clientUid: 'comment-1',
      attachments: [{ name: 'face.png', contentRef }],
    });
    expect(comment).toMatchObject({
      commentPlainText: 'Hello @Rita',
      clientUid: 'comment-1',
      creatorUser: { id: people.contributor },
      mentions: [{ id: people.reader }],
      deleted: false,
      likesCount: 0,
      likedByMe: false,
      showLikeSection: true,
      rightAlignText: false,
      capabilities: { canEdit: true, canDelete: true, canEditLike: true, canReply: true },
    });
    const [file] = comment.attachments;
    expect(file).toMatchObject({ name: 'face.png', communityId: world.communityId, downloadable: true });
    for (const link of ['View', 'Download', 'PreviewImage'])
      expect(file[`temporaryContent${link}Link`]).toMatch(/^http/);
    const answer = await say(people.author, postId, 'Thanks', { parentCommentId: comment.id });
    expect(answer.parentComment).toMatchObject({ id: comment.id, commentPlainText: 'Hello @Rita' });
    const page = await world.ok(people.reader, 'POST', list(postId), { calculateTotalItemsCount: true });
    expect(page.totalItemsCount).toBe(2);
    expect(page.items.map((item: { id: number }) => item.id)).toEqual([answer.id, comment.id]);
    expect(page.items[1].capabilities).toEqual({
      canEdit: false,
      canDelete: false,
      canEditLike: true,
      canReply: false,
    });
    expect(page.items[0].parentComment.attachments).toHaveLength(1);
    const post = await world.ok(people.reader, 'GET', `posts/data/post-detail-by-id/${postId}`);
    expect(post).toMatchObject({ commentsCount: 2, attachmentsCount: 1, imageAttachmentsCount: 1 });
    expect(post.commentMentions.items).toMatchObject([{ id: people.reader }]);
    expect(post.lastModifyTimestamp).toBeLessThan(post.lastOperationTimestamp);
    expect(await events(postId)).toEqual([
      { typeId: 3, target: null, commentId: comment.id },
      { typeId: 5, target: people.reader, commentId: comment.id },
      { typeId: 11, target: null, commentId: comment.id },
      { typeId: 3, target: null, commentId: answer.id },
    ]);
    const kinds = await world.rows<{ kind: number }>(
      'SELECT kind FROM changes WHERE tenant_id = $1 AND post_id = $2 ORDER BY id',
      [postId],
    );
    expect(kinds.map((row) => row.kind)).toEqual([1, 3, 3]);
    const [state] = await world.rows<{ commented: number; active: number }>(
      `SELECT s.commented_at AS commented, p.active_at AS active FROM post_user_state s
         JOIN posts p ON p.tenant_id = s.tenant_id AND p.id = s.post_id
        WHERE s.tenant_id = $1 AND s.post_id = $2 AND s.user_id = $3`,
      [postId, people.author],
    );
    expect(state!.commented).toBe(answer.creationTimestamp);
    expect(state!.active).toBe(answer.creationTimestamp);
  });

  test('both written forms; the default is a delta', async () => {
    const postId = await world.post(world.people.author);
    const ops = await world.ok(world.people.author, 'POST', add(postId), { comment: '{"ops":[{"insert":"a\\n"}]}' });
    expect(ops.comment).toMatchObject({ commentDelta: '[{"insert":"a\\n"}]', commentPlainText: 'a' });
    const plain = await say(world.people.author, postId, '[{"insert":"not markup"}]');
    expect(plain.commentPlainText).toBe('[{"insert":"not markup"}]');
    const arabic = await say(world.people.author, postId, '12: مرحبا hello');
    expect(arabic.rightAlignText).toBe(true);
  });

  test('faults come together', async () => {
    const postId = await world.post(world.people.author);
    const elsewhere = await say(world.people.author, await world.post(world.people.author), 'there');
    const answer = await world.send(world.people.author, 'POST', add(postId), {
      comment: 'plain without the format',
      parentCommentId: elsewhere.id,
      attachments: [{ contentRef: 'e'.repeat(64) }],
    });
    expect(answer.status).toBe(400);
    expect(faults(answer).sort()).toEqual([
      'attachments[0].contentRef: CONTENT_REF_INVALID',
      'attachments[0].name: REQUIRED_FIELD',
      'comment: INVALID_DELTA',
      'parentCommentId: UNKNOWN_REFERENCE',
    ]);
    for (const comment of [undefined, '', '  ', '[{"insert":" \\n"}]']) {
      const empty = await world.send(world.people.author, 'POST', add(postId), { comment });
      expect(faults(empty), String(comment)).toEqual(['comment: REQUIRED_FIELD']);
    }
    const file = await world.upload(world.people.author);
    const only = await world.send(world.people.author, 'POST', add(postId), {
      attachments: [{ name: 'a.txt', contentRef: file }],
    });
    expect(only.status).toBe(200);
  });

  test('a repeated clientUid gives the comment that is there', async () => {
    const { people } = world;
    const postId = await world.post(people.author);
    const first = await say(people.author, postId, 'once', { clientUid: 'c-once' });
    expect(await say(people.author, postId, 'twice', { clientUid: 'c-once' })).toEqual(first);
    const body = { comment: 'mine', commentFormat: 2, clientUid: 'c-once' };
    expect((await world.send(people.contributor, 'POST', add(postId), body)).status).toBe(409);
    const other = await world.post(people.author);
    expect((await world.send(people.author, 'POST', add(other), body)).status).toBe(409);
    const race = await atOnce(12, () =>
      world.send(people.author, 'POST', add(postId), { ...body, clientUid: 'c-race' }),
    );
    expect(race).toEqual({ 200: 12 });
    const page = await world.ok(people.author, 'POST', list(postId), { calculateTotalItemsCount: true });
    expect(page.totalItemsCount).toBe(2);
  });

  test('counts stay true when many comment at once', async () => {
    const postId = await world.post(world.people.author);
    const race = await atOnce(30, (index) =>
      world.send(index % 2 ? world.people.author : world.people.contributor, 'POST', add(postId), {
        comment: `no ${index}`,
        commentFormat: 2,
      }),
    );
    expect(race).toEqual({ 200: 30 });
    const post = await world.ok(world.people.reader, 'GET', `posts/data/post-detail-by-id/${postId}`);
    expect(post.commentsCount).toBe(30);
  });

  test('readers may not; outsiders find nothing; drafts take none', async () => {
    const { people } = world;
    const postId = await world.post(people.author);
    const body = { comment: 'x', commentFormat: 2 };
    expect((await world.send(people.reader, 'POST', add(postId), body)).status).toBe(403);
    expect((await world.send(people.outsider, 'POST', add(postId), body)).status).toBe(404);
    expect((await world.send(people.outsider, 'POST', list(postId), {})).status).toBe(404);
    const draft = await world.post(people.author, { draft: true });
    expect((await world.send(people.author, 'POST', add(draft), body)).status).toBe(403);
    expect((await world.send(people.manager, 'POST', add(draft), body)).status).toBe(404);
    expect((await world.ok(people.author, 'POST', list(draft), {})).items).toEqual([]);
  });
});

describe('reading', () => {
  test('pages hold every comment once, newest first, whatever is written meanwhile', async () => {
    const { people } = world;
    const postId = await world.post(people.author);
    const ids: number[] = [];
    for (let index = 0; index < 7; index++) ids.push((await say(people.author, postId, `no ${index}`)).id);
    const seen: number[] = [];
    let pageToken: string | undefined;
    do {
      const page = await world.ok(people.reader, 'POST', list(postId), { pageSize: 3, pageToken });
      seen.push(...page.items.map((item: { id: number }) => item.id));
      pageToken = page.nextPageToken;
      if (pageToken) await say(people.author, postId, 'newer');
    } while (pageToken);
    expect(seen).toEqual(ids.toReversed());
    const first = await world.ok(people.reader, 'POST', list(postId), { pageSize: 1 });
    const other = await world.post(people.author);
    const answer = await world.send(people.reader, 'POST', list(other), { pageToken: first.nextPageToken });
    expect([answer.status, answer.body.code]).toEqual([400, 'PAGE_TOKEN_FILTERS_CHANGED']);
  });

  test('where a community hides comments, readers get a 403 and every other sign of them is gone', async () => {
    const hiding = await createTestWorld(portal, { community: { commentsHiddenFromReaders: true } });
    const { people } = hiding;
    const postId = await hiding.post(people.author);
    await hiding.ok(people.author, 'POST', add(postId), { comment: 'secret', commentFormat: 2 });
    expect((await hiding.send(people.reader, 'POST', list(postId), {})).status).toBe(403);
    expect((await hiding.ok(people.contributor, 'POST', list(postId), {})).items).toHaveLength(1);
    const capabilities = await hiding.ok(people.reader, 'GET', `posts/data/post-capabilities/${postId}`);
    expect(capabilities).toMatchObject({ canViewDetail: true, canViewComment: false, canAddComment: false });
  });

  test('a deleted comment is a placeholder that keeps its thread together', async () => {
    const { people } = world;
    const postId = await world.post(people.author);
    const delta = JSON.stringify([
      { insert: { mention: { id: people.reader, value: 'Rita' } } },
      { insert: ' psst\n' },
    ]);
    const parent = await say(people.contributor, postId, delta, {
      commentFormat: 1,
      attachments: [{ name: 'a.txt', contentRef: await world.upload(people.contributor) }],
    });
    const reply = await say(people.author, postId, 'reply', { parentCommentId: parent.id });
    await expect(deleteComment(await world.scope(people.author), parent.id)).rejects.toMatchObject({ status: 403 });
    await deleteComment(await world.scope(people.manager), parent.id);
    const { items } = await world.ok(people.reader, 'POST', list(postId), {});
    expect(items[0].parentComment).toMatchObject({ id: parent.id, deleted: true });
    expect(items[1]).toMatchObject({
      id: parent.id,
      deleted: true,
      creatorUser: { id: people.contributor },
      mentions: [],
      attachments: [],
      capabilities: { canEdit: false, canEditLike: false, canDelete: false, canReply: false },
    });
    expect(items[1].commentPlainText).toBeUndefined();
    expect(items[1].commentDelta).toBeUndefined();
    const post = await world.ok(people.reader, 'GET', `posts/data/post-detail-by-id/${postId}`);
    expect(post).toMatchObject({ commentsCount: 1, attachmentsCount: 0 });
    expect(post.commentMentions.items).toEqual([]);
    expect((await events(postId)).slice(-2).map((event) => [event.typeId, event.commentId])).toEqual([
      [12, parent.id],
      [16, parent.id],
    ]);
    const again = await world.send(people.author, 'POST', add(postId), {
      comment: 'to nobody',
      commentFormat: 2,
      parentCommentId: parent.id,
    });
    expect(faults(again)).toEqual(['parentCommentId: UNKNOWN_REFERENCE']);
    expect(reply.id).toBe(items[0].id);
  });

  test('no query per comment: one, twenty or two hundred take the same statements', async () => {
    const { people } = world;
    const taken: string[][] = [];
    for (const size of [1, 20, 200]) {
      const postId = await world.post(people.author);
      const scope = await world.scope(people.author);
      const parent = await say(people.contributor, postId, 'first', {
        attachments: [{ name: 'a.txt', contentRef: await world.upload(people.contributor) }],
      });
      await world.rows(
        `INSERT INTO comments (tenant_id, id, post_id, parent_id, delta, plain, creator_id, created_at, modified_at)
          SELECT a.tenant_id, 1000000000 + $2 * 300 + n, $2, $3, '[]', 'x', $4, now(), now()
            FROM tenant_versions a, generate_series(1, $5::int) n WHERE a.tenant_id = $1`,
        [postId, parent.id, scope.actor.userId, size - 1],
      );
      const { statements, result: page } = await statementsOf(portal, () =>
        world.ok(people.reader, 'POST', list(postId), { pageSize: 500, calculateTotalItemsCount: true }),
      );
      taken.push(statements);
      expect(page.items).toHaveLength(size);
    }
    expect(taken[1]).toEqual(taken[0]);
    expect(taken[2]).toEqual(taken[0]);
  });
});

describe('likes', () => {
  test('a like counts once, with its history; taking it back too', async () => {
    const { people } = world;
    const postId = await world.post(people.author);
    const reader = await world.scope(people.reader);
    await likePost(reader, postId);
    await likePost(reader, postId);
    await likePost(await world.scope(people.contributor), postId);
    const liked = await world.ok(people.reader, 'GET', `posts/data/post-detail-by-id/${postId}`);
    expect(liked).toMatchObject({ likesCount: 2, likedByMe: true });
    await unlikePost(reader, postId);
    await unlikePost(reader, postId);
    const after = await world.ok(people.reader, 'GET', `posts/data/post-detail-by-id/${postId}`);
    expect(after).toMatchObject({ likesCount: 1, likedByMe: false });
    expect((await events(postId)).map((event) => event.typeId)).toEqual([7, 7, 8]);
    await expect(likePost(await world.scope(people.outsider), postId)).rejects.toMatchObject({ status: 404 });
  });

  test('comments are liked one by one', async () => {
    const { people } = world;
    const postId = await world.post(people.author);
    const comment = await say(people.author, postId, 'nice');
    await likeComment(await world.scope(people.reader), comment.id);
    await likeComment(await world.scope(people.reader), comment.id);
    const { items } = await world.ok(people.reader, 'POST', list(postId), {});
    expect(items[0]).toMatchObject({ likesCount: 1, likedByMe: true });
  });

  test('where likes are off nobody likes', async () => {
    const plain = await createTestWorld(portal, { community: { likeEnabled: false } });
    const postId = await plain.post(plain.people.author);
    await expect(likePost(await plain.scope(plain.people.reader), postId)).rejects.toMatchObject({ status: 403 });
  });
});
