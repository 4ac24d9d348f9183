/**
 * Attacks below the operations: the choice of the tenant, the headers of proxies, other origins,
 * broken HTTP. Sent byte by byte, since well-behaved clients cannot.
 */
import { connect } from 'node:net';
import { operationById } from '@portico/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createServer } from '../../src/http/server.ts';
import { createTestPortal, settingsReadAnew, type TestPortal } from '../support/index.ts';
import { type Attacked, makeAttacked, ROOT } from './objects.fixture.ts';

const ME = `${ROOT}/core/auth/current-user-data`;
let portal: TestPortal;
let mine: Attacked;
let theirs: Attacked;
let token: string;

beforeAll(async () => {
  portal = await createTestPortal();
  mine = await makeAttacked(portal, 'Quagganar');
  theirs = await makeAttacked(portal, 'Zebracorn');
  token = await mine.world.tenant.token(mine.chief);
});

afterAll(async () => {
  await portal.close();
});

interface Raw {
  status: number;
  head: string;
  body: string;
}

/** Sends bytes as they are and reads until the server closes or falls silent. */
async function raw(bytes: string, from: TestPortal = portal): Promise<Raw> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const socket = connect(Number(new URL(from.origin).port), '127.0.0.1');
  let text = '';
  socket.setEncoding('utf8');
  socket.setTimeout(3_000, () => socket.destroy());
  socket.on('data', (chunk: string) => {
    text += chunk;
  });
  // A reset after the answer is the server's way of not reading on.
  socket.on('error', () => socket.destroy());
  socket.on('close', () => resolve(text));
  socket.write(bytes);
  const answer = await promise;
  const end = answer.indexOf('\r\n\r\n');
  return {
    status: Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0),
    head: answer.slice(0, end),
    body: answer.slice(end + 4),
  };
}

const request = (line: string, headers: readonly string[], body = '') =>
  `${line}\r\n${[...headers, 'Connection: close'].join('\r\n')}\r\n\r\n${body}`;

const bearer = () => `Authorization: Bearer ${token}`;

