/** Beginning an upload (operation uploadNewFile). */
import { randomBytes } from 'node:crypto';
import type { GetTemporaryImageUploadUrlBaseResponse } from '@portico/contract';
import type { DirectAccess } from '@portico/platform/files';
import { type WriteScope, writeTransaction } from '../../../kernel/access/index.ts';
import { fileLinks } from '../../../kernel/file-links.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { insertContent, storedBytes } from './files.repository.ts';
import { PENDING_LIMITS, type PendingLimits, requirePlace } from './pending-uploads.ts';
import { POLICY_LIFETIME_MS, UPLOAD_PATH, uploadParams } from './upload-policy.ts';

/** Returns a content reference that cannot be guessed: 64 hexadecimal digits. */
export function newContentRef(): string {
  return randomBytes(32).toString('hex');
}

/**
 * Begins an upload, to this server or directly to a storage that supports it.
 * @param maxBytes maximum size
 * @param pending limits of a user's unattached uploads
 * @throws PorticoError TOO_MANY_UPLOADS
 * @returns the address and form fields of the upload, and the reference of its content
 */
export async function beginUpload(
  scope: Scope,
  maxBytes: number,
  direct?: DirectAccess,
  pending: PendingLimits = PENDING_LIMITS,
): Promise<GetTemporaryImageUploadUrlBaseResponse> {
  return writeTransaction(scope, 'none', async (write) => {
    const left = await requirePlace(write.tx, write.actor.userId, write.now, pending);
    const contentRef = newContentRef();
    await insertContent(write.tx, { contentRef, creatorId: write.actor.userId, createdAt: write.now });
    const temporaryDownloadUrl = fileLinks(write).download({ contentRef, mimeType: null });
    const form = direct
      ? await direct.uploadForm(contentRef, {
          maxBytes: await roomFor(write, Math.min(maxBytes, left)),
          seconds: POLICY_LIFETIME_MS / 1000,
        })
      : {
          url: `${write.baseUrl}${UPLOAD_PATH}`,
          fields: uploadParams(write, { contentRef, expiresAt: write.now + POLICY_LIFETIME_MS, maxBytes }),
        };
    return {
      contentRef,
      uploadUrl: form.url,
      uploadMultipartRequestBodyParams: { ...form.fields },
      temporaryDownloadUrl,
    };
  });
}

/** The storage itself rejects files larger than the tenant's current room. Bytes. */
async function roomFor(write: WriteScope, maxBytes: number): Promise<number> {
  const quota = write.settings.attachmentQuotaBytes;
  return quota === null ? maxBytes : Math.max(0, Math.min(maxBytes, quota - (await storedBytes(write.tx))));
}
