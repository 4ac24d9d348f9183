/** The last steps of an upload, whichever way its bytes have come. */

import { invalid } from '../../kernel/errors.ts';
import type { TenantScope } from '../../kernel/scope.ts';
import type { TenantTx } from '../../platform/db/tenant-db.ts';
import {
  type AttachmentScanner,
  type FileBytes,
  type ReceivedFile,
  sniffMimeType,
} from '../../platform/files/index.ts';
import { completeUpload, releaseRoom, reserveRoom, type StoredContent, storedBytes } from './files.repository.ts';
import type { Reception } from './pending-uploads.ts';
import { lockRoom } from './quota.ts';

/** What a scanner is given at once. Bytes. */
const SCAN_BYTES = 128 * 1024;

/**
 * Has a file scanned for malware.
 * @param field the input that a refusal is about
 * @throws ValidationError when the scanner finds something; ScannerError and ScannerLimitError of the scanner
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

/** `completed`; `used`: another file came first; or there is no room. */
export type Completion = 'completed' | 'used' | { readonly quota: number; readonly used: number };

/** What is noted of a file once it is stored; finds out what its bytes are. */
export async function contentOf(received: FileBytes): Promise<StoredContent> {
  const { size, md5, sha256, storageKey } = received;
  return { storageKey, mimeType: await sniffMimeType(received), size, md5, sha256 };
}

/**
 * Finds out what the bytes are, publishes them, and notes that the upload is complete. What is refused is not published:
 * uploads that come in side by side all saw the room that was left when they began, and the bytes of those for which there
 * is none must not stay. The room is taken before publishing, in a short transaction, since publishing may take a while.
 * A reservation of a body that ended without completion, as in a crash, is taken over.
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
  // Another body of the form may have taken the reservation over, so the room is counted once more.
  return scope.db.transaction((tx) => completeStored(tx, quota, contentRef, stored, scope.clock.now()));
}

/** Uploads that this node completes, each with a promise that resolves at its end. */
const ongoing = new Map<string, Promise<unknown>>();

/** Completes bodies of one form one after the other, so that the later ones publish nothing once one is completed. */
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
 * Notes that an upload is complete whose bytes are under their key already, in one transaction with the check of the free space.
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

/** Keeps others from taking room until the transaction ends. @returns undefined when there is enough for this upload */
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