describe('the tenant of a request', () => {
  test('is the one of its host, whatever else names one', async () => {
    const [host, other] = [mine.world.tenant.host, theirs.world.tenant.host];
    const reach = (headers: readonly string[], line = `GET ${ME} HTTP/1.1`) =>
      raw(request(line, [...headers, bearer()]));
    expect((await reach([`Host: ${host}`])).status).toBe(200);
    for (const same of [`${host}:80`, `${host}:8443`, host.toUpperCase(), `${host}.`, `${host}.:8080`]) {
      expect((await reach([`Host: ${same}`])).status, same).toBe(200);
    }
    expect((await reach([`Host: ${other}`])).status).toBe(401);
    for (const header of ['X-Forwarded-Host', 'X-Host', 'X-Original-Host', 'X-HTTP-Host-Override', 'Forwarded']) {
      const value = header === 'Forwarded' ? `host=${host};proto=https` : host;
      expect((await reach([`Host: ${other}`, `${header}: ${value}`])).status, header).toBe(401);
      expect((await reach(['Host: nobody.test', `${header}: ${value}`])).status, header).toBe(404);
    }
    for (const odd of [
      'nobody.test',
      '',
      `${host}@nobody.test`,
      `${host}/x`,
      `${host}%00`,
      `${host} ${other}`,
      `${host},x`,
    ]) {
      expect([400, 404], odd).toContain((await reach([`Host: ${odd}`])).status);
    }
    for (const hosts of [
      [host, other],
      [other, host],
      [host, host],
    ]) {
      expect((await reach(hosts.map((name) => `Host: ${name}`))).status).toBe(400);
    }
    expect((await reach([])).status).toBe(400);
  });

  test('is named once: an absolute address says the same as the header, or the request is refused', async () => {
    const [host, other] = [mine.world.tenant.host, theirs.world.tenant.host];
    const reach = (address: string, said: string) =>
      raw(request(`GET ${address} HTTP/1.1`, [`Host: ${said}`, bearer()]));
    for (const [named, said] of [
      [host, other],
      [other, host],
      ['nobody.test', host],
      [host, 'nobody.test'],
      ['', host],
      [`${host}@${other}`, host],
    ] as const) {
      const answer = await reach(`http://${named}${ME}`, said);
      expect(answer.status, `${named} ${said}`).toBe(400);
      expect(JSON.parse(answer.body)).toMatchObject({
        code: 'MALFORMED_REQUEST',
        message: expect.stringContaining('Host header'),
      });
    }
    for (const address of [`http://${host}${ME}`, `HTTP://${host.toUpperCase()}${ME}`, `https://${host}${ME}?`]) {
      expect((await reach(address, host)).status, address).toBe(200);
    }
    expect((await reach(`http://${host}/portal/api${ME.slice(ROOT.length)}`, host)).status).toBe(200);
    expect((await reach(`http://${host}`, host)).status).toBeLessThan(500);
    expect((await reach(`http://${host}?a=b`, host)).status).toBeLessThan(500);
  });

  test('is that of a host that there can be: addresses are made with it', async () => {
    const { tenant } = mine.world;
    const made = await tenant.request(mine.chief, 'POST', `${ROOT}/core/auth/manage/calendar-feeds`, {});
    const calendar = new URL(made.body.uri).pathname;
    const odd = ['99999', '-1', '80:80', '0x50'].map((port) => `${tenant.host}:${port}`);
    for (const path of [ME, calendar, `${ROOT}/core/auth/providers/x/start`]) {
      for (const host of [...odd, 'x:99999', 'a b', 'a"b', '[::1', '1.2.3.999', '%', 'a/b', '']) {
        const answer = await raw(request(`GET ${path} HTTP/1.1`, [`Host: ${host}`, bearer()]));
        expect(answer.status, `${path} ${host}`).toBe(400);
        expect(JSON.parse(answer.body).validationErrors.list).toMatchObject([{ field: 'Host', code: 'INVALID_VALUE' }]);
      }
    }
    const text = await raw(request(`GET ${calendar} HTTP/1.1`, [`Host: ${tenant.host}:8443`]));
    expect([text.status, text.body]).toEqual([200, expect.stringContaining('BEGIN:VCALENDAR')]);
  });

  test('makes the links of its answers; nobody else’s words do', async () => {
    const { host } = mine.world.tenant;
    const path = `${ROOT}/communication/posts/data/attachment-detail-by-id/${mine.open.attachmentId}`;
    const answer = await raw(
      request(`GET ${path} HTTP/1.1`, [
        `Host: ${host}`,
        bearer(),
        'X-Forwarded-Host: evil.example',
        'X-Forwarded-Proto: https',
        'Forwarded: host=evil.example;proto=https',
      ]),
    );
    expect(answer.status).toBe(200);
    expect(answer.body).toContain(`http://${host}/portal/files/`);
    expect(answer.body).not.toContain('evil.example');
    expect(answer.body).not.toContain('https://');
  });
});

describe('proxies', () => {
  test('are believed only when their address is trusted', async () => {
    const behind = await createTestPortal({ env: { PORTICO_TRUSTED_PROXIES: '10.9.8.7' } });
    try {
      const tenant = await behind.createTenant();
      const user = await tenant.createUser();
      const signed = `Authorization: Bearer ${await tenant.token(user)}`;
      const told = [`X-Forwarded-Host: ${tenant.host}`, 'X-Forwarded-For: 10.9.8.7', 'X-Forwarded-Proto: https'];
      const answer = await raw(request(`GET ${ME} HTTP/1.1`, ['Host: bystander.test', signed, ...told]), behind);
      expect(answer.status).toBe(401);
    } finally {
      await behind.close();
    }
    const trusting = await createTestPortal({ env: { PORTICO_TRUSTED_PROXIES: '127.0.0.1' } });
    try {
      const tenant = await trusting.createTenant();
      const user = await tenant.createUser();
      const signed = `Authorization: Bearer ${await tenant.token(user)}`;
      const told = [`X-Forwarded-Host: ${tenant.host}`, 'X-Forwarded-For: 192.0.2.1', 'X-Forwarded-Proto: https'];
      const answer = await raw(request(`GET ${ME} HTTP/1.1`, ['Host: inside.test', signed, ...told]), trusting);
      expect(answer.status).toBe(200);
      const made = await tenant.request(user, 'POST', `${ROOT}/core/auth/manage/calendar-feeds`, {});
      const calendar = new URL(made.body.uri).pathname;
      for (const scheme of ['"', 'javascript', 'https, http', 'ftp']) {
        const from = [`Host: ${tenant.host}`, `X-Forwarded-Proto: ${scheme}`];
        expect((await raw(request(`GET ${calendar} HTTP/1.1`, from), trusting)).status, scheme).toBe(200);
        const { body } = await raw(request('GET /portal/api/openapi.json HTTP/1.1', from), trusting);
        expect(JSON.parse(body).servers[0].url, scheme).toMatch(`http://${tenant.host}`);
      }
    } finally {
      await trusting.close();
    }
  });
});

