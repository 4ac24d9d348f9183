/** The commands for the nodes of a cluster: on Citus a tenant moves while it works; elsewhere they refuse. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestPortal, currentCluster, type TestPortal } from '../../../test/support/index.ts';
import { createCommunity, createWorkspace, setCommunityRole } from '../../modules/communities/index.ts';
import { sequenceChanges } from '../../modules/records/index.ts';
import { OperatorSession } from '../session.ts';

let portal: TestPortal;
let session: OperatorSession;

beforeAll(async () => {
  portal = await createTestPortal({});
  session = new OperatorSession(portal.services, portal.owner, portal.database.owner);
});
afterAll(() => portal.close());

const POSTS = '/portal/api/communication/posts';
const STREAM = '/portal/api/external/v2/communication/posts/data/global-stream';

/** A tenant with a person who writes posts and follows the stream. */
async function stage() {
  const tenant = await portal.createTenant();
  const system = await tenant.scope(tenant.systemUserId);
  const workspaceId = await createWorkspace(system, { name: 'Work' });
  const communityId = await createCommunity(system, { workspaceId, name: 'Community' });
  const userId = await tenant.createUser();
  await setCommunityRole(system, communityId, [userId], 1);
  return {
    tenant,
    write: async (title: string): Promise<number> => {
      const body = { announcement: false, title, visibility: 2 };
      const answer = await tenant.request(userId, 'POST', `${POSTS}/manage/create-post/${communityId}`, body);
      expect(answer.status, answer.text).toBe(200);
      return answer.body.postId;
    },
    follow: async (syncToken?: string): Promise<{ ids: number[]; token: string }> => {
      await tenant.settleStream();
      const ids: number[] = [];
      for (let pageToken: string | undefined; ; ) {
        const query = new URLSearchParams({ ...(syncToken && { syncToken }), ...(pageToken && { pageToken }) });
        const { status, body, text } = await tenant.request(userId, 'POST', `${STREAM}?${query}`, {});
        expect(status, text).toBe(200);
        ids.push(...body.items.map(({ id }: { id: number }) => id));
        if (!body.nextPageToken) return { ids, token: body.nextSyncToken };
        pageToken = body.nextPageToken;
      }
    },
  };
}

test('changes that came with a tenant from another node are numbered at once, before those of this one', async () => {
  const { tenant, write } = await stage();
  const postId = await write('Here');
  const db = portal.services.databases.for(tenant.tenant.id);
  // Transactions that this server has not reached, of a node that no cluster has.
  await db.execute(
    `INSERT INTO changes (tenant_id, id, xid, node, at, post_id, community_id, kind)
     SELECT p.tenant_id, u.id, u.xid::text::xid8, -1, p.created_at, p.id, p.community_id, 2
       FROM posts p, unnest($3::bigint[], $4::bigint[]) AS u (id, xid) WHERE p.tenant_id = $1 AND p.id = $2`,
    [db.tenantId, postId, [900_000_001, 900_000_002], ['4611686018427387905', '4611686018427387904']],
  );
  expect(await sequenceChanges(db)).toBeGreaterThanOrEqual(2);
  await tenant.settleStream();
  const rows = await db.query<{ id: number; node: number; isOf: number }>(
    'SELECT id, node, portico_node(tenant_id) AS "isOf" FROM changes WHERE tenant_id = $1 AND post_id = $2 ORDER BY seq',
    [db.tenantId, postId],
  );
  expect(rows.slice(0, 2).map(({ id }) => id)).toEqual([900_000_002, 900_000_001]);
  expect(rows).toHaveLength(3);
  expect(rows[2]!.node).toBe(rows[2]!.isOf);
});

if (currentCluster().citus) {
  test('a tenant moves while it works, and its followers go on where they are', async () => {
    const { tenant, write, follow } = await stage();
    const { name } = tenant.tenant;
    const first = await follow();
    const placeOf = async () => (await session.readNodes()).tenants.find((one) => one.tenant === name)!;
    const workers = (await session.readNodes()).nodes.filter(({ role }) => role === 'worker');
    expect(workers.map(({ state }) => state)).toEqual(['ok', 'ok']);

    const written: number[] = [await write('Before')];
    let moving = true;
    const writing = (async () => {
      while (moving) written.push(await write('During'));
    })();
    const sentences: string[] = [];
    const [last, other] = workers as [(typeof workers)[0], (typeof workers)[0]];
    // To both, so that it moves at least once whichever it was made on.
    for (const { node } of [other, last]) await session.moveTenant(name, node, (text) => sentences.push(text));
    moving = false;
    await writing;
    written.push(await write('After'));

    expect(await placeOf()).toMatchObject({ node: last.node, ownShards: true });
    expect(sentences.filter((text) => text.startsWith('Done; writes waited '))).toHaveLength(1);
    expect(sentences.some((text) => text.includes('start afresh'))).toBe(false);
    const told = await follow(first.token);
    expect(told.ids.sort((a, b) => a - b)).toEqual(written.sort((a, b) => a - b));

    await session.moveTenant(name, last.node, (text) => sentences.push(text));
    expect(sentences.at(-1)).toBe(`${name} is on ${last.node} already.`);
    await expect(session.moveTenant(name, 'elsewhere:1', () => undefined)).rejects.toThrow(
      /^There is no worker "elsewhere:1"; there are /,
    );
    await expect(session.moveTenant('nobody', last.node, () => undefined)).rejects.toThrow(/no tenant "nobody"/);
  });
} else {
  test('on one server they refuse with a sentence', async () => {
    const refusal = 'The database is one PostgreSQL server: tenants are spread over several only by Citus.';
    await expect(session.readNodes()).rejects.toThrow(refusal);
    await expect(session.moveTenant('bystander', 'db2:5432', () => undefined)).rejects.toThrow(refusal);
    await expect(session.drainNode('db2:5432', () => undefined)).rejects.toThrow(refusal);
  });
}
