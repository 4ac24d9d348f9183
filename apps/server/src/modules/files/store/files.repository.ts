/** Rows of `file_contents`: uploads, their storage keys, and whether they are attached. */

import type { TenantDb, TenantExecutor } from '@portico/platform/db/tenant-db';
import {
  EXAMINED_MIME_TYPES,
  EXTRACTABLE_PATTERNS,
  PREVIEWED_MIME_TYPES,
  type PreviewBit,
} from '@portico/platform/files';
import type { DueWork } from '../../../kernel/due-work.ts';
import { sqlColumns } from '../../columns.ts';

const o = sqlColumns('posts', 'o');

/** State of a content (file_contents.state). */
const ContentState = {
  /** Upload begun; no bytes yet. */
  AWAITED: 0,
  /** The bytes are in the storage. */
  STORED: 1,
} as const;

/** State of the text of a content (file_contents.text_state); null: not examined yet. */
const TextState = { NONE: 0, READ: 1 } as const;

/** Properties of stored bytes. */
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

/** Inserts a content. @param stored omitted while its bytes have not arrived */
export async function insertContent(
  db: TenantExecutor,
  content: { contentRef: string; creatorId: number; createdAt: number; uploadedAt?: number },
  stored?: StoredContent,
): Promise<void> {
  await db.execute(
    `INSERT INTO file_contents
       (tenant_id, content_ref, creator_id, created_at, state, storage_key, mime_type, size, md5, sha256, uploaded_at, previews,
        text_state)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
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
      stored ? firstPreviews(stored) : null,
      stored ? firstTextState(stored) : null,
    ],
  );
}

/**
 * Returns whether the bytes of an upload are still missing, and who began it.
 * @returns undefined when the upload does not exist (any more)
 */
export async function findUpload(
  db: TenantExecutor,
  contentRef: string,
): Promise<{ awaited: boolean; creatorId: number } | undefined> {
  const [row] = await db.query<{ awaited: boolean; creatorId: number }>(
    `SELECT state = $3 AS awaited, creator_id AS "creatorId" FROM file_contents WHERE tenant_id = $1 AND content_ref = $2`,
    [db.tenantId, contentRef, ContentState.AWAITED],
  );
  return row;
}

/**
 * Counts the unattached uploads of a user, and sums up the bytes received or reserved for them.
 * @param begunAfter earlier uploads without any bytes do not count: their form has expired
 */
export async function pendingUploads(
  db: TenantExecutor,
  userId: number,
  begunAfter: Date,
): Promise<{ uploads: number; bytes: number }> {
  const [row] = await db.query<{ uploads: number; bytes: number }>(
    `SELECT count(*)::int AS uploads, coalesce(sum(coalesce(size, 0) + receiving), 0)::bigint AS bytes
       FROM file_contents
      WHERE tenant_id = $1 AND creator_id = $2 AND attached_at IS NULL
        AND (size IS NOT NULL OR receiving > 0 OR created_at > $3)`,
    [db.tenantId, userId, begunAfter],
  );
  return row ?? { uploads: 0, bytes: 0 };
}

/**
 * Reserves room for a body that is being received, or releases it. The reservation of a process
 * that died stays until the upload is removed, after a day.
 * @param bytes negative: release
 */
export async function addReceiving(db: TenantExecutor, contentRef: string, bytes: number): Promise<void> {
  await db.execute(
    `UPDATE file_contents SET receiving = greatest(0, receiving + $3) WHERE tenant_id = $1 AND content_ref = $2`,
    [db.tenantId, contentRef, bytes],
  );
}

/**
 * Returns the uploads among `contentRefs` whose bytes have not arrived.
 * @param creatorId restricts the result to uploads that this user began
 */
export async function awaitedUploads(
  db: TenantExecutor,
  contentRefs: readonly string[],
  creatorId?: number,
): Promise<string[]> {
  const rows = await db.query<{ contentRef: string }>(
    `SELECT content_ref AS "contentRef" FROM file_contents
      WHERE tenant_id = $1 AND content_ref = ANY ($2::text[]) AND state = $3 AND creator_id = coalesce($4, creator_id)
      ORDER BY content_ref`,
    [db.tenantId, contentRefs, ContentState.AWAITED, creatorId ?? null],
  );
  return rows.map((row) => row.contentRef);
}

/**
 * Marks the bytes of an upload as stored. The size replaces all room that bodies of the form
 * reserved (`addReceiving`), including the reservations of a process that died.
 * @returns false when the bytes were stored before, or the upload no longer exists
 */
export async function completeUpload(
  db: TenantExecutor,
  contentRef: string,
  stored: StoredContent,
  now: number,
): Promise<boolean> {
  const count = await db.execute(
    `UPDATE file_contents SET state = $3, storage_key = $4, mime_type = $5, size = $6, md5 = $7, sha256 = $8, uploaded_at = $9,
            previews = $11, text_state = $12, receiving = 0
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
      firstPreviews(stored),
      firstTextState(stored),
    ],
  );
  return count === 1;
}

