/**
 * Strangers' requests that the framework itself handles: its own errors, documents again and again,
 * aborted bodies.
 */
import { connect } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { operationById } from '@portico/contract';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createServer } from '../../src/http/server.ts';
import { createTestPortal, type TestPortal, type TestTenant } from '../support/index.ts';

const CHECK = '/portal/api/communication/posts/data/check-visibility';
const DOCS = '/portal/api/docs';
let portal: TestPortal;
let tenant: TestTenant;
let token: string;

beforeAll(async () => {
  portal = await createTestPortal();
  tenant = await portal.createTenant();
  token = await tenant.token(await tenant.createUser());
});

afterAll(async () => {
  await portal.close();
});

/** Sends bytes as they are and reads until the server closes. */
async function raw(bytes: string, port = Number(new URL(portal.origin).port)): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  socket.on('error', () => socket.destroy()).once('close', () => resolve(text));
  socket.write(bytes);
  return promise;
}

describe('errors of the framework', () => {
  test('that are the client’s to mend are no 5xx, and say what is wrong', async () => {
    const head = `Host: ${tenant.host}\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n`;
    const json = `${head}Content-Type: application/json\r\nContent-Length: 2\r\n`;
    const attempts: [request: string, status: number, code: string][] = [
      [`POST ${CHECK} HTTP/1.1\r\n${json}Content-Encoding: zzz\r\n\r\n{}`, 415, 'UNSUPPORTED_MEDIA_TYPE'],
      [`POST ${CHECK} HTTP/1.1\r\n${json}Content-Encoding: gzip\r\n\r\n{}`, 400, 'MALFORMED_REQUEST'],
      [`POST ${CHECK} HTTP/1.1\r\n${json}Content-Encoding: zstd\r\n\r\n{}`, 415, 'UNSUPPORTED_MEDIA_TYPE'],
      [`QUERY ${DOCS} HTTP/1.1\r\n${head}\r\n`, 400, 'MALFORMED_REQUEST'],
      [`QUERY ${CHECK} HTTP/1.1\r\n${json}\r\n{}`, 405, 'METHOD_NOT_ALLOWED'],
      [`PROPFIND ${CHECK} HTTP/1.1\r\n${head}\r\n`, 405, 'METHOD_NOT_ALLOWED'],
      [`POST ${CHECK} HTTP/1.1\r\n${json}Expect: zzz\r\n\r\n{}`, 200, ''],
      [`GET ${DOCS} HTTP/1.1\r\n${head}Accept-Encoding: zzz;q=1, *;q=0\r\n\r\n`, 200, ''],
      [`GET ${DOCS} HTTP/1.1\r\n${head}If-None-Match: ${'"x",'.repeat(2_000)}\r\n\r\n`, 200, ''],
    ];
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', '%5f%5fproto__', 'x'.repeat(2_000)]) {
      const path = `GET ${DOCS}/${name} HTTP/1.1\r\n${head}\r\n`;
      attempts.push([path, 404, 'UNKNOWN_ROUTE']);
    }
    for (const [request, status, code] of attempts) {
      const answer = await raw(request);
      expect(answer, request.slice(0, 80)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
      expect(answer).toContain(code);
      expect(answer.toLowerCase()).toContain('\r\nx-content-type-options: nosniff\r\n');
    }
  });

  test('an aborted body is neither an error of the server nor a failed database', async () => {
    const lines: { level: number; msg: string; code: string }[] = [];
    const logger = pino({ level: 'info' }, { write: (line) => lines.push(JSON.parse(line)) });
    const app = createServer({ logger, trustProxy: false, arrival: { bytes: 1_000, windowMs: 2_000, restMs: 2_000 } });
    app.post(CHECK, { config: { operation: operationById('checkPostVisibility') } }, async () => ({}));
    let arrived = Promise.withResolvers<void>();
    app.addHook('preParsing', async () => arrived.resolve());
    await app.listen({ host: '127.0.0.1', port: 0 });
    try {
      const { port } = app.server.address() as { port: number };
      const part = `POST ${CHECK} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`;
      for (let count = 0; count < 3; count++) {
        const socket = connect(port, '127.0.0.1');
        arrived = Promise.withResolvers();
        socket.write(part);
        await arrived.promise;
        socket.resetAndDestroy();
      }
      expect(await raw(part, port)).toMatch(/^HTTP\/1\.1 408 /);
      const aborted = Array(3).fill('MALFORMED_REQUEST');
      await expect.poll(() => lines.map(({ code }) => code).filter(Boolean)).toEqual([...aborted, 'REQUEST_TIMEOUT']);
      expect(lines.filter(({ level }) => level > 30)).toEqual([]);
    } finally {
      await app.close();
    }
  });
});

