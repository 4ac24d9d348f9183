/** Editing, deleting and liking comments and posts by operations. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  atOnce,
  createTestPortal,
  createTestWorld,
  type TestPortal,
  type TestWorld,
} from '../../../../test/support/test-world.ts';

let portal: TestPortal;
let world: TestWorld;

beforeAll(async () => {
  portal = await createTestPortal();
  world = await createTestWorld(portal);
});
afterAll(() => portal?.close());

const at = (commentId: number) => `comments/manage/comment/${commentId}`;
const likeOf = (commentId: number) => `comments/manage/like/${commentId}`;

async function say(user: number, postId: number, comment: string, more: object = {}) {
  const body = { comment, commentFormat: 2, ...more };
  return (await world.ok(user, 'POST', `posts/manage/create-comment/${postId}`, body)).comment;
}
const only = async (user: number, postId: number) =>
  (await world.ok(user, 'POST', `posts/data/comments-list/${postId}`, {})).items[0];

const mention = (userId: number) =>
  JSON.stringify([{ insert: { mention: { id: userId, value: 'Somebody' } } }, { insert: ' look\n' }]);

describe('editing', () => {
  test('replaces text, mentions and attachments, and keeps the texts before', async () => {
    const { people } = world;
    const postId = await world.post(people.author);
    const contentRef = await world.upload(people.contributor, 'a.txt');
    const made = await say(people.contributor, postId, mention(people.reader), {
      commentFormat: 1,
      attachments: [{ name: 'a.txt', contentRef }],
    });
    const form = await world.ok(people.contributor, 'GET', at(made.id));
    expect(form).toMatchObject({ postId, commentDelta: made.commentDelta, occToken: 1 });
    expect(form.attachments).toMatchObject([{ name: 'a.txt' }]);
    const edited = await world.ok(people.contributor, 'PUT', at(made.id), {
      comment: mention(people.manager),
      removeAttachmentIds: [form.attachments[0].id],
      addAttachments: [{ name: 'b.txt', contentRef: await world.upload(people.contributor, 'b.txt') }],
      occToken: 1,
    });
    expect(edited).toMatchObject({
      nextOccToken: 2,
      comment: { id: made.id, mentions: [{ id: people.manager }], attachments: [{ name: 'b.txt' }] },
    });
    expect(edited.comment.creationTimestamp).toBe(made.creationTimestamp);
    expect(edited.comment.lastModifyTimestamp).toBeGreaterThan(made.creationTimestamp);
    // The manager edits a comment of somebody else.
    await world.ok(people.manager, 'PUT', at(made.id), { comment: 'Third', commentFormat: 2, occToken: 2 });
    const path = `comments/data/versions/${made.id}`;
    const first = await world.ok(people.contributor, 'POST', path, { pageSize: 2, calculateTotalItemsCount: true });
    expect(first.items).toMatchObject([
      { version: 3, commentPlainText: 'Third', editorUser: { id: people.manager } },
      { version: 2, editorUser: { id: people.contributor } },
    ]);
    expect(first.totalItemsCount).toBe(3);
    const second = await world.ok(people.contributor, 'POST', path, { pageSize: 2, pageToken: first.nextPageToken });
    expect(second.items).toMatchObject([
      { version: 1, commentDelta: made.commentDelta, timestamp: made.creationTimestamp },
    ]);
    expect(second.nextPageToken).toBeUndefined();
    const told = await world.rows<{ typeId: number; target: number | null }>(
      `SELECT type_id AS "typeId", target_user_id AS target FROM history_events
        WHERE tenant_id = $1 AND post_id = $2 AND type_id IN (5, 11, 12) ORDER BY id`,
      [postId],
    );
    expect(told).toEqual([
      { typeId: 5, target: people.reader },
      { typeId: 11, target: null },
      { typeId: 5, target: people.manager },
      { typeId: 11, target: null },
      { typeId: 12, target: null },
    ]);
    const [post] = await world.rows<{ comments: number; files: number; version: number }>(
      `SELECT comments_count AS comments, attachments_count AS files, version FROM posts WHERE tenant_id = $1 AND id = $2`,
      [postId],
    );
    expect(post).toEqual({ comments: 1, files: 1, version: 1 });
  });

  test('of many edits of one version one succeeds; the others are told who made it', async () => {
    const { people } = world;
    const postId = await world.post(people.author);
    const { id } = await say(people.author, postId, 'first');
    const edit = (comment: string) =>
      world.send(people.author, 'PUT', at(id), { comment, commentFormat: 2, occToken: 1 });
    expect(await atOnce(12, (index) => edit(`no ${index}`))).toEqual({ 200: 1, 409: 11 });
    const late = await edit('late');
    expect(late.body).toMatchObject({ currentOccToken: 2, changedBy: { id: people.author } });
  });

  test('is for the author and managers; the capabilities of the comment say so', async () => {
    const { people } = world;
    const postId = await world.post(people.author);
    const { id } = await say(people.contributor, postId, 'mine');
    const body = { comment: 'other', commentFormat: 2, occToken: 1 };
    const expected = { contributor: 200, manager: 200, author: 403, reader: 403 } as const;
    for (const [who, status] of Object.entries(expected)) {
      const user = people[who as keyof typeof expected];
      const { capabilities } = await only(user, postId);
      expect([who, capabilities.canEdit, capabilities.canDelete]).toEqual([who, status === 200, status === 200]);
      const calls = [
        ['GET', at(id)],
        ['PUT', `${at(id)}?dryRun=true`, body],
        ['DELETE', `${at(id)}?dryRun=true`],
        ['POST', `comments/data/versions/${id}`, {}],
      ] as const;
      for (const [method, path, sent] of calls)
        expect([who, method, (await world.send(user, method, path, sent)).status]).toEqual([who, method, status]);
    }
    expect((await world.send(people.outsider, 'PUT', at(id), body)).status).toBe(404);
    expect((await world.send(people.outsider, 'DELETE', at(id))).status).toBe(404);
  });

  test('a deleted comment is gone for edits, likes and lists, and so are its texts', async () => {
    const { people } = world;
    const postId = await world.post(people.author);
    const { id } = await say(people.contributor, postId, 'secret');
    await world.ok(people.contributor, 'PUT', at(id), { comment: 'public', commentFormat: 2, occToken: 1 });
    expect(await world.ok(people.contributor, 'DELETE', at(id))).toEqual({ postId });
    expect(await only(people.reader, postId)).toMatchObject({ id, deleted: true });
    const calls = [
      ['GET', at(id)],
      ['PUT', at(id), { comment: 'x', occToken: 2 }],
      ['DELETE', at(id)],
      ['PUT', likeOf(id), {}],
      ['POST', `comments/data/versions/${id}`, {}],
      ['POST', `comments/data/likes/${id}`, {}],
    ] as const;
    for (const [method, path, body] of calls)
      expect([path, (await world.send(people.contributor, method, path, body)).status]).toEqual([path, 404]);
    const kept = await world.rows('SELECT FROM comment_versions WHERE tenant_id = $1 AND comment_id = $2', [id]);
    expect(kept).toEqual([]);
  });
});

describe('likes', () => {
  test('of a post and a comment count once, are listed, and are taken back', async () => {
    const { people } = world;
    const postId = await world.post(people.author);
    const { id } = await say(people.author, postId, 'nice');
    const places = [
      [`posts/manage/like/${postId}`, `posts/data/likes/${postId}`],
      [likeOf(id), `comments/data/likes/${id}`],
    ] as const;
    for (const [like, likes] of places) {
      expect(await atOnce(6, () => world.send(people.reader, 'PUT', like, {}))).toEqual({ 200: 6 });
      expect(await world.ok(people.manager, 'PUT', like, { liked: true })).toEqual({ likesCount: 2, likedByMe: true });
      const page = await world.ok(people.author, 'POST', likes, { pageSize: 1, calculateTotalItemsCount: true });
      expect(page).toMatchObject({ items: [{ user: { id: people.manager } }], totalItemsCount: 2 });
      const rest = await world.ok(people.author, 'POST', likes, { pageSize: 1, pageToken: page.nextPageToken });
      expect(rest.items).toMatchObject([{ user: { id: people.reader } }]);
      expect(rest.nextPageToken).toBeUndefined();
      expect(await atOnce(6, () => world.send(people.reader, 'PUT', like, { liked: false }))).toEqual({ 200: 6 });
      expect(await world.ok(people.author, 'PUT', like, { liked: false })).toEqual({ likesCount: 1, likedByMe: false });
      expect((await world.send(people.outsider, 'PUT', like, {})).status).toBe(404);
      expect((await world.send(people.outsider, 'POST', likes, {})).status).toBe(404);
    }
    expect(await only(people.manager, postId)).toMatchObject({ likesCount: 1, likedByMe: true });
  });

  test("of comments are no one's to see where comments are hidden", async () => {
    const hiding = await createTestWorld(portal, { community: { commentsHiddenFromReaders: true } });
    const { people } = hiding;
    const postId = await hiding.post(people.author);
    const body = { comment: 'secret', commentFormat: 2 };
    const { comment } = await hiding.ok(people.author, 'POST', `posts/manage/create-comment/${postId}`, body);
    expect((await hiding.send(people.reader, 'PUT', likeOf(comment.id), {})).status).toBe(404);
    expect((await hiding.send(people.reader, 'POST', `comments/data/likes/${comment.id}`, {})).status).toBe(404);
    expect((await hiding.send(people.reader, 'GET', at(comment.id))).status).toBe(404);
  });
});
