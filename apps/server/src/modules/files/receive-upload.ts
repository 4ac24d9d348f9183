/**
 * Taking in the file of an upload (behaviour §11): the form fields of the policy first, the part `file` last. No sign-in:
 * the policy is the permission. The row says so only once the bytes are durable, so a file is there in whole or not at
 * all; a reception that breaks, for whatever reason, leaves nothing.
 */

import { invalid, PorticoError } from '../../platform/errors.ts';
import {
  type AttachmentScanner,
  type FileStorage,
  FileTooLargeError,
  type ReceivedFile,
  ScannerError,
  ScannerLimitError,
} from '../../platform/files/index.ts';
import type { TenantScope } from '../../platform/scope.ts';
import { completeReceived, scanReceived } from './complete-upload.ts';
import { isAwaited, storedBytes } from './files.repository.ts';
import { MultipartError, MultipartReader } from './multipart.ts';
import { readUploadParams, type UploadPolicy } from './upload-policy.ts';

/** The part that holds the bytes. */
const FILE_PART = 'file';
const MAX_FIELD_BYTES = 64 * 1024;
const MAX_FIELDS = 100;
/** What the form around a file may take beyond the file. Bytes. */
const FORM_BYTES = 1024 * 1024;

/** What is needed to take in files. */
export interface ReceiveOptions {
  readonly storage: FileStorage;
  /** Length of the whole body as the client declares it. Bytes. */
  readonly declaredBytes?: number;
  /** Looks for malware; left out, nobody does. */
  readonly scanner?: AttachmentScanner;
}

/**
 * Takes in one upload.
 * @param boundary of the multipart body
 * @throws PorticoError INVALID_LINK for a policy that does not hold, CONFLICT for one that was used, UPLOAD_TOO_LARGE
 *   beyond its limit or the tenant's room, ValidationError for a body that is not such a form
 */
export async function receiveUpload(
  scope: TenantScope,
  body: AsyncIterable<Uint8Array>,
  boundary: string,
  options: ReceiveOptions,
): Promise<void> {
  const reader = new MultipartReader(body, boundary);
  let received: ReceivedFile | undefined;
  try {
    const fields = await readFields(reader);
    const policy = await checkPolicy(scope, fields);
    const maxBytes = await roomFor(scope, policy);
    if ((options.declaredBytes ?? 0) > maxBytes + FORM_BYTES) throw tooLarge(maxBytes);
    received = await options.storage.receive(scope.tenant.id, reader.pieces(), { maxBytes });
    // The body must be whole: a file that was cut off at its last boundary may be cut off elsewhere too.
    while (await reader.next()) await reader.text(MAX_FIELD_BYTES);
    if (options.scanner) await scanReceived(options.scanner, received, FILE_PART);
    const outcome = await completeReceived(scope, policy.contentRef, received);
    if (outcome === 'used') throw alreadyUsed();
    if (outcome !== 'completed') throw tooLarge(Math.max(0, outcome.quota - outcome.used));
  } catch (error) {
    await received?.discard();
    throw asAnswer(error);
  }
}

/** The fields before the file. The reader stands at the file afterwards. */
async function readFields(reader: MultipartReader): Promise<Map<string, string>> {
  const fields = new Map<string, string>();
  for (let count = 0; count <= MAX_FIELDS; count++) {
    const part = await reader.next();
    if (!part)
      throw invalid(FILE_PART, 'REQUIRED_FIELD', 'The form has no part "file"; send it after all other fields.');
    if (part.name === FILE_PART) return fields;
    fields.set(part.name, await reader.text(MAX_FIELD_BYTES));
  }
  throw new MultipartError(`The form has more than ${MAX_FIELDS} fields before the part "file".`);
}

async function checkPolicy(scope: TenantScope, fields: ReadonlyMap<string, string>): Promise<UploadPolicy> {
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
      message: 'The policy of the upload was altered, has expired or belongs elsewhere; begin a new upload.',
    });
  }
  const awaited = await isAwaited(scope.db, policy.contentRef);
  if (awaited === undefined) {
    throw new PorticoError('INVALID_LINK', { message: 'The upload was given up or removed; begin a new upload.' });
  }
  if (!awaited) throw alreadyUsed();
  return policy;
}

function alreadyUsed(): PorticoError {
  return new PorticoError('CONFLICT', { message: 'A file was uploaded with this policy already; begin a new upload.' });
}

/** The limit of the policy, or what is left of the tenant's room if that is less. Bytes. */
async function roomFor(scope: TenantScope, policy: UploadPolicy): Promise<number> {
  const quota = scope.settings.attachmentQuotaBytes;
  if (quota === null) return policy.maxBytes;
  const room = quota - (await storedBytes(scope.db));
  if (room < 0) throw tooLarge(0);
  return Math.min(policy.maxBytes, room);
}

function tooLarge(maxBytes: number): PorticoError {
  return new PorticoError('UPLOAD_TOO_LARGE', {
    message: `The file is larger than the ${maxBytes} bytes that can be taken; send a smaller one.`,
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
  if (error instanceof MultipartError) return invalid('$', 'INVALID_VALUE', error.message);
  return error;
}
