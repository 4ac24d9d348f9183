/** Files at an address of their own: links lead there, and nothing else answers there. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { send } from '../../test/support/file-server.ts';
import { createTestPortal, type TestPortal, type TestTenant } from '../../test/support/portal.ts';
import { fileLinks } from '../kernel/file-links.ts';
import { storeFile } from '../modules/files/index.ts';

const HOST = 'files.test';

describe('an address of its own for files', () => {
  let portal: TestPortal;
  let one: TestTenant;
  let other: TestTenant;

  beforeAll(async () => {
    portal = await createTestPortal({ env: { PORTICO_FILES_ORIGIN: `https://${HOST}` } });
    one = await portal.createTenant();
    other = await portal.createTenant();
  });
  afterAll(() => portal?.close());

  const get = (host: string, path: string, headers: Record<string, string> = {}, method = 'GET') =>
    send(`${portal.origin}${path}`, { method, headers: { Host: host, ...headers } });
  /** The path as it stands: nothing on the way here makes it tidy. */
  const raw = (host: string, path: string, method = 'GET', headers: Record<string, string> = {}) =>
    send(portal.origin, { method, path, headers: { Host: host, ...headers } });
  const linkTo = async (tenant: TestTenant, data: string) => {
    const scope = await tenant.scope(await tenant.createUser());
    return fileLinks(scope).view(await storeFile(scope, portal.services.storage, Buffer.from(data)))!;
  };

  it('is where links lead, for files of every tenant', async () => {
    for (const tenant of [one, other]) {
      const link = new URL(await linkTo(tenant, `a text of ${tenant.host}`));
      expect(link.origin).toBe(`https://${HOST}`);
      for (const host of [HOST, `${HOST}:443`, HOST.toUpperCase()]) {
        const answer = await get(host, link.pathname);
        expect([answer.status, answer.bytes.toString()], host).toEqual([200, `a text of ${tenant.host}`]);
        expect(answer.headers['content-security-policy']).toContain('sandbox');
        expect(answer.headers['x-content-type-options']).toBe('nosniff');
      }
      expect((await get(HOST, link.pathname, { Range: 'bytes=0-3' })).bytes.toString()).toBe('a te');
    }
    const user = await one.createUser();
    const begun = await one.request(user, 'POST', '/portal/api/external/v2/core/storage/upload-new-attachment');
    expect(begun.body.temporaryDownloadUrl).toMatch(`https://${HOST}/portal/files/`);
    // Uploads are sent to the portal.
    expect(begun.body.uploadUrl).toBe(`http://${one.host}/portal/storage/upload`);
  });

  it('refuses what is no link of the tenant that it names', async () => {
    const token = (await linkTo(one, 'text')).split('/').at(-1)!;
    const foreign = (await linkTo(other, 'text')).split('/').at(-1)!;
    const payload = JSON.parse(Buffer.from(token.split('.')[0]!, 'base64url').toString());
    const forged = (change: object) =>
      `${Buffer.from(JSON.stringify({ ...payload, ...change })).toString('base64url')}.${token.split('.')[1]}`;
    for (const bad of [
      forged({ t: other.tenant.id }),
      forged({ t: 999_999 }),
      forged({ t: 'x' }),
      forged({ t: null }),
      forged({ e: payload.e + 1 }),
      `${token.split('.')[0]}.${foreign.split('.')[1]}`,
      `${token}x`,
      'nonsense',
      'bnVsbA.x',
      '.',
    ]) {
      const answer = await get(HOST, `/portal/files/${bad}`);
      expect([answer.status, answer.body.code], bad).toEqual([403, 'INVALID_LINK']);
      expect(answer.headers['x-content-type-options']).toBe('nosniff');
    }
  });

  it('serves nothing of the portal', async () => {
    const user = await one.createUser();
    const authorization = { Authorization: `Bearer ${await one.token(user)}` };
    for (const [method, path] of [
      ['GET', '/'],
      ['GET', '/portal/api/openapi.json'],
      ['GET', '/portal/api/docs'],
      ['GET', '/portal/files'],
      ['POST', '/portal/storage/upload'],
      ['GET', '/portal/api/core/auth/current-user-data'],
      ['POST', '/portal/api/external/v2/core/storage/upload-new-attachment'],
      ['GET', '/portal/files/../api/openapi.json'],
    ] as const) {
      const answer = await get(HOST, path, authorization, method);
      expect([answer.status, answer.body.code], path).toEqual([404, 'UNKNOWN_ROUTE']);
      expect(answer.headers['content-security-policy']).toContain('sandbox');
    }
    expect((await get(HOST, '/healthz')).status).toBe(200);
  });

  it('is where the portal sends links that name the portal itself', async () => {
    const { pathname } = new URL(await linkTo(one, 'text'));
    const answer = await get(one.host, pathname);
    expect([answer.status, answer.headers.location, answer.bytes.toString()]).toEqual([
      307,
      `https://${HOST}${pathname}`,
      '',
    ]);
  });

  /** Other ways to write a path that the router may read as the same. */
  const written = (path: string): string[] => [
    path.replace('/files/', '/%66iles/'),
    path.replace('/files/', '/fi%6Ces/'),
    path.replace('/files/', '/fi%6ces/'),
    path.replace('/portal/', '/%70ort%61l/'),
    path.replace('/files/', '/files%2F'),
    path.replace('/files/', '/files%2f'),
    path.replace('/files/', '/%2566iles/'),
    path.replace('/files/', '//files/'),
    path.replace('/files/', '/files//'),
    path.replace('/files/', '/files;a=b/'),
    path.replace('/files/', '/./files/'),
    path.replace('/files/', '/x/../files/'),
    path.replace('/files/', '/FILES/'),
    path.replace('/files/', '/\\files/'),
    `/${path}`,
    `${path}/`,
    `${path};a=b`,
    `${path}%00`,
    `${path}?a=b`,
    `${path.slice(0, -1)}%${path.charCodeAt(path.length - 1).toString(16)}`,
    `http://${one.host}${path}`,
    `HTTP://${HOST}${path}`,
    `https://${one.host}/portal/%66iles/${path.split('/').at(-1)}`,
  ];

  it('is where files are, however the path is written', async () => {
    const { pathname } = new URL(await linkTo(one, 'text'));
    const seen = new Set<number>();
    for (const path of written(pathname)) {
      for (const method of ['GET', 'HEAD']) {
        const answer = await raw(one.host, path, method);
        seen.add(answer.status);
        // Led to the address of files, or unknown: never the file itself.
        expect([307, 400, 404], `${method} ${path}`).toContain(answer.status);
        expect(answer.bytes.toString(), path).not.toBe('text');
        if (answer.status !== 307) continue;
        const to = new URL(answer.headers.location as string);
        expect([to.origin, to.pathname.startsWith('/portal/files/')], path).toEqual([`https://${HOST}`, true]);
      }
    }
    expect(seen).toContain(307);
    const answer = await raw(one.host, pathname.replace('/files/', '/%66iles/'));
    expect(answer.headers.location).toBe(`https://${HOST}${pathname}`);
    expect((await raw(HOST, pathname.replace('/files/', '/%66iles/'))).bytes.toString()).toBe('text');
  });

  it('serves nothing of the portal, however the path is written', async () => {
    const token = (await linkTo(one, 'text')).split('/').at(-1)!;
    const user = await one.createUser();
    const authorization = { Authorization: `Bearer ${await one.token(user)}` };
    for (const path of [
      '/portal/%61pi/openapi.json',
      '/portal/api/open%61pi.json',
      '/%70ortal/api/docs',
      '/portal/%66iles/../api/openapi.json',
      '/portal/files/../api/core/auth/current-user-data',
      '/portal/files/%2e%2e/api/openapi.json',
      '/portal/files/..%2Fapi%2Fopenapi.json',
      `/portal/files/${token}/../../api/openapi.json`,
      '/portal/files//../api/openapi.json',
      '/portal/files/;/../api/openapi.json',
      '/portal/api/core/auth/current-user-dat%61',
      '/portal/api/external/v2/core/auth/current-user-dat%61',
      `http://${HOST}/portal/api/core/auth/current-user-data`,
    ]) {
      const answer = await raw(HOST, path, 'GET', authorization);
      expect(['UNKNOWN_ROUTE', 'INVALID_LINK'], `${path} ${answer.bytes}`).toContain(answer.body?.code);
      expect(answer.headers['content-security-policy'], path).toContain('sandbox');
    }
    const both = await raw(HOST, `http://${one.host}/portal/api/openapi.json`, 'GET', authorization);
    expect([both.status, both.body?.code]).toEqual([400, 'MALFORMED_REQUEST']);
  });

  it('lets pages of the origins that the tenant allows read its files', async () => {
    await portal.services.databases
      .for(other.tenant.id)
      .execute(`UPDATE tenant_settings SET cors_origins = '{https://app.test}' WHERE tenant_id = $1`, [
        other.tenant.id,
      ]);
    await expect
      .poll(async () => {
        const { pathname } = new URL(await linkTo(other, 'text'));
        return (await get(HOST, pathname, { Origin: 'https://app.test' })).headers['access-control-allow-origin'];
      })
      .toBe('https://app.test');
    const { pathname } = new URL(await linkTo(one, 'text'));
    const answer = await get(HOST, pathname, { Origin: 'https://app.test' });
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    const asked = { Origin: 'https://app.test', 'Access-Control-Request-Method': 'GET' };
    const theirs = new URL(await linkTo(other, 'text')).pathname;
    expect((await get(HOST, theirs, asked, 'OPTIONS')).headers['access-control-allow-origin']).toBe('https://app.test');
    expect((await get(HOST, pathname, asked, 'OPTIONS')).headers['access-control-allow-origin']).toBeUndefined();
  });
});
