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
