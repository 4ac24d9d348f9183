import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type FileStorage, openDirectoryStorage } from '@portico/platform/files';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { form, formHead, formTail, formType, send } from '../../../../test/support/file-server.ts';
import { longForm } from '../../../../test/support/long-form.ts';
import { createTestPortal, type TestPortal, type TestTenant } from '../../../../test/support/portal.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { tables } from '../../tables.ts';
import { beginUpload } from './begin-upload.ts';
import { removeUnusedFiles } from './remove-unattached.ts';

const FIXTURE = fileURLToPath(new URL('./upload-server.fixture.ts', import.meta.url));

describe('uploads to a process of their own', () => {
  let portal: TestPortal;
  let tenant: TestTenant;
  let root: string;
  let storage: FileStorage;
  let scope: Scope;

  beforeAll(async () => {
    portal = await createTestPortal();
  });
  beforeEach(async () => {
    tenant = await portal.createTenant();
    root = await mkdtemp(join(tmpdir(), 'portico-kill-'));
    storage = await openDirectoryStorage(root);
    scope = { ...(await tenant.scope(await tenant.createUser())), baseUrl: 'http://unused.test' };
  });
  afterEach(() => rm(root, { recursive: true, force: true, maxRetries: 10 }));
  afterAll(() => portal?.close());

  async function start(): Promise<{ child: ChildProcess; origin: string }> {
    const child = spawn(process.execPath, [FIXTURE], {
      env: { ...process.env, PORTICO_UPLOAD_FIXTURE: JSON.stringify({ database: portal.database.service, root }) },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(child.stdout!, 'data')) as [Buffer];
    return { child, origin: line.toString().trim() };
  }

  it('leaves each file in whole or not at all', async () => {
    const rounds = longForm ? 10 : 2;
    let whole = 0;
    for (let round = 0; round < rounds; round++) {
      const { child, origin } = await start();
      const uploads = await Promise.all(
        Array.from({ length: 16 }, async (_, index) => {
          const { contentRef, uploadMultipartRequestBodyParams: fields } = await beginUpload(scope, 1 << 30);
          return { contentRef: contentRef!, fields: fields!, data: randomBytes((index + 1) * 300_000) };
        }),
      );
      const answers = uploads.map(({ fields, data }) =>
        send(`${origin}/portal/storage/upload`, {
          method: 'POST',
          headers: { Host: tenant.host, 'Content-Type': formType },
          body: form(fields, data),
        }).then(
          (answer) => answer.status,
          (error: NodeJS.ErrnoException) => error.code,
        ),
      );
      // Killed after the first response, while others are open.
      await Promise.race([Promise.any(answers), sleep(10_000)]);
      await sleep(round * 3);
      child.kill('SIGKILL');
      await once(child, 'exit');
      const statuses = await Promise.all(answers);
      for (const [index, upload] of uploads.entries()) {
        const [row] = await scope.db.query<{ storageKey: string | null; state: number }>(
          'SELECT storage_key AS "storageKey", state FROM file_contents WHERE tenant_id = $1 AND content_ref = $2',
          [scope.tenant.id, upload.contentRef],
        );
        if (statuses[index] === 204) expect(row!.state).toBe(1);
        if (row!.state === 0) continue;
        whole++;
        const hash = createHash('sha256');
        for await (const chunk of await storage.open(row!.storageKey!)) hash.update(chunk as Buffer);
        expect(hash.digest('hex')).toBe(createHash('sha256').update(upload.data).digest('hex'));
      }
    }
    expect(whole).toBeGreaterThan(0);
    // The leftovers of the other uploads are found and removed.
    await removeUnusedFiles(scope.db, { storage, tables }, Date.now() + 48 * 3_600_000);
    expect(await readdir(join(root, 'incoming'))).toEqual([]);
    let files = 0;
    for await (const keys of storage.list(scope.tenant.id)) files += keys.length;
    expect(files).toBe(whole);
  }, 600_000);

  it('holds little of a large upload in memory', async () => {
    const size = longForm ? 2 * 1024 ** 3 : 256 * 1024 ** 2;
    const block = randomBytes(65_536);
    const { child, origin } = await start();
    try {
      const upload = async (bytes: number) => {
        const { contentRef, uploadMultipartRequestBodyParams: fields } = await beginUpload(scope, bytes);
        async function* body(): AsyncIterable<Buffer> {
          yield formHead(fields!);
          for (let at = 0; at < bytes; at += block.length) yield block;
          yield formTail;
        }
        const url = `${origin}/portal/storage/upload`;
        const headers = { Host: tenant.host, 'Content-Type': formType };
        expect((await send(url, { method: 'POST', headers, body: body() })).status).toBe(204);
        const rows = await scope.db.query(
          'SELECT state, size FROM file_contents WHERE tenant_id = $1 AND content_ref = $2',
          [scope.tenant.id, contentRef],
        );
        expect(rows).toEqual([{ state: 1, size: bytes }]);
      };
      // Code that is loaded and compiled with the first uploads is not held because of a large one.
      for (let count = 0; count < 4; count++) await upload(16 * 1024 ** 2);
      const before = await residentBytes(child.pid!);
      let most = before;
      const watch = setInterval(async () => {
        most = Math.max(most, await residentBytes(child.pid!));
      }, 20);
      await upload(size);
      clearInterval(watch);
      expect(most - before).toBeLessThan(64 * 1024 ** 2);
    } finally {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  }, 300_000);
});

/** Memory that a process holds. Bytes; 0 where the system does not tell (only Linux does so without another program). */
async function residentBytes(pid: number): Promise<number> {
  if (process.platform !== 'linux') return 0;
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
}
