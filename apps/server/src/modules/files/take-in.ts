/**
 * Taking in what clients sent to the storage themselves (DirectAccess): the server learns of it when something refers to
 * it. Size and owner are judged again then, all bytes are read once for their digests (and by the scanner, if there is
 * one), and exactly these bytes are copied to a key of their own. It happens before the write that refers to them, in no
 * transaction: reading may take a while.
 */
import { type FieldError, PorticoError, ValidationError } from '../../platform/errors.ts';
import {
  type AttachmentScanner,
  type DirectAccess,
  FileChangedError,
  FileTooLargeError,
  type ReceivedFile,
  ScannerError,
  ScannerLimitError,
} from '../../platform/files/index.ts';
import type { Scope, TenantScope } from '../../platform/scope.ts';
import { completeReceived, scanReceived } from './complete-upload.ts';
import { awaitedUploads } from './files.repository.ts';

/** Uploads that one write takes in side by side. */
const AT_ONCE = 4;
/** How often an upload is begun again whose bytes change while they are read. */
const ATTEMPTS = 2;
/** No write refers to more files; what is beyond is judged by the write itself. */
const MAX_REFS = 500;
/** Bodies are no deeper where they refer to files. */
const MAX_DEPTH = 8;

const CONTENT_REF = /^[0-9a-f]{64}$/;
const REFERS = /contentRef$/i;

/** What taking in works with. */
export interface TakeInOptions {
  readonly direct: DirectAccess;
  /** The largest upload that is taken. Bytes. */
  readonly maxBytes: number;
  readonly scanner?: AttachmentScanner;
}

/**
 * Takes in the uploads of the caller that the body of a write refers to and that have come. What has not come, is
 * somebody else's or unknown is left to the write, which refuses it.
 * @throws ValidationError with every upload that is refused; UNAVAILABLE when storage or scanner cannot be asked
 */
export async function takeInUploads(scope: Scope, body: unknown, options: TakeInOptions): Promise<void> {
  const paths = referencesOf(body);
  if (paths.size === 0) return;
  const refs = await awaitedUploads(scope.db, [...paths.keys()], scope.actor.userId);
  const errors: FieldError[] = [];
  const next = refs.values();
  const work = async () => {
    for (const ref of next) {
      const refused = await takeIn(scope, ref, paths.get(ref) ?? 'contentRef', options);
      if (refused) errors.push(refused);
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, refs.length) }, work));
  if (errors.length > 0) throw new ValidationError(errors.sort((a, b) => (a.field < b.field ? -1 : 1)));
}

/**
 * Takes in an upload that somebody looks at by its temporary link before anything refers to it.
 * @returns false when it has not come, or was refused
 */
export async function takeInLinked(scope: TenantScope, contentRef: string, options: TakeInOptions): Promise<boolean> {
  const [awaited] = await awaitedUploads(scope.db, [contentRef]);
  if (awaited === undefined) return false;
  return (await takeIn(scope, contentRef, 'contentRef', options)) === undefined;
}

/** @returns why the upload is refused; undefined also when there is nothing to take in */
async function takeIn(
  scope: TenantScope,
  contentRef: string,
  field: string,
  options: TakeInOptions,
): Promise<FieldError | undefined> {
  const { direct } = options;
  for (let attempt = 1; ; attempt++) {
    try {
      const received = await direct.receiveSent(scope.tenant.id, contentRef, options);
      if (!received) return undefined;
      const refused = await judge(scope, contentRef, field, received, options);
      await direct.discardSent(contentRef);
      return refused;
    } catch (error) {
      if (error instanceof FileTooLargeError) {
        await direct.discardSent(contentRef);
        return { field, code: 'ATTACHMENT_TOO_LARGE', args: [error.maxBytes] };
      }
      if (!(error instanceof FileChangedError)) throw error;
      // Somebody sends by the same form, or another request has just taken the upload in.
      if (attempt < ATTEMPTS) continue;
      const [awaited] = await awaitedUploads(scope.db, [contentRef]);
      if (awaited === undefined) return undefined;
      throw new PorticoError('CONFLICT', {
        message: 'A file is still being sent for this upload; wait until it is there, then send the request again.',
        cause: error,
      });
    }
  }
}

async function judge(
  scope: TenantScope,
  contentRef: string,
  field: string,
  received: ReceivedFile,
  { scanner }: TakeInOptions,
): Promise<FieldError | undefined> {
  try {
    if (scanner) await scanReceived(scanner, received, field);
  } catch (error) {
    if (error instanceof ValidationError) return error.errors[0];
    if (error instanceof ScannerLimitError) {
      const defaultMessage = 'The file is too large to be checked for malware; send a smaller one.';
      return { field, code: 'ATTACHMENT_TOO_LARGE', defaultMessage };
    }
    if (!(error instanceof ScannerError)) throw error;
    throw new PorticoError('UNAVAILABLE', {
      message: 'The file could not be checked for malware; try again later.',
      cause: error,
    });
  }
  const outcome = await completeReceived(scope, contentRef, received);
  if (typeof outcome === 'string') return undefined;
  return { field, code: 'QUOTA_EXCEEDED', args: [outcome.quota, outcome.used] };
}

/** Content references in a body, and where the first of each stands. */
function referencesOf(body: unknown): Map<string, string> {
  const found = new Map<string, string>();
  const look = (value: unknown, path: string, depth: number): void => {
    if (typeof value !== 'object' || value === null || depth > MAX_DEPTH || found.size >= MAX_REFS) return;
    for (const [name, item] of Object.entries(value)) {
      const place = Array.isArray(value) ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`;
      if (typeof item !== 'string') look(item, place, depth + 1);
      else if (REFERS.test(name) && CONTENT_REF.test(item) && !found.has(item)) found.set(item, place);
    }
  };
  look(body, '', 0);
  return found;
}