describe('headers of answers', () => {
  test('forbid to keep tokens and to guess types', async () => {
    const exchange = '/portal/api/core/auth/create-access-token-by-service-account';
    const sent = [
      await tenant.request(null, 'POST', exchange, { jwtAssertion: 'x' }),
      await tenant.request(null, 'POST', '/portal/api/core/storage/upload-new-attachment'),
    ];
    for (const { headers } of sent) expect(headers.get('cache-control')).toBe('no-store');
    const paths = [DOCS, '/healthz', '/nothing', '/portal/files/x', '/portal/storage/upload', `${DOCS}/page.js`];
    for (const path of paths) {
      const { headers } = await tenant.request(null, 'GET', path);
      expect(headers.get('x-content-type-options'), path).toBe('nosniff');
    }
  });
});

describe('documents', () => {
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${portal.origin}${path}`, { headers: { Host: tenant.host, ...headers } });

  test('are compressed once, and not sent again to who has them', async () => {
    const paths = ['openapi.json', 'openapi-3.0.json', 'swagger.json', 'docs'].map((name) => `/portal/api/${name}`);
    for (const path of [`${DOCS}/swagger-ui-bundle.js`, ...paths]) {
      const whole = await get(path, { 'Accept-Encoding': 'gzip' });
      expect(whole.headers.get('content-encoding'), path).toBe('gzip');
      const etag = whole.headers.get('etag')!;
      expect(etag).toMatch(/^W\/"[\w-]{22}"$/);
      const length = Number(whole.headers.get('content-length'));
      expect(length).toBeGreaterThan(0);
      const plain = await get(path, { 'Accept-Encoding': 'identity' });
      expect(await plain.text()).toBe(await whole.text());
      expect(plain.headers.get('etag')).toBe(etag);
      for (const known of [etag, `"a", ${etag}`, '*']) {
        const again = await get(path, { 'Accept-Encoding': 'gzip', 'If-None-Match': known });
        expect([again.status, await again.text()], path).toEqual([304, '']);
      }
      expect((await get(path, { 'If-None-Match': 'W/"other"' })).status).toBe(200);
    }
  });

  test('of the interface name the address that was asked, without keeping it', async () => {
    const etags = new Set<string | null>();
    for (const host of [tenant.host, `${tenant.host}:81`, 'bystander.test', 'é"<>.test', `${'x'.repeat(2_000)}.test`]) {
      const answer = await raw(
        `GET /portal/api/openapi.json HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\nAccept-Encoding: identity\r\n\r\n`,
      );
      const { servers } = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4));
      expect(servers[0].url).toMatch(/^http:\/\/.*\/portal\/api$/);
      if (/^[\w.:-]+$/.test(host)) expect(servers[0].url).toBe(`http://${host}/portal/api`);
      etags.add(/^etag: (.*)$/im.exec(answer)![1]!);
    }
    expect(etags.size).toBe(5);
    const compressed = await new Promise<Buffer>((resolve) => {
      const socket = connect(Number(new URL(portal.origin).port), '127.0.0.1');
      const chunks: Buffer[] = [];
      socket.on('data', (chunk) => chunks.push(chunk)).once('end', () => resolve(Buffer.concat(chunks)));
      socket.write(
        `GET /portal/api/openapi.json HTTP/1.1\r\nHost: ${tenant.host}:81\r\nConnection: close\r\nAccept-Encoding: br, gzip\r\n\r\n`,
      );
    });
    const body = compressed.subarray(compressed.indexOf('\r\n\r\n') + 4);
    expect(JSON.parse(gunzipSync(body).toString()).servers[1].url).toBe(
      `http://${tenant.host}:81/portal/api/external/v2`,
    );
  });
});
