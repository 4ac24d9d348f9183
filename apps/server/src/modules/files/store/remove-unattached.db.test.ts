import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FileStorage, openDirectoryStorage } from '@portico/platform/files';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestPortal, type TestPortal, type TestTenant } from '../../../../test/support/portal.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { tables } from '../../tables.ts';
import { beginUpload } from './begin-upload.ts';
import { removeReleasedFiles, removeUnattachedFiles, removeUnusedFiles } from './remove-unattached.ts';
import { storeFile } from './store-file.ts';

const HOUR = 3_600_000;

describe('removal of unused files', () => {
  let portal: TestPortal;
  let tenant: TestTenant;
  let root: string;
  let storage: FileStorage;
  let scope: Scope;
  let userId: number;

  beforeAll(async () => {
    portal = await createTestPortal();
    root = await mkdtemp(join(tmpdir(), 'portico-remove-'));
    storage = await openDirectoryStorage(root);
  });
  beforeEach(async () => {
    tenant = await portal.createTenant();
    userId = await tenant.createUser();
    scope = await tenant.scope(userId);
  });
  afterAll(async () => {
    await portal.close();
    await rm(root, { recursive: true, force: true, maxRetries: 10 });
  });

  const refs = async () =>
    (
      await scope.db.query<{ ref: string }>('SELECT content_ref AS ref FROM file_contents WHERE tenant_id = $1', [
        scope.tenant.id,
      ])
    )
      .map((row) => row.ref)
      .sort();
  const attach = (contentRef: string, at = Date.now()) =>
    scope.db.execute('UPDATE file_contents SET attached_at = $3 WHERE tenant_id = $1 AND content_ref = $2', [
      scope.tenant.id,
      contentRef,
      new Date(at),
    ]);

  it('removes uploads that were not attached within a day, and not before', async () => {
    const begun = await beginUpload(scope, 100);
    const unattached = await storeFile(scope, storage, randomBytes(10));
    const attached = await storeFile(scope, storage, randomBytes(10));
    await attach(attached.contentRef);
    expect(await removeUnattachedFiles(scope.db, { storage, tables }, Date.now() + 23 * HOUR)).toEqual({
      contents: 0,
      files: 0,
    });
    expect((await refs()).length).toBe(3);
    expect(await removeUnattachedFiles(scope.db, { storage, tables }, Date.now() + 25 * HOUR)).toEqual({
      contents: 2,
      files: 1,
    });
    expect(await refs()).toEqual([attached.contentRef]);
    expect(await storage.stat(unattached.storageKey)).toBeUndefined();
    expect(await storage.stat(attached.storageKey)).toMatchObject({ size: 10 });
    expect(begun.contentRef).toBeDefined();
  });

  it('keeps bytes that another file shares, and pictures that something shows', async () => {
    const data = randomBytes(10);
    const [first, second] = [await storeFile(scope, storage, data), await storeFile(scope, storage, data)];
    expect(first.storageKey).toBe(second.storageKey);
    await attach(second.contentRef);
    const photo = await storeFile(scope, storage, randomBytes(10));
    await scope.db.execute('UPDATE users SET photo_content_ref = $3 WHERE tenant_id = $1 AND id = $2', [
      scope.tenant.id,
      userId,
      photo.contentRef,
    ]);
    expect(await removeUnattachedFiles(scope.db, { storage, tables }, Date.now() + 48 * HOUR)).toEqual({
      contents: 1,
      files: 0,
    });
    expect(await refs()).toEqual([second.contentRef, photo.contentRef].sort());
    expect(await storage.stat(first.storageKey)).toMatchObject({ size: 10 });
  });

  it('removes what nothing uses any more, and bytes without a row', async () => {
    const orphan = await storage.receive(scope.tenant.id, one(randomBytes(20)), { maxBytes: 20 });
    await orphan.publish();
    // Leftover of a killed process.
    await writeFile(join(root, 'incoming', `host-1-${'a'.repeat(24)}`), randomBytes(20));
    const erased = await storeFile(scope, storage, randomBytes(10));
    await attach(erased.contentRef);
    const photo = await storeFile(scope, storage, randomBytes(10));
    await attach(photo.contentRef);
    await scope.db.execute('UPDATE users SET photo_content_ref = $3 WHERE tenant_id = $1 AND id = $2', [
      scope.tenant.id,
      userId,
      photo.contentRef,
    ]);
    expect(await removeUnusedFiles(scope.db, { storage, tables }, Date.now() + 23 * HOUR)).toEqual({
      contents: 0,
      files: 0,
    });
    // The erased file, the bytes without a row, and the reception that was never finished.
    expect(await removeUnusedFiles(scope.db, { storage, tables }, Date.now() + 25 * HOUR)).toEqual({
      contents: 1,
      files: 3,
    });
    expect(await refs()).toEqual([photo.contentRef]);
    expect(await storage.stat(orphan.storageKey)).toBeUndefined();
    expect(await readdir(join(root, 'incoming'))).toEqual([]);
  });

  it('removes what an erased post held, where nothing else uses it', async () => {
    const held = await storeFile(scope, storage, randomBytes(10));
    const photo = await storeFile(scope, storage, randomBytes(10));
    for (const file of [held, photo]) await attach(file.contentRef);
    await scope.db.execute('UPDATE users SET photo_content_ref = $3 WHERE tenant_id = $1 AND id = $2', [
      scope.tenant.id,
      userId,
      photo.contentRef,
    ]);
    const released = [held.contentRef, photo.contentRef];
    expect(await removeReleasedFiles(scope.db, { storage, tables }, released, Date.now())).toEqual({
      contents: 1,
      files: 0,
    });
    expect(await refs()).toEqual([photo.contentRef]);
    // The bytes are young; the daily round removes them.
    expect(await removeUnusedFiles(scope.db, { storage, tables }, Date.now() + 25 * HOUR)).toEqual({
      contents: 0,
      files: 1,
    });
  });

  it('never takes away what is attached at the same time', async () => {
    for (let round = 0; round < 20; round++) {
      const file = await storeFile(scope, storage, randomBytes(10));
      const claim = scope.db.transaction(async (tx) => {
        const rows = await tx.query(
          'SELECT FROM file_contents WHERE tenant_id = $1 AND content_ref = $2 AND attached_at IS NULL FOR UPDATE',
          [tx.tenantId, file.contentRef],
        );
        if (rows.length === 1) {
          await tx.execute('UPDATE file_contents SET attached_at = $3 WHERE tenant_id = $1 AND content_ref = $2', [
            tx.tenantId,
            file.contentRef,
            new Date(),
          ]);
        }
        return rows.length === 1;
      });
      const [claimed] = await Promise.all([
        claim,
        removeUnattachedFiles(scope.db, { storage, tables }, Date.now() + 48 * HOUR),
      ]);
      expect((await refs()).includes(file.contentRef)).toBe(claimed);
      expect((await storage.stat(file.storageKey)) !== undefined).toBe(claimed);
    }
  });

  async function* one(data: Buffer): AsyncIterable<Buffer> {
    yield data;
  }
});
