/** Turns documents of users into lines of JSON, in a process of its own. */
import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { answerJobs } from '@portico/platform/files/isolation/isolated-child';
import { ImportError } from '../source/errors.ts';
import type { InputRecord } from '../source/records.ts';
import { type DocumentAnswer, type DocumentJob, DocumentProblem } from './document-job.ts';
import { jsonRows } from './json-rows.ts';
import { sheetRows } from './sheet-rows.ts';

answerJobs<DocumentJob, DocumentAnswer>(async (job) => {
  try {
    const content = await readFile(job.input);
    const { rows, ...found } =
      job.format === 'json' ? await jsonRows(content, job.options) : await sheetRows(content, job.options);
    await pipeline(Readable.from(linesOf(rows, job.mostBytes)), createWriteStream(job.output));
    return found;
  } catch (error) {
    if (error instanceof DocumentProblem) return { problem: error.message };
    if (error instanceof ImportError) return { problem: error.message.replace(/\.$/, '') };
    throw error;
  }
});

/** Workbooks store texts once and use them often: the rows of a small file may be long. */
function* linesOf(rows: Iterable<InputRecord>, mostBytes: number): Generator<string> {
  let bytes = 0;
  for (const row of rows) {
    const line = `${textOf(row)}\n`;
    bytes += Buffer.byteLength(line);
    if (bytes > mostBytes) throw new DocumentProblem(`its rows have more than ${mostBytes} bytes`);
    yield line;
  }
}

/** A row that is nested too deeply to be written is refused. */
function textOf(row: InputRecord): string {
  try {
    return JSON.stringify(row);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return JSON.stringify({ line: row.line, error: { reason: 'it is nested too deeply', text: '' } });
  }
}
