/** Passing the rows of a table from one server to another, as PostgreSQL writes them. */
import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import type pg from 'pg';
import { type CopyStreamQuery, from as copyFrom, to as copyTo } from 'pg-copy-streams';

/** Rows are sent in statements of about this size: foreign keys are checked at the end of each. Bytes. */
const STATEMENT_BYTES = 64 * 1_048_576;
const LINE_END = 10;

/** A table, its name and its columns ready for SQL. */
export interface CopiedTable {
  readonly sql: string;
  readonly columns: string;
  /** Whether rows refer to others of the table: these are sent in one statement. */
  readonly refersToItself: boolean;
  /** SQL condition of the rows that are read; absent: all. */
  readonly where?: string;
}

/** Reads the rows of a table and writes them to the same table of another server, in transactions that both have begun. */
export async function copyRows(source: pg.ClientBase, target: pg.ClientBase, table: CopiedTable): Promise<void> {
  await writeRows(readRows(source, table), target, table);
}

/** The rows of a table in the text format of COPY. `rowCount` is known at the end. */
export function readRows(source: pg.ClientBase, table: CopiedTable): AsyncIterable<Buffer> & { rowCount: number } {
  const where = table.where === undefined ? '' : ` WHERE ${table.where}`;
  return source.query(copyTo(`COPY (SELECT ${table.columns} FROM ${table.sql}${where}) TO STDOUT`));
}

/**
 * Writes rows to a table, in a transaction that has begun.
 * @param chunks rows in the text format of COPY, cut anywhere @returns the number of rows
 */
export async function writeRows(
  chunks: AsyncIterable<Uint8Array>,
  target: pg.ClientBase,
  table: CopiedTable,
): Promise<number> {
  const limit = table.refersToItself ? Number.POSITIVE_INFINITY : STATEMENT_BYTES;
  let writing: CopyStreamQuery | undefined;
  let sent = 0;
  let rows = 0;
  const send = async (bytes: Uint8Array) => {
    writing ??= target.query(copyFrom(`COPY ${table.sql} (${table.columns}) FROM STDIN`));
    sent += bytes.length;
    if (!writing.write(bytes)) await once(writing, 'drain');
  };
  const end = async () => {
    if (!writing) return;
    writing.end();
    await finished(writing);
    rows += writing.rowCount;
    writing = undefined;
    sent = 0;
  };
  try {
    for await (const chunk of chunks) {
      // In this format only the end of a row is a line feed.
      const rowEnd = sent + chunk.length > limit ? chunk.lastIndexOf(LINE_END) + 1 : 0;
      if (rowEnd > 0) {
        await send(chunk.subarray(0, rowEnd));
        await end();
      }
      if (rowEnd < chunk.length) await send(chunk.subarray(rowEnd));
    }
    await end();
    return rows;
  } catch (error) {
    // The statement that waits for rows would wait for ever.
    writing?.on('error', () => undefined).destroy();
    throw error;
  }
}
