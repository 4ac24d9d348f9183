/** An upload that a crash interrupted is sent again with the same form. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDirectoryStorage } from '@portico/platform/files';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { form, formType, send, startFileServer } from '../../../../test/support/file-server.ts';
import { createTestPortal, settingsReadAnew, type TestPortal } from '../../../../test/support/portal.ts';
import { beginUpload } from './begin-upload.ts';

/** Room of the tenant, and the size that the form allows. Bytes. */
const ROOM = 240;
const LIMIT = 64 * 1024 * 1024;

let portal: TestPortal;
let root: string;

beforeAll(async () => {
  portal = await createTestPortal();
  root = await mkdtemp(join(tmpdir(), 'portico-upload-'));
});
afterAll(async () => {
  await portal.close();
  await rm(root, { recursive: true, force: true, maxRetries: 10 });
});

it('takes over a reservation that nobody completes, frees its room, and refuses a file that is there', async () => {
  const tenant = await portal.createTenant();
  const db = portal.services.databases.for(tenant.tenant.id);
  await db.execute('UPDATE tenant_settings SET attachment_quota_bytes = $2 WHERE tenant_id = $1', [db.tenantId, ROOM]);
  await settingsReadAnew(portal.services, tenant.tenant);
  const scope = { ...(await tenant.scope(await tenant.createUser())), baseUrl: `http://${tenant.host}` };
  const { app, origin } = await startFileServer(portal.services, await openDirectoryStorage(root));
  try {
    const { contentRef, uploadMultipartRequestBodyParams } = await beginUpload(scope, LIMIT);
    // State after a process died between reservation and completion.
    await db.execute('UPDATE file_contents SET size = 190, receiving = 50 WHERE tenant_id = $1 AND content_ref = $2', [
      db.tenantId,
      contentRef,
    ]);
    const upload = async () => {
      const answer = await send(`${origin}/portal/storage/upload`, {
        method: 'POST',
        headers: { Host: tenant.host, 'Content-Type': formType },
        body: form(uploadMultipartRequestBodyParams!, Buffer.alloc(80)),
      });
      return answer.status;
    };
    expect(await upload()).toBe(204);
    const [taken] = await db.query<{ state: number; size: number; receiving: number }>(
      'SELECT state, size, receiving FROM file_contents WHERE tenant_id = $1 AND content_ref = $2',
      [db.tenantId, contentRef],
    );
    expect(taken).toEqual({ state: 1, size: 80, receiving: 0 });
    expect(await upload()).toBe(409);
  } finally {
    await app.close();
  }
});
