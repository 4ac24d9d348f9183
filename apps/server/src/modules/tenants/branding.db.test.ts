/** Looks of a tenant: edited by its administrators, read by everybody, shown by the page. */
import { Renderer } from '@portico/platform/files';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestPortal, type TestPortal, type TestTenant } from '../../../test/support/index.ts';
import { makePreviews, storeFile } from '../files/index.ts';

const SETTINGS = '/portal/api/admin/manage/tenant-settings';
const EDIT = '/portal/api/admin/manage/branding';
const READ = '/portal/api/core/branding';

let portal: TestPortal;

beforeAll(async () => {
  portal = await createTestPortal();
});
afterAll(() => portal?.close());

interface World {
  readonly tenant: TestTenant;
  readonly admin: number;
}
async function world(): Promise<World> {
  const tenant = await portal.createTenant();
  return { tenant, admin: await tenant.createUser({ admin: true }) };
}

const settingsOf = async ({ tenant, admin }: World) => (await tenant.request(admin, 'GET', SETTINGS)).body;
async function edit(of: World, looks: object, query = '') {
  const { occToken } = await settingsOf(of);
  return of.tenant.request(of.admin, 'PUT', `${EDIT}${query}`, { ...looks, occToken });
}
const get = ({ tenant }: World, url: string, headers: Record<string, string> = {}) =>
  portal.app.inject({ url, headers: { host: tenant.host, ...headers } });
const branding = async (of: World) => (await get(of, READ)).json();

const picture = (format: 'png' | 'jpeg' | 'webp' | 'gif', red = 9) =>
  sharp({ create: { width: 20, height: 10, channels: 3, background: { r: red, g: 9, b: 9 } } })
    .toFormat(format)
    .toBuffer();
async function upload({ tenant, admin }: World, data: Buffer): Promise<string> {
  return (await storeFile(await tenant.scope(admin), portal.services.storage, data)).contentRef;
}

test('anybody reads them without a sign-in, and they are replaced for the tenant alone', async () => {
  const [mine, theirs] = [await world(), await world()];
  const before = await branding(theirs);
  expect(before).toEqual({ portalName: theirs.tenant.tenant.displayName });
  const looks = {
    accentColor: '#0B6E4F',
    signInNotice: ' For employees.\nHelp: 100 ',
    imprintUrl: 'https://acme.example/imprint',
    privacyUrl: 'http://acme.example',
  };
  const { occToken } = await settingsOf(mine);
  expect((await edit(mine, { ...looks, name: 'Acme' })).body).toEqual({ nextOccToken: occToken + 1 });
  const shown = { ...looks, accentColor: '#0b6e4f', signInNotice: 'For employees.\nHelp: 100' };
  await expect.poll(() => branding(mine)).toEqual({ portalName: 'Acme', ...shown });
  expect(await settingsOf(mine)).toMatchObject({ name: 'Acme', ...shown });
  expect(await branding(theirs)).toEqual(before);
  // An omitted member is emptied; the name stays.
  await edit(mine, { accentColor: '#333333' });
  await expect.poll(() => branding(mine)).toEqual({ portalName: 'Acme', accentColor: '#333333' });
});

test('an edit is in the audit log, needs the right and the present token, and a dry run changes nothing', async () => {
  const mine = await world();
  const { tenant, admin } = mine;
  const { occToken } = await settingsOf(mine);
  const dry = await edit(mine, { accentColor: '#333333' }, '?dryRun=true');
  expect([dry.status, (await settingsOf(mine)).occToken]).toEqual([200, occToken]);
  const member = await tenant.createUser();
  expect((await tenant.request(member, 'PUT', EDIT, { occToken })).status).toBe(403);
  expect((await edit(mine, { accentColor: '#333333' })).status).toBe(200);
  const stale = await tenant.request(admin, 'PUT', EDIT, { occToken });
  expect([stale.status, stale.body.lastModifier?.id ?? admin]).toEqual([409, admin]);
  const entries = await tenant.request(admin, 'POST', '/portal/api/admin/data/audit-entries', {
    objectTypes: ['tenant'],
  });
  expect(entries.text).toContain('#333333');
});