describe('other origins', () => {
  test('get nothing by default, on any kind of request', async () => {
    const { tenant } = mine.world;
    const origin = { Origin: 'https://evil.example' };
    const answers = [
      await tenant.request(mine.chief, 'GET', ME, undefined, origin),
      await tenant.request(null, 'GET', ME, undefined, origin),
      await tenant.request(null, 'GET', '/portal/api/openapi.json', undefined, origin),
      await tenant.request(null, 'GET', '/nothing', undefined, origin),
      await tenant.request(null, 'OPTIONS', ME, undefined, { ...origin, 'Access-Control-Request-Method': 'GET' }),
      await tenant.request(null, 'GET', ME, undefined, { Origin: 'null' }),
    ];
    for (const { headers } of answers) {
      expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
    }
  });

  test('that one tenant allows are not allowed at another, nor those that look alike', async () => {
    const { tenant } = mine.world;
    const db = portal.services.databases.for(tenant.tenant.id);
    await db.execute(`UPDATE tenant_settings SET cors_origins = '{https://good.example}' WHERE tenant_id = $1`, [
      tenant.tenant.id,
    ]);
    await settingsReadAnew(portal.services, tenant.tenant);
    const allowed = async (of: Attacked, origin: string) =>
      (await of.world.tenant.request(null, 'GET', ME, undefined, { Origin: origin })).headers.get(
        'access-control-allow-origin',
      );
    expect(await allowed(mine, 'https://good.example')).toBe('https://good.example');
    expect(await allowed(theirs, 'https://good.example')).toBeNull();
    for (const alike of [
      'https://good.example.evil.example',
      'http://good.example',
      'https://GOOD.example',
      'null',
      '*',
    ]) {
      expect(await allowed(mine, alike), alike).toBeNull();
    }
    const answer = await mine.world.tenant.request(null, 'GET', ME, undefined, { Origin: 'https://good.example' });
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
    expect(answer.headers.get('vary')).toContain('Origin');
  });
});

describe('pages for people', () => {
  test('load nothing from outside and cannot be framed', async () => {
    for (const path of [
      '/portal/api/docs',
      '/portal/api/docs/page.js',
      '/portal/api/openapi.json',
      '/portal/api/openapi-3.0.json',
      '/portal/api/swagger.json',
    ]) {
      const answer = await mine.world.tenant.request(null, 'GET', path);
      expect(answer.status, path).toBe(200);
      const policy = answer.headers.get('content-security-policy') ?? '';
      for (const part of ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "base-uri 'none'"]) {
        expect(policy, path).toContain(part);
      }
      expect(policy).not.toMatch(/script-src[^;]*unsafe|https?:/);
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    }
    const page = await mine.world.tenant.request(null, 'GET', '/portal/api/docs');
    expect(page.text).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
    for (const asset of ['..%2fpackage.json', '%2e%2e%2fpackage.json', 'package.json', '..%5cpackage.json', '%00']) {
      const answer = await mine.world.tenant.request(null, 'GET', `/portal/api/docs/${asset}`);
      expect(answer.status, asset).toBe(404);
    }
  });
});

