/**
 * Writes rows by COPY. The rows are computed here rather than by SQL on the server, because search
 * texts, sort keys and value rows must come from the product's own TypeScript. A connection per
 * table keeps a backend busy while this process computes the next rows, so that two cores work.
 */
import { once } from 'node:events';
import pg from 'pg';
import { type CopyStreamQuery, from as copyFrom } from 'pg-copy-streams';

/** A value of a column: times from {@link timeOf}, lists from {@link listOf}, JSON as text. */
export type Value = string | number | boolean | null;

const CHUNK = 1 << 18;
const SPECIAL = /[\\\n\r\t]/;
const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function textOf(value: Value): string {
  if (value === null) return '\\N';
  if (typeof value === 'string')
    return SPECIAL.test(value) ? value.replace(/[\\\n\r\t]/g, (character) => ESCAPES[character] as string) : value;
  if (typeof value === 'boolean') return value ? 't' : 'f';
  return String(value);
}

/** A moment in epoch milliseconds as a value of timestamptz. */
export function timeOf(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}

/** Ids as a value of bigint[]. */
export function listOf(ids: readonly number[]): string {
  return `{${ids.join(',')}}`;
}

/** A table that is being filled. */
export class CopyTable {
  readonly name: string;
  readonly columns: readonly string[];
  rows = 0;
  #buffer = '';
  readonly #client: pg.Client;
  #connected: Promise<unknown> | undefined;
  #stream: CopyStreamQuery | undefined;
  #failed: Error | undefined;
  /** Settles when the server has accepted the last chunk: the next rows are computed meanwhile. */
  #taken: Promise<unknown> = Promise.resolve();

  /**
   * Has a connection of its own, opened at the first send.
   * @param connection a superuser: row security prevents COPY, and foreign keys, which hold by
   *   construction, are not checked
   */
  constructor(connection: pg.ClientConfig, name: string, columns: readonly string[]) {
    this.name = name;
    this.columns = columns;
    this.#client = new pg.Client(connection);
  }

  /**
   * Opens the COPY when there is something to send: a backend waiting in COPY blocks the drop of
   * another database.
   */
  async #begin(): Promise<CopyStreamQuery> {
    this.#connected = this.#client.connect();
    await this.#connected;
    await this.#client.query(`SET session_replication_role = replica; SET synchronous_commit = off`);
    const stream = this.#client.query(copyFrom(`COPY ${this.name} (${this.columns.join(', ')}) FROM STDIN`));
    stream.on('error', (error) => {
      this.#failed = error;
    });
    return stream;
  }

  /** Adds a row: a value for each column of the table. */
  add(row: Readonly<Record<string, Value>>): void {
    if (Object.keys(row).length !== this.columns.length)
      throw new Error(`A row of ${this.name} has columns other than those of the first row.`);
    let line = '';
    for (const [index, column] of this.columns.entries()) {
      const value = row[column];
      if (value === undefined) throw new Error(`A row of ${this.name} has no ${column}.`);
      if (index > 0) line += '\t';
      line += textOf(value);
    }
    this.#buffer += `${line}\n`;
    this.rows += 1;
  }

  /** Sends the gathered rows if there are many; waits if the server does not keep up. */
  async send(): Promise<void> {
    if (this.#buffer.length >= CHUNK) await this.#flush();
  }

  async #flush(): Promise<void> {
    await this.#taken;
    if (this.#failed) throw new Error(`COPY ${this.name}: ${this.#failed.message}`, { cause: this.#failed });
    const chunk = this.#buffer;
    this.#buffer = '';
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#taken = promise;
    this.#stream ??= await this.#begin();
    // The listener stores an error, and the next call throws it.
    this.#stream.write(chunk, () => resolve());
  }

  /** Sends the rest and commits. */
  async close(): Promise<void> {
    await this.#flush();
    await this.#taken;
    const stream = this.#stream as CopyStreamQuery;
    const finished = once(stream, 'finish');
    stream.end();
    await finished;
    if (this.#failed) throw this.#failed;
    await this.#client.end();
  }

  /** Gives up, after an error elsewhere. */
  async abandon(): Promise<void> {
    this.#stream?.destroy();
    if (this.#connected) await this.#client.end();
  }
}
