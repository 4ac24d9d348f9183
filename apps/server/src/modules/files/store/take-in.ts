/**
 * Takes in uploads that clients sent directly to the storage (DirectAccess): the server notices
 * them at the first reference. It checks size and owner again, copies the bytes to a separate key,
 * and reads them there once for their digests (and the scanner, if configured). This happens before
 * the write that refers to them and outside a transaction, since reading may take a while.
 */

import type { TenantTx } from '@portico/platform/db/tenant-db';
import {
  type AttachmentScanner,
  type DirectAccess,
  FileChangedError,
  FileTooLargeError,
  ScannerError,
  ScannerLimitError,
  type SentFile,
} from '@portico/platform/files';
import { type FieldError, FieldErrors, PorticoError, ValidationError } from '../../../kernel/errors.ts';
import type { Scope, TenantScope } from '../../../kernel/scope.ts';
import { type Completion, completeStored, contentOf, scanReceived } from './complete-upload.ts';
import { awaitedUploads, type StoredContent } from './files.repository.ts';

/** Uploads that one write takes in concurrently. */
const AT_ONCE = 4;
/** Attempts for an upload that is removed while it is copied. */
const ATTEMPTS = 2;
/** Maximum of references per write; the write itself checks the references beyond it. */
const MAX_REFS = 500;
/** Maximum depth at which a body refers to files. */
const MAX_DEPTH = 8;

const CONTENT_REF = /^[0-9a-f]{64}$/;
const REFERS = /contentRef$/i;

/** Dependencies and limits of taking in. */
export interface TakeInOptions {
  readonly direct: DirectAccess;
  /** Maximum size of an upload. Bytes. */
  readonly maxBytes: number;
  readonly scanner?: AttachmentScanner;
}

/**
 * Takes in the caller's uploads that the body of a write refers to and whose bytes have arrived.
 * Skips references to missing, foreign and unknown uploads: the write itself rejects them.
 * @throws ValidationError with every rejected upload; UNAVAILABLE when storage or scanner cannot be
 * reached
 */
export async function takeInUploads(scope: Scope, body: unknown, options: TakeInOptions): Promise<void> {
  await forEachAwaited(scope, body, (ref, field) => takeIn(scope, ref, field, options));
}

/**
 * Checks the uploads for a dry run and keeps nothing of them.
 * @returns marks them as taken in, within the transaction of the write, which is rolled back
 * @throws as {@link takeInUploads}; the returned function throws ValidationError for uploads that
 * do not fit
 */
export async function tryUploads(
  scope: Scope,
  body: unknown,
  options: TakeInOptions,
): Promise<(tx: TenantTx) => Promise<void>> {
  const accepted: { contentRef: string; field: string; stored: StoredContent }[] = [];
  await forEachAwaited(scope, body, (contentRef, field) =>
    whileSent(scope, contentRef, options, async (sent) => {
      try {
        const refused = await scan(sent, field, options);
        if (!refused) accepted.push({ contentRef, field, stored: await contentOf(sent) });
        return refused;
      } finally {
        await sent.discard();
      }
    }).catch((error: unknown) => {
      if (error instanceof FileTooLargeError) return tooLarge(field, error);
      throw error;
    }),
  );
  return async (tx) => {
    const errors = new FieldErrors();
    const quota = scope.settings.attachmentQuotaBytes;
    for (const { contentRef, field, stored } of accepted) {
      const refused = refusalOf(await completeStored(tx, quota, contentRef, stored, scope.clock.now()), field);
      if (refused) errors.push(refused);
    }
    throwAny(errors);
  };
}

/**
 * Takes in an upload that is opened by its temporary link before anything refers to it.
 * @returns false when its bytes have not arrived, or were rejected
 */
export async function takeInLinked(scope: TenantScope, contentRef: string, options: TakeInOptions): Promise<boolean> {
  const [awaited] = await awaitedUploads(scope.db, [contentRef]);
  if (awaited === undefined) return false;
  return (await takeIn(scope, contentRef, 'contentRef', options)) === undefined;
}

/** @param check returns why an upload is rejected */
async function forEachAwaited(
  scope: Scope,
  body: unknown,
  check: (contentRef: string, field: string) => Promise<FieldError | undefined>,
): Promise<void> {
  const paths = referencesOf(body);
  if (paths.size === 0) return;
  const refs = await awaitedUploads(scope.db, [...paths.keys()], scope.actor.userId);
  const errors = new FieldErrors();
  const next = refs.values();
  const work = async () => {
    for (const ref of next) {
      const refused = await check(ref, paths.get(ref) ?? 'contentRef');
      if (refused) errors.push(refused);
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, refs.length) }, work));
  throwAny(errors);
}

