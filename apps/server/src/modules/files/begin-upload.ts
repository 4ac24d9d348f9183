/** Beginning an upload (operation uploadNewFile; behaviour §11). */
import { randomBytes } from 'node:crypto';
import type { GetTemporaryImageUploadUrlBaseResponse } from '@portico/contract';
import { fileLinks } from '../../platform/files/index.ts';
import type { Scope } from '../../platform/scope.ts';
import { write } from '../access/index.ts';
import { insertContent } from './files.repository.ts';
import { POLICY_LIFETIME_MS, UPLOAD_PATH, uploadParams } from './upload-policy.ts';

/** A name for a content that nobody can guess: 64 hexadecimal digits. */
export function newContentRef(): string {
  return randomBytes(32).toString('hex');
}

/**
 * Notes an upload that is about to come.
 * @param maxBytes largest size that will be taken
 * @returns where and with which form fields to send the file, and by what name to call it afterwards
 */
export async function beginUpload(scope: Scope, maxBytes: number): Promise<GetTemporaryImageUploadUrlBaseResponse> {
  return write(scope, 'nothing', async (w) => {
    const contentRef = newContentRef();
    await insertContent(w.tx, { contentRef, creatorId: w.actor.userId, createdAt: w.now });
    const temporaryDownloadUrl = fileLinks(w).download({ contentRef, mimeType: null });
    return {
      contentRef,
      uploadUrl: `${w.baseUrl}${UPLOAD_PATH}`,
      uploadMultipartRequestBodyParams: uploadParams(w, {
        contentRef,
        expiresAt: w.now + POLICY_LIFETIME_MS,
        maxBytes,
      }),
      ...(temporaryDownloadUrl !== undefined && { temporaryDownloadUrl }),
    };
  });
}
