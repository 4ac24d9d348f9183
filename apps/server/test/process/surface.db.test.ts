/** Layers between clients and the interface: TLS, proxies, compression, and never a redirect. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { join } from 'node:path';
import { connect, type PeerCertificate } from 'node:tls';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withOperator } from '../../src/process/operator.ts';
import { TEST_ENCRYPTION_KEY } from '../support/encryption.ts';
import { ROOT, type Running, Surroundings, until } from './process.fixture.ts';

const surroundings = new Surroundings();
afterAll(() => surroundings.clean());

let databaseUrl: string;
let plain: Running;
let plainPort: number;
let secure: Running;
let securePort: number;
let certDir: string;

async function makeCertificate(): Promise<{ cert: string; key: string }> {
  const directory = await surroundings.directory();
  const made = surroundings.run(process.execPath, [join(ROOT, 'examples/self-signed-certificate.mjs'), directory], {});
  expect((await made.exited).code).toBe(0);
  return {
    cert: readFileSync(join(directory, 'cert.pem'), 'utf8'),
    key: readFileSync(join(directory, 'key.pem'), 'utf8'),
  };
}

beforeAll(async () => {
  databaseUrl = (await surroundings.database()).url;
  certDir = await surroundings.directory();
  const first = await makeCertificate();
  writeFileSync(join(certDir, 'cert.pem'), first.cert);
  writeFileSync(join(certDir, 'key.pem'), first.key);
  const dataDir = await surroundings.directory();
  const secret = join(dataDir, 'database-url');
  writeFileSync(secret, `${databaseUrl}\n`, { mode: 0o600 });
  const env = {
    DATABASE_URL_FILE: secret,
    PORTICO_DATA_DIR: dataDir,
    PORTICO_ENCRYPTION_KEYS: TEST_ENCRYPTION_KEY,
  };
  await withOperator(async (operator) => {
    for (const name of ['acme', 'umbrella'])
      await operator.createTenant({
        name,
        hosts: [`${name}.example`, `${name}.example:8443`],
        adminEmail: `ada@${name}.example`,
      });
  }, env);
  plain = surroundings.start({ ...env, PORTICO_TRUSTED_PROXIES: '127.0.0.1, 10.1.0.0/16' });
  secure = surroundings.start({
    ...env,
    PORTICO_TLS_CERT_FILE: join(certDir, 'cert.pem'),
    PORTICO_TLS_KEY_FILE: join(certDir, 'key.pem'),
  });
  plainPort = Number(new URL(await plain.ready()).port);
  const origin = await secure.ready();
  expect(origin).toMatch(/^https:/);
  securePort = Number(new URL(origin).port);
}, 300_000);

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** Sends exactly this: node:http neither tidies the path nor follows or decodes anything. */
function send(
  target: { port: number; tls?: boolean; host?: string },
  method: string,
  path: string,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const options = {
    host: target.host ?? '127.0.0.1',
    port: target.port,
    method,
    path,
    headers: { Host: 'acme.example', ...headers },
    agent: false as const,
  };
  return new Promise((resolve, reject) => {
    const outgoing = target.tls
      ? httpsRequest({ ...options, ca: readFileSync(join(certDir, 'cert.pem')), servername: 'localhost' })
      : httpRequest(options);
    outgoing.once('error', reject);
    outgoing.once('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
      );
    });
    outgoing.end();
  });
}

const serversOf = (answer: Answer): string[] =>
  (JSON.parse(answer.body.toString()) as { servers: { url: string }[] }).servers.map((server) => server.url);
const DOCUMENT = '/portal/api/openapi.json';
const BUNDLE = '/portal/api/docs/swagger-ui-bundle.js';

describe('TLS from files', { timeout: 300_000 }, () => {
  const fingerprint = (host = '127.0.0.1') =>
    new Promise<string>((resolve, reject) => {
      const socket = connect({ host, port: securePort, rejectUnauthorized: false }, () => {
        resolve((socket.getPeerCertificate() as PeerCertificate).fingerprint256);
        socket.end();
      });
      socket.once('error', reject);
    });

  it('serves both addresses of localhost, with addresses that begin with https', async () => {
    for (const host of ['127.0.0.1', '::1']) {
      const answer = await send({ port: securePort, tls: true, host }, 'GET', DOCUMENT, { Host: 'acme.example:8443' });
      expect(answer.status).toBe(200);
      expect(serversOf(answer)[0]).toBe('https://acme.example:8443/portal/api');
    }
  });

  it('answers plain HTTP on its port with no redirect', async () => {
    await expect(send({ port: securePort }, 'GET', DOCUMENT)).rejects.toThrow();
  });

  it('takes renewed files into use: renamed over, rewritten in place, and only when they fit', async () => {
    const [cert, key] = [join(certDir, 'cert.pem'), join(certDir, 'key.pem')];
    const before = await fingerprint();
    const second = await makeCertificate();
    writeFileSync(`${cert}.new`, second.cert);
    writeFileSync(`${key}.new`, second.key);
    renameSync(`${cert}.new`, cert);
    renameSync(`${key}.new`, key);
    await until('the renamed certificate is served', async () => (await fingerprint()) !== before);
    const renamed = await fingerprint();
    expect(await fingerprint('::1')).toBe(renamed);

    const third = await makeCertificate();
    writeFileSync(cert, third.cert);
    // Half a renewal: the old pair goes on, and the log says why.
    await until('the half renewal is noticed', () =>
      secure.log.some((line) => line['msg'] === 'the new TLS certificate cannot be used; the old one stays'),
    );
    expect(await fingerprint()).toBe(renamed);
    writeFileSync(key, third.key);
    await until('the rewritten certificate is served', async () => (await fingerprint()) !== renamed);
    expect((await send({ port: securePort, tls: true }, 'GET', '/healthz')).status).toBe(200);
    expect(secure.log.filter((line) => line['msg'] === 'the TLS certificate was reloaded')).toHaveLength(2);
  });
});

