/** The invitation link that an administrator sees when no mail is sent. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestPortal, type TestPortal, type TestTenant } from '../../../../test/support/index.ts';

const ADMIN = '/portal/api/external/v2/admin';
const SET_PASSWORD = '/portal/api/external/v2/core/auth/set-password-by-link';
let portal: TestPortal;
let tenant: TestTenant;
let admin: number;

beforeAll(async () => {
  portal = await createTestPortal();
  tenant = await portal.createTenant();
  admin = await tenant.createUser({ admin: true });
});
afterAll(() => portal.close());

let made = 0;
const invited = async (more: object = {}): Promise<number> => {
  const username = `invited${++made}`;
  const custom = { username, active: true };
  const body = { firstname: 'A', lastname: 'B', userCredentialsConfiguration: { custom }, ...more };
  const { body: answer, text } = await tenant.request(admin, 'POST', `${ADMIN}/manage/users`, body);
  expect(answer.userId, text).toBeGreaterThan(0);
  return answer.userId;
};
const invite = (userId: number, by = admin, headers = {}) =>
  tenant.request(by, 'POST', `${ADMIN}/manage/users/${userId}/invite`, undefined, headers);

test('is in the answer once, lets the person in once, and is audited', async () => {
  const userId = await invited();
  const headers = { 'Idempotency-Key': 'invitation' };
  const first = await invite(userId, admin, headers);
  expect([first.status, first.body.sentEmailNotify]).toEqual([200, false]);
  const token = /\/portal\/#\/invitation\/([\w-]+)$/.exec(first.body.invitationLink)![1]!;
  const again = await invite(userId, admin, headers);
  expect([again.status, again.body.invitationLink]).toEqual([200, undefined]);
  const scope = await tenant.scope(admin);
  const kept = await scope.db.query<{ found: boolean }>(
    `SELECT strpos(coalesce(response::text, ''), $2) > 0 AS found FROM idempotency_keys WHERE tenant_id = $1`,
    [scope.tenant.id, token],
  );
  expect(kept.map(({ found }) => found)).toEqual([false]);
  const shown = await scope.db.query<{ actor: number }>(
    `SELECT e.actor_id AS actor FROM audit_entries e JOIN audit_values v ON v.tenant_id = e.tenant_id AND v.entry_id = e.id
      WHERE e.tenant_id = $1 AND e.object_id = $2 AND v.after ? 'invitationShown'`,
    [scope.tenant.id, userId],
  );
  expect(shown).toEqual([{ actor: admin }]);
  const set = () => tenant.request(null, 'POST', SET_PASSWORD, { token, newPassword: 'a long enough password' });
  expect([(await set()).status, (await set()).status]).toEqual([200, 400]);
  // Its holder has chosen a password: from now on no link is shown.
  const later = await invite(userId);
  expect(later.body.invitationLink).toBeUndefined();
});

test('is for nobody who lacks a right of the account', async () => {
  const userId = await invited({ adminCapabilities: ['manageDigitalWorplace'] });
  const limited = await invited({ adminCapabilities: ['manageUsers'] });
  expect((await invite(userId, limited)).status).toBe(403);
  expect((await invite(userId)).body.invitationLink).toMatch(/^https?:/);
});
