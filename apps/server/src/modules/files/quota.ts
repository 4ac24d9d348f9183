/** The room that a tenant has for files (tenant_settings.attachment_quota_bytes). */

import type { WriteScope } from '../../kernel/access/index.ts';
import { type FieldError, ValidationError } from '../../kernel/errors.ts';
import type { TenantTx } from '../../platform/db/tenant-db.ts';

/** An upload that a write has just taken into use, and the field of the body that names it. */
export interface ClaimedUpload {
  readonly contentRef: string;
  readonly field: string;
}

/**
 * Checks that the tenant's files still fit, once uploads were marked as in use (`attached_at`). Files in use count, each as
 * often as it was uploaded. What is uploaded and lies idle does not count here: it had to fit beside everything else when it
 * came (`completeReceived`), but the quota may have been lowered since, and idle uploads, which may never be attached, must
 * not keep others from being attached up to it. Writes of one tenant wait here for one another: what they claim is
 * summed up one after the other. Nothing happens for a tenant without a quota.
 * @throws ValidationError QUOTA_EXCEEDED, on the fields whose uploads no longer fit, in the order given
 */
export async function requireRoom(write: WriteScope, claimed: readonly ClaimedUpload[]): Promise<void> {
  const quota = write.settings.attachmentQuotaBytes;
  if (quota === null || claimed.length === 0) return;
  const { tx } = write;
  await lockRoom(tx);
  const refs = claimed.map((upload) => upload.contentRef);
  // A statement of its own: it sees what those who held the lock before have committed.
  const rows = await tx.query<{ contentRef: string | null; bytes: number }>(
    `SELECT content_ref AS "contentRef", coalesce(size, 0)::bigint AS bytes
       FROM file_contents WHERE tenant_id = $1 AND content_ref = ANY ($2::text[])
     UNION ALL
     SELECT NULL, coalesce(sum(size), 0)::bigint
       FROM file_contents WHERE tenant_id = $1 AND attached_at IS NOT NULL AND content_ref <> ALL ($2::text[])`,
    [tx.tenantId, refs],
  );
  const bytesOf = new Map(rows.map((row) => [row.contentRef, row.bytes]));
  let used = bytesOf.get(null) ?? 0;
  const errors: FieldError[] = [];
  for (const { contentRef, field } of claimed) {
    const bytes = bytesOf.get(contentRef) ?? 0;
    // An empty file takes no room, and fits even where there is none.
    if (bytes > 0 && used + bytes > quota) errors.push({ field, code: 'QUOTA_EXCEEDED', args: [quota, used] });
    else used += bytes;
  }
  if (errors.length > 0) throw new ValidationError(errors);
}

/**
 * Waits for everyone else who takes room of the tenant, until the transaction ends. What is summed up after this, in a
 * statement of its own, is what counts.
 */
export async function lockRoom(tx: TenantTx): Promise<void> {
  await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('portico.quota.' || $1, 0))`, [tx.tenantId]);
}
