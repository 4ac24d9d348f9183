/** Rows of `file_contents`: what was uploaded, where its bytes are, and whether anything uses it. */
import type { TenantExecutor } from '../../platform/db/tenant-db.ts';

/** State of a content (file_contents.state). */
export const ContentState = {
  /** The upload was allowed; no bytes yet. */
  AWAITED: 0,
  /** The bytes are in the storage. */
  STORED: 1,
} as const;

/** What is known of bytes once they are stored. */
export interface StoredContent {
  readonly storageKey: string;
  readonly mimeType: string;
  /** Bytes. */
  readonly size: number;
  /** Base64. */
  readonly md5: string;
  /** Hexadecimal. */
  readonly sha256: string;
}

/** Notes a content. @param stored left out when its bytes are yet to come */
export async function insertContent(
  db: TenantExecutor,
  content: { contentRef: string; creatorId: number; createdAt: number; uploadedAt?: number },
  stored?: StoredContent,
): Promise<void> {
  await db.execute(
    `INSERT INTO file_contents
       (tenant_id, content_ref, creator_id, created_at, state, storage_key, mime_type, size, md5, sha256, uploaded_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      db.tenantId,
      content.contentRef,
      content.creatorId,
      new Date(content.createdAt),
      stored ? ContentState.STORED : ContentState.AWAITED,
      stored?.storageKey ?? null,
      stored?.mimeType ?? null,
      stored?.size ?? null,
      stored?.md5 ?? null,
      stored?.sha256 ?? null,
      content.uploadedAt === undefined ? null : new Date(content.uploadedAt),
    ],
  );
}

/** Whether the bytes of an upload are still to come. @returns undefined when there is no such upload (any more) */
export async function isAwaited(db: TenantExecutor, contentRef: string): Promise<boolean | undefined> {
  const [row] = await db.query<{ awaited: boolean }>(
    `SELECT state = $3 AS awaited FROM file_contents WHERE tenant_id = $1 AND content_ref = $2`,
    [db.tenantId, contentRef, ContentState.AWAITED],
  );
  return row?.awaited;
}

/** Notes that the bytes of an upload are stored. @returns false when they were already, or the upload is gone */
export async function completeUpload(
  db: TenantExecutor,
  contentRef: string,
  stored: StoredContent,
  now: number,
): Promise<boolean> {
  const count = await db.execute(
    `UPDATE file_contents SET state = $3, storage_key = $4, mime_type = $5, size = $6, md5 = $7, sha256 = $8, uploaded_at = $9
      WHERE tenant_id = $1 AND content_ref = $2 AND state = $10`,
    [
      db.tenantId,
      contentRef,
      ContentState.STORED,
      stored.storageKey,
      stored.mimeType,
      stored.size,
      stored.md5,
      stored.sha256,
      new Date(now),
      ContentState.AWAITED,
    ],
  );
  return count === 1;
}

/** Bytes that the tenant's files take, each content as often as it was uploaded. */
export async function storedBytes(db: TenantExecutor): Promise<number> {
  const [row] = await db.query<{ bytes: number }>(
    `SELECT coalesce(sum(size), 0)::bigint AS bytes FROM file_contents WHERE tenant_id = $1`,
    [db.tenantId],
  );
  return row?.bytes ?? 0;
}

/** A content as it is served. */
export interface ServedContent {
  readonly storageKey: string;
  readonly mimeType: string;
  readonly size: number;
  readonly sha256: string;
  /** Name of the attachment's version; null for a bare content. */
  readonly name: string | null;
}

/**
 * What a link leads to.
 * @param attachment the attachment's version that the link names; it must (still) have this content
 * @returns undefined when there is no such thing, or its bytes have not come yet
 */
export async function findServed(
  db: TenantExecutor,
  contentRef: string,
  attachment?: { id: number; version: number },
): Promise<ServedContent | undefined> {
  const [row] = await db.query<ServedContent & { named: boolean }>(
    `SELECT f.storage_key AS "storageKey", f.mime_type AS "mimeType", f.size, f.sha256,
            coalesce(v.name, a.name) AS name, coalesce(v.name, a.name) IS NOT NULL AS named
       FROM file_contents f
       LEFT JOIN attachment_versions v
         ON v.tenant_id = f.tenant_id AND v.attachment_id = $3 AND v.version_number = $4 AND v.content_ref = f.content_ref
       LEFT JOIN attachments a
         ON a.tenant_id = f.tenant_id AND a.id = $3 AND a.version_number = $4 AND a.content_ref = f.content_ref
      WHERE f.tenant_id = $1 AND f.content_ref = $2 AND f.state = $5`,
    [db.tenantId, contentRef, attachment?.id ?? null, attachment?.version ?? null, ContentState.STORED],
  );
  return row && (!attachment || row.named) ? row : undefined;
}
