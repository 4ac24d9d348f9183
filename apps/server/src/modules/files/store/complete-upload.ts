/** Last steps of an upload, for both upload routes. */

import type { TenantTx } from '@portico/platform/db/tenant-db';
import { type AttachmentScanner, type FileBytes, type ReceivedFile, sniffMimeType } from '@portico/platform/files';
import { invalid } from '../../../kernel/errors.ts';
import type { TenantScope } from '../../../kernel/scope.ts';
import { completeUpload, releaseRoom, reserveRoom, type StoredContent, storedBytes } from './files.repository.ts';
import type { Reception } from './pending-uploads.ts';
import { lockRoom } from './quota.ts';

/** Size of the pieces that a scanner receives. Bytes. */
const SCAN_BYTES = 128 * 1024;

/**
 * Scans a file for malware.
 * @param field input that the validation error names
 * @throws ValidationError when the scanner finds malware; ScannerError and ScannerLimitError of the
 * scanner
 */
export async function scanReceived(scanner: AttachmentScanner, received: FileBytes, field: string): Promise<void> {
  const result = await scanner.scan(received.bytes?.() ?? bytesOf(received));
  if (!result.clean) {
    throw invalid(field, 'INVALID_VALUE', `The file was refused: the scanner for malware finds ${result.name}.`);
  }
}

async function* bytesOf(received: FileBytes): AsyncIterable<Uint8Array> {
  for (let at = 0; at < received.size; at += SCAN_BYTES) yield await received.read(at, SCAN_BYTES);
}

/**
 * Outcome: `completed`; `used` when another file was stored first; the quota when there is no room.
 */
export type Completion = 'completed' | 'used' | { readonly quota: number; readonly used: number };

/** Returns the stored properties of a file; detects its MIME type. */
export async function contentOf(received: FileBytes): Promise<StoredContent> {
  const { size, md5, sha256, storageKey } = received;
  return { storageKey, mimeType: await sniffMimeType(received), size, md5, sha256 };
}

/**
 * Detects the MIME type of the bytes, publishes them, and marks the upload as complete. A rejected
 * file is not published: parallel uploads all saw the same free room when they began, and the bytes
 * of uploads that do not fit must not stay. The room is reserved in a short transaction before
 * publishing, since publishing may take a while. Takes over the reservation of a body that ended
 * without completion, as after a crash.
 */
export async function completeReceived(
  scope: TenantScope,
  contentRef: string,
  received: ReceivedFile,
  reception: Reception,
): Promise<Completion> {
  const stored = await contentOf(received);
  const quota = scope.settings.attachmentQuotaBytes;
  if (quota === null) {
    await received.publish();
    if (!(await completeUpload(scope.db, contentRef, stored, scope.clock.now()))) return 'used';
    reception.settled();
    return 'completed';
  }
  return inTurn(`${scope.tenant.id} ${contentRef}`, () =>
    completeWithin(scope, quota, contentRef, received, stored, reception),
  );
}

/** Completes an upload of a tenant with a quota. */
async function completeWithin(
  scope: TenantScope,
  quota: number,
  contentRef: string,
  received: ReceivedFile,
  stored: StoredContent,
  reception: Reception,
): Promise<Completion> {
  const refused = await scope.db.transaction(async (tx): Promise<Completion | undefined> => {
    const full = await lackOfRoom(tx, quota, contentRef, stored.size);
    if (full) return full;
    return (await reserveRoom(tx, contentRef, stored.size, reception.held)) ? undefined : 'used';
  });
  if (refused) return refused;
  reception.settled();
  try {
    await received.publish();
  } catch (error) {
    await releaseRoom(scope.db.detached, contentRef);
    throw error;
  }
  // Another body of the same form may have taken over the reservation, so the room is checked
  // again.
  return scope.db.transaction((tx) => completeStored(tx, quota, contentRef, stored, scope.clock.now()));
}

/** Uploads that this node completes, each with a promise that resolves at its end. */
const ongoing = new Map<string, Promise<unknown>>();

/**
 * Completes the bodies of one form one after the other; after the first completion, the others
 * publish nothing.
 */
async function inTurn<T>(upload: string, complete: () => Promise<T>): Promise<T> {
  while (ongoing.has(upload)) await ongoing.get(upload);
  const completion = complete();
  ongoing.set(upload, Promise.allSettled([completion]));
  try {
    return await completion;
  } finally {
    ongoing.delete(upload);
  }
}

/**
 * Marks an upload as complete whose bytes are already stored under their key, in the same
 * transaction as the check of the free room.
 * @param quota bytes; null: no limit
 */
export async function completeStored(
  tx: TenantTx,
  quota: number | null,
  contentRef: string,
  stored: StoredContent,
  now: number,
): Promise<Completion> {
  const full = quota === null ? undefined : await lackOfRoom(tx, quota, contentRef, stored.size);
  if (full) return full;
  return (await completeUpload(tx, contentRef, stored, now)) ? 'completed' : 'used';
}

/**
 * Locks the tenant's room until the transaction ends.
 * @returns undefined when there is enough for this upload
 */
async function lackOfRoom(
  tx: TenantTx,
  quota: number,
  contentRef: string,
  size: number,
): Promise<{ quota: number; used: number } | undefined> {
  await lockRoom(tx);
  const used = await storedBytes(tx, contentRef);
  return size > 0 && size > quota - used ? { quota, used } : undefined;
}
