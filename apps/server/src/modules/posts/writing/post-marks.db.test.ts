/** Pinning and announcing posts, and marking them as read. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createTestPortal,
  createTestWorld,
  type TestPortal,
  type TestWorld,
} from '../../../../test/support/test-world.ts';
import { deliverNotifications } from '../../notifications/index.ts';

let portal: TestPortal;
let world: TestWorld;

beforeAll(async () => {
  portal = await createTestPortal();
  world = await createTestWorld(portal);
});
afterAll(() => portal?.close());

const put = (by: number, mark: string, postId: number, body: object = {}) =>
  world.send(by, 'PUT', `posts/manage/${mark}/${postId}`, body);
const detail = (by: number, postId: number) => world.ok(by, 'GET', `posts/data/post-detail-by-id/${postId}`);
const announced = async (by: number): Promise<number[]> =>
  (await world.ok(by, 'POST', 'notifications/data/notifications', { kinds: [7] })).items.map(
    ({ postId }: { postId: number }) => postId,
  );

describe('marks', () => {
  test('managers pin and announce; everybody who can read an announcement is told of it, once', async () => {
    const { people } = world;
    const postId = await world.post(people.author);
    const hidden = await world.post(people.author, { visibility: 1 });
    await deliverNotifications(world.db, Date.now());
    for (const mark of ['pin', 'announcement']) {
      expect((await put(people.author, mark, postId)).status).toBe(403);
      expect((await put(people.outsider, mark, postId)).status).toBe(404);
      expect((await put(people.manager, mark, postId)).status).toBe(200);
    }
    await put(people.manager, 'announcement', hidden);
    await put(people.manager, 'announcement', postId);
    await deliverNotifications(world.db, Date.now());
    expect(await announced(people.reader)).toEqual([postId]);
    expect((await announced(people.author)).toSorted((a, b) => a - b)).toEqual([postId, hidden]);
    expect(await announced(people.manager)).toEqual([]);
    expect(await announced(people.outsider)).toEqual([]);
    expect((await detail(people.reader, postId)).announcement).toBe(true);
    expect((await put(people.manager, 'announcement', postId, { announcement: false })).body).toEqual({
      postId,
      announcement: false,
    });
    const [row] = await world.rows('SELECT pinned, announcement FROM posts WHERE tenant_id = $1 AND id = $2', [postId]);
    expect(row).toEqual({ pinned: true, announcement: false });
  });

  test('a post is read or unread for the caller alone', async () => {
    const { people } = world;
    const postId = await world.post(people.author);
    const seen = async (by: number): Promise<boolean> =>
      (await world.ok(by, 'POST', `posts/data/list/community/${world.communityId}`, { pageSize: 50 })).items.find(
        ({ id }: { id: number }) => id === postId,
      ).viewedByMe;
    expect(await seen(people.reader)).toBe(false);
    expect((await put(people.reader, 'read', postId)).body).toEqual({ postId, viewedByMe: true });
    expect(await seen(people.reader)).toBe(true);
    expect((await put(people.reader, 'read', postId, { read: false })).status).toBe(200);
    expect(await seen(people.reader)).toBe(false);
    expect(await seen(people.author)).toBe(true);
    await put(people.reader, 'read', postId);
    expect((await put(people.outsider, 'read', postId)).status).toBe(404);
    const [views] = await world.rows(
      'SELECT viewers_count AS n FROM post_view_counts WHERE tenant_id = $1 AND post_id = $2',
      [postId],
    );
    expect(views).toEqual({ n: 2 });
  });
});
