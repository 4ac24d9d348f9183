/** A disk without room for files: uploads fail with a code of their own, everything else works. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDirectoryStorage } from '@portico/platform/files';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formHead, formTail, formType, send, startFileServer } from '../../../../test/support/file-server.ts';
import { createTestPortal, type TestPortal, type TestTenant } from '../../../../test/support/index.ts';
import { toPorticoError } from '../../../http/errors.ts';
import { beginUpload } from './begin-upload.ts';

let portal: TestPortal;
let tenant: TestTenant;
let userId: number;
beforeAll(async () => {
  portal = await createTestPortal({ env: { PORTICO_MIN_FREE_BYTES: String(Number.MAX_SAFE_INTEGER) } });
  tenant = await portal.createTenant();
  userId = await tenant.createUser({ admin: true });
});
afterAll(() => portal.close());

describe('a disk with less room than is to be kept free', () => {
  it('refuses uploads with 507, and reads and writes go on', async () => {
    const upload = await tenant.request(userId, 'POST', '/portal/api/core/storage/upload-new-attachment');
    expect([upload.status, upload.body.code]).toEqual([507, 'STORAGE_FULL']);
    expect(upload.headers.get('retry-after')).toBe('60');
    expect((await tenant.request(userId, 'GET', '/portal/api/core/auth/current-user-data')).status).toBe(200);
    const ready = await fetch(`${portal.origin}/readyz`);
    expect([ready.status, await ready.json()]).toEqual([200, { status: 'ok', uploads: 'refused' }]);
  });

  it('takes no bytes in, and leaves none', async () => {
    const root = await mkdtemp(join(tmpdir(), 'portico-full-'));
    const storage = await openDirectoryStorage(root, Number.MAX_SAFE_INTEGER);
    async function* bytes() {
      yield Buffer.from('x');
    }
    await expect(storage.receive(1, bytes(), { maxBytes: 10 })).rejects.toMatchObject({ code: 'ENOSPC' });
    await expect(storage.requireRoom?.(0)).rejects.toMatchObject({ code: 'ENOSPC' });
    expect(await readdir(join(root, 'incoming'))).toEqual([]);
    // Announced bytes count.
    const free = (await storage.freeBytes?.()) as number;
    const other = await openDirectoryStorage(root, Math.floor(free / 2));
    await other.requireRoom?.(0);
    await expect(other.requireRoom?.(free)).rejects.toMatchObject({ code: 'ENOSPC' });
    await rm(root, { recursive: true });
  });

  it('is noticed while an upload comes whose length is not declared', async () => {
    const root = await mkdtemp(join(tmpdir(), 'portico-filling-'));
    const [spare, piece, pieces] = [16 << 20, 64 << 10, 4_096];
    const free = (await (await openDirectoryStorage(root)).freeBytes?.()) as number;
    // However much other programs write meanwhile, the body is much larger than the remaining room.
    const storage = await openDirectoryStorage(root, free - spare);
    const other = await portal.createTenant();
    const { app, origin } = await startFileServer(portal.services, storage);
    try {
      const scope = { ...(await other.scope(await other.createUser())), baseUrl: `http://${other.host}` };
      const { uploadMultipartRequestBodyParams: fields } = await beginUpload(scope, Number.MAX_SAFE_INTEGER);
      let sent = 0;
      async function* body() {
        yield formHead(fields as Record<string, string>);
        for (; sent < pieces; sent++) yield Buffer.alloc(piece);
        yield formTail;
      }
      const answer = await send(`${origin}/portal/storage/upload`, {
        method: 'POST',
        headers: { Host: other.host, 'Content-Type': formType },
        body: body(),
      });
      expect([answer.status, answer.body.code, answer.headers['retry-after']]).toEqual([507, 'STORAGE_FULL', '60']);
      expect(await readdir(join(root, 'incoming'))).toEqual([]);
      // Sent directly into the storage, which then stops reading.
      let pulled = 0;
      async function* bytes() {
        for (; pulled < pieces; pulled++) yield Buffer.alloc(piece);
      }
      await expect(storage.receive(1, bytes(), { maxBytes: Number.MAX_SAFE_INTEGER })).rejects.toMatchObject({
        code: 'ENOSPC',
      });
      expect(pulled).toBeLessThan(pieces);
    } finally {
      await app.close();
      await rm(root, { recursive: true });
    }
  });

  it('is one answer, wherever the system says so', () => {
    const full = Object.assign(new Error('write failed'), { code: 'ENOSPC' });
    const database = Object.assign(new Error('could not extend file'), { code: '53100', severity: 'ERROR' });
    for (const error of [
      full,
      database,
      Object.assign(new Error('quota'), { code: 'EDQUOT' }),
      new Error('the file could not be kept', { cause: full }),
      new AggregateError([new Error('other'), database], 'the transaction failed'),
    ])
      expect(toPorticoError(error)).toMatchObject({ code: 'STORAGE_FULL', status: 507 });
  });
});
