/** Converts documents to lines of JSON, so that they are read like other files. */

import { createReadStream, createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { createGunzip } from 'node:zlib';
import { importLimits } from '@portico/contract';
import { IsolatedProcess } from '@portico/platform/files';
import pLimit from 'p-limit';
import { ImportError } from '../source/errors.ts';
import { type InputFile, openInput } from '../source/input-lines.ts';
import type { DocumentOptions } from '../source/mapping-types.ts';
import type { DocumentAnswer, DocumentJob, FoundRows } from './document-job.ts';

const SCRIPT = fileURLToPath(new URL('./document-child.ts', import.meta.url));
const reader = new IsolatedProcess<DocumentJob, DocumentAnswer>(
  SCRIPT,
  { memoryBytes: 1024 ** 3, jobMs: 60_000 },
  { native: false },
);
/** Name of the file of rows. */
const ROWS = 'rows.ndjson';
/** A process works on one document at a time. */
const inTurn = pLimit(1);

/** Rows of a document as a file of lines, and the columns that the document names. */
export interface ConvertedRows {
  readonly file: InputFile;
  readonly columns?: readonly string[] | undefined;
  /** Place of the rows in a JSON document. */
  readonly found: Partial<FoundRows>;
  /** Removes the file. */
  readonly remove: () => Promise<void>;
}

/**
 * Reads a document in a separate process, isolated from its content.
 * @throws ImportError when it cannot be read, or is too large
 */
export async function convertDocument(
  file: InputFile,
  format: DocumentJob['format'],
  options: DocumentOptions,
): Promise<ConvertedRows> {
  const files = await reader.newFiles();
  try {
    await copy(file, files.input);
    const outcome = await inTurn(() =>
      reader.run({
        input: files.input,
        output: files.output(ROWS),
        format,
        options,
        mostBytes: importLimits.decompressedBytes,
      }),
    );
    if ('failed' in outcome) throw new ImportError(`${file.name} cannot be read: ${outcome.failed}.`);
    if ('problem' in outcome.answer) throw new ImportError(`${file.name} cannot be read: ${outcome.answer.problem}.`);
    const output = await files.take(ROWS);
    if (output === undefined) throw new ImportError(`${file.name} cannot be read: it has no rows.`);
    const rows = await openInput(output, { name: file.name, longestLine: file.longestLine });
    const { columns, ...found } = outcome.answer;
    return { file: rows, columns, found, remove: files.remove };
  } catch (error) {
    await files.remove();
    throw error;
  }
}

/** Copies a file, decompressed. */
async function copy(file: InputFile, to: string): Promise<void> {
  const most = importLimits.documentBytes;
  const tooLarge = () =>
    new ImportError(`${file.name} is too large: a JSON document or a workbook has at most ${most} bytes.`);
  if (!file.gzip) {
    if (file.size > most) throw tooLarge();
    await pipeline(createReadStream(file.path), createWriteStream(to));
    return;
  }
  let bytes = 0;
  const counted = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      if (bytes > most) throw tooLarge();
      yield chunk;
    }
  };
  try {
    await pipeline(createReadStream(file.path), createGunzip(), counted, createWriteStream(to));
  } catch (error) {
    if (error instanceof ImportError) throw error;
    throw new ImportError(`${file.name} cannot be read to its end: ${(error as Error).message}.`);
  }
}
