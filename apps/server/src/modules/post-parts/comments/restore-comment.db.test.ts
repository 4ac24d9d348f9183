/** Restoring deleted comments: their content, the permission and the deadline. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  atOnce,
  createTestPortal,
  createTestWorld,
  type TestPortal,
  type TestWorld,
} from '../../../../test/support/test-world.ts';
import { eraseDeletedComments } from './deleted-comments.repository.ts';

let portal: TestPortal;
let world: TestWorld;

beforeAll(async () => {
  portal = await createTestPortal();
  world = await createTestWorld(portal);
});
afterAll(() => portal?.close());

const at = (commentId: number) => `comments/manage/comment/${commentId}`;
const restore = (by: number, commentId: number) => world.send(by, 'POST', `comments/manage/restore/${commentId}`);

/** Creates a comment with two texts, a mention, a like and a file. */
async function comment(by: number, postId: number): Promise<number> {
  const { people } = world;
  const body = {
    comment: JSON.stringify([{ insert: { mention: { id: people.reader, value: 'R' } } }, { insert: ' first\n' }]),
    attachments: [{ name: 'a.txt', contentRef: await world.upload(by, 'a.txt') }],
  };
  const { id } = (await world.ok(by, 'POST', `posts/manage/create-comment/${postId}`, body)).comment;
  await world.ok(by, 'PUT', at(id), { comment: 'second', commentFormat: 2, occToken: 1 });
  await world.ok(people.reader, 'PUT', `comments/manage/like/${id}`, {});
  return id;
}
const shown = async (by: number, postId: number) =>
  (await world.ok(by, 'POST', `posts/data/comments-list/${postId}`, {})).items[0];

describe('a deleted comment', () => {
  test('is there again as it was, once, with texts, likes and files', async () => {
    const { people } = world;
    const postId = await world.post(people.author);
    const id = await comment(people.contributor, postId);
    const before = await shown(people.manager, postId);
    await world.ok(people.contributor, 'DELETE', at(id));
    expect(await shown(people.manager, postId)).toMatchObject({ id, deleted: true });
    expect(await atOnce(8, () => restore(people.contributor, id))).toEqual({ 200: 8 });
    const after = await shown(people.manager, postId);
    const stable = ({ commentPlainText, likesCount, attachments, mentions }: Record<string, unknown>) => ({
      commentPlainText,
      likesCount,
      files: (attachments as { name: string }[]).map(({ name }) => name),
      mentions,
    });
    expect(stable(after)).toEqual(stable(before));
    const versions = await world.ok(people.contributor, 'POST', `comments/data/versions/${id}`, {});
    expect(versions.items).toHaveLength(2);
    const [post] = await world.rows(
      'SELECT comments_count AS c, attachments_count AS a FROM posts WHERE tenant_id = $1 AND id = $2',
      [postId],
    );
    expect(post).toEqual({ c: 1, a: 1 });
  });

  test('is restored by who deleted it and by managers, for 30 days; then what it said is gone', async () => {
    const { people } = world;
    const postId = await world.post(people.author);
    const [own, byManager, old] = [
      await comment(people.contributor, postId),
      await comment(people.contributor, postId),
      await comment(people.contributor, postId),
    ];
    await world.ok(people.contributor, 'DELETE', at(own));
    await world.ok(people.manager, 'DELETE', at(byManager));
    await world.ok(people.contributor, 'DELETE', at(old));
    expect((await restore(people.reader, own)).status).toBe(403);
    expect((await restore(people.author, own)).status).toBe(403);
    expect((await restore(people.outsider, own)).status).toBe(404);
    expect((await restore(people.contributor, byManager)).status).toBe(403);
    expect((await restore(people.manager, byManager)).status).toBe(200);
    await world.rows('UPDATE deleted_comments SET deleted_at = $3 WHERE tenant_id = $1 AND comment_id = $2', [
      old,
      new Date(Date.now() - 31 * 86_400_000),
    ]);
    expect((await restore(people.manager, old)).status).toBe(403);
    await eraseDeletedComments(world.db, Date.now() - 30 * 86_400_000);
    expect((await restore(people.manager, old)).status).toBe(404);
    const left = await world.rows<{ id: number }>('SELECT comment_id AS id FROM deleted_comments WHERE tenant_id = $1');
    expect(left).toEqual([{ id: own }]);
  });
});
