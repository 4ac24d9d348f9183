/**
 * The chain of the audit log: verification reports the first entry that the owner of the database
 * changed, removed or added.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestPortal, type TestPortal, type TestTenant } from '../../../../test/support/index.ts';
import { writeTransaction } from '../../../kernel/access/index.ts';
import { OperatorSession } from '../../../operator/index.ts';
import { createUserRecord, deleteUser, setUserBlocked } from '../../people/index.ts';
import { chainEntries } from './chain-entries.ts';
import { verifyChain, verifyPart } from './verify-chain.ts';

let portal: TestPortal;
let tenant: TestTenant;
let session: OperatorSession;

beforeAll(async () => {
  portal = await createTestPortal();
  session = new OperatorSession(portal.services, portal.owner, portal.database.owner);
});
afterAll(() => portal?.close());
beforeEach(async () => {
  tenant = await portal.createTenant();
});

const db = () => portal.services.databases.for(tenant.tenant.id);
/** Runs a statement as the owner, with the tenant as `$1`. */
async function tamper(sql: string, values: readonly unknown[] = []): Promise<void> {
  await portal.owner.query(`SELECT set_config('app.tenant_id', $1, false)`, [String(tenant.tenant.id)]);
  const { rowCount } = await portal.owner.query(sql, [tenant.tenant.id, ...values]);
  expect(rowCount).toBeGreaterThan(0);
}
/** Returns the entries by position. */
const positions = () =>
  db().query<{ position: number; entryId: number }>(
    'SELECT position, entry_id AS "entryId" FROM audit_links WHERE tenant_id = $1 ORDER BY position',
    [tenant.tenant.id],
  );
/** Creates a chain of six entries. @returns the ids by position, from 1 on */
async function makeChain(): Promise<number[]> {
  for (let n = 0; n < 6; n++) await tenant.createUser();
  expect(await chainEntries(db())).toBe(6);
  return [0, ...(await positions()).map(({ entryId }) => entryId)];
}

describe('chaining', () => {
  test('gives every entry one position, and nothing to do afterwards', async () => {
    expect(await verifyChain(db())).toMatchObject({ entries: 0, head: { position: 0 }, waiting: 0, fault: undefined });
    await makeChain();
    expect(await chainEntries(db())).toBe(0);
    await tenant.createUser();
    expect(await verifyChain(db())).toMatchObject({ entries: 6, head: { position: 6 }, waiting: 1, fault: undefined });
    expect(await chainEntries(db())).toBe(1);
    expect(await verifyChain(db())).toMatchObject({ entries: 7, head: { position: 7 }, waiting: 0, fault: undefined });
  });

  test('is verified in parts, each of which goes on where the one before it ended', async () => {
    await makeChain();
    const whole = await verifyPart(db(), undefined, 1_000);
    expect(whole).toMatchObject({ entries: 6, head: { position: 6 }, waiting: 0, ended: true, fault: undefined });
    await tenant.createUser();
    await chainEntries(db());
    expect(await verifyPart(db(), whole.head, 1_000)).toMatchObject({ entries: 1, head: { position: 7 }, ended: true });
    expect(await verifyPart(db(), undefined, 0)).toMatchObject({ entries: 0, head: { position: 0 }, ended: false });
    const { fault } = await verifyPart(db(), { ...whole.head, hash: 'another' }, 1_000);
    expect(fault).toMatchObject({ position: 6, problem: expect.stringContaining('another hash') });
  });

  test('goes on beside 16 writers, on three nodes at once, and waits for none of them', async () => {
    let writing = true;
    const scope = await tenant.scope(tenant.systemUserId);
    const chainers = Array.from({ length: 3 }, async () => {
      while (writing) await chainEntries(db());
    });
    await Promise.all(
      Array.from({ length: 16 }, async () => {
        for (let n = 0; n < 2; n++) {
          const userId = await tenant.createUser();
          await setUserBlocked(scope, userId, true);
        }
      }),
    );
    writing = false;
    await Promise.all(chainers);
    await chainEntries(db());
    expect(await verifyChain(db())).toMatchObject({ entries: 64, waiting: 0, fault: undefined });
  });

  test('gives a later position to an entry that a transaction adds after others', async () => {
    const ids = await makeChain();
    let commit: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      commit = resolve;
    });
    const began = Promise.withResolvers<number>();
    const late = db().transaction(async (tx) => {
      const [row] = await tx.query<{ id: number }>(
        `INSERT INTO audit_entries (tenant_id, at, action, object) VALUES ($1, now(), 'modified', 'group') RETURNING id`,
        [tx.tenantId],
      );
      began.resolve(row!.id);
      await held;
    });
    const lateId = await began.promise;
    await tenant.createUser();
    expect(await chainEntries(db())).toBe(1);
    commit();
    await late;
    expect(await chainEntries(db())).toBe(1);
    const order = (await positions()).map(({ entryId }) => entryId);
    expect(order.at(-1)).toBe(lateId);
    expect(lateId).toBeLessThan(order.at(-2)!);
    expect(order.slice(0, 6)).toEqual(ids.slice(1));
    expect((await verifyChain(db())).fault).toBeUndefined();
  });
});

