/** Stores a file without an upload: for generators and imports. */

import { type FileStorage, sniffMimeType } from '@portico/platform/files';
import type { Scope } from '../../../kernel/scope.ts';
import { newContentRef } from './begin-upload.ts';
import { insertContent, type StoredContent } from './files.repository.ts';

/** A stored file. */
export interface StoredFile extends StoredContent {
  /** Value of `contentRef` in posts, comments, tasks, and pictures of users and communities. */
  readonly contentRef: string;
}

/**
 * Stores a file as a complete, unattached upload of the scope's user. After a rollback
 * of the scope's transaction, the daily round removes the bytes with other unused ones.
 * @param data all bytes, or a stream of them
 */
export async function storeFile(
  scope: Scope,
  storage: FileStorage,
  data: Uint8Array | AsyncIterable<Uint8Array>,
): Promise<StoredFile> {
  const source = data instanceof Uint8Array ? inOnePiece(data) : data;
  const received = await storage.receive(scope.tenant.id, source, { maxBytes: Number.MAX_SAFE_INTEGER });
  let stored: StoredContent;
  try {
    const { size, md5, sha256, storageKey } = received;
    stored = { storageKey, mimeType: await sniffMimeType(received), size, md5, sha256 };
    await received.publish();
  } catch (error) {
    await received.discard();
    throw error;
  }
  const contentRef = newContentRef();
  // Unused uploads are removed by their age, which starts now even if an import gives the content
  // an earlier date.
  const content = { contentRef, creatorId: scope.actor.userId, createdAt: scope.clock.now(), uploadedAt: Date.now() };
  await insertContent(scope.db, content, stored);
  return { contentRef, ...stored };
}

async function* inOnePiece(data: Uint8Array): AsyncIterable<Uint8Array> {
  yield data;
}
