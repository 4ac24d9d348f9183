/** Restoring deleted posts: rights, time limit, and that everything is as it was. */
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

const remove = (by: number, postId: number) => world.ok(by, 'DELETE', `posts/manage/delete-post/${postId}`);
const restore = (by: number, postId: number) => world.send(by, 'POST', `posts/manage/restore-post/${postId}`);
const detail = (by: number, postId: number) => world.send(by, 'GET', `posts/data/post-detail-by-id/${postId}`);
const deleted = async (by: number): Promise<number[]> =>
  (await world.ok(by, 'POST', 'posts/data/deleted', { pageSize: 200 })).items.map(
    ({ postId }: { postId: number }) => postId,
  );

describe('a deleted post', () => {
  test('is there again as it was, with its comments, for whoever saw it', async () => {
    const { people } = world;
    const postId = await world.post(people.author, { title: 'Kept', watcherUserIds: [people.reader], visibility: 1 });
    await world.ok(people.author, 'POST', `posts/manage/create-comment/${postId}`, {
      comment: 'Text',
      commentFormat: 2,
    });
    const before = (await detail(people.reader, postId)).body;
    await remove(people.author, postId);
    expect((await detail(people.reader, postId)).status).toBe(404);
    expect(await deleted(people.author)).toEqual([postId]);
    expect((await restore(people.author, postId)).body).toEqual({ postId });
    const after = (await detail(people.reader, postId)).body;
    const stable = ({ title, commentsCount, descriptionPlainText, visibility, customId }: Record<string, unknown>) => ({
      title,
      commentsCount,
      descriptionPlainText,
      visibility,
      customId,
    });
    expect(stable(after)).toEqual(stable(before));
    expect((await detail(people.contributor, postId)).status).toBe(404);
    expect(await deleted(people.author)).toEqual([]);
    // Once more: it stays as it is.
    expect((await restore(people.author, postId)).status).toBe(200);
    await world.tenant.settleStream();
    const stream = await world.ok(people.reader, 'POST', 'posts/data/global-stream', {});
    expect(stream.items.map(({ id }: { id: number }) => id)).toContain(postId);
  });

  test('is restored by its author if they deleted it, and by managers, within 30 days, unless it is to be erased', async () => {
    const { people } = world;
    const [own, byManager, old, erased] = [
      await world.post(people.author),
      await world.post(people.author),
      await world.post(people.author),
      await world.post(people.author),
    ];
    await remove(people.author, own);
    await remove(people.manager, byManager);
    await remove(people.author, old);
    await world.rows('UPDATE posts SET deleted_at = $3 WHERE tenant_id = $1 AND id = $2', [
      old,
      new Date(Date.now() - 31 * 86_400_000),
    ]);
    await world.ok(people.author, 'PUT', `posts/manage/mark-post-as-erasable/${erased}`);
    expect(await deleted(people.author)).toEqual([own]);
    expect((await deleted(people.manager)).toSorted((a, b) => a - b)).toEqual([own, byManager]);
    expect(await deleted(people.contributor)).toEqual([]);
    expect((await restore(people.contributor, own)).status).toBe(404);
    expect((await restore(people.reader, own)).status).toBe(404);
    expect((await restore(people.author, byManager)).status).toBe(404);
    for (const postId of [old, erased]) expect((await restore(people.manager, postId)).status).toBe(404);
    expect((await restore(people.manager, byManager)).status).toBe(200);
    expect(await atOnce(16, () => restore(people.author, own))).toEqual({ 200: 16 });
    const stranger = await createTestWorld(portal);
    expect((await stranger.send(stranger.people.manager, 'POST', `posts/manage/restore-post/${old}`)).status).toBe(404);
    expect((await restore(people.reader, own)).status).toBe(403);
  });
});