/**
 * Files without a possible preview are settled at once; null for the others: the background job
 * handles them.
 */
function firstPreviews(stored: StoredContent): number | null {
  return PREVIEWED_MIME_TYPES.includes(stored.mimeType) ? null : 0;
}

/** Initial text state; null while the background job has to read the file. */
function firstTextState(stored: StoredContent): number | null {
  const read = [...EXTRACTABLE_PATTERNS, ...EXAMINED_MIME_TYPES].includes(stored.mimeType);
  return read ? null : TextState.NONE;
}

/**
 * Sums up the bytes of the tenant's files, counting a content once per upload. Uploads that are
 * just being published count with the room that they reserved.
 * @param except an upload that is not counted
 */
export async function storedBytes(db: TenantExecutor, except = ''): Promise<number> {
  const [row] = await db.query<{ bytes: number }>(
    `SELECT coalesce(sum(size), 0)::bigint AS bytes FROM file_contents WHERE tenant_id = $1 AND content_ref <> $2`,
    [db.tenantId, except],
  );
  return row?.bytes ?? 0;
}

/**
 * Reserves room for an upload that is about to be published: an awaited row with a size is a
 * reservation. The next body of the same form takes over a reservation that a dead process left
 * behind. For two bodies at the same time, the larger one counts until one of them is completed.
 * @param size bytes
 * @param held bytes that the body reserved before, which the size replaces
 * @returns false when another request has completed the upload, or it no longer exists
 */
export async function reserveRoom(
  tx: TenantExecutor,
  contentRef: string,
  size: number,
  held: number,
): Promise<boolean> {
  const count = await tx.execute(
    `UPDATE file_contents SET size = greatest(size, $3), receiving = greatest(0, receiving - $5)
      WHERE tenant_id = $1 AND content_ref = $2 AND state = $4`,
    [tx.tenantId, contentRef, size, ContentState.AWAITED, held],
  );
  return count === 1;
}

/** Releases the room of {@link reserveRoom} for an upload that could not be published. */
export async function releaseRoom(db: TenantExecutor, contentRef: string): Promise<void> {
  await db.execute(`UPDATE file_contents SET size = NULL WHERE tenant_id = $1 AND content_ref = $2 AND state = $3`, [
    db.tenantId,
    contentRef,
    ContentState.AWAITED,
  ]);
}

/** Stored bytes with the properties that serving needs. */
export interface ServedBytes {
  readonly storageKey: string;
  readonly mimeType: string;
  readonly size: number;
  readonly sha256: string;
}

/** A content with the properties that serving needs. */
interface ServedContent extends ServedBytes {
  /** Name of the attachment's version; null for a bare content. */
  readonly name: string | null;
  /** False: the file may be shown but not downloaded. */
  readonly downloadable: boolean;
  /** Bits of the existing previews; null when the content was not examined yet. */
  readonly previews: number | null;
  /** The requested preview, if it exists. */
  readonly preview: ServedBytes | null;
}