describe('addresses and methods', () => {
  test('are never redirected', async () => {
    const { host } = mine.world.tenant;
    const paths = [
      '/',
      '/portal',
      '/portal/api',
      `${ME}/`,
      `//portal/api/core/auth/current-user-data`,
      ME.toUpperCase(),
    ];
    paths.push(
      `${ME}//`,
      `/portal/api/external/v2`,
      `${ROOT}/../v2/core/auth/current-user-data`,
      `${ME}?`,
      `${ME}/%2e%2e`,
    );
    paths.push('/portal/api/docs/', `/x/..${ME}`, '/%2e%2e/%2e%2e/etc/passwd', '*', ME.replace('core', '%63ore'));
    for (const path of paths) {
      for (const method of ['GET', 'HEAD', 'OPTIONS', 'POST', 'TRACE']) {
        const { status, head } = await raw(
          request(`${method} ${path} HTTP/1.1`, [`Host: ${host}`, 'Content-Length: 0']),
        );
        expect(status, `${method} ${path}`).toBeGreaterThanOrEqual(200);
        expect(Math.floor(status / 100), `${method} ${path}`).not.toBe(3);
        expect(status, `${method} ${path}`).toBeLessThan(500);
        expect(head.toLowerCase()).not.toContain('\nlocation:');
      }
    }
  });
});

