/** The stream against a fresh listing: late commits, rollbacks, changing rights, restarts of the follower. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createDatabaseOnOwnCluster,
  createTestPortal,
  type TestPortal,
  type TestTenant,
} from '../../../test/support/index.ts';
import { longForm } from '../../../test/support/long-form.ts';
import { writeTransaction } from '../../kernel/access/index.ts';
import { createCommunity, setCommunityRole } from '../communities/index.ts';
import { createGroupRecord } from '../people/index.ts';
import { recordChange } from '../posts/events/index.ts';
import { createWorkspace } from '../workspaces/index.ts';

let portal: TestPortal;
const STREAM = '/portal/api/external/v2/communication/posts/data/global-stream';

beforeAll(async () => {
  portal = await createTestPortal({ database: await createDatabaseOnOwnCluster() });
});
afterAll(() => portal.close());

interface Stage {
  tenant: TestTenant;
  communities: number[];
  managerId: number;
}

async function stage(communityCount: number): Promise<Stage> {
  const tenant = await portal.createTenant();
  const system = await tenant.scope(tenant.systemUserId);
  const workspaceId = await createWorkspace(system, { name: 'Work' });
  const communities: number[] = [];
  for (let index = 0; index < communityCount; index++) {
    communities.push(await createCommunity(system, { workspaceId, name: `Community ${index}`, descriptionEnabled: 1 }));
  }
  const managerId = await tenant.createUser({ firstName: 'Manager' });
  for (const id of communities) await setCommunityRole(system, id, [managerId], 1);
  return { tenant, communities, managerId };
}

interface Item {
  id: number;
  communityId: number;
  status: 'CREATED' | 'MODIFIED' | 'TOUCHED' | 'DELETED';
  deleted: boolean;
  title?: string;
}

/** A client of the stream: keeps a copy of what it was told. */
class Follower {
  readonly copy = new Map<number, string>();
  readonly log: Item[] = [];
  syncToken = '';
  readonly tenant: TestTenant;
  readonly userId: number;

  constructor(tenant: TestTenant, userId: number) {
    this.tenant = tenant;
    this.userId = userId;
  }

  /** A round after everything committed so far has its number. */
  async settledRound(): Promise<Item[]> {
    await this.tenant.settleStream();
    return this.round();
  }

  async round(): Promise<Item[]> {
    const told: Item[] = [];
    let pageToken = '';
    do {
      const query = new URLSearchParams({
        ...(this.syncToken && { syncToken: this.syncToken }),
        ...(pageToken && { pageToken }),
      });
      const { status, body } = await this.tenant.request(this.userId, 'POST', `${STREAM}?${query}`, {});
      if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
      told.push(...body.items);
      pageToken = body.nextPageToken ?? '';
      if (!pageToken) this.syncToken = body.nextSyncToken;
    } while (pageToken);
    expect(new Set(told.map((item) => item.id)).size, 'once per post').toBe(told.length);
    for (const item of told) {
      if (item.status === 'DELETED') this.copy.delete(item.id);
      else this.copy.set(item.id, item.title ?? '');
    }
    this.log.push(...told);
    return told;
  }

  /** What a listing of every community shows now. */
  async listing(communities: readonly number[]): Promise<Map<number, string>> {
    const found = new Map<number, string>();
    for (const id of communities) {
      let pageToken: string | undefined;
      do {
        const { status, body } = await this.tenant.request(
          this.userId,
          'POST',
          `/portal/api/communication/posts/data/list/community/${id}`,
          { pageSize: 500, pageToken },
        );
        if (status === 404 || status === 403) break;
        expect(status).toBe(200);
        for (const post of body.items) found.set(post.id, post.title);
        pageToken = body.nextPageToken;
      } while (pageToken);
    }
    return found;
  }
}

const MANAGE = '/portal/api/communication/posts/manage';

async function createPost(
  tenant: TestTenant,
  userId: number,
  communityId: number,
  extra: object = {},
): Promise<number> {
  const { status, body } = await tenant.request(userId, 'POST', `${MANAGE}/create-post/${communityId}`, {
    announcement: false,
    title: 'A post',
    visibility: 2,
    ...extra,
  });
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body.postId;
}

