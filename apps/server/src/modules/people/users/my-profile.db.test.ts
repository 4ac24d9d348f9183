/**
 * Changes to the own profile: kept values, values that only administrators change, photo and
 * language.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestPortal, type TestPortal, type TestTenant } from '../../../../test/support/index.ts';
import { faults } from '../../../../test/support/test-world.ts';
import { storeFile } from '../../files/index.ts';

const API = '/portal/api';
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

let portal: TestPortal;
let tenant: TestTenant;
let admin: number;

beforeAll(async () => {
  portal = await createTestPortal();
  tenant = await portal.createTenant();
  admin = await tenant.createUser({ admin: true });
});
afterAll(() => portal.close());

const profileOf = async (userId: number) => (await tenant.request(userId, 'GET', `${API}/core/user-profile/info`)).body;
const edit = async (userId: number, body: object, headers: Record<string, string> = {}) => {
  const { occToken } = await profileOf(userId);
  const path = `${API}/core/user-profile/manage/edit`;
  return tenant.request(headers['Authorization'] ? null : userId, 'POST', path, { occToken, ...body }, headers);
};
const sql = (text: string, userId: number) =>
  portal.services.databases.for(tenant.tenant.id).query(text, [tenant.tenant.id, userId]);
const upload = async (userId: number) =>
  (await storeFile(await tenant.scope(userId), portal.services.storage, PIXEL)).contentRef;

test('what is left out is kept, what is empty is removed', async () => {
  const userId = await tenant.createUser({ firstName: 'Ada' });
  const changed = await edit(userId, {
    phone: '+39 06 1',
    mobilePhone: '+39 333 1',
    privateEmail: 'ada@home.example',
    defaultLanguageId: 'it',
    defaultTimezoneId: 5,
    emailNotificationsEnabled: false,
  });
  expect(changed.status, changed.text).toBe(200);
  expect((await edit(userId, { mobilePhone: '', privateEmail: '', biography: 'Writes.' })).status).toBe(200);
  const profile = await profileOf(userId);
  expect(profile).toMatchObject({
    firstName: 'Ada',
    phone: '+39 06 1',
    biography: 'Writes.',
    language: { code: 'it' },
    timezone: { id: 5 },
    emailNotificationsEnabled: false,
    occToken: changed.body.nextOccToken + 1,
  });
  expect(profile.mobilePhone).toBeUndefined();
  expect(profile.privateEmail).toBeUndefined();
  const log = await tenant.request(admin, 'POST', `${API}/admin/data/audit-entries`, { objectIds: [userId] });
  expect(log.body.items[0]).toMatchObject({ operation: 'editMyProfile', actorId: userId });
});

test('names and the place in the organisation are no part of it', async () => {
  const userId = await tenant.createUser();
  const refused = await edit(userId, { firstname: 'Other', contactEmail: 'other@example.org', managerId: 1 });
  expect(refused.status).toBe(400);
  expect(faults(refused).sort()).toEqual([
    'contactEmail: UNRECOGNIZED_FIELD',
    'firstname: UNRECOGNIZED_FIELD',
    'managerId: UNRECOGNIZED_FIELD',
  ]);
});

test('a stale token is a 409 that names who changed the profile', async () => {
  const userId = await tenant.createUser();
  const { occToken } = await profileOf(userId);
  expect((await edit(userId, { phone: '1' })).status).toBe(200);
  const stale = await edit(userId, { phone: '2', occToken });
  expect([stale.status, stale.body.currentOccToken, stale.body.changedBy?.id]).toEqual([409, occToken + 1, userId]);
  const missing = await edit(userId, { phone: '2', occToken: null });
  expect(faults(missing)).toEqual(['occToken: REQUIRED_FIELD']);
});

test('a photo is an upload of the caller, and is removed', async () => {
  const userId = await tenant.createUser();
  const theirs = await edit(userId, { profilePhoto: { newContentRef: await upload(admin) } });
  expect(faults(theirs)).toEqual(['profilePhoto.newContentRef: CONTENT_REF_INVALID']);
  const newContentRef = await upload(userId);
  const changed = await edit(userId, { profilePhoto: { newContentRef } });
  expect(changed.status, changed.text).toBe(200);
  const { accountPhotoUrl } = await profileOf(userId);
  expect(changed.body.accountPhotoUrl).toBe(accountPhotoUrl);
  const { pathname, search } = new URL(accountPhotoUrl);
  const shown = await portal.app.inject({ url: `${pathname}${search}`, headers: { host: tenant.host } });
  expect(shown.rawPayload.equals(PIXEL)).toBe(true);
  // The same photo again is no change.
  expect((await edit(userId, { profilePhoto: { newContentRef } })).status).toBe(200);
  expect((await edit(userId, { profilePhoto: {} })).body.accountPhotoUrl).toBeUndefined();
  expect((await profileOf(userId)).accountPhotoUrl).toBeUndefined();
});

test('what administrators keep to themselves is a 403, unless nothing changes', async () => {
  const userId = await tenant.createUser();
  expect((await edit(userId, { privateEmail: 'ada@home.example' })).status).toBe(200);
  await sql(
    `UPDATE users SET edit_private_email_enabled = false, custom_can_manage_photo = false WHERE tenant_id = $1 AND id = $2`,
    userId,
  );
  expect((await edit(userId, { privateEmail: 'other@home.example' })).status).toBe(403);
  expect((await edit(userId, { profilePhoto: { newContentRef: await upload(userId) } })).status).toBe(403);
  expect((await edit(userId, { privateEmail: 'ada@home.example', phone: '1' })).status).toBe(200);
});

test('a personal access token changes numbers, and no private address', async () => {
  const userId = await tenant.createUser();
  const path = `${API}/core/auth/manage/personal-tokens`;
  const { secret } = (await tenant.request(userId, 'POST', path, { name: 'Phone', access: 'write', validDays: 1 }))
    .body;
  const headers = { Authorization: `Bearer ${secret}` };
  expect((await edit(userId, { phone: '1' }, headers)).status).toBe(200);
  const refused = await edit(userId, { privateEmail: 'thief@example.org' }, headers);
  expect([refused.status, refused.body.code]).toEqual([403, 'PERSONAL_TOKEN_NOT_ACCEPTED']);
});

test('the language is that of later mails', async () => {
  const userId = await tenant.createUser({ username: 'ada.mails' });
  expect((await edit(userId, { defaultLanguageId: 'it' })).status).toBe(200);
  const invited = await tenant.request(admin, 'POST', `${API}/admin/manage/users/${userId}/invite`);
  expect(invited.status, invited.text).toBe(200);
  const mails = await sql(
    `SELECT m.language FROM outgoing_mails m JOIN users u ON u.tenant_id = m.tenant_id AND u.contact_email = m.recipient
      WHERE m.tenant_id = $1 AND u.id = $2`,
    userId,
  );
  expect(mails).toEqual([{ language: 'it' }]);
});