describe('verification names the first entry', () => {
  const changes: Readonly<Record<string, string>> = {
    'that was changed': `UPDATE audit_entries SET actor_id = 1 WHERE tenant_id = $1 AND id = $2`,
    'whose count was changed': `UPDATE audit_entries SET count = 2 WHERE tenant_id = $1 AND id = $2`,
    'that was removed': `DELETE FROM audit_entries WHERE tenant_id = $1 AND id = $2`,
    'whose hash was changed': `UPDATE audit_links SET hash = 'x' WHERE tenant_id = $1 AND entry_id = $2`,
    'about a person that was changed': `UPDATE audit_values SET after = '{"firstname": "Mallory"}' WHERE tenant_id = $1 AND entry_id = $2`,
    'about a person whose values were removed': `DELETE FROM audit_values WHERE tenant_id = $1 AND entry_id = $2`,
  };
  test.for(Object.entries(changes))('%s', async ([, sql]) => {
    const ids = await makeChain();
    await tamper(sql, [ids[3]]);
    expect((await verifyChain(db())).fault).toMatchObject({ position: 3, entryId: ids[3] });
  });

  test('that lost its position', async () => {
    const ids = await makeChain();
    await tamper(`DELETE FROM audit_links WHERE tenant_id = $1 AND entry_id = $2`, [ids[3]]);
    expect((await verifyChain(db())).fault).toMatchObject({ position: 3 });
  });

  test('at the begin, when the first ones were cut off and a checkpoint is made up', async () => {
    const ids = await makeChain();
    await tamper(`DELETE FROM audit_links WHERE tenant_id = $1 AND position <= 2`);
    expect((await verifyChain(db())).fault).toMatchObject({ position: 1 });
    await tamper(`INSERT INTO audit_checkpoints (tenant_id, position, hash) VALUES ($1, 2, 'x')`);
    expect((await verifyChain(db())).fault).toMatchObject({ position: 3, entryId: ids[3] });
  });

  test('that the job passed over', async () => {
    const ids = await makeChain();
    await tamper(`UPDATE audit_links SET at = now() - interval '2 hours' WHERE tenant_id = $1`);
    await tamper(
      `INSERT INTO audit_entries (tenant_id, id, at, action, object) VALUES ($1, $2, now(), 'modified', 'group')`,
      [ids[1]! - 1_000_000],
    );
    expect(await chainEntries(db())).toBe(0);
    expect((await verifyChain(db())).fault).toMatchObject({ position: undefined, entryId: ids[1]! - 1_000_000 });
  });

  test('cut off at the end, by the head that was kept', async () => {
    const ids = await makeChain();
    const { head } = await verifyChain(db());
    expect((await verifyChain(db(), head)).fault).toBeUndefined();
    await tamper(`DELETE FROM audit_links WHERE tenant_id = $1 AND position > 4`);
    await tamper(`DELETE FROM audit_entries WHERE tenant_id = $1 AND id >= $2`, [ids[5]]);
    // On its own, the rest is whole.
    expect((await verifyChain(db())).fault).toBeUndefined();
    expect((await verifyChain(db(), head)).fault).toMatchObject({
      position: 6,
      problem: 'The chain ends at position 4; the given head is position 6: entries were cut off.',
    });
    // Other entries at these positions have another hash.
    await tenant.createUser();
    await tenant.createUser();
    await chainEntries(db());
    expect((await verifyChain(db(), head)).fault).toMatchObject({
      position: 6,
      problem: 'The chain has another hash at position 6 than the given head.',
    });
  });

  test('of this tenant only', async () => {
    const ids = await makeChain();
    const other = await portal.createTenant();
    await tamper(`UPDATE audit_entries SET actor_id = 1 WHERE tenant_id = $1 AND id = $2`, [ids[3]]);
    expect((await verifyChain(portal.services.databases.for(other.tenant.id))).fault).toBeUndefined();
  });
});

