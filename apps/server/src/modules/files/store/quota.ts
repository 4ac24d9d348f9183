/** The room that a tenant has for files (tenant_settings.attachment_quota_bytes). */

import type { TenantTx } from '@portico/platform/db/tenant-db';
import type { WriteScope } from '../../../kernel/access/index.ts';
import { FieldErrors } from '../../../kernel/errors.ts';

/** Upload that a write has just attached, and the field of the body that names it. */
export interface ClaimedUpload {
  readonly contentRef: string;
  readonly field: string;
}

/**
 * Checks that the tenant's files still fit, once uploads are marked as attached (`attached_at`).
 * Attached files count, once per upload. Unattached uploads do not count here: they had to fit when
 * they arrived (`completeReceived`). But the quota may have been lowered since, and uploads that
 * may never be attached must not block the attachment of others. Writes of one tenant wait here for
 * one another, so that the sums are exact. Does nothing for a tenant without a quota.
 * @throws ValidationError QUOTA_EXCEEDED, on the fields whose uploads no longer fit, in the order
 * given
 */
export async function requireRoom(write: WriteScope, claimed: readonly ClaimedUpload[]): Promise<void> {
  const quota = write.settings.attachmentQuotaBytes;
  if (quota === null || claimed.length === 0) return;
  const { tx } = write;
  await lockRoom(tx);
  const refs = claimed.map((upload) => upload.contentRef);
  // A separate statement: its snapshot includes the commits of the previous lock holders.
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
  const errors = new FieldErrors();
  for (const { contentRef, field } of claimed) {
    const bytes = bytesOf.get(contentRef) ?? 0;
    // An empty file takes no room, and fits even when the quota is used up.
    if (bytes > 0 && used + bytes > quota) errors.add(field, 'QUOTA_EXCEEDED', undefined, [quota, used]);
    else used += bytes;
  }
  errors.throwIfAny();
}

/**
 * Locks the tenant's room until the transaction ends. Sum up only after this, in a separate
 * statement: an earlier snapshot misses the commits of previous lock holders.
 */
export async function lockRoom(tx: TenantTx): Promise<void> {
  await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('portico.quota.' || $1, 0))`, [tx.tenantId]);
}
