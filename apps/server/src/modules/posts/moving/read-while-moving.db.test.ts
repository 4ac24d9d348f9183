/**
 * Reading a post that moves at the same moment: the reader's rows name the community that the post
 * is in.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { countWaitingStatements } from '../../../../test/support/activity.ts';
import {
  createTestPortal,
  createTestWorld,
  type TestPortal,
  type TestWorld,
} from '../../../../test/support/test-world.ts';
import { createCommunity, setCommunityRoles } from '../../communities/index.ts';
import { movePost } from './move-post.ts';

let portal: TestPortal;
let world: TestWorld;

beforeAll(async () => {
  portal = await createTestPortal();
  world = await createTestWorld(portal);
});
afterAll(() => portal?.close());

test('who reads a post while it moves is kept as its reader in the other community', async () => {
  const { people, tenant, db, workspaceId } = world;
  const admin = await tenant.scope(people.admin);
  const target = await createCommunity(admin, { workspaceId, name: 'Archive' });
  await setCommunityRoles(admin, target, [
    { principal: people.author, role: 1 },
    { principal: people.reader, role: 3 },
  ]);
  const [marked, opened] = [await world.post(people.author), await world.post(people.author)];
  let answer: Promise<unknown> | undefined;
  await db.transaction(async (tx) => {
    const scope = { ...(await tenant.scope(people.author)), db: tx };
    for (const id of [marked, opened]) {
      const { occToken } = await world.ok(people.author, 'GET', `posts/manage/post-data-for-edit/${id}`);
      await movePost(scope, id, { occToken, communityId: target }, async (_write, post) => post);
    }
    // The reader still finds both posts in their former community.
    answer = world.ok(people.reader, 'PUT', `posts/manage/read/${marked}`, { read: true });
    await world.ok(people.reader, 'GET', `posts/data/post-detail-by-id/${opened}`);
    await expect.poll(() => countWaitingStatements(portal.database.owner)).toBeGreaterThan(1);
  });
  await answer;
  const kept = () =>
    world.rows(
      `SELECT community_id FROM post_user_state
        WHERE tenant_id = $1 AND user_id = $2 AND post_id = ANY ($3) AND viewed_at IS NOT NULL`,
      [people.reader, [marked, opened]],
    );
  await expect.poll(kept).toEqual([{ community_id: target }, { community_id: target }]);
});
