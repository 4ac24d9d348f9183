/**
 * Changes of a definition during other writes, which create data that did not exist when the change
 * was checked.
 */
import { FieldType } from '@portico/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { countWaitingStatements } from '../../../../test/support/activity.ts';
import { ADMIN, type ChangingPortal, createChangingPortal } from './definition-changes.fixture.ts';

let changing: ChangingPortal;

beforeAll(async () => {
  changing = await createChangingPortal();
});
afterAll(() => changing?.portal.close());

/**
 * Starts to turn a text into a number in the background; meanwhile a post gets a text that is not a
 * number.
 */
async function begin() {
  const { ask, purchasing } = changing;
  const community = await purchasing();
  const { path, token, field, post, fill } = community;
  const size = await field('Size', FieldType.STRING);
  const first = await post({ [size.id]: '12' });
  await fill(first);
  const form = { type: FieldType.INT, occToken: await token() };
  const { changeId } = await ask('POST', `${path}/definition-fields/${size.id}/type`, form);
  expect(changeId).toBeGreaterThan(0);
  const odd = await post({ [size.id]: 'twelve' });
  const listed = async () => (await ask('GET', `${path}/definition-changes`)).changes;
  return { ...community, size, first, odd, changeId, listed };
}

test('a change that would lose a value ends, says why, and leaves the definition as it is', async () => {
  const { ask, work } = changing;
  const { path, size, first, odd, changeId, values, listed } = await begin();
  await work();
  const changes = await listed();
  expect(changes.find(({ id }: { id: number }) => id === changeId)).toMatchObject({
    status: 'failed',
    error: `The value of the post ${odd} cannot be taken over.`,
  });
  expect((await ask('GET', `${path}/fields/${size.id}`)).type).toBe(FieldType.STRING);
  expect([await values(first), await values(odd)]).toEqual([{ [size.id]: '12' }, { [size.id]: 'twelve' }]);
});

test('a change that a person cancels while it fails ends once', async () => {
  const { portal, tenant, admin, work } = changing;
  const { path, odd, changeId, listed } = await begin();
  const { owner } = portal;
  const { tenantId } = (await tenant.scope(tenant.systemUserId)).db;
  const waiting = () => countWaitingStatements(portal.database.owner);
  await owner.query('BEGIN');
  let worked: Promise<void> | undefined;
  let cancelled: ReturnType<typeof tenant.request> | undefined;
  try {
    await owner.query(`SELECT set_config('app.tenant_id', $1, true)`, [String(tenantId)]);
    await owner.query('SELECT FROM posts WHERE tenant_id = $1 AND id = $2 FOR UPDATE', [tenantId, odd]);
    worked = work();
    await expect.poll(waiting).toBe(1);
    cancelled = tenant.request(admin, 'DELETE', `${ADMIN}${path}/definition-changes/${changeId}`);
    await expect.poll(waiting).toBe(2);
  } finally {
    await owner.query('ROLLBACK');
  }
  await worked;
  // The first of the two requests has ended the change.
  const ends: Readonly<Record<number, string>> = { 200: 'cancelled', 409: 'failed' };
  const { status } = await cancelled;
  expect(Object.keys(ends)).toContain(String(status));
  await work();
  const changes: { id: number; status: string; kind: string }[] = await listed();
  expect(changes.find(({ id }) => id === changeId)).toMatchObject({ status: ends[status] });
  expect(changes.filter(({ kind }) => kind === 'removeField')).toHaveLength(1);
});

test.each([
  [
    'field',
    'fields',
    (conditions: object[]) => ({ label: 'More', type: FieldType.INT, conditions }),
    'conditions[0].fieldId',
  ],
  [
    'workflow',
    'workflow',
    (conditions: object[]) => ({
      title: 'Approval',
      states: [{ name: 'Open', initial: true }, { name: 'Done' }],
      transitions: [{ name: 'End', from: 'Open', to: 'Done', conditions }],
    }),
    'transitions[0].conditions[0].fieldId',
  ],
])('a %s is not made to depend on a field that is removed meanwhile', async (_what, at, form, place) => {
  const { tenant, admin, purchasing } = changing;
  const { path, token, field } = await purchasing();
  const amount = await field('Amount', FieldType.INT);
  const occToken = await token();
  const { db } = await tenant.scope(admin);
  const waiting = async () => {
    const rows = await db.query(
      `SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%FOR UPDATE OF v%'`,
    );
    return rows.length;
  };
  // An open write locks the definitions while two administrators change them.
  const sent = await db.transaction(async (tx) => {
    await tx.query('SELECT FROM tenant_versions WHERE tenant_id = $1 FOR SHARE', [tx.tenantId]);
    const removed = tenant.request(admin, 'POST', `${ADMIN}${path}/definition-fields/${amount.id}/remove`, {
      occToken,
    });
    await expect.poll(waiting).toBe(1);
    const conditions = [{ fieldId: amount.id, operator: 'atLeast', values: [1] }];
    const made = tenant.request(admin, 'POST', `${ADMIN}${path}/${at}`, form(conditions));
    await expect.poll(waiting).toBe(2);
    return [removed, made];
  });
  const [removed, made] = await Promise.all(sent);
  expect(removed!.status, removed!.text).toBe(200);
  expect(made!.status, made!.text).toBe(400);
  expect(made!.body.validationErrors.list).toMatchObject([{ field: place, code: 'UNKNOWN_REFERENCE' }]);
});
