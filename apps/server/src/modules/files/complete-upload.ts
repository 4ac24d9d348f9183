/** The last steps of an upload, whichever way its bytes have come. */
import { invalid } from '../../platform/errors.ts';
import { type AttachmentScanner, type ReceivedFile, sniffMimeType } from '../../platform/files/index.ts';
import type { TenantScope } from '../../platform/scope.ts';
import { completeUpload, storedBytes } from './files.repository.ts';
import { lockRoom } from './quota.ts';

/** What a scanner is given at once. Bytes. */
const SCAN_BYTES = 128 * 1024;

/**
 * Has a file looked at for malware.
 * @param field the input that a refusal is about
 * @throws ValidationError when the scanner finds something; ScannerError and ScannerLimitError of the scanner
 */
export async function scanReceived(scanner: AttachmentScanner, received: ReceivedFile, field: string): Promise<void> {
  const result = await scanner.scan(received.bytes?.() ?? bytesOf(received));
  if (!result.clean) {
    throw invalid(field, 'INVALID_VALUE', `The file was refused: the scanner for malware finds ${result.name}.`);
  }
}

async function* bytesOf(received: ReceivedFile): AsyncIterable<Uint8Array> {
  for (let at = 0; at < received.size; at += SCAN_BYTES) yield await received.read(at, SCAN_BYTES);
}

/** `completed`; `used`: another file came first (its bytes stay, these are found as unused later); or there is no room. */
export type Completion = 'completed' | 'used' | { readonly quota: number; readonly used: number };

/** Finds out what the bytes are, publishes them, and notes that the upload is complete: in this order. */
export async function completeReceived(
  scope: TenantScope,
  contentRef: string,
  received: ReceivedFile,
): Promise<Completion> {
  const { size, md5, sha256, storageKey } = received;
  const mimeType = await sniffMimeType(received);
  await received.publish();
  const stored = { storageKey, mimeType, size, md5, sha256 };
  const quota = scope.settings.attachmentQuotaBytes;
  const now = scope.clock.now();
  if (quota === null) return (await completeUpload(scope.db, contentRef, stored, now)) ? 'completed' : 'used';
  return scope.db.transaction(async (tx) => {
    // Uploads that came in side by side all saw the room that was left when they began.
    await lockRoom(tx);
    const used = await storedBytes(tx);
    if (size > 0 && size > quota - used) return { quota, used };
    return (await completeUpload(tx, contentRef, stored, now)) ? 'completed' : 'used';
  });
}