describe('the log stays whole', () => {
  test('when a person is erased', async () => {
    const scope = await tenant.scope(tenant.systemUserId);
    const userId = await writeTransaction(scope, 'access', (write) =>
      createUserRecord(write, { firstName: 'Grace', lastName: 'Hopper', contactEmail: 'grace@x.test' }),
    );
    await deleteUser(scope, userId);
    await chainEntries(db());
    const admin = await tenant.createUser({ admin: true });
    const path = `/portal/api/external/v2/admin/manage/users/${userId}/erase`;
    expect((await tenant.request(admin, 'POST', path)).status).toBe(200);
    await chainEntries(db());
    expect(
      await db().query('SELECT FROM audit_values WHERE tenant_id = $1 AND user_id = $2', [tenant.tenant.id, userId]),
    ).toEqual([]);
    expect(await verifyChain(db())).toMatchObject({ entries: 4, waiting: 0, fault: undefined });
  });

  test('when old entries are removed: a checkpoint is left, and an entry that says so', async () => {
    const ids = await makeChain();
    const { head } = await verifyChain(db());
    expect(await session.pruneAuditLog(tenant.tenant.name, 1)).toBe(0);
    // Two days later all existing entries are older than a day.
    const later = new OperatorSession(
      { ...portal.services, clock: { now: () => Date.now() + 2 * 86_400_000 } },
      portal.owner,
      portal.database.owner,
    );
    expect(await later.pruneAuditLog(tenant.tenant.name, 1)).toBe(6);
    expect(await db().query('SELECT FROM audit_values WHERE tenant_id = $1', [tenant.tenant.id])).toEqual([]);
    await chainEntries(db());
    const report = await verifyChain(db(), head);
    expect(report).toMatchObject({ entries: 1, head: { position: 7 }, checkpoint: head, fault: undefined });
    expect((await verifyChain(db(), { position: 3, hash: 'x' })).fault?.problem).toMatch(
      /removed because of their age/,
    );
    const [entry] = await db().query<object>(
      'SELECT action, object, before FROM audit_entries WHERE tenant_id = $1 ORDER BY id DESC LIMIT 1',
      [tenant.tenant.id],
    );
    expect(entry).toEqual({
      action: 'deleted',
      object: 'auditLog',
      before: { entries: 6, upToPosition: 6, olderThanDays: 1 },
    });
    await tenant.createUser();
    await chainEntries(db());
    await tamper(`UPDATE audit_entries SET actor_id = 1 WHERE tenant_id = $1 AND id > $2 AND action = 'created'`, [
      ids[6],
    ]);
    expect((await verifyChain(db())).fault).toMatchObject({ position: 8 });
  });

  test('entries are not removed from a log that is not', async () => {
    const ids = await makeChain();
    await tamper(`UPDATE audit_entries SET actor_id = 1 WHERE tenant_id = $1 AND id = $2`, [ids[3]]);
    await expect(session.pruneAuditLog(tenant.tenant.name, 1)).rejects.toThrow(/position 3 .* Nothing was removed/);
  });
});