function throwAny(errors: FieldErrors): void {
  if (errors.length > 0) throw new ValidationError(errors.list.toSorted((a, b) => (a.field < b.field ? -1 : 1)));
}

/** @returns why the upload is rejected; undefined also when there is nothing to take in */
async function takeIn(
  scope: TenantScope,
  contentRef: string,
  field: string,
  options: TakeInOptions,
): Promise<FieldError | undefined> {
  const { direct } = options;
  try {
    return await whileSent(scope, contentRef, options, async (sent) => {
      const refused = await keep(scope, contentRef, field, sent, options);
      await direct.discardSent(contentRef);
      return refused;
    });
  } catch (error) {
    if (!(error instanceof FileTooLargeError)) throw error;
    await direct.discardSent(contentRef);
    return tooLarge(field, error);
  }
}
function tooLarge(field: string, error: FileTooLargeError): FieldError {
  return { field, code: 'ATTACHMENT_TOO_LARGE', args: [error.maxBytes] };
}

/**
 * Runs `work` with the bytes that were sent for an upload.
 * @returns its result; undefined also without any bytes
 */
async function whileSent(
  scope: TenantScope,
  contentRef: string,
  options: TakeInOptions,
  work: (sent: SentFile) => Promise<FieldError | undefined>,
): Promise<FieldError | undefined> {
  for (let attempt = 1; ; attempt++) {
    try {
      const sent = await options.direct.receiveSent(scope.tenant.id, contentRef, options);
      return sent && (await work(sent));
    } catch (error) {
      if (!(error instanceof FileChangedError)) throw error;
      // Another request has just taken in or removed the upload.
      if (attempt < ATTEMPTS) continue;
      const [awaited] = await awaitedUploads(scope.db, [contentRef]);
      if (awaited === undefined) return undefined;
      throw new PorticoError('CONFLICT', {
        message: 'The file of this upload is still being received; retry when it is complete.',
        cause: error,
      });
    }
  }
}

/** Marks an upload as complete. Removes the bytes of a rejected or second upload. */
async function keep(
  scope: TenantScope,
  contentRef: string,
  field: string,
  sent: SentFile,
  options: TakeInOptions,
): Promise<FieldError | undefined> {
  let stored: StoredContent;
  try {
    const refused = await scan(sent, field, options);
    if (refused) {
      await sent.discard();
      return refused;
    }
    stored = await contentOf(sent);
  } catch (error) {
    await sent.discard();
    throw error;
  }
  const quota = scope.settings.attachmentQuotaBytes;
  // After a failure it is unknown whether the transaction was committed: the bytes are kept; if it
  // was not, the daily round removes them as unused.
  const outcome = await scope.db.transaction((tx) => completeStored(tx, quota, contentRef, stored, scope.clock.now()));
  if (outcome !== 'completed') await sent.discard();
  return refusalOf(outcome, field);
}

function refusalOf(outcome: Completion, field: string): FieldError | undefined {
  if (typeof outcome === 'string') return undefined;
  return { field, code: 'QUOTA_EXCEEDED', args: [outcome.quota, outcome.used] };
}

/** @returns the finding of the scanner */
async function scan(sent: SentFile, field: string, { scanner }: TakeInOptions): Promise<FieldError | undefined> {
  if (!scanner) return undefined;
  try {
    await scanReceived(scanner, sent, field);
    return undefined;
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
}

/** Content references in a body, and the path of the first of each. */
function referencesOf(body: unknown): Map<string, string> {
  const found = new Map<string, string>();
  const look = (value: unknown, path: string, depth: number): void => {
    if (typeof value !== 'object' || value === null || depth > MAX_DEPTH || found.size >= MAX_REFS) return;
    for (const [name, item] of Object.entries(value)) {
      const member = path === '' ? name : `${path}.${name}`;
      const place = Array.isArray(value) ? `${path}[${name}]` : member;
      if (typeof item !== 'string') look(item, place, depth + 1);
      else if (REFERS.test(name) && CONTENT_REF.test(item) && !found.has(item)) found.set(item, place);
    }
  };
  look(body, '', 0);
  return found;
}