describe('the global stream', () => {
  it('tells creations, edits, touches and deletions once, newest first, and nothing twice', async () => {
    const { tenant, communities, managerId } = await stage(1);
    const readerId = await tenant.createUser();
    await setCommunityRole(await tenant.scope(tenant.systemUserId), communities[0]!, [readerId], 3);
    const old = await createPost(tenant, managerId, communities[0]!);
    const follower = new Follower(tenant, readerId);
    expect((await follower.settledRound()).map((item) => [item.id, item.status])).toEqual([[old, 'CREATED']]);
    expect(await follower.settledRound()).toEqual([]);

    const fresh = await createPost(tenant, managerId, communities[0]!);
    const form = await tenant.request(managerId, 'GET', `${MANAGE}/post-data-for-edit/${old}`);
    const edited = await tenant.request(managerId, 'PUT', `${MANAGE}/edit-post/${old}/${form.body.occToken}`, {
      title: 'Edited',
      description: '[{"insert":"x\\n"}]',
      visibility: 2,
    });
    expect(edited.status, JSON.stringify(edited.body)).toBe(200);
    expect((await follower.settledRound()).map((item) => [item.id, item.status])).toEqual([
      [old, 'MODIFIED'],
      [fresh, 'CREATED'],
    ]);

    const commented = await tenant.request(managerId, 'POST', `${MANAGE}/create-comment/${fresh}`, {
      comment: 'Hello',
      commentFormat: 2,
    });
    expect(commented.status, JSON.stringify(commented.body)).toBe(200);
    expect((await follower.settledRound()).map((item) => [item.id, item.status])).toEqual([[fresh, 'TOUCHED']]);

    await tenant.request(managerId, 'DELETE', `${MANAGE}/delete-post/${old}`);
    expect(await follower.settledRound()).toEqual([
      { id: old, communityId: communities[0], status: 'DELETED', deleted: true },
    ]);
  });

  it('tells of posts that become visible or invisible to the follower, and of nothing they never saw', async () => {
    const { tenant, communities, managerId } = await stage(2);
    const [first, second] = communities as [number, number];
    const system = await tenant.scope(tenant.systemUserId);
    const readerId = await tenant.createUser();
    await setCommunityRole(system, first, [readerId], 3);
    const publicPost = await createPost(tenant, managerId, first);
    const hidden = await createPost(tenant, managerId, first, { visibility: 1 });
    const elsewhere = await createPost(tenant, managerId, second);
    const follower = new Follower(tenant, readerId);
    await follower.settledRound();
    expect([...follower.copy.keys()]).toEqual([publicPost]);

    await tenant.request(managerId, 'PUT', `${MANAGE}/edit-post-watchers/${hidden}`, { addWatcherUserIds: [readerId] });
    await setCommunityRole(system, second, [readerId], 3);
    expect((await follower.settledRound()).map((item) => [item.id, item.status]).sort()).toEqual(
      [
        [hidden, 'CREATED'],
        [elsewhere, 'CREATED'],
      ].sort(),
    );

    await setCommunityRole(system, first, [readerId], null);
    const told = await follower.settledRound();
    expect(told.every((item) => item.status === 'DELETED' && Object.keys(item).length === 4)).toBe(true);
    expect(told.map((item) => item.id).sort()).toEqual([publicPost, hidden].sort());
    await tenant.request(managerId, 'DELETE', `${MANAGE}/delete-post/${hidden}`);
    expect(await follower.settledRound()).toEqual([]);
  });

  it('never skips a transaction that commits late', async () => {
    const { tenant, communities, managerId } = await stage(1);
    const follower = new Follower(tenant, managerId);
    await follower.settledRound();
    const db = portal.services.databases.for(tenant.tenant.id);
    const early = await createPost(tenant, managerId, communities[0]!);
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const { promise: written, resolve: tellWritten } = Promise.withResolvers<void>();
    // A transaction that began before others committed, and ends after they were told.
    const late = db.transaction(async (tx) => {
      const { ids } = await tx.takeReservedIds('changes', 1);
      await tx.execute(
        `INSERT INTO changes (tenant_id, id, xid, node, at, post_id, community_id, kind)
         SELECT p.tenant_id, $3, portico_transaction(p.tenant_id), portico_node(p.tenant_id), p.created_at, p.id, p.community_id, 3
           FROM posts p WHERE p.tenant_id = $1 AND p.id = $2`,
        [tx.tenantId, early, ids[0]],
      );
      tellWritten();
      await held;
    });
    await written;
    const later = await createPost(tenant, managerId, communities[0]!);
    const during = await follower.round();
    release();
    await late;
    await tenant.settleStream();
    const after = await follower.round();
    expect([...during, ...after].map((item) => item.id).filter((id) => id === later)).toHaveLength(1);
    expect(after.some((item) => item.id === early)).toBe(true);
    expect(follower.copy).toEqual(await follower.listing(communities));
  });

  it('compares the transaction that wrote a change row with those that run', async () => {
    const { tenant, communities, managerId } = await stage(1);
    const postId = await createPost(tenant, managerId, communities[0]!);
    await tenant.request(managerId, 'DELETE', `${MANAGE}/delete-post/${postId}`);
    const db = portal.services.databases.for(tenant.tenant.id);
    const rows = await db.query<{ noted: number; actual: number }>(
      `SELECT c.xid::text::bigint % 4294967296 AS noted, c.xmin::text::bigint AS actual FROM changes c
        WHERE c.tenant_id = $1 AND c.seq IS NULL`,
      [db.tenantId],
    );
    expect(rows).toHaveLength(2);
    for (const { noted, actual } of rows) expect(noted).toBe(actual);
  });

  it('answers many first requests of one person at once', async () => {
    const { tenant, managerId } = await stage(1);
    const answers = await Promise.all(Array.from({ length: 20 }, () => tenant.request(managerId, 'POST', STREAM, {})));
    expect(answers.map((answer) => answer.status)).toEqual(Array(20).fill(200));
  });

  it('refuses unknown, foreign and old tokens with a 400 that says to start afresh', async () => {
    const { tenant, communities, managerId } = await stage(1);
    await createPost(tenant, managerId, communities[0]!);
    const otherId = await tenant.createUser();
    const follower = new Follower(tenant, managerId);
    await follower.settledRound();
    const ask = (userId: number, syncToken: string) =>
      tenant.request(userId, 'POST', `${STREAM}?${new URLSearchParams({ syncToken })}`, {});
    for (const answer of [await ask(managerId, 'nonsense'), await ask(otherId, follower.syncToken)]) {
      expect([answer.status, answer.body.code]).toEqual([400, 'SYNC_TOKEN_INVALID']);
      expect(answer.body.message).toContain('afresh');
    }
    const db = portal.services.databases.for(tenant.tenant.id);
    await db.execute('UPDATE stream_state SET generation = generation + 1 WHERE tenant_id = $1', [db.tenantId]);
    expect((await ask(managerId, follower.syncToken)).status).toBe(400);
  });
});

describe('followers under sixteen writers', () => {
  it.each(Array.from({ length: longForm ? 10 : 2 }, (_, round) => round + 1))(
    'hold the same as a fresh listing in the end, time %i',
    async (time) => {
      const { tenant, communities, managerId } = await stage(3);
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
                if (post) await recordChange(write, post.id, 2);
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