describe('broken HTTP', () => {
  test('gets a clear 4xx, and the server goes on', async () => {
    const { host } = mine.world.tenant;
    const path = `${ROOT}/communication/posts/data/check-visibility`;
    const json = [`Host: ${host}`, bearer(), 'Content-Type: application/json'];
    const post = (headers: readonly string[], body = '') =>
      request(`POST ${path} HTTP/1.1`, [...json, ...headers], body);
    const attempts: Record<string, string> = {
      garbage: '\u0001\u0002\u0003\r\n\r\n',
      'no version': `GET ${ME}\r\n\r\n`,
      'bad version': request(`GET ${ME} HTTP/9.9`, [`Host: ${host}`]),
      'long line': request(`GET ${ME}?${'a'.repeat(100_000)} HTTP/1.1`, [`Host: ${host}`]),
      'long header': request(`GET ${ME} HTTP/1.1`, [`Host: ${host}`, `X-Long: ${'a'.repeat(100_000)}`]),
      'many headers': request(`GET ${ME} HTTP/1.1`, [
        `Host: ${host}`,
        ...Array.from({ length: 5_000 }, (_, n) => `X-${n}: 1`),
      ]),
      'header without name': request(`GET ${ME} HTTP/1.1`, [`Host: ${host}`, ': x']),
      'folded header': request(`GET ${ME} HTTP/1.1`, [`Host: ${host}`, 'X-A: 1', ' folded']),
      'two lengths': post(['Content-Length: 2', 'Content-Length: 3'], '{}x'),
      'length and chunks': post(['Content-Length: 2', 'Transfer-Encoding: chunked'], '0\r\n\r\n'),
      'negative length': post(['Content-Length: -1'], '{}'),
      'odd length': post(['Content-Length: 2x'], '{}'),
      'bad chunk': post(['Transfer-Encoding: chunked'], 'zz\r\n{}\r\n0\r\n\r\n'),
      'unknown coding': post(['Transfer-Encoding: gzip, identity'], '{}'),
      'too long by its word': post(['Content-Length: 99999999'], '{'),
      'chunks without end': post(
        ['Transfer-Encoding: chunked'],
        `${(2_000_000).toString(16)}\r\n${'x'.repeat(2_000_000)}\r\n`,
      ),
      'malformed percent': request(`GET ${ME}/%zz HTTP/1.1`, [`Host: ${host}`]),
      'no host': request(`GET ${ME} HTTP/1.1`, [bearer()]),
      'no host, unknown path': request('GET /nothing HTTP/1.1', []),
      'no host, no framework': request('QUERY /nothing HTTP/1.1', []),
      'raw bytes in the path': request(`GET ${ME}/\u00ff\u00fe HTTP/1.1`, [`Host: ${host}`]),
    };
    const wrong: string[] = [];
    for (const [name, bytes] of Object.entries(attempts)) {
      const { status, body } = await raw(bytes);
      const parsed = body.startsWith('{') ? JSON.parse(body) : undefined;
      if (status < 400 || status >= 500 || !parsed?.code || !parsed.message || !parsed.requestId) {
        wrong.push(`${name}: ${status} ${body.slice(0, 200)}`);
      }
    }
    expect(wrong).toEqual([]);
    const chunked = await raw(post(['Transfer-Encoding: chunked'], '2\r\n{}\r\n0\r\n\r\n'));
    expect(chunked.status).toBe(200);
    expect((await mine.world.tenant.request(mine.chief, 'GET', ME)).status).toBe(200);
  });

  test('that trickles is cut off, and a body that comes in time is not', async () => {
    const app = createServer({ logger: false, trustProxy: false, bodyMs: 300 });
    app.post('/portal/api/x', { config: { operation: operationById('checkPostVisibility') } }, async () => ({}));
    await app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = app.server.address() as { port: number };
    const slow = connect(port, '127.0.0.1');
    const closed = new Promise((resolve) => slow.once('close', resolve));
    slow.on('error', () => slow.destroy());
    slow.write(
      'POST /portal/api/x HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
    );
    const trickle = setInterval(() => slow.write(' '), 50);
    slow.resume();
    await closed;
    clearInterval(trickle);
    const answer = await fetch(`http://127.0.0.1:${port}/portal/api/x`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{}',
    });
    expect(answer.status).toBe(200);
    await app.close();
  });

  test('comes at the least rate, whatever is asked for', async () => {
    const app = createServer({
      logger: false,
      trustProxy: false,
      arrival: { bytes: 3_000, windowMs: 1_500, restMs: 1_800 },
    });
    app.post('/portal/api/x', { config: { operation: operationById('checkPostVisibility') } }, async () => ({}));
    app.get('/page', async () => 'page');
    await app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = app.server.address() as { port: number };
    /** Sends headers, and then so many bytes every 50 ms. @returns all that was answered until the server closed */
    const trickle = async (head: string, bytes: number) => {
      const socket = connect(port, '127.0.0.1');
      const { promise, resolve } = Promise.withResolvers<string>();
      let text = '';
      socket.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      socket.on('error', () => socket.destroy()).once('close', () => resolve(text));
      socket.write(`${head}\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n`);
      const sending = setInterval(() => socket.write(' '.repeat(bytes)), 50);
      const answer = await promise;
      clearInterval(sending);
      return answer;
    };
    const slow = await Promise.all(
      ['POST /portal/api/x', 'POST /nothing', 'GET /page', 'GET /nothing', 'POST /%zz', 'DELETE /page'].map(
        async (line) => [line, await trickle(`${line} HTTP/1.1`, 1)] as const,
      ),
    );
    for (const [line, answer] of slow) {
      // A request that needs no body is answered at once; the connection is closed all the same.
      expect(answer, line).toMatch(
        line === 'POST /portal/api/x' ? /^HTTP\/1\.1 408 / : /^HTTP\/1\.1 (?:200|400|404|408) /,
      );
    }
    expect(JSON.parse(slow[0]![1].split('\r\n\r\n')[1]!)).toMatchObject({ code: 'REQUEST_TIMEOUT', status: 408 });
    // Fast enough, but of no use: the answer is out, and nobody reads it.
    expect(await trickle('GET /page HTTP/1.1', 500)).toContain('page');
    // Fast enough, and read: it is answered when it is whole.
    expect(await trickle('POST /portal/api/x HTTP/1.1', 2_500)).toMatch(/^HTTP\/1\.1 200 /);
    await app.close();
  });

  test('cannot smuggle a second request behind a refused body', async () => {
    const { host } = mine.world.tenant;
    const inner = request(`GET ${ME} HTTP/1.1`, [`Host: ${host}`, bearer()]);
    const outer = `POST ${ROOT}/core/storage/upload-new-attachment HTTP/1.1\r\nHost: ${host}\r\nContent-Type: text/plain\r\nContent-Length: ${inner.length}\r\n\r\n${inner}`;
    const answer = await raw(outer);
    expect(answer.status).toBe(401);
    expect(answer.body).not.toContain(mine.word);
  });
});
