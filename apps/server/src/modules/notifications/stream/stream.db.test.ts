/** The stream against a fresh listing: late commits, rollbacks, changing rights, restarts of the follower. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabaseOnOwnCluster, createTestPortal, type TestPortal } from '../../../../test/support/index.ts';
import { setCommunityRole } from '../../communities/index.ts';
import { createPost, Follower, MANAGE, STREAM, stage } from './stream.fixture.ts';

let portal: TestPortal;

beforeAll(async () => {
  portal = await createTestPortal({ database: await createDatabaseOnOwnCluster() });
});
afterAll(() => portal.close());

describe('the global stream', () => {
  it('tells creations, edits, touches and deletions once, newest first, and nothing twice', async () => {
    const { tenant, communities, managerId } = await stage(portal, 1);
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
    for (const liked of [true, false]) {
      const answer = await tenant.request(readerId, 'PUT', `${MANAGE}/like/${fresh}`, { liked });
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      expect((await follower.settledRound()).map((item) => [item.id, item.status])).toEqual([[fresh, 'TOUCHED']]);
    }

    await tenant.request(managerId, 'DELETE', `${MANAGE}/delete-post/${old}`);
    expect(await follower.settledRound()).toEqual([
      { id: old, communityId: communities[0], status: 'DELETED', deleted: true },
    ]);
  });

  it('tells of posts that become visible or invisible to the follower, and of nothing they never saw', async () => {
    const { tenant, communities, managerId } = await stage(portal, 2);
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
    const { tenant, communities, managerId } = await stage(portal, 1);
    const follower = new Follower(tenant, managerId);
    await follower.settledRound();
    const db = portal.services.databases.for(tenant.tenant.id);
    const early = await createPost(tenant, managerId, communities[0]!);
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const { promise: written, resolve: tellWritten } = Promise.withResolvers<void>();
    // A transaction that begins before others commit, and ends after the follower has read them.
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
    const { tenant, communities, managerId } = await stage(portal, 1);
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
    const { tenant, managerId } = await stage(portal, 1);
    const answers = await Promise.all(Array.from({ length: 20 }, () => tenant.request(managerId, 'POST', STREAM, {})));
    expect(answers.map((answer) => answer.status)).toEqual(Array(20).fill(200));
  });

  it('refuses unknown, foreign and old tokens with a 400 that says to start afresh', async () => {
    const { tenant, communities, managerId } = await stage(portal, 1);
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
