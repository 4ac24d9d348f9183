/** Attaches uploads, so that they are kept, and releases them (file_contents.attached_at). */

import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import type { WriteScope } from '../../../kernel/access/index.ts';
import { type ClaimedUpload, requireRoom } from './quota.ts';

/** Uploads that a user may attach: their own, complete, and not attached yet. `$3` is the user. */
const USABLE = 'creator_id = $3 AND uploaded_at IS NOT NULL AND attached_at IS NULL';

/** Upload that the acting user may attach. */
export interface UsableUpload {
  contentRef: string;
  mimeType: string | null;
  /** Bytes. */
  size: number | null;
}

/**
 * Returns the uploads that the acting user may attach, and locks their rows until the write ends.
 */
export async function lockUsableUploads(
  write: WriteScope,
  contentRefs: Iterable<string>,
): Promise<ReadonlyMap<string, UsableUpload>> {
  const refs = [...new Set(contentRefs)];
  if (refs.length === 0) return new Map();
  const rows = await write.tx.query<UsableUpload>(
    `SELECT content_ref AS "contentRef", mime_type AS "mimeType", size
       FROM file_contents WHERE tenant_id = $1 AND content_ref = ANY ($2::text[]) AND ${USABLE} FOR UPDATE`,
    [write.tx.tenantId, refs, write.actor.userId],
  );
  return new Map(rows.map((row) => [row.contentRef, row]));
}

/** Returns the size of an upload that a user may attach, in bytes; undefined for any other. */
export async function usableSize(db: TenantExecutor, contentRef: string, userId: number): Promise<number | undefined> {
  const [found] = await db.query<{ size: number | null }>(
    `SELECT size FROM file_contents WHERE tenant_id = $1 AND content_ref = $2 AND ${USABLE}`,
    [db.tenantId, contentRef, userId],
  );
  return found && (found.size ?? 0);
}

/**
 * Attaches uploads that {@link lockUsableUploads} returned.
 * @throws ValidationError QUOTA_EXCEEDED on the fields whose uploads do not fit; the caller must
 * then roll back
 */
export async function claimUploads(write: WriteScope, uploads: readonly ClaimedUpload[]): Promise<void> {
  if (uploads.length === 0) return;
  await write.tx.send(
    'UPDATE file_contents SET attached_at = $3 WHERE tenant_id = $1 AND content_ref = ANY ($2::text[])',
    [write.tx.tenantId, uploads.map((upload) => upload.contentRef), new Date(write.now)],
  );
  await requireRoom(write, uploads);
}

const CLAIMABLE_PICTURE = `tenant_id = $1 AND content_ref = $2 AND ${USABLE} AND mime_type LIKE 'image/%'`;

/** Returns whether {@link claimPicture} would succeed now. */
export async function isClaimablePicture(db: TenantExecutor, contentRef: string, userId: number): Promise<boolean> {
  const rows = await db.query(`SELECT FROM file_contents WHERE ${CLAIMABLE_PICTURE}`, [
    db.tenantId,
    contentRef,
    userId,
  ]);
  return rows.length === 1;
}

/**
 * Attaches a picture.
 * @param now epoch milliseconds
 * @returns false unless this user uploaded the picture completely and it is not attached yet
 */
export async function claimPicture(
  tx: TenantExecutor,
  contentRef: string,
  userId: number,
  now: number,
): Promise<boolean> {
  const count = await tx.execute(`UPDATE file_contents SET attached_at = $4 WHERE ${CLAIMABLE_PICTURE}`, [
    tx.tenantId,
    contentRef,
    userId,
    new Date(now),
  ]);
  return count === 1;
}

/**
 * Releases an upload that was replaced. Like an upload that was never attached, it is removed
 * later.
 */
export async function releaseUpload(tx: TenantExecutor, contentRef: string): Promise<void> {
  await tx.execute('UPDATE file_contents SET attached_at = NULL WHERE tenant_id = $1 AND content_ref = $2', [
    tx.tenantId,
    contentRef,
  ]);
}
