/**
 * Followers of the stream beside many writers: in the end each holds the same posts as a fresh
 * listing.
 */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabaseOnOwnCluster, createTestPortal, type TestPortal } from '../../../../test/support/index.ts';
import { longForm } from '../../../../test/support/long-form.ts';
import { writeTransaction } from '../../../kernel/access/index.ts';
import { setCommunityRole } from '../../communities/index.ts';
import { createGroupRecord } from '../../people/index.ts';
import { recordPost } from '../../records/index.ts';
import { Follower, MANAGE, stage } from './stream.fixture.ts';

let portal: TestPortal;

beforeAll(async () => {
  portal = await createTestPortal({ database: await createDatabaseOnOwnCluster() });
});
afterAll(() => portal.close());

describe('followers under sixteen writers', () => {
  it.each(Array.from({ length: longForm ? 10 : 1 }, (_, round) => round + 1))(
    'hold the same as a fresh listing in the end, time %i',
    async (time) => {
      const { tenant, communities, managerId } = await stage(portal, 3);
      const system = () => tenant.scope(tenant.systemUserId);
      const people = await Promise.all(Array.from({ length: 6 }, () => tenant.createUser()));
      const groupId = await writeTransaction(await system(), 'access', (write) =>
        createGroupRecord(write, { name: 'Team', memberIds: people.slice(0, 3) }),
      );
      for (const id of communities) await setCommunityRole(await system(), id, [managerId, ...people], 2);
      const followers = [managerId, ...people].map((id) => new Follower(tenant, id));
      const posts: number[] = [];
      let seed = 20_261_121 * time;
      const random = (below: number) => {
        seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
        return seed % below;
      };
      const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T;
      const expectAny = (status: number) => {
        if (![200, 400, 403, 404, 409].includes(status)) throw new Error(`unexpected status ${status}`);
      };
      const act = async (): Promise<void> => {
        const dry = random(8) === 0 ? '?dryRun=true' : '';
        const author = pick([managerId, ...people]);
        const post = posts.length > 0 ? pick(posts) : 0;
        switch (random(10)) {
          case 0:
          case 1: {
            const answer = await tenant.request(author, 'POST', `${MANAGE}/create-post/${pick(communities)}${dry}`, {
              announcement: false,
              title: `Post ${random(1_000_000)}`,
              visibility: 1 + random(2),
              draft: random(6) === 0,
              watcherUserIds: random(2) ? [pick(people)] : [],
            });
            expectAny(answer.status);
            if (answer.status === 200 && !dry) posts.push(answer.body.postId);
            return;
          }
          case 2:
          case 3: {
            const form = await tenant.request(managerId, 'GET', `${MANAGE}/post-data-for-edit/${post}`);
            if (form.status !== 200) return;
            const answer = await tenant.request(
              managerId,
              'PUT',
              `${MANAGE}/edit-post/${post}/${form.body.occToken}${dry}`,
              {
                title: `Edited ${random(1_000_000)}`,
                description: '[{"insert":"text\\n"}]',
                visibility: 1 + random(2),
              },
            );
            return expectAny(answer.status);
          }
          case 4:
            return expectAny(
              (
                await tenant.request(
                  managerId,
                  'PUT',
                  `${MANAGE}/edit-post-watchers/${post}${dry}`,
                  random(2) ? { addWatcherUserIds: [pick(people)] } : { removeWatcherUserIds: [pick(people)] },
                )
              ).status,
            );
          case 5:
            return expectAny(
              (
                await tenant.request(author, 'POST', `${MANAGE}/create-comment/${post}${dry}`, {
                  comment: 'Said',
                  commentFormat: 2,
                })
              ).status,
            );
          case 6:
            return expectAny(
              (
                await tenant.request(
                  managerId,
                  'DELETE',
                  `${MANAGE}/${random(3) ? 'delete-post' : 'delete-post'}/${random(3) ? 0 : post}${dry}`,
                )
              ).status,
            );
          case 7:
            await setCommunityRole(await system(), pick(communities), [pick(people)], pick([null, 1, 2, 3] as const));
            return;
          case 8: {
            const [person] = [pick(people)];
            const db = portal.services.databases.for(tenant.tenant.id);
            const [{ version } = { version: 0 }] = await db.query<{ version: number }>(
              'SELECT version FROM groups WHERE tenant_id = $1 AND id = $2',
              [db.tenantId, groupId],
            );
            const admin = tenant.systemUserId;
            const answer = await tenant.request(admin, 'PUT', '/portal/api/admin/manage/groups/members', {
              groupMembers: [
                {
                  id: groupId,
                  occToken: version,
                  ...(random(2) ? { addUserIds: [person] } : { deleteUserIds: [person] }),
                },
              ],
            });
            return expectAny(answer.status);
          }
          default: {
            // A write that is rolled back after everything was done.
            await expect(
              writeTransaction(await tenant.scope(managerId), 'none', async (write) => {
                const [post] = await write.tx.query<{ id: number; communityId: number }>(
                  'SELECT id, community_id AS "communityId" FROM posts WHERE tenant_id = $1 LIMIT 1',
                  [write.tx.tenantId],
                );
                if (post) await recordPost(write, post, { kind: 2 });
                await new Promise((resolve) => setTimeout(resolve, random(15)));
                throw new Error('rolled back on purpose');
              }),
            ).rejects.toThrow('on purpose');
          }
        }
      };
      let running = true;
      const polls = followers.map(async (follower) => {
        while (running) {
          await follower.round();
          await new Promise((resolve) => setTimeout(resolve, random(60)));
        }
      });
      await Promise.all(
        Array.from({ length: 16 }, async () => {
          for (let step = 0; step < 25; step++) await act();
        }),
      );
      running = false;
      await Promise.all(polls);
      await tenant.settleStream();
      for (const follower of followers) {
        await follower.round();
        const now = await follower.listing(communities);
        expect(sorted(follower.copy), `follower ${follower.userId}`).toEqual(sorted(now));
      }
    },
  );
});

function sorted(map: ReadonlyMap<number, string>): [number, string][] {
  return [...map].sort(([a], [b]) => a - b);
}
