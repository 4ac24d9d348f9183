import { takeIds } from '@portico/platform/db/take-ids';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestPortal, type TestPortal } from '../../test/support/index.ts';
import { sequenceChanges } from '../modules/records/index.ts';
import { OperatorSession } from './session.ts';

let portal: TestPortal;

beforeAll(async () => {
  portal = await createTestPortal({});
});
afterAll(() => portal.close());

const STREAM = '/portal/api/external/v2/communication/posts/data/global-stream';

test('after a restore, followers of every tenant start afresh, and changes of the old cluster get their number', async () => {
  const tenants = [await portal.createTenant(), await portal.createTenant()];
  const followers = [];
  for (const tenant of tenants) {
    const userId = await tenant.createUser();
    const follow = async (syncToken?: string) =>
      tenant.request(userId, 'POST', `${STREAM}${syncToken ? `?${new URLSearchParams({ syncToken })}` : ''}`, {});
    const first = await follow();
    expect(first.status, first.text).toBe(200);
    followers.push({ tenant, follow, token: first.body.nextSyncToken as string });
    const db = portal.services.databases.for(tenant.tenant.id);
    // A change of a transaction that this cluster has not reached: the sequencer would wait for it.
    await db.execute(
      `INSERT INTO changes (tenant_id, id, xid, node, at, post_id, community_id, kind)
       SELECT v.tenant_id, $3, '4611686018427387904'::xid8, portico_node(v.tenant_id), $2, 1, 1, 2
         FROM tenant_versions v WHERE v.tenant_id = $1`,
      [db.tenantId, new Date(), (await takeIds(db, 'changes', 1))[0]],
    );
    expect(await sequenceChanges(db)).toBe(0);
  }

  const session = new OperatorSession(portal.services, portal.owner, portal.database.owner);
  expect(await session.markRestored()).toBe(3); // with the bystander of every test portal

  for (const { tenant, follow, token } of followers) {
    const refused = await follow(token);
    expect([refused.status, refused.body.code]).toEqual([400, 'SYNC_TOKEN_INVALID']);
    await tenant.settleStream();
    const [pending] = await portal.services.databases
      .for(tenant.tenant.id)
      .query<{ count: number }>('SELECT count(*)::int AS count FROM changes WHERE tenant_id = $1 AND seq IS NULL', [
        tenant.tenant.id,
      ]);
    expect(pending).toEqual({ count: 0 });
    const afresh = await follow();
    expect(afresh.status).toBe(200);
    expect((await follow(afresh.body.nextSyncToken as string)).status).toBe(200);
  }
});