test('a colour that cannot be read is refused with the nearest one that can', async () => {
  const mine = await world();
  const { status, body } = await edit(mine, { accentColor: '#ffcc00' });
  expect(status).toBe(400);
  const [fault] = body.validationErrors.list;
  expect(fault).toMatchObject({ field: 'accentColor', code: 'INVALID_VALUE' });
  const nearest = /(#[0-9a-f]{6})\.$/.exec(fault.defaultMessage)?.[1];
  expect((await edit(mine, { accentColor: nearest })).status).toBe(200);
});

test('every error is named, and texts are bounded', async () => {
  const mine = await world();
  const { status, body } = await edit(mine, {
    name: ' ',
    accentColor: 'red',
    signInNotice: 'x'.repeat(1_001),
    imprintUrl: 'javascript:alert(1)',
    privacyUrl: '//acme.example',
    newLogoContentRef: 'f'.repeat(64),
  });
  expect(status).toBe(400);
  expect(body.validationErrors.list.map(({ field }: { field: string }) => field).sort()).toEqual([
    'accentColor',
    'imprintUrl',
    'name',
    'newLogoContentRef',
    'privacyUrl',
    'signInNotice',
  ]);
});

test('a logo is a PNG, JPEG or WebP picture, shown at the address of its tenant alone, until it is removed', async () => {
  const [mine, theirs] = [await world(), await world()];
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>1</script></svg>');
  for (const data of [svg, await picture('gif'), Buffer.from('text')]) {
    const refused = await edit(mine, { newLogoContentRef: await upload(mine, data) });
    expect([refused.status, refused.body.validationErrors?.list[0]?.field]).toEqual([400, 'newLogoContentRef']);
  }
  // An upload of somebody else is not known.
  expect((await edit(mine, { newLogoContentRef: await upload(theirs, await picture('png')) })).status).toBe(400);
  const bytes = await picture('png');
  expect((await edit(mine, { newLogoContentRef: await upload(mine, bytes) })).status).toBe(200);
  await expect.poll(async () => (await branding(mine)).logoUrl).toBeDefined();
  const address = new URL((await branding(mine)).logoUrl);
  const url = `${address.pathname}${address.search}`;
  const shown = await get(mine, url);
  expect([shown.statusCode, shown.rawPayload.equals(bytes)]).toEqual([200, true]);
  expect(shown.headers).toMatchObject({ 'content-type': 'image/png', 'x-content-type-options': 'nosniff' });
  expect(shown.headers['content-security-policy']).toContain('sandbox');
  expect((await get(theirs, url)).statusCode).toBe(404);
  // The same picture has another address elsewhere.
  expect((await edit(theirs, { newLogoContentRef: await upload(theirs, bytes) })).status).toBe(200);
  await expect.poll(async () => (await branding(theirs)).logoUrl).toBeDefined();
  expect(new URL((await branding(theirs)).logoUrl).search).not.toBe(address.search);
  expect((await get(theirs, url)).statusCode).toBe(404);
  // An encoded preview replaces the uploaded bytes as soon as there is one.
  const { db } = await mine.tenant.scope(mine.admin);
  const { storage, log } = portal.services;
  const renderer = new Renderer();
  try {
    expect(await makePreviews({ db, storage, log, renderer, now: Date.now() })).toBeGreaterThan(0);
  } finally {
    renderer.close();
  }
  await expect.poll(async () => (await get(mine, url)).headers['content-type']).toBe('image/webp');
  // An edit keeps the logo unless it says otherwise.
  expect((await edit(mine, { accentColor: '#333333' })).status).toBe(200);
  await expect.poll(() => branding(mine)).toMatchObject({ accentColor: '#333333', logoUrl: address.href });
  expect((await edit(mine, { removeLogo: true })).status).toBe(200);
  await expect.poll(async () => (await branding(mine)).logoUrl).toBeUndefined();
  expect((await get(mine, url)).statusCode).toBe(404);
});
