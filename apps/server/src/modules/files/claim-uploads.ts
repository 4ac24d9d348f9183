/** Takes uploads into use, so that they are kept, and gives them back (file_contents.attached_at). */
import type { WriteScope } from '../../kernel/access/index.ts';
import type { TenantExecutor } from '../../platform/db/tenant-db.ts';
import { type ClaimedUpload, requireRoom } from './quota.ts';

/** A user may take an upload into use: it is their own, complete, and not used yet. `$3` is the user. */
const USABLE = 'creator_id = $3 AND uploaded_at IS NOT NULL AND attached_at IS NULL';

/** An upload that the acting user may take into use. */
export interface UsableUpload {
  contentRef: string;
  mimeType: string | null;
  /** Bytes. */
  size: number | null;
}

/** Reads those of the uploads that the acting user may take into use, and locks only their rows until the write ends. */
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

/**
 * Takes uploads into use, which {@link lockUsableUploads} has found.
 * @throws ValidationError QUOTA_EXCEEDED on the fields whose uploads do not fit; the transaction must then be undone
 */
export async function claimUploads(write: WriteScope, uploads: readonly ClaimedUpload[]): Promise<void> {
  if (uploads.length === 0) return;
  await write.tx.execute(
    'UPDATE file_contents SET attached_at = $3 WHERE tenant_id = $1 AND content_ref = ANY ($2::text[])',
    [write.tx.tenantId, uploads.map((upload) => upload.contentRef), new Date(write.now)],
  );
  await requireRoom(write, uploads);
}

const CLAIMABLE_PICTURE = `tenant_id = $1 AND content_ref = $2 AND ${USABLE} AND mime_type LIKE 'image/%'`;

/** Whether {@link claimPicture} would succeed now. */
export async function isClaimablePicture(db: TenantExecutor, contentRef: string, userId: number): Promise<boolean> {
  const rows = await db.query(`SELECT FROM file_contents WHERE ${CLAIMABLE_PICTURE}`, [
    db.tenantId,
    contentRef,
    userId,
  ]);
  return rows.length === 1;
}

/**
 * Takes a picture into use.
 * @param now epoch milliseconds
 * @returns false unless it is a picture that this user uploaded in full and that is not used yet
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

/** Gives back an upload that was replaced: like one that was not attached, it is removed in time. */
export async function releaseUpload(tx: TenantExecutor, contentRef: string): Promise<void> {
  await tx.execute('UPDATE file_contents SET attached_at = NULL WHERE tenant_id = $1 AND content_ref = $2', [
    tx.tenantId,
    contentRef,
  ]);
}
