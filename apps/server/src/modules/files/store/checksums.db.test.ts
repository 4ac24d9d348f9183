/** Checksums that clients send with an upload. */
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDirectoryStorage } from '@portico/platform/files';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { form, formType, send, startFileServer } from '../../../../test/support/file-server.ts';
import { createTestPortal, type TestPortal } from '../../../../test/support/portal.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { beginUpload } from './begin-upload.ts';

let portal: TestPortal;
let root: string;
let app: FastifyInstance;
let origin: string;
let scope: Scope;
let host: string;

beforeAll(async () => {
  portal = await createTestPortal();
  const tenant = await portal.createTenant();
  host = tenant.host;
  root = await mkdtemp(join(tmpdir(), 'portico-checksums-'));
  ({ app, origin } = await startFileServer(portal.services, await openDirectoryStorage(root)));
  scope = { ...(await tenant.scope(await tenant.createUser())), baseUrl: `http://${host}` };
});
afterAll(async () => {
  await app.close();
  await portal.close();
  await rm(root, { recursive: true, force: true, maxRetries: 10 });
});

const hash = (algorithm: string, data: Buffer) => createHash(algorithm).update(data).digest('base64');
const begin = async () => {
  const { uploadMultipartRequestBodyParams } = await beginUpload(scope, 64 * 1024 * 1024);
  return uploadMultipartRequestBodyParams!;
};
const post = (body: Buffer, headers: Record<string, string>) =>
  send(`${origin}/portal/storage/upload`, {
    method: 'POST',
    headers: { Host: host, 'Content-Type': formType, ...headers },
    body,
  });
const filesThere = async () =>
  (await readdir(root, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile()).length;

describe('checksums of an upload', () => {
  it('are taken where they are of the file or of the body', async () => {
    const data = randomBytes(300_000);
    const kept: Record<string, (body: Buffer) => string>[] = [
      { 'Content-MD5': () => hash('md5', data) },
      { 'Content-MD5': (body) => hash('md5', body) },
      { Digest: (body) => `SHA-256=${hash('sha256', body)}, unixsum=30637` },
      { 'Content-Digest': (body) => `sha-512=:x:, sha-256=:${hash('sha256', body)}:` },
      { 'x-amz-checksum-sha256': () => hash('sha256', data), 'x-amz-checksum-crc32': () => 'AAAAAA==' },
    ];
    for (const headers of kept) {
      const body = form(await begin(), data);
      const sent = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value(body)]));
      const answer = await post(body, sent);
      expect(answer.status, `${JSON.stringify(sent)} ${answer.bytes}`).toBe(204);
    }
    const fields = { 'Content-MD5': hash('md5', data), 'x-amz-checksum-sha256': hash('sha256', data) };
    expect((await post(form({ ...(await begin()), ...fields }, data), {})).status).toBe(204);
  });

  it('refuse what is neither, name the checksum, and let the upload be repeated', async () => {
    const [data, other] = [randomBytes(300_000), randomBytes(10)];
    const before = await filesThere();
    const params = await begin();
    const refused: [field: string, headers: Record<string, string>, fields: Record<string, string>][] = [
      ['content-md5', { 'Content-MD5': hash('md5', other) }, {}],
      ['digest', { Digest: `md5=${hash('md5', other)}` }, {}],
      ['x-amz-checksum-sha256', { 'x-amz-checksum-sha256': hash('sha256', other) }, {}],
      ['content-md5', {}, { 'Content-MD5': hash('md5', other) }],
    ];
    for (const [field, headers, fields] of refused) {
      const answer = await post(form({ ...params, ...fields }, data), headers);
      expect(answer.status).toBe(400);
      expect(answer.body.validationErrors.list).toMatchObject([
        { field, code: 'INVALID_VALUE', defaultMessage: expect.stringContaining('another') },
      ]);
    }
    expect(await filesThere()).toBe(before);
    expect((await post(form(params, data), { 'Content-MD5': hash('md5', data) })).status).toBe(204);
    expect(await filesThere()).toBe(before + 1);
  });
});
