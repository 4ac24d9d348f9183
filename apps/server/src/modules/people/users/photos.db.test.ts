/**
 * Photos of accounts over HTTP: one address each, without a token, valid only for the current
 * photo.
 */
import { createHash } from 'node:crypto';
import { Renderer } from '@portico/platform/files';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestPortal, type TestPortal, type TestTenant } from '../../../../test/support/index.ts';
import { makePreviews, storeFile } from '../../files/index.ts';

const ROOT = '/portal/api/external/v2';

let portal: TestPortal;
let tenant: TestTenant;
let admin: number;

beforeAll(async () => {
  portal = await createTestPortal();
  tenant = await portal.createTenant();
  admin = await tenant.createUser({ admin: true });
});
afterAll(() => portal.close());

const picture = (red: number) =>
  sharp({ create: { width: 20, height: 10, channels: 3, background: { r: red, g: 9, b: 9 } } })
    .png()
    .toBuffer();

/** Gives an account a photo, by the credentials form. @returns its bytes */
async function photograph(userId: number, red: number): Promise<Buffer> {
  const data = await picture(red);
  const { contentRef } = await storeFile(await tenant.scope(admin), portal.services.storage, data);
  const path = `${ROOT}/admin/manage/users/${userId}/credentials`;
  const { occToken } = (await tenant.request(admin, 'GET', `${path}/edit`)).body;
  const custom = { active: false, profilePhoto: { newContentRef: contentRef } };
  const edited = await tenant.request(admin, 'PUT', path, { userCredentialsConfiguration: { custom }, occToken });
  expect(edited.status, edited.text).toBe(200);
  return data;
}

const form = async (userId: number) =>
  (await tenant.request(admin, 'GET', `${ROOT}/admin/manage/users/${userId}/edit`)).text;
const addressOf = async (userId: number) => new URL(JSON.parse(await form(userId)).accountPhotoUrl);
/** Requests a photo without a token, like `<img>`. */
const show = ({ pathname, search }: URL, headers: Record<string, string> = {}, of = tenant) =>
  portal.app.inject({ url: `${pathname}${search}`, headers: { host: of.host, ...headers } });

test('have one address, which anybody who has it may keep, and browsers for long', async () => {
  const userId = await tenant.createUser();
  const data = await photograph(userId, 10);
  const address = await addressOf(userId);
  expect(address.href).toMatch(new RegExp(`^http://${tenant.host}/portal/files/user-photo/${userId}\\?v=[\\w-]{43}$`));
  expect(await form(userId)).toBe(await form(userId));
  const { statusCode, headers, rawPayload } = await show(address);
  expect([statusCode, rawPayload.equals(data)]).toEqual([200, true]);
  expect(headers).toMatchObject({
    'content-type': 'image/png',
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
    'content-security-policy': expect.stringContaining('sandbox'),
    etag: `"${createHash('sha256').update(data).digest('hex')}"`,
  });
  expect((await show(address, { 'if-none-match': headers.etag as string })).statusCode).toBe(304);
  expect((await show(address, { range: 'bytes=0-3' })).rawPayload).toEqual(data.subarray(0, 4));
  // The same address in every response that shows the person, and the large one beside it.
  const me = await tenant.request(userId, 'GET', `${ROOT}/core/user-profile/info`);
  expect(me.body).toMatchObject({
    accountPhotoUrl: address.href,
    customPhotoUrl: address.href,
    highResAccountPhotoUrl: `${address.href}&size=high`,
  });
  const listed = await tenant.request(admin, 'POST', `${ROOT}/admin/data/users`, { fullTextFilter: me.body.firstName });
  expect(listed.body.items.map((user: { accountPhotoUrl: string }) => user.accountPhotoUrl)).toContain(address.href);
});

test('are shown small and large once they are made so', async () => {
  const userId = await tenant.createUser();
  await photograph(userId, 200);
  const { db } = await tenant.scope(admin);
  const renderer = new Renderer();
  try {
    const looked = await makePreviews({
      db,
      storage: portal.services.storage,
      log: portal.services.log,
      renderer,
      now: Date.now(),
    });
    expect(looked).toBeGreaterThan(0);
  } finally {
    renderer.close();
  }
  const address = await addressOf(userId);
  const large = new URL(`${address.href}&size=high`);
  for (const url of [address, large]) {
    const { statusCode, headers } = await show(url);
    expect([statusCode, headers['content-type']]).toEqual([200, 'image/webp']);
  }
  const rows = await db.query<{ kind: number; sha256: string }>(
    `SELECT p.kind, p.sha256 FROM file_previews p JOIN users u ON u.tenant_id = p.tenant_id AND u.photo_content_ref = p.content_ref
      WHERE u.tenant_id = $1 AND u.id = $2 AND p.kind IN (1, 4) ORDER BY p.kind`,
    [tenant.tenant.id, userId],
  );
  expect([(await show(address)).headers.etag, (await show(large)).headers.etag]).toEqual(
    rows.map(({ sha256 }) => `"${sha256}"`),
  );
});

test('are not there for another version, somebody else, another tenant, or who has none: one 404', async () => {
  const [userId, other, plain] = [await tenant.createUser(), await tenant.createUser(), await tenant.createUser()];
  await photograph(userId, 20);
  await photograph(other, 30);
  const elsewhere = await portal.createTenant();
  const address = await addressOf(userId);
  const at = (change: (url: URL) => void) => {
    const url = new URL(address);
    change(url);
    return url;
  };
  const v = address.searchParams.get('v') as string;
  const missing = await tenant.request(admin, 'GET', `${ROOT}/admin/manage/users/999999999/edit`);
  const bodies = new Set([JSON.stringify({ ...missing.body, requestId: '' })]);
  for (const url of [
    at((one) => one.searchParams.set('v', `${v.slice(0, -1)}${v.endsWith('A') ? 'B' : 'A'}`)),
    at((one) => one.searchParams.set('v', '')),
    at((one) => one.searchParams.delete('v')),
    at((one) => one.searchParams.append('v', v)),
    ...[other, plain, 999_999_999, 0, -userId, `0${userId}`, '9'.repeat(30), 'me'].map((id) =>
      at((one) => {
        one.pathname = `/portal/files/user-photo/${id}`;
      }),
    ),
  ]) {
    const answer = await show(url);
    expect(answer.statusCode, url.href).toBe(404);
    bodies.add(JSON.stringify({ ...answer.json(), requestId: '' }));
  }
  expect(bodies.size).toBe(1);
  expect((await show(address, {}, elsewhere)).statusCode).toBe(404);
  const wrongSize = await show(at((one) => one.searchParams.set('size', 'huge')));
  expect([wrongSize.statusCode, wrongSize.json().validationErrors.list[0].field]).toEqual([400, 'size']);
  expect((await show(address)).statusCode).toBe(200);
  // The address ends with the photo.
  await photograph(userId, 40);
  expect((await show(address)).statusCode).toBe(404);
  expect((await show(await addressOf(userId))).statusCode).toBe(200);
});
