import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FileStorage, openDirectoryStorage } from '@portico/platform/files';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { send, startFileServer } from '../../../../test/support/file-server.ts';
import { createTestPortal, type TestPortal, type TestTenant } from '../../../../test/support/portal.ts';
import { fileLinks } from '../../../kernel/file-links.ts';
import type { Clock, Scope } from '../../../kernel/scope.ts';
import { storeFile } from './store-file.ts';

describe('links to files', () => {
  let portal: TestPortal;
  let tenant: TestTenant;
  let root: string;
  let storage: FileStorage;
  let app: FastifyInstance;
  let origin: string;
  let scope: Scope;

  beforeAll(async () => {
    portal = await createTestPortal();
    tenant = await portal.createTenant();
    root = await mkdtemp(join(tmpdir(), 'portico-serve-'));
    storage = await openDirectoryStorage(root);
    ({ app, origin } = await startFileServer(portal.services, storage));
    scope = { ...(await tenant.scope(await tenant.createUser())), baseUrl: origin };
  });
  afterAll(async () => {
    await app.close();
    await portal.close();
    await rm(root, { recursive: true, force: true, maxRetries: 10 });
  });

  const get = (url: string, headers: Record<string, string> = {}, method = 'GET') =>
    send(url, { method, headers: { Host: tenant.host, ...headers } });
  const bare = async (data: Buffer) => {
    const { contentRef, mimeType } = await storeFile(scope, storage, data);
    return { contentRef, mimeType };
  };

  it('serves whole files and ranges of them', async () => {
    const data = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), randomBytes(100_000)]);
    const url = fileLinks(scope).view(await bare(data))!;
    const whole = await get(url);
    expect(whole.status).toBe(200);
    expect(whole.bytes.equals(data)).toBe(true);
    expect(whole.headers).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(data.length),
      'content-disposition': 'inline',
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
    });
    expect(whole.headers['content-security-policy']).toContain('sandbox');
    const part = await get(url, { Range: 'bytes=100-199' });
    expect([part.status, part.headers['content-range'], part.headers['content-length']]).toEqual([
      206,
      `bytes 100-199/${data.length}`,
      '100',
    ]);
    expect(part.bytes.equals(data.subarray(100, 200))).toBe(true);
    const tail = await get(url, { Range: 'bytes=-5' });
    expect(tail.bytes.equals(data.subarray(-5))).toBe(true);
    const beyond = await get(url, { Range: `bytes=${data.length}-` });
    expect([beyond.status, beyond.headers['content-range'], beyond.body.code]).toEqual([
      416,
      `bytes */${data.length}`,
      'RANGE_NOT_SATISFIABLE',
    ]);
    expect(beyond.body).toMatchObject({ status: 416, requestId: beyond.headers['x-request-id'] });
    expect(beyond.headers['content-type']).toBe('application/json; charset=utf-8');
    // A header with several ranges, or an invalid one, returns the whole file, however many ranges
    // it names.
    for (const several of ['bytes=0-1,4-5', `bytes=${'0-,'.repeat(1_000)}0-`, 'bytes=9-2', 'lines=1-2', 'bytes=']) {
      const all = await get(url, { Range: several });
      expect([all.status, all.headers['content-range'], all.bytes.length], several).toEqual([
        200,
        undefined,
        data.length,
      ]);
    }
  });

  it('answers validators and HEAD', async () => {
    const data = Buffer.from('some text');
    const url = fileLinks(scope).view(await bare(data))!;
    const head = await get(url, {}, 'HEAD');
    expect([head.status, head.headers['content-length'], head.bytes.length]).toEqual([200, '9', 0]);
    expect(head.headers['content-type']).toBe('text/plain; charset=utf-8');
    // Ranges apply to GET; the length is that of the whole file.
    for (const range of ['bytes=0-3', 'bytes=100-']) {
      const ranged = await get(url, { Range: range }, 'HEAD');
      expect([ranged.status, ranged.headers['content-length'], ranged.bytes.length]).toEqual([200, '9', 0]);
    }
    const etag = head.headers.etag!;
    const same = await get(url, { 'If-None-Match': `"x", ${etag}` });
    expect([same.status, same.bytes.length, same.headers.etag]).toEqual([304, 0, etag]);
    expect((await get(url, { 'If-None-Match': '"other"' })).status).toBe(200);
    expect((await get(url, { Range: 'bytes=0-3', 'If-Range': etag })).status).toBe(206);
    expect((await get(url, { Range: 'bytes=0-3', 'If-Range': '"other"' })).status).toBe(200);
    expect((await get(url, { Range: 'bytes=0-3', 'If-Range': new Date().toUTCString() })).status).toBe(200);
  });

  it('sends files as they are, whatever encodings the client takes', async () => {
    const data = Buffer.from('compressible '.repeat(10_000));
    const url = fileLinks(scope).view(await bare(data))!;
    const whole = await get(url, { 'Accept-Encoding': 'gzip, br' });
    expect(whole.headers['content-encoding']).toBeUndefined();
    expect(whole.headers['content-length']).toBe(String(data.length));
    expect(whole.bytes.equals(data)).toBe(true);
  });

  it('serves empty files', async () => {
    const url = fileLinks(scope).download(await bare(Buffer.alloc(0)))!;
    const whole = await get(url);
    expect([whole.status, whole.headers['content-length'], whole.headers['content-disposition']]).toEqual([
      200,
      '0',
      'attachment',
    ]);
    expect((await get(url, { Range: 'bytes=0-' })).status).toBe(416);
  });

  it('refuses links that were altered, have expired or are of another tenant', async () => {
    const file = await bare(Buffer.from('secret'));
    const url = fileLinks(scope).view(file)!;
    const token = url.split('/').at(-1)!;
    const [payload, signature] = token.split('.') as [string, string];
    const download = fileLinks(scope).download(file)!.split('/').at(-1)!;
    const other = await portal.createTenant();
    const otherScope = { ...(await other.scope(await other.createUser())), baseUrl: origin };
    const past: Clock = { now: () => Date.now() - 15 * 60_000 };
    const changed = Buffer.from(
      JSON.stringify({ ...JSON.parse(Buffer.from(payload, 'base64url').toString()), p: 'download' }),
    ).toString('base64url');
    const refused = [
      `${payload}.${signature.slice(0, -1)}${signature.endsWith('A') ? 'B' : 'A'}`,
      `${changed}.${signature}`,
      `${download.split('.')[0]}.${signature}`,
      payload,
      'x',
      '..%2f..%2fetc%2fpasswd',
      fileLinks({ ...scope, clock: past })
        .view(file)!
        .split('/')
        .at(-1)!,
      fileLinks(otherScope).view(file)!.split('/').at(-1)!,
      // Signed for another use by the same secret.
      scope.settings.links.sign('upload', JSON.parse(Buffer.from(payload, 'base64url').toString())),
    ];
    for (const item of refused) {
      const answer = await get(`${origin}/portal/files/${item}`);
      expect([answer.status, answer.body.code], item).toEqual([403, 'INVALID_LINK']);
      expect(answer.body.requestId).toBe(answer.headers['x-request-id']);
    }
    expect((await get(url, { Host: other.host })).status).toBe(403);
    expect((await get(url)).status).toBe(200);
    const shortLived = { ...scope, linkSeconds: 1, clock: { now: () => Date.now() - 1_001 } };
    expect((await get(fileLinks(shortLived).view(file)!)).status).toBe(403);
    expect((await get(fileLinks({ ...scope, linkSeconds: 1 }).view(file)!)).status).toBe(200);
  });

  it('never lets a browser run what users uploaded', async () => {
    const png = '\x89PNG\r\n\x1a\n';
    const hostile: [string, string, string, 'inline' | 'attachment'][] = [
      ['HTML', '<!doctype html><script>alert(1)</script>', 'text/html', 'attachment'],
      [
        'SVG with script',
        '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
        'image/svg+xml',
        'attachment',
      ],
      [
        'XHTML',
        '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><script/></html>',
        'application/xhtml+xml',
        'attachment',
      ],
      ['XML with a stylesheet', '<?xml version="1.0"?><?xml-stylesheet href="x.xsl"?><a/>', 'text/xml', 'attachment'],
      ['script in text', 'alert(document.cookie)', 'text/plain; charset=utf-8', 'inline'],
      ['page hidden in text', `plain\n${'<script>alert(1)</script>'.repeat(3)}`, 'text/plain; charset=utf-8', 'inline'],
      ['polyglot of picture and page', `${png}<html><script>alert(1)</script></html>`, 'image/png', 'inline'],
      ['polyglot of GIF and script', 'GIF89a=0;alert(1)//', 'image/gif', 'inline'],
    ];
    for (const [name, text, type, disposition] of hostile) {
      const answer = await get(fileLinks(scope).view(await bare(Buffer.from(text, 'latin1')))!);
      expect(answer.headers['content-type'], name).toBe(type);
      expect(answer.headers['content-disposition'], name).toBe(disposition);
      expect(answer.headers['x-content-type-options'], name).toBe('nosniff');
      expect(answer.headers['content-security-policy'], name).toMatch(/default-src 'none'.*sandbox$/);
    }
  });

  it('sends what the disk has lost as an error, not as an empty file', async () => {
    const stored = await storeFile(scope, storage, randomBytes(10));
    await storage.deleteOlderThan(stored.storageKey, Date.now() + 60_000);
    const answer = await get(fileLinks(scope).view(stored)!);
    expect([answer.status, answer.body.code]).toEqual([500, 'INTERNAL']);
  });

  it('goes on serving when a client stops reading and goes', async () => {
    const url = fileLinks(scope).view(await bare(randomBytes(8 << 20)))!;
    const port = Number(new URL(origin).port);
    const accepted = once(app.server, 'connection');
    const socket = connect(port, '127.0.0.1');
    socket.write(`GET ${new URL(url).pathname} HTTP/1.1\r\nHost: ${tenant.host}\r\n\r\n`);
    await new Promise((done) => socket.once('data', done));
    socket.pause();
    const [connection] = (await accepted) as [Socket];
    await expect.poll(() => connection.writableNeedDrain).toBe(true);
    socket.destroy();
    expect((await get(url)).bytes.length).toBe(8 << 20);
  });
});
