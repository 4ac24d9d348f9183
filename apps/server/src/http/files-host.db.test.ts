/** Files at an address of their own: links lead there, and nothing else answers there. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { storeFile } from '../modules/files/index.ts';
import { send } from '../modules/files/testing.ts';
import { fileLinks } from '../platform/files/index.ts';
import { createTestPortal, type TestPortal, type TestTenant } from '../testing/portal.ts';

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
  });
});
