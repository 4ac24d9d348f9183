/**
 * Receives the file of an upload: the form fields of the policy first, the part `file` last. No
 * sign-in: the policy is the permission. The row is completed only once the bytes are durable, so a
 * file exists completely or not at all; a reception that fails for any reason leaves nothing.
 */

import {
  type AttachmentScanner,
  type FileStorage,
  FileTooLargeError,
  type ReceivedFile,
  ScannerError,
  ScannerLimitError,
} from '@portico/platform/files';
import { invalid, PorticoError } from '../../../kernel/errors.ts';
import type { TenantScope } from '../../../kernel/scope.ts';
import type { UploadChecksums } from './checksums.ts';
import { completeReceived, scanReceived } from './complete-upload.ts';
import { findUpload, storedBytes } from './files.repository.ts';
import { PENDING_LIMITS, type PendingLimits, Reception } from './pending-uploads.ts';
import type { PolicyWaits } from './policy-waits.ts';
import { FILE_PART, FORM_LIMITS, type UploadForm, UploadFormError } from './upload-form.ts';
import { readUploadParams, type UploadPolicy } from './upload-policy.ts';

/** Dependencies and limits of the reception. */
interface ReceiveOptions {
  readonly storage: FileStorage;
  /** Length of the whole body as the client declares it. Bytes. */
  readonly declaredBytes?: number;
  /** Limits of a user's unattached uploads; default {@link PENDING_LIMITS}. */
  readonly pending?: PendingLimits;
  /** Checksums that the client sent. */
  readonly checksums: UploadChecksums;
  /** Uploads whose policy is not checked yet. */
  readonly waits: PolicyWaits;
  /** Called when the policy is valid. */
  onPolicyAccepted(): void;
  /** Scans for malware; if omitted, nothing is scanned. */
  readonly scanner?: AttachmentScanner;
}

/**
 * Receives one upload.
 * @throws PorticoError INVALID_LINK for an invalid policy, CONFLICT for a policy that was used,
 * UPLOAD_TOO_LARGE beyond its limit or the tenant's room, TOO_MANY_UPLOADS beyond the user's limit
 * of unattached uploads, REQUEST_TIMEOUT when its fields do not arrive, ValidationError for a body
 * that is not such a form
 */
export async function receiveUpload(scope: TenantScope, form: UploadForm, options: ReceiveOptions): Promise<void> {
  let received: ReceivedFile | undefined;
  let reception: Reception | undefined;
  try {
    const { file, policy, creatorId } = await options.waits.within(requireUploadPolicy(scope, form));
    options.onPolicyAccepted();
    const maxBytes = await roomFor(scope, policy);
    if ((options.declaredBytes ?? 0) > maxBytes + FORM_LIMITS.formBytes) throw tooLarge(maxBytes);
    await options.storage.requireRoom?.(options.declaredBytes ?? 0);
    const { contentRef } = policy;
    reception = new Reception(scope.db, { contentRef, creatorId }, options.pending ?? PENDING_LIMITS, scope.clock);
    if (options.declaredBytes) await reception.hold(options.declaredBytes);
    received = await options.storage.receive(scope.tenant.id, reception.pass(file), { maxBytes });
    await form.whole();
    await options.checksums.check(form.fields, received);
    if (options.scanner) await scanReceived(options.scanner, received, FILE_PART);
    const outcome = await completeReceived(scope, contentRef, received, reception);
    if (outcome === 'used') throw alreadyUsed();
    if (outcome !== 'completed') throw tooLarge(Math.max(0, outcome.quota - outcome.used));
  } catch (error) {
    await received?.discard();
    throw asAnswer(error);
  } finally {
    form.stop();
    await reception?.close();
  }
}

/** Waits for the file and checks the policy in the fields before it. */
async function requireUploadPolicy(
  scope: TenantScope,
  form: UploadForm,
): Promise<{ file: AsyncIterable<Uint8Array>; policy: UploadPolicy; creatorId: number }> {
  const file = await form.file();
  if (!file) throw invalid(FILE_PART, 'REQUIRED_FIELD', 'The form has no part "file"; send it after all other fields.');
  return { file, ...(await checkPolicy(scope, form.fields)) };
}

async function checkPolicy(
  scope: TenantScope,
  fields: ReadonlyMap<string, string>,
): Promise<{ policy: UploadPolicy; creatorId: number }> {
  for (const name of ['key', 'policy', 'signature']) {
    if (!fields.has(name)) {
      throw invalid(
        name,
        'REQUIRED_FIELD',
        `Send the form field "${name}" of uploadMultipartRequestBodyParams before the part "file".`,
      );
    }
  }
  const policy = readUploadParams(scope, fields);
  if (!policy) {
    throw new PorticoError('INVALID_LINK', {
      message: 'The upload policy is invalid or has expired; start a new upload.',
    });
  }
  const upload = await findUpload(scope.db, policy.contentRef);
  if (!upload) {
    throw new PorticoError('INVALID_LINK', { message: 'The upload was cancelled or removed; start a new upload.' });
  }
  if (!upload.awaited) throw alreadyUsed();
  return { policy, creatorId: upload.creatorId };
}

function alreadyUsed(): PorticoError {
  return new PorticoError('CONFLICT', { message: 'A file was already uploaded with this policy; start a new upload.' });
}

/** Returns the limit of the policy, or the remaining room of the tenant if that is less. Bytes. */
async function roomFor(scope: TenantScope, policy: UploadPolicy): Promise<number> {
  const quota = scope.settings.attachmentQuotaBytes;
  if (quota === null) return policy.maxBytes;
  // If bytes for this upload were stored meanwhile, the error is "used", not "no room".
  const room = quota - (await storedBytes(scope.db, policy.contentRef));
  if (room < 0) throw tooLarge(0);
  return Math.min(policy.maxBytes, room);
}

function tooLarge(maxBytes: number): PorticoError {
  return new PorticoError('UPLOAD_TOO_LARGE', {
    message: `The file is larger than the limit of ${maxBytes} bytes.`,
  });
}

function asAnswer(error: unknown): unknown {
  if (error instanceof FileTooLargeError) return tooLarge(error.maxBytes);
  if (error instanceof ScannerLimitError) {
    return new PorticoError('UPLOAD_TOO_LARGE', {
      message: 'The file is too large to be checked for malware; send a smaller one.',
    });
  }
  if (error instanceof ScannerError) {
    return new PorticoError('UNAVAILABLE', {
      message: 'The file could not be checked for malware; try again later.',
      cause: error,
    });
  }
  if (error instanceof UploadFormError) return invalid('$', 'INVALID_VALUE', error.message);
  return error;
}
