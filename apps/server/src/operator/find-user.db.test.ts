/** Accounts as operators name and list them, and the rights that they give. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestPortal, type TestPortal, type TestTenant } from '../../test/support/index.ts';
import type { Scope } from '../kernel/scope.ts';
import { changeRights } from '../modules/people/index.ts';
import { findUser, listAccounts } from './find-user.ts';

let portal: TestPortal;
let tenant: TestTenant;
let scope: Scope;

beforeAll(async () => {
  portal = await createTestPortal();
  tenant = await portal.createTenant();
  scope = await tenant.scope(tenant.systemUserId);
});
afterAll(() => portal.close());

const sql = (text: string, values: unknown[]) => scope.db.execute(text, [scope.tenant.id, ...values]);

test('an account is named by id, user name or address in any case, and never by a text that names two', async () => {
  const userId = await tenant.createUser({ email: 'Lost@acme.example' });
  await sql('UPDATE users SET custom_username = $3 WHERE tenant_id = $1 AND id = $2', [userId, 'admin']);
  for (const who of [String(userId), 'admin', 'ADMIN', 'lost@ACME.example'])
    expect(await findUser(scope, who)).toBe(userId);
  await expect(findUser(scope, 'nobody')).rejects.toThrow(
    `has no account with the id, user name or e-mail address "nobody"; run "portico admin user list --tenant ${scope.tenant.name}"`,
  );
  const other = await tenant.createUser();
  await sql('UPDATE users SET custom_username = $3 WHERE tenant_id = $1 AND id = $2', [other, String(userId)]);
  await expect(findUser(scope, String(userId))).rejects.toThrow(`names several accounts: ${userId}, ${other}.`);
  const elsewhere = await portal.createTenant();
  await expect(findUser(await elsewhere.scope(elsewhere.systemUserId), 'admin')).rejects.toThrow('has no account');
});

test('lists accounts with their rights, also those of groups, and gives and takes rights', async () => {
  const [direct, member, plain] = [await tenant.createUser(), await tenant.createUser(), await tenant.createUser()];
  await sql(
    'UPDATE users SET custom_username = $3, password_hash = $4, custom_active = true WHERE tenant_id = $1 AND id = $2',
    [direct, 'direct', 'of a password'],
  );
  expect(await changeRights(scope, direct, { give: ['manageUsers', 'manageDigitalWorplace'] })).toEqual([
    'manageUsers',
    'manageDigitalWorplace',
  ]);
  const admin = await tenant.createUser({ admin: true });
  const made = await tenant.request(admin, 'POST', '/portal/api/external/v2/admin/manage/groups', {
    name: 'Rights',
    adminCapabilities: ['manageUsers'],
    memberIds: [member],
  });
  expect(made.status, made.text).toBe(200);
  const listed = new Map((await listAccounts(scope, { admin: true })).map((account) => [account.id, account]));
  expect(listed.get(direct)).toMatchObject({ username: 'direct', kind: 'person', blocked: false, lastAccessAt: null });
  expect(new Set(listed.get(direct)!.rights)).toEqual(new Set(['manageUsers', 'manageDigitalWorplace']));
  expect(new Set(listed.get(member)!.rights)).toEqual(new Set(['manageUsers']));
  expect(listed.has(plain)).toBe(false);
  expect((await listAccounts(scope, { admin: false })).map(({ id }) => id)).toContain(plain);

  // The only person able to sign in.
  await expect(changeRights(scope, direct, { take: ['manageUsers'] })).rejects.toMatchObject({ status: 403 });
  await expect(changeRights(scope, tenant.systemUserId, { take: ['manageUsers'] })).rejects.toMatchObject({
    status: 403,
  });
  expect(await changeRights(scope, admin, { take: ['manageUsers'] })).toEqual(['manageDigitalWorplace']);
});