describe('behind a proxy', { timeout: 300_000 }, () => {
  const forwarded = { 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'umbrella.example', Host: 'inside:8080' };

  it('believes a trusted one about scheme and host', async () => {
    const answer = await send({ port: plainPort }, 'GET', DOCUMENT, forwarded);
    expect(serversOf(answer)[0]).toBe('https://umbrella.example/portal/api');
    const me = await send({ port: plainPort }, 'GET', '/portal/api/core/auth/current-user-data', forwarded);
    expect(me.status).toBe(401);
  });

  it('believes nobody else: neither about the tenant nor about addresses', async () => {
    const stranger = { port: plainPort, host: '::1' };
    const me = await send(stranger, 'GET', '/portal/api/core/auth/current-user-data', forwarded);
    expect(me.status).toBe(404);
    const answer = await send(stranger, 'GET', DOCUMENT, { ...forwarded, Host: 'acme.example' });
    expect(serversOf(answer)[0]).toBe('http://acme.example/portal/api');
    const untrusting = await send({ port: securePort, tls: true }, 'GET', DOCUMENT, {
      'X-Forwarded-Proto': 'http',
      'X-Forwarded-Host': 'umbrella.example',
    });
    expect(serversOf(untrusting)[0]).toBe('https://acme.example/portal/api');
  });
});

describe('redirects', { timeout: 300_000 }, () => {
  const api = '/portal/api';
  const known = [
    '/core/auth/current-user-data',
    '/external/v2/core/auth/current-user-data',
    '/communication/settings/communities',
    '/communication/posts/data/post-detail-by-id/1',
    '/docs',
    '/openapi.json',
    '',
  ];
  const odd = known.flatMap((path) => [
    `${api}${path}`,
    `${api}${path}/`,
    `${api}${path}//`,
    `/${api}${path}`,
    `${api}/${path}`,
    `${api}${path.replaceAll('/', '//')}`,
    `${api}${path}/.`,
    `${api}/..${api}${path}`,
    `${api}/%2e%2e${path}`,
    `${api.toUpperCase()}${path}`,
    `${api}${path};v=1`,
    `${api}${path}?`,
    `${api}${path}%2F`,
    `${api}${path}%`,
    `${api}${path}#x`,
  ]);
  const paths = [
    ...new Set([...odd, '/', '//', '', '/portal', '/portal/', '/index.html', '//evil.example/x', '/\\evil', '*']),
  ];

  it('are never answered, whatever the path, the method, the scheme', async () => {
    for (const target of [{ port: plainPort }, { port: securePort, tls: true }]) {
      for (const path of paths) {
        for (const method of ['GET', 'POST', 'HEAD']) {
          const answer = await send(target, method, path === '' ? '/' : path, {
            'X-Forwarded-Proto': 'http',
            'Upgrade-Insecure-Requests': '1',
          });
          expect([method, path, Math.floor(answer.status / 100)]).not.toEqual([method, path, 3]);
          expect(answer.status, path).toBeLessThan(500);
          expect(answer.headers.location, path).toBeUndefined();
          expect(answer.headers['strict-transport-security']).toBeUndefined();
        }
      }
    }
  });
});

describe('compression', { timeout: 300_000 }, () => {
  const get = (encoding: string | undefined, path = DOCUMENT, method = 'GET') =>
    send({ port: plainPort }, method, path, encoding === undefined ? {} : { 'Accept-Encoding': encoding });

  it('of large answers is what the client asked for', async () => {
    const identity = await get('identity', BUNDLE);
    expect(identity.headers['content-encoding']).toBeUndefined();
    expect(Number(identity.headers['content-length'])).toBe(identity.body.length);
    const none = await get(undefined, BUNDLE);
    expect(none.headers['content-encoding']).toBeUndefined();
    expect(none.body.equals(identity.body)).toBe(true);
    for (const [encoding, decode] of [
      ['gzip', gunzipSync],
      ['br', brotliDecompressSync],
    ] as const) {
      const answer = await get(encoding, BUNDLE);
      expect(answer.headers['content-encoding']).toBe(encoding);
      expect(answer.headers.vary).toMatch(/accept-encoding/i);
      expect(answer.body.length).toBeLessThan(identity.body.length / 3);
      expect(decode(answer.body).equals(identity.body)).toBe(true);
    }
    // The address in it differs: only gzip can be made without compressing it all again.
    expect((await get('br, gzip')).headers['content-encoding']).toBe('gzip');
    expect((await get('gzip;q=0, br;q=0')).headers['content-encoding']).toBeUndefined();
  });

  it('leaves small answers, refusals and answers without a body alone', async () => {
    for (const [path, method] of [
      ['/healthz', 'GET'],
      ['/portal/api/core/auth/current-user-data', 'GET'],
      [DOCUMENT, 'HEAD'],
    ] as const) {
      const answer = await get('gzip, br', path, method);
      if (method === 'HEAD') expect(answer.body).toHaveLength(0);
      else expect(answer.headers['content-encoding']).toBeUndefined();
    }
  });
});
