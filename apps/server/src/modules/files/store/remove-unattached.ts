/**
 * Removes unused files: uploads that were not attached within a day, files that lost their last
 * post, and bytes without a row, which interrupted work leaves behind. Safe during uploads and on
 * several nodes at once.
 */

import { noBackupRunsSql } from '@portico/platform/db/backup-lease';
import type { TenantDb } from '@portico/platform/db/tenant-db';
import type { FileStorage } from '@portico/platform/files';
import type { DueWork } from '../../../kernel/due-work.ts';
import { type Tables, unreferencedSql } from '../../../kernel/tables/registry.ts';

/**
 * Time until an unattached upload is removed, and age at which bytes without a row count as
 * abandoned. Milliseconds.
 */
const UNATTACHED_MS = 24 * 3_600_000;
/** Rows per statement. */
const BATCH = 500;

/** Numbers of removed rows and files. */
interface RemovedFiles {
  /** Rows: uploads that were never attached, or no longer are. */
  contents: number;
  /** Files in the storage. */
  files: number;
}

/** The stored files, and the tables whose rows use them. */
interface StoredFiles {
  storage: FileStorage;
  tables: Tables;
}

/** Due time of the removal of unused uploads. */
export const unattachedDue: DueWork = {
  earliest:
    'SELECT min(greatest(created_at, uploaded_at)) FROM file_contents WHERE tenant_id = $1 AND attached_at IS NULL',
  afterMs: () => UNATTACHED_MS,
};

/**
 * Removes uploads that were not attached within a day, and their bytes unless another content has
 * the same bytes.
 * @param now epoch milliseconds
 */
export async function removeUnattachedFiles(db: TenantDb, files: StoredFiles, now: number): Promise<RemovedFiles> {
  const cutoff = now - UNATTACHED_MS;
  // Attaching locks the row first: the second of the two sees the commit of the first and does
  // nothing.
  return removeRows(
    db,
    files,
    cutoff,
    `f.attached_at IS NULL AND f.created_at < $2 AND (f.uploaded_at IS NULL OR f.uploaded_at < $2)`,
  );
}

/**
 * Removes files that lost their last use (erased posts), bytes without a row, and leftovers of
 * broken receptions. Reads every file of the tenant: call it once a day.
 * @param now epoch milliseconds
 */
export async function removeUnusedFiles(db: TenantDb, files: StoredFiles, now: number): Promise<RemovedFiles> {
  const cutoff = now - UNATTACHED_MS;
  const removed = await removeRows(db, files, cutoff, 'f.attached_at < $2');
  const { storage } = files;
  for await (const keys of storage.list(db.tenantId)) {
    for (let at = 0; at < keys.length; at += BATCH) {
      removed.files += await removeBytes(db, storage, keys.slice(at, at + BATCH), cutoff);
    }
  }
  removed.files += await storage.sweep(cutoff);
  return removed;
}

/**
 * Removes files that just lost a use (erased posts) and have no other. Bytes that were published
 * within a day are kept until the daily round: another request may be about to use the same
 * content.
 * @param now epoch milliseconds
 */
export async function removeReleasedFiles(
  db: TenantDb,
  files: StoredFiles,
  contentRefs: readonly string[],
  now: number,
): Promise<RemovedFiles> {
  return removeRows(db, files, now - UNATTACHED_MS, 'f.content_ref = ANY ($2::text[])', [contentRefs]);
}

/** @param condition SQL over file_contents `f` with `value` (the cutoff unless given) as $2 */
async function removeRows(
  db: TenantDb,
  files: StoredFiles,
  cutoff: number,
  condition: string,
  values: readonly unknown[] = [new Date(cutoff)],
): Promise<RemovedFiles> {
  const { storage, tables } = files;
  const unused = unreferencedSql(tables, 'f.content_ref');
  const removed: RemovedFiles = { contents: 0, files: 0 };
  for (;;) {
    // The statement still sees the previews that the delete cascades to.
    const rows = await db.query<{ contentRef: string; storageKey: string | null; previewKeys: string[] }>(
      `WITH unused AS MATERIALIZED (
         SELECT f.content_ref FROM file_contents f
          WHERE f.tenant_id = $1 AND ${condition} AND ${unused}
          ORDER BY f.content_ref LIMIT ${BATCH} FOR UPDATE OF f SKIP LOCKED),
       gone AS (
         DELETE FROM file_contents WHERE tenant_id = $1 AND content_ref IN (SELECT u.content_ref FROM unused u)
         RETURNING content_ref, storage_key)
       SELECT g.content_ref AS "contentRef", g.storage_key AS "storageKey",
              ARRAY(SELECT p.storage_key FROM file_previews p WHERE p.tenant_id = $1 AND p.content_ref = g.content_ref) AS "previewKeys"
         FROM gone g`,
      [db.tenantId, ...values],
    );
    removed.contents += rows.length;
    const keys = [
      ...new Set(rows.flatMap((row) => [...(row.storageKey === null ? [] : [row.storageKey]), ...row.previewKeys])),
    ];
    removed.files += await removeBytes(db, storage, keys, cutoff);
    // Bytes that a client may have sent to the storage directly and that were never taken in:
    // nothing can refer to them any more.
    for (const row of rows) if (row.storageKey === null) await storage.direct?.discardSent(row.contentRef);
    if (rows.length < BATCH) return removed;
  }
}

/**
 * Removes bytes without a row. A writer who reuses such content publishes it again before its row
 * is committed; the storage keeps bytes published since the cutoff.
 */
async function removeBytes(
  db: TenantDb,
  storage: FileStorage,
  keys: readonly string[],
  cutoff: number,
): Promise<number> {
  if (keys.length === 0) return 0;
  const used = await db.query<{ storageKey: string }>(
    `SELECT storage_key AS "storageKey" FROM file_contents WHERE tenant_id = $1 AND storage_key = ANY ($2::text[])
     UNION
     SELECT storage_key FROM file_previews WHERE tenant_id = $1 AND storage_key = ANY ($2::text[])`,
    [db.tenantId, keys],
  );
  // A running backup may still read them. The daily round removes bytes without a row later.
  const [backup] = await db.query<{ free: boolean }>(noBackupRunsSql, [db.tenantId]);
  if (!backup?.free) return 0;
  const known = new Set(used.map((row) => row.storageKey));
  let count = 0;
  for (const key of keys) {
    if (!known.has(key) && (await storage.deleteOlderThan(key, cutoff))) count++;
  }
  return count;
}
