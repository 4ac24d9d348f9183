/** Settings of a tenant, read and edited by its administrators. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestPortal, type TestPortal, type TestTenant } from '../../../test/support/index.ts';
import { changeTenantSettings } from './tenant-settings.ts';

let portal: TestPortal;
let mine: TestTenant;
let theirs: TestTenant;
let admin: number;
let member: number;
const PATH = '/portal/api/admin/manage/tenant-settings';
const ORIGIN = 'https://app.acme.example';

beforeAll(async () => {
  portal = await createTestPortal();
  [mine, theirs] = [await portal.createTenant(), await portal.createTenant()];
  admin = await mine.createUser({ admin: true });
  member = await mine.createUser();
});
afterAll(() => portal?.close());

const ask = (method: string, body?: object, actor = admin) => mine.request(actor, method, PATH, body);
const db = () => portal.services.databases.for(mine.tenant.id);
/** The settings, as an edit takes them. */
async function form() {
  const { body, status, text } = await ask('GET');
  expect(status, text).toBe(200);
  const { hosts: _hosts, ...settings } = body;
  return settings;
}

test('are replaced, and followed by the server, for the tenant alone', async () => {
  const other = await theirs.createUser({ admin: true });
  const untouched = (await theirs.request(other, 'GET', PATH)).body;
  const before = await form();
  const change = {
    name: 'Acme',
    sessionIdleSeconds: 3_600,
    sessionSeconds: 86_400,
    notificationRetentionDays: 30,
    auditRetentionDays: 730,
    defaultLanguage: 'it',
    defaultTimezone: 'Europe/Rome',
    corsOrigins: [ORIGIN],
    loginDomains: ['acme.example'],
    accessTokenSeconds: 600,
  };
  const { status, body } = await ask('PUT', { ...before, ...change });
  expect([status, body]).toEqual([200, { nextOccToken: before.occToken + 1 }]);
  expect(await form()).toEqual({ ...before, ...change, occToken: before.occToken + 1 });
  await expect
    .poll(async () => {
      const { headers } = await mine.request(admin, 'GET', PATH, undefined, { Origin: ORIGIN });
      return headers.get('access-control-allow-origin');
    })
    .toBe(ORIGIN);
  expect((await theirs.request(other, 'GET', PATH)).body).toEqual(untouched);
});

test('show what only the operator sets, which an edit leaves', async () => {
  await changeTenantSettings(db(), {
    attachmentQuotaBytes: 5_000_000,
    requestsPerMinute: 60_000,
    accountRequestsPerMinute: 6_000,
    providerClientIds: ['portal-app'],
  });
  const { body } = await ask('GET');
  expect(body).toMatchObject({
    attachmentQuotaBytes: 5_000_000,
    requestsPerMinute: 60_000,
    hosts: [expect.any(String)],
  });
  expect(body.providerClientIds).toBeUndefined();
  const { accessTokenSeconds: _left, attachmentQuotaBytes, requestsPerMinute, ...settings } = await form();
  const { accountRequestsPerMinute: limit, ...edit } = settings;
  expect(limit).toBe(6_000);
  expect((await ask('PUT', edit)).status).toBe(200);
  expect(await form()).toEqual({ ...settings, attachmentQuotaBytes, requestsPerMinute, occToken: edit.occToken + 1 });
  expect((await ask('PUT', { ...edit, requestsPerMinute: 1 })).status).toBe(400);
});

test('name every period that is out of bounds', async () => {
  const { attachmentQuotaBytes: _q, requestsPerMinute: _r, accountRequestsPerMinute: _a, ...edit } = await form();
  const periods = {
    sessionIdleSeconds: 299,
    sessionSeconds: 7_776_001,
    notificationRetentionDays: 0,
    auditRetentionDays: 29,
  };
  const { status, body } = await ask('PUT', { ...edit, ...periods, name: ' ' });
  expect(status).toBe(400);
  const fields = body.validationErrors.list.map(({ field }: { field: string }) => field);
  expect(fields.sort()).toEqual(['name', ...Object.keys(periods)].sort());
});

test('that somebody changed meanwhile, an operator too, are a 409 that says who', async () => {
  const { attachmentQuotaBytes: _q, requestsPerMinute: _r, accountRequestsPerMinute: _a, ...edit } = await form();
  const both = await Promise.all([ask('PUT', edit), ask('PUT', edit)]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  const stale = both.find(({ status }) => status === 409)!.body;
  expect(stale).toMatchObject({ currentOccToken: edit.occToken + 1, changedBy: { id: admin } });
  await changeTenantSettings(db(), { defaultLanguage: 'en' });
  const { status, body } = await ask('PUT', { ...edit, occToken: edit.occToken + 1 });
  expect([status, body.currentOccToken, body.changedBy]).toEqual([409, edit.occToken + 2, undefined]);
});

test('are for holders of the right alone, and in the audit log with before and after', async () => {
  expect((await ask('GET', undefined, member)).status).toBe(403);
  const { attachmentQuotaBytes: _q, requestsPerMinute: _r, accountRequestsPerMinute: _a, ...edit } = await form();
  expect((await ask('PUT', edit, member)).status).toBe(403);
  const entries = await db().query<{ before: object; after: object }>(
    `SELECT before, after FROM audit_entries WHERE tenant_id = $1 AND operation = 'editTenantSettings' ORDER BY id LIMIT 1`,
    [mine.tenant.id],
  );
  expect(entries[0]).toMatchObject({ before: { corsOrigins: [] }, after: { corsOrigins: [ORIGIN] } });
});

test('how people must sign in is decided by holders of every right, and by no personal access token', async () => {
  const holder = await mine.createUser();
  await db().execute('UPDATE users SET manages_workplace = true WHERE tenant_id = $1 AND id = $2', [
    mine.tenant.id,
    holder,
  ]);
  const { attachmentQuotaBytes: _q, requestsPerMinute: _r, accountRequestsPerMinute: _a, ...edit } = await form();
  const stricter = { ...edit, requireSecondFactor: 'administrators' };
  expect((await ask('PUT', stricter, holder)).status).toBe(403);
  expect((await ask('PUT', edit, holder)).status).toBe(200);
  const token = { name: 'Program', access: 'write', validDays: 1 };
  const made = await mine.request(admin, 'POST', '/portal/api/core/auth/manage/personal-tokens', token);
  const headers = { Authorization: `Bearer ${made.body.secret}` };
  const byToken = (body: object) => mine.request(null, 'PUT', PATH, { ...body, occToken: edit.occToken + 1 }, headers);
  expect((await byToken(stricter)).status).toBe(403);
  expect((await byToken(edit)).status).toBe(200);
});
