/** The page of the portal: who gets it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addresses } from '../../../web/src/addresses.ts';
import { createTestPortal, type TestPortal, type TestTenant } from '../../test/support/index.ts';
import { buildApp } from '../process/app.ts';

let portal: TestPortal;
let tenant: TestTenant;
let app: Awaited<ReturnType<typeof buildApp>>;
beforeAll(async () => {
  portal = await createTestPortal();
  tenant = await portal.createTenant();
  app = await buildApp({ services: portal.services, web: { html: '<!doctype html><p>page', assets: new Map() } });
});
afterAll(async () => {
  await app.close();
  await portal.close();
});

const open = async (url: string, accept?: string, method: 'GET' | 'HEAD' = 'GET') => {
  const headers = { host: tenant.host, ...(accept !== undefined && { accept }) };
  const { statusCode, body } = await app.inject({ method, url, headers });
  return [statusCode, body.includes('<p>page')];
};

test('the address of the portal answers whoever takes any type, such as curl and checks of availability', async () => {
  for (const accept of [undefined, '', '*/*', 'text/*', 'text/html', 'application/json, */*;q=0.1'])
    expect(await open('/portal/', accept), accept).toEqual([200, true]);
  expect(await open('/portal/', '*/*', 'HEAD')).toEqual([200, false]);
  // Only browsers are redirected.
  expect((await open('/portal', 'text/html'))[0]).toBe(308);
  expect(await open('/portal', '*/*')).toEqual([404, false]);
  for (const accept of ['application/json', 'text/html;q=0', 'text/html;q=0, */*', '*/*;q=0'])
    expect(await open('/portal/', accept), accept).toEqual([404, false]);
});

test('other pages answer browsers alone', async () => {
  expect(await open('/portal/tasks', 'text/html')).toEqual([200, true]);
  for (const accept of [undefined, '*/*', 'application/json'])
    expect(await open('/portal/tasks', accept), accept).toEqual([404, false]);
});

test('each address of the page answers with and without the last slash, and any other one with the page and 404', async () => {
  for (const address of Object.values(addresses)) {
    const path = `/portal${address.replaceAll(/\$\w+/g, '17')}`;
    for (const url of new Set([path, path.endsWith('/') ? path : `${path}/`]))
      expect(await open(url, 'text/html'), url).toEqual([200, true]);
  }
  for (const path of ['/portal/nosuch/page', '/portal/admin/nosuch', '/portal/post/17/nosuch']) {
    expect(await open(path, 'text/html'), path).toEqual([404, true]);
    expect(await open(path, '*/*'), path).toEqual([404, false]);
  }
});

test('paths that are no pages answer browsers as they answer programs', async () => {
  for (const path of ['/portal/api/nosuch', '/portal/assets/nosuch.js', '/portal/files/nosuch', '/portal/mcp/nosuch'])
    expect((await open(path, 'text/html'))[1], path).toBe(false);
  const { statusCode, headers } = await app.inject({
    method: 'GET',
    url: '/portal/api/core/auth/sessions/confirm',
    headers: { host: tenant.host, accept: 'text/html' },
  });
  expect([statusCode, headers['allow']]).toEqual([405, expect.any(String)]);
});

test('the page and its manifest carry the looks of the tenant that the host names, and none without a tenant', async () => {
  const html =
    '<head><meta content="__STYLE_NONCE__"><title>Portico</title><link rel="icon" href="data:," /></head><p>page';
  const manifest = JSON.stringify({ name: 'Portico', theme_color: '#4655d4', icons: [{ src: '/portal/icon.svg' }] });
  const fixed = new Map([['manifest.webmanifest', Buffer.from(manifest)]]);
  const [plain, branded] = [await portal.createTenant(), await portal.createTenant()];
  const page = await buildApp({ services: portal.services, web: { html, assets: new Map(), fixed } });
  const get = (host: string, path: string) =>
    page.inject({ url: `/portal/${path}`, headers: { host, accept: 'text/html' } });
  try {
    const admin = await branded.createUser({ admin: true });
    const path = '/portal/api/admin/manage';
    const { occToken } = (await branded.request(admin, 'GET', `${path}/tenant-settings`)).body;
    const looks = { name: `<A&"B'>`, accentColor: '#0b6e4f', occToken };
    expect((await branded.request(admin, 'PUT', `${path}/branding`, looks)).status).toBe(200);
    await expect.poll(async () => (await get(branded.host, '')).body).toContain('#0b6e4f');
    const answer = await get(branded.host, '');
    expect(answer.body).toContain('<title>&#60;A&#38;&#34;B&#39;&#62;</title>');
    const nonce = /<style nonce="([^"]+)">:root:root\{--mantine-color-accent-4:/.exec(answer.body)?.[1];
    expect(answer.headers['content-security-policy']).toContain(`style-src 'self' 'nonce-${nonce}'`);
    expect(JSON.parse((await get(branded.host, 'manifest.webmanifest')).body)).toMatchObject({
      ...{ name: looks.name, short_name: looks.name, theme_color: '#0b6e4f' },
      icons: [{ src: '/portal/icon.svg' }],
    });
    const other = (await get(plain.host, '')).body;
    expect(other).toContain(`<title>${plain.tenant.displayName}</title>`);
    expect(other).not.toContain('<style');
    for (const host of ['nobody.example', 'two words'])
      expect((await get(host, '')).body, host).toContain('<title>Portico</title>');
    expect((await get('nobody.example', 'manifest.webmanifest')).body).toBe(manifest);
  } finally {
    await page.close();
  }
});
