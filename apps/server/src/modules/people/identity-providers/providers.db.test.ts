/** Administrators create, edit and delete identity providers. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestPortal, type TestPortal, type TestTenant } from '../../../../test/support/index.ts';
import { changeTenantSettings } from '../../tenants/index.ts';
import { removeMyIdentity } from './identities.ts';
import { placeOfClientSecret } from './providers.repository.ts';

const ADMIN = '/portal/api/external/v2/admin';
const SECRET = 'not a secret of anybody';
let portal: TestPortal;
let tenant: TestTenant;
let chief: number;

beforeAll(async () => {
  portal = await createTestPortal();
  tenant = await portal.createTenant();
  chief = await tenant.createUser({ admin: true });
});
afterAll(() => portal.close());

const call = (method: string, path: string, body?: unknown, by = chief) =>
  tenant.request(by, method, `${ADMIN}${path}`, body);
const db = () => portal.services.databases.for(tenant.tenant.id);
const connection = (key: string, more: object = {}) => ({
  key,
  name: 'Acme account',
  issuer: 'https://id.acme.example/realms/acme',
  clientId: 'portico',
  ...more,
});

async function make(key: string, more: object = {}): Promise<number> {
  const made = await call('POST', '/manage/identity-providers', connection(key, more));
  expect(made.status, made.text).toBe(200);
  return made.body.identityProviderId;
}

async function storedSecret(id: number): Promise<string | null> {
  const [row] = await db().query<{ sealed: Buffer | null }>(
    'SELECT sealed_client_secret AS sealed FROM identity_providers WHERE tenant_id = $1 AND id = $2',
    [tenant.tenant.id, id],
  );
  return row!.sealed && portal.services.sealer.open(row!.sealed, placeOfClientSecret(tenant.tenant.id, id)).toString();
}

test('a provider is made, listed, edited under its token and deleted; its secret is kept encrypted and never shown', async () => {
  const groupId = (await call('POST', '/manage/groups', { name: 'Staff', visible: true })).body.groupId;
  const id = await make('acme', {
    clientSecret: SECRET,
    scopes: ['email'],
    emailDomains: ['@Acme.example', 'acme.example'],
    groupsClaim: 'groups',
    groupMappings: [{ value: 'staff', groupId }],
    createUsers: true,
  });
  const form = await call('GET', `/manage/identity-providers/${id}`);
  expect(form.body).toEqual({
    ...connection('acme'),
    hasClientSecret: true,
    scopes: ['openid', 'email'],
    enabled: false,
    createUsers: true,
    linkByVerifiedEmail: false,
    emailDomains: ['acme.example'],
    groupsClaim: 'groups',
    groupMappings: [{ value: 'staff', groupId }],
    redirectUri: expect.stringMatching(/\/portal\/api\/core\/auth\/providers\/acme\/callback$/),
    occToken: 1,
  });
  expect(await storedSecret(id)).toBe(SECRET);
  const rows = await db().query<{ row: string }>(
    'SELECT p::text AS row FROM identity_providers p WHERE tenant_id = $1',
    [tenant.tenant.id],
  );
  expect(JSON.stringify(rows)).not.toContain(SECRET);

  const path = `/manage/identity-providers/${id}`;
  const edited = await call('PUT', path, { name: 'Acme', clientId: 'portal', enabled: true, occToken: 1 });
  expect(edited.body).toEqual({ nextOccToken: 2 });
  expect(await storedSecret(id)).toBe(SECRET);
  expect((await call('GET', path)).body).toMatchObject({
    issuer: 'https://id.acme.example/realms/acme',
    enabled: true,
    createUsers: false,
    groupMappings: [],
    scopes: ['openid', 'email', 'profile'],
  });
  expect((await call('PUT', path, { name: 'Late', clientId: 'portal', occToken: 1 })).status).toBe(409);
  await call('PUT', path, { name: 'Acme', clientId: 'portal', clientSecret: '', occToken: 2 });
  expect(await storedSecret(id)).toBeNull();

  const listed = await call('POST', '/data/identity-providers', { calculateTotalItemsCount: true });
  expect(listed.body).toMatchObject({
    items: [{ identityProviderId: id, key: 'acme', enabled: false, linkedUsersCount: 0 }],
    totalItemsCount: 1,
  });
  expect((await call('DELETE', path)).status).toBe(200);
  expect((await call('GET', path)).status).toBe(404);
});

test('the audit log has each change, without the secret', async () => {
  const id = await make('audited', { clientSecret: SECRET });
  await call('PUT', `/manage/identity-providers/${id}`, {
    name: 'Renamed',
    clientId: 'portico',
    clientSecret: `${SECRET} 2`,
    occToken: 1,
  });
  await call('DELETE', `/manage/identity-providers/${id}`);
  const log = await call('POST', '/data/audit-entries', { pageSize: 100 });
  const own = log.body.items.filter(
    (one: { objectType: string; objectId: number }) => one.objectType === 'identityProvider' && one.objectId === id,
  );
  expect(own.map((one: { action: string }) => one.action).sort()).toEqual(['created', 'deleted', 'modified']);
  expect(log.text).not.toContain(SECRET);
});

test('a key is given once in a tenant, and issuers are https addresses with a host name', async () => {
  await make('once');
  const again = await call('POST', '/manage/identity-providers', connection('once'));
  expect(again.status).toBe(400);
  expect(again.text).toContain('DUPLICATE_VALUE');
  for (const issuer of [
    'http://id.acme.example',
    'https://127.0.0.1',
    'https://[::1]',
    'https://10.1.2.3/realms/a',
    'https://user:word@id.acme.example',
    'https://id.acme.example/?a=b',
    'https://id.acme.example/#a',
    'ftp://id.acme.example',
    'id.acme.example',
  ]) {
    const refused = await call('POST', '/manage/identity-providers', connection('other', { issuer }));
    expect([issuer, refused.status]).toEqual([issuer, 400]);
  }
});

test('an administrator without every right reads providers and changes none', async () => {
  const id = await make('guarded');
  const half = await tenant.createUser();
  await db().execute('UPDATE users SET manages_users = true WHERE tenant_id = $1 AND id = $2', [
    tenant.tenant.id,
    half,
  ]);
  await db().execute('UPDATE tenant_versions SET access_version = access_version + 1 WHERE tenant_id = $1', [
    tenant.tenant.id,
  ]);
  const path = `/manage/identity-providers/${id}`;
  expect((await call('GET', path, undefined, half)).status).toBe(200);
  expect((await call('POST', '/manage/identity-providers', connection('mine'), half)).status).toBe(403);
  expect((await call('PUT', path, { name: 'Mine', clientId: 'evil', occToken: 1 }, half)).status).toBe(403);
  expect((await call('DELETE', path, undefined, half)).status).toBe(403);
});

test('the last enabled provider is not deleted while an operator requires one', async () => {
  const other = await portal.createTenant();
  const admin = await other.createUser({ admin: true });
  const settings = portal.services.databases.for(other.tenant.id);
  const ask = (method: string, path: string, body?: object) => other.request(admin, method, `${ADMIN}${path}`, body);
  const made = await ask('POST', '/manage/identity-providers', connection('acme', { enabled: true }));
  expect(made.status, made.text).toBe(200);
  const waiting = async () => {
    const rows = await settings.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return rows.length;
  };
  const asked = await settings.transaction(async (tx) => {
    await tx.query('SELECT FROM tenant_settings WHERE tenant_id = $1 FOR UPDATE', [tx.tenantId]);
    // It has found the provider, and waits to write the settings.
    const required = changeTenantSettings(settings, { requireProvider: true });
    await expect.poll(waiting).toBe(1);
    const deleted = ask('DELETE', `/manage/identity-providers/${made.body.identityProviderId}`);
    await Promise.race([deleted, expect.poll(waiting).toBe(2)]);
    return [required, deleted] as const;
  });
  await asked[0];
  expect((await asked[1]).status).toBe(409);
});

test('the only way in of the last person who holds a right stays', async () => {
  const other = await portal.createTenant();
  const admin = await other.createUser({ admin: true });
  const holder = await other.createUser({ admin: true });
  const sql = portal.services.databases.for(other.tenant.id);
  const ask = (method: string, path: string, body?: object, by = admin) =>
    other.request(by, method, `${ADMIN}${path}`, body);
  const providers: number[] = [];
  for (const key of ['first', 'second']) {
    const made = await ask('POST', '/manage/identity-providers', connection(key, { enabled: true }));
    expect(made.status, made.text).toBe(200);
    providers.push(made.body.identityProviderId);
  }
  const [first, second] = providers as [number, number];
  const link = (providerId: number, userId = holder) =>
    sql.execute('INSERT INTO user_identities VALUES ($1, $2, $3, $4, now())', [
      other.tenant.id,
      providerId,
      `subject-${userId}`,
      userId,
    ]);
  const edit = async (enabled: boolean) => {
    const { occToken } = (await ask('GET', `/manage/identity-providers/${first}`)).body;
    const body = { name: 'Acme', clientId: 'portico', enabled, occToken };
    return ask('PUT', `/manage/identity-providers/${first}`, body);
  };
  await link(first);
  const ends: (() => ReturnType<typeof ask>)[] = [
    () => edit(false),
    () => ask('DELETE', `/manage/identity-providers/${first}`),
    () => ask('POST', `/manage/users/${holder}/identities/${first}/remove`),
  ];
  for (const end of ends) {
    const refused = await end();
    expect([refused.status, refused.body.code], refused.text).toEqual([403, 'FORBIDDEN']);
  }
  // A second provider, and then a second person, keeps sign-in possible.
  await link(second);
  expect((await edit(false)).status).toBe(200);
  expect((await edit(true)).status).toBe(200);
  expect((await ends[2]!()).status).toBe(200);
  expect((await ask('DELETE', `/manage/identity-providers/${second}`)).status).toBe(403);
  await link(first, admin);
  expect((await ask('DELETE', `/manage/identity-providers/${second}`)).status).toBe(200);
  expect((await ask('DELETE', `/manage/identity-providers/${first}`)).status).toBe(403);
});

test('a provider is required only where the last person who holds a right can sign in by one', async () => {
  const other = await portal.createTenant();
  const holder = await other.createUser({ admin: true });
  const sql = portal.services.databases.for(other.tenant.id);
  const ask = (method: string, path: string, body?: object) => other.request(holder, method, `${ADMIN}${path}`, body);
  const made = await ask('POST', '/manage/identity-providers', connection('acme', { enabled: true }));
  const id = made.body.identityProviderId;
  await sql.execute(
    `UPDATE users SET custom_username = 'holder', custom_active = true, password_hash = 'of a password'
      WHERE tenant_id = $1 AND id = $2`,
    [other.tenant.id, holder],
  );
  const required = async (requireProvider: boolean) => {
    const { name: _name, hosts: _hosts, ...form } = (await ask('GET', '/manage/tenant-settings')).body;
    return ask('PUT', '/manage/tenant-settings', { ...form, requireProvider });
  };
  const refused = await required(true);
  expect([refused.status, refused.body.code], refused.text).toEqual([403, 'FORBIDDEN']);
  expect((await ask('GET', '/manage/tenant-settings')).body.requireProvider).toBe(false);
  await sql.execute('INSERT INTO user_identities VALUES ($1, $2, $3, $4, now())', [
    other.tenant.id,
    id,
    'subject',
    holder,
  ]);
  // People unlink themselves while they have a password, but not once it no longer admits them.
  const accepted = await required(true);
  expect(accepted.status, accepted.text).toBe(200);
  const scope = await other.scope(holder);
  await expect(removeMyIdentity(scope, id)).rejects.toMatchObject({ status: 409 });
  await changeTenantSettings(sql, { requireProvider: false });
  await removeMyIdentity(scope, id);
});
