/** Background job that reads the text of documents, so that search finds them by their content. */

import type { TenantDb } from '@portico/platform/db/tenant-db';
import {
  ENCRYPTED,
  EXAMINED_MIME_TYPES,
  EXTRACTABLE_PATTERNS,
  type FileStorage,
  type TextReader,
} from '@portico/platform/files';
import type { Log } from '../../../kernel/scope.ts';
import { claimFiles, saveText, type WaitingFile } from './files.repository.ts';
import { withJobCopy } from './local-copy.ts';

/** Maximum size of a document that is read. Bytes. */
const MAX_INPUT_BYTES = 64 * 1024 ** 2;

/** Dependencies of the job. */
interface TextWork {
  readonly db: TenantDb;
  readonly storage: FileStorage;
  readonly reader: TextReader;
  readonly log: Log;
  /** Epoch milliseconds. */
  readonly now: number;
}

/**
 * Reads the text of the tenant's next documents. When a document cannot be read, stores the reason
 * (file_contents.text_error), logs it, and does not try again. Search finds the posts by the text
 * once their search rows are rebuilt (posts/documents).
 * @returns the number of processed files; call again at once while it is not 0
 */
export async function readTexts(work: TextWork): Promise<number> {
  const files = await claimFiles(work.db, 'text', work.now);
  for (const file of files) {
    const { text, error } = await textOf(work, file);
    if (error !== null) {
      work.log.warn(
        { contentRef: file.contentRef, mimeType: file.mimeType, reason: error },
        'the text of a document could not be read',
      );
    }
    await saveText(work.db, file.contentRef, text, error);
  }
  return files.length;
}

async function textOf(work: TextWork, file: WaitingFile): Promise<{ text: string | null; error: string | null }> {
  const extractable = EXTRACTABLE_PATTERNS.includes(file.mimeType);
  if (!extractable && !EXAMINED_MIME_TYPES.includes(file.mimeType)) return { text: null, error: null };
  if (file.size > MAX_INPUT_BYTES) {
    const error = `the document is larger than ${MAX_INPUT_BYTES} bytes`;
    return { text: null, error: extractable ? error : null };
  }
  const outcome = await withJobCopy(work.storage, file.storageKey, await work.reader.newFiles(), ({ input }) =>
    work.reader.read(input, file.mimeType),
  );
  if ('lost' in outcome) return { text: null, error: outcome.lost };
  if (!('failed' in outcome)) return { text: outcome.answer, error: null };
  // A document without text is no failure, unless its type is extractable or it is encrypted.
  return { text: null, error: extractable || outcome.failed === ENCRYPTED ? outcome.failed : null };
}
