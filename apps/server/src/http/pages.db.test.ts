/** Pages for browsers: at `/`, and where links into the portal lead. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestPortal, type TestPortal, type TestTenant } from '../../test/support/index.ts';

/** The `Accept` header of browsers. */
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8';

let portal: TestPortal;
let tenant: TestTenant;

beforeAll(async () => {
  portal = await createTestPortal();
  tenant = await portal.createTenant();
});
afterAll(() => portal.close());

const open = (path: string, accept: string | undefined = BROWSER, host = tenant.host, method: 'GET' | 'HEAD' = 'GET') =>
  portal.app.inject({ method, url: path, headers: { host, ...(accept !== '' && { accept }) } });

const deepLinks = ['/portal/post/', '/portal/community/', '/portal/admin/user/', '/portal/admin/group/'];

describe('pages', () => {
  it('are at / and at every link that clients write, with and without the last slash', async () => {
    for (const path of ['/', ...deepLinks.flatMap((link) => [`${link}17`, `${link}17/`])]) {
      const { statusCode, headers, body } = await open(path);
      expect([statusCode, headers['content-type']], path).toEqual([200, 'text/html; charset=utf-8']);
      expect(headers).toMatchObject({
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        vary: expect.stringMatching(/accept\b/i),
      });
      expect(body).toContain(`portico login --url http://${tenant.host} `);
      const head = await open(path, BROWSER, tenant.host, 'HEAD');
      expect([head.statusCode, head.body]).toEqual([200, '']);
    }
  });

  it('run and load nothing, and allow themselves nothing but their style', async () => {
    for (const path of ['/', '/portal/post/1']) {
      const { headers, body } = await open(path);
      const csp = String(headers['content-security-policy']);
      const style = /<style>([\s\S]*)<\/style>/.exec(body)?.[1] as string;
      const hash = createHash('sha256').update(style).digest('base64');
      expect(csp).toBe(
        `default-src 'none'; style-src 'sha256-${hash}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      );
      expect(body).not.toMatch(/<script|style=|\son\w+=|<form|<iframe|@import|url\(/i);
      const addresses = [...body.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, address]) => address);
      for (const address of addresses) expect(address).toMatch(/^(?:\/|data:,$)/);
    }
  });

  it('tell what the service is, where it is described and how it does', async () => {
    const { body } = await open('/');
    for (const link of [
      '/portal/docs/',
      '/portal/api/docs',
      '/portal/api/openapi.json',
      '/portal/api/openapi-3.0.json',
      '/portal/api/swagger.json',
      '/readyz',
    ])
      expect(body).toContain(`href="${link}"`);
    expect(body).toContain('The service is running.');
    expect(body).toContain('portico token');
  });

  it('are for browsers only: everybody else gets the 404 of every unknown path', async () => {
    const unknown = await open('/nothing/here', '');
    for (const path of ['/', '/portal/post/17', '/portal/admin/user/17/']) {
      for (const accept of [
        '',
        '*/*',
        'application/json',
        'text/*',
        'text/html;q=0',
        'TEXT/HTML; q=0.0, */*',
        'xtext/html',
      ]) {
        const answer = await open(path, accept);
        expect([answer.statusCode, answer.headers['content-type']], `${path} ${accept}`).toEqual([
          404,
          'application/json; charset=utf-8',
        ]);
        expect({ ...answer.json(), requestId: '' }).toEqual({ ...unknown.json(), requestId: '' });
      }
      expect((await open(path, 'Text/HTML')).statusCode).toBe(200);
    }
    for (const path of [
      '/portal',
      '/portal/',
      '/portal/post/',
      '/portal/post/1/2',
      '/portal/task/5',
      '/portal/admin/user',
    ])
      expect((await open(path)).statusCode, path).toBe(404);
  });

  it('never tell whether the thing exists', async () => {
    const userId = await tenant.createUser();
    const bodies = new Set<string>();
    for (const id of [userId, 999_999_999, -4, 'abc', '%3Cscript%3E'])
      bodies.add((await open(`/portal/admin/user/${id}/`)).body);
    bodies.add(
      (await tenant.request(userId, 'GET', `/portal/admin/user/${userId}`, undefined, { Accept: BROWSER })).text,
    );
    expect(bodies.size).toBe(1);
  });

  it('show the address that was asked for as text', async () => {
    const { body } = await open('/', BROWSER, `x"><script>alert(1)</script>.test`);
    expect(body).not.toContain('<script>');
  });

  it('say what is the matter when the service is shutting down', async () => {
    const { buildApp } = await import('../process/app.ts');
    const app = await buildApp({ services: portal.services, stopping: AbortSignal.abort() });
    try {
      const answer = await app.inject({ url: '/', headers: { host: tenant.host, accept: BROWSER } });
      expect([answer.statusCode, answer.body.includes('shutting down')]).toEqual([200, true]);
    } finally {
      await app.close();
    }
  });
});