/**
 * Finds the content of a link. The post of the content must not be deleted.
 * @param place.attachment the attachment's version that the link names; it must have this content
 * @param place.postId the post that the link names beside a bare content
 * @param bit the preview that the link names
 * @returns undefined when the content does not exist or its bytes have not arrived
 */
export async function findServed(
  db: TenantExecutor,
  contentRef: string,
  {
    attachment,
    postId,
  }: { attachment?: { id: number; version: number } | undefined; postId?: number | undefined } = {},
  bit?: PreviewBit,
): Promise<ServedContent | undefined> {
  // 0 stands for null, since no id is 0. NULL would remove the joins, and with them the condition
  // that keeps their rows on one node.
  const [row] = await db.query<ServedContent & { named: boolean }>(
    `SELECT f.storage_key AS "storageKey", f.mime_type AS "mimeType", f.size, f.sha256, f.previews,
            coalesce(v.name, a.name) AS name, coalesce(v.name, a.name) IS NOT NULL AS named,
            coalesce(h.downloadable, true) AS downloadable,
            (SELECT jsonb_build_object('storageKey', p.storage_key, 'mimeType', p.mime_type, 'size', p.size, 'sha256', p.sha256)
               FROM file_previews p
              WHERE p.tenant_id = $1 AND p.content_ref = f.content_ref AND p.kind = $6) AS preview
       FROM file_contents f
       LEFT JOIN attachment_versions v
         ON v.tenant_id = f.tenant_id AND v.attachment_id = $3 AND v.version_number = $4 AND v.content_ref = f.content_ref
       LEFT JOIN attachments a
         ON a.tenant_id = f.tenant_id AND a.id = $3 AND a.version_number = $4 AND a.content_ref = f.content_ref
       LEFT JOIN attachments h ON h.tenant_id = f.tenant_id AND h.id = $3
       LEFT JOIN posts o ON o.tenant_id = f.tenant_id AND ${o.id} = coalesce(h.post_id, $7)
      WHERE f.tenant_id = $1 AND f.content_ref = $2 AND f.state = $5
        AND (coalesce(h.post_id, $7) IS NULL OR (${o.id} IS NOT NULL AND ${o.deleted_at} IS NULL))`,
    [
      db.tenantId,
      contentRef,
      attachment?.id ?? 0,
      attachment?.version ?? 0,
      ContentState.STORED,
      bit ?? 0,
      postId ?? null,
    ],
  );
  return row && (!attachment || row.named) ? row : undefined;
}

/** File that waits for background work. */
export interface WaitingFile {
  readonly contentRef: string;
  readonly storageKey: string;
  readonly mimeType: string;
  readonly size: number;
}

/**
 * Columns per kind of work: `done` is null until the work is done; `claimed` is the time at which a
 * node took it.
 */
const WORK = {
  previews: { done: 'previews', claimed: 'previews_claimed_at' },
  text: { done: 'text_state', claimed: 'text_claimed_at' },
} as const;

/** Files per run. */
const BATCH = 5;
/** A node that has not finished a file after this time is considered dead. Milliseconds. */
const RETRY_MS = 15 * 60_000;

/** Files without previews. */
export const previewsDue: DueWork = {
  waiting: `SELECT FROM file_contents WHERE tenant_id = $1 AND previews IS NULL AND state = ${ContentState.STORED}`,
};

/** Files whose text has not been read. */
export const textsDue: DueWork = {
  waiting: `SELECT FROM file_contents WHERE tenant_id = $1 AND text_state IS NULL AND state = ${ContentState.STORED}`,
};

/**
 * Claims files to work on. Other nodes receive other files; files of a node that died are claimed
 * again after {@link RETRY_MS}.
 * @param now epoch milliseconds
 */
