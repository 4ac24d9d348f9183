import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { form, formType, send } from '../../../test/support/file-server.ts';
import { longForm } from '../../../test/support/long-form.ts';
import { createTestPortal, type TestPortal, type TestTenant } from '../../../test/support/portal.ts';
import type { Scope } from '../../kernel/scope.ts';
import { type FileStorage, openDirectoryStorage } from '../../platform/files/index.ts';
import { beginUpload } from './begin-upload.ts';
import { removeUnusedFiles } from './remove-unattached.ts';

const FIXTURE = fileURLToPath(new URL('./upload-server.fixture.ts', import.meta.url));

describe('uploads when the process is killed', () => {
  let portal: TestPortal;
  let tenant: TestTenant;
  let root: string;
  let storage: FileStorage;
  let scope: Scope;

  beforeAll(async () => {
    portal = await createTestPortal();
    tenant = await portal.createTenant();
    root = await mkdtemp(join(tmpdir(), 'portico-kill-'));
    storage = await openDirectoryStorage(root);
    scope = { ...(await tenant.scope(await tenant.createUser())), baseUrl: 'http://unused.test' };
  });
  afterAll(async () => {
    await portal.close();
    await rm(root, { recursive: true, force: true, maxRetries: 10 });
  });

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
    await removeUnusedFiles(scope.db, storage, Date.now() + 48 * 3_600_000);
    expect(await readdir(join(root, 'incoming'))).toEqual([]);
    let files = 0;
    for await (const keys of storage.list(scope.tenant.id)) files += keys.length;
    expect(files).toBe(whole);
  }, 600_000);
});
