/** Beginning an upload (operation uploadNewFile). */
import { randomBytes } from 'node:crypto';
import type { GetTemporaryImageUploadUrlBaseResponse } from '@portico/contract';
import { type WriteScope, write } from '../../kernel/access/index.ts';
import { fileLinks } from '../../kernel/file-links.ts';
import type { Scope } from '../../kernel/scope.ts';
import type { DirectAccess } from '../../platform/files/index.ts';
import { insertContent, storedBytes } from './files.repository.ts';
import { PENDING_LIMITS, type PendingLimits, requirePlace } from './pending-uploads.ts';
import { POLICY_LIFETIME_MS, UPLOAD_PATH, uploadParams } from './upload-policy.ts';

/** A name for a content that nobody can guess: 64 hexadecimal digits. */
export function newContentRef(): string {
  return randomBytes(32).toString('hex');
}

/**
 * Notes an upload that is about to come: to this server, or straight to a storage that takes such.
 * @param maxBytes largest size that will be taken
 * @param pending what a user may have in flight
 * @throws PorticoError TOO_MANY_UPLOADS
 * @returns where and with which form fields to send the file, and by what name to call it afterwards
 */
export async function beginUpload(
  scope: Scope,
  maxBytes: number,
  direct?: DirectAccess,
  pending: PendingLimits = PENDING_LIMITS,
): Promise<GetTemporaryImageUploadUrlBaseResponse> {
  return write(scope, 'none', async (w) => {
    const left = await requirePlace(w.tx, w.actor.userId, w.now, pending);
    const contentRef = newContentRef();
    await insertContent(w.tx, { contentRef, creatorId: w.actor.userId, createdAt: w.now });
    const temporaryDownloadUrl = fileLinks(w).download({ contentRef, mimeType: null });
    const form = direct
      ? await direct.uploadForm(contentRef, {
          maxBytes: await roomFor(w, Math.min(maxBytes, left)),
          seconds: POLICY_LIFETIME_MS / 1000,
        })
      : {
          url: `${w.baseUrl}${UPLOAD_PATH}`,
          fields: uploadParams(w, { contentRef, expiresAt: w.now + POLICY_LIFETIME_MS, maxBytes }),
        };
    return {
      contentRef,
      uploadUrl: form.url,
      uploadMultipartRequestBodyParams: { ...form.fields },
      ...(temporaryDownloadUrl !== undefined && { temporaryDownloadUrl }),
    };
  });
}

/** The storage itself refuses what is larger than the tenant's room as it is now. Bytes. */
async function roomFor(w: WriteScope, maxBytes: number): Promise<number> {
  const quota = w.settings.attachmentQuotaBytes;
  return quota === null ? maxBytes : Math.max(0, Math.min(maxBytes, quota - (await storedBytes(w.tx))));
}