export async function claimFiles(db: TenantExecutor, work: keyof typeof WORK, now: number): Promise<WaitingFile[]> {
  const { done, claimed } = WORK[work];
  return db.query<WaitingFile>(
    `WITH due AS MATERIALIZED (
       SELECT f.content_ref FROM file_contents f
        WHERE f.tenant_id = $1 AND f.${done} IS NULL AND f.state = ${ContentState.STORED}
          AND (f.${claimed} IS NULL OR f.${claimed} < $3)
        ORDER BY f.uploaded_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
     UPDATE file_contents SET ${claimed} = $2 WHERE tenant_id = $1 AND content_ref IN (SELECT due.content_ref FROM due)
     RETURNING content_ref AS "contentRef", storage_key AS "storageKey", mime_type AS "mimeType", size`,
    [db.tenantId, new Date(now), new Date(now - RETRY_MS)],
  );
}

/** Returns the storage key of an upload; undefined while it has no bytes. */
export async function findStorageKey(db: TenantExecutor, contentRef: string): Promise<string | undefined> {
  const [row] = await db.query<{ storageKey: string | null }>(
    `SELECT storage_key AS "storageKey" FROM file_contents WHERE tenant_id = $1 AND content_ref = $2`,
    [db.tenantId, contentRef],
  );
  return row?.storageKey ?? undefined;
}

/** Returns where the bytes of a stored file are, and their number; undefined where none are stored. */
export async function storedPlace(
  db: TenantExecutor,
  contentRef: string,
): Promise<{ storageKey: string; size: number } | undefined> {
  const [row] = await db.query<{ storageKey: string; size: number }>(
    `SELECT storage_key AS "storageKey", size FROM file_contents
      WHERE tenant_id = $1 AND content_ref = $2 AND storage_key IS NOT NULL AND size IS NOT NULL`,
    [db.tenantId, contentRef],
  );
  return row;
}

/** Stores the text of a file. @param text null when it has no text @param error the reason */
export async function saveText(
  db: TenantDb,
  contentRef: string,
  text: string | null,
  error: string | null,
): Promise<void> {
  await db.transaction(async (tx) => {
    const found = await tx.query(
      `UPDATE file_contents SET text_state = $3, text_error = $4 WHERE tenant_id = $1 AND content_ref = $2 RETURNING 1`,
      [tx.tenantId, contentRef, text ? TextState.READ : TextState.NONE, error],
    );
    if (found.length === 0 || !text) return;
    await tx.send(
      `INSERT INTO file_texts (tenant_id, content_ref, text) VALUES ($1, $2, $3)
       ON CONFLICT (tenant_id, content_ref) DO UPDATE SET text = excluded.text`,
      [tx.tenantId, contentRef, text],
    );
  });
}

/** Created preview. */
export interface MadePreview extends ServedBytes {
  readonly bit: PreviewBit;
}

/** Stores the previews of a file. @param error why previews are missing */
export async function savePreviews(
  db: TenantDb,
  contentRef: string,
  made: readonly MadePreview[],
  error: string | null,
): Promise<void> {
  await db.transaction(async (tx) => {
    const found = await tx.query(
      `UPDATE file_contents SET previews = $3, previews_error = $4 WHERE tenant_id = $1 AND content_ref = $2 RETURNING 1`,
      [tx.tenantId, contentRef, made.reduce((sum, preview) => sum | preview.bit, 0), error],
    );
    // The file may have been removed meanwhile; its pictures are then bytes without a row.
    if (found.length === 0 || made.length === 0) return;
    await tx.send(
      `INSERT INTO file_previews (tenant_id, content_ref, kind, storage_key, mime_type, size, sha256)
       SELECT a.tenant_id, $2, m.* FROM tenant_versions a, unnest($3::smallint[], $4::text[], $5::text[], $6::bigint[], $7::text[]) AS m
        WHERE a.tenant_id = $1
       ON CONFLICT (tenant_id, content_ref, kind) DO UPDATE
         SET storage_key = excluded.storage_key, mime_type = excluded.mime_type, size = excluded.size, sha256 = excluded.sha256`,
      [
        tx.tenantId,
        contentRef,
        made.map((preview) => preview.bit),
        made.map((preview) => preview.storageKey),
        made.map((preview) => preview.mimeType),
        made.map((preview) => preview.size),
        made.map((preview) => preview.sha256),
      ],
    );
  });
}
