/** The tables that are filled by COPY: opened at their first row. Columns that rows leave out take their default. */

import type { loadedTables } from '@portico/server/testing/dataset';
import type pg from 'pg';
import { CopyTable, type Value } from './copy-table.ts';

/** A table that rows can be written to. */
type TableName = keyof typeof loadedTables;
/** A row by column. All rows of a table have the same columns. */
type RowOf<T extends TableName> = Readonly<Partial<Record<keyof (typeof loadedTables)[T]['columns'], Value>>>;

/** The tables that are being filled, a connection each. */
export class Tables {
  readonly #connection: pg.ClientConfig;
  readonly #filled = new Map<string, CopyTable>();

  /** @param connection a superuser: see {@link CopyTable} */
  constructor(connection: pg.ClientConfig) {
    this.#connection = connection;
  }

  /** Adds a row. */
  add<T extends TableName>(name: T, row: RowOf<T>): void {
    let table = this.#filled.get(name);
    if (!table) {
      table = new CopyTable(this.#connection, name, Object.keys(row));
      this.#filled.set(name, table);
    }
    table.add(row as Readonly<Record<string, Value>>);
  }

  /** Sends what is gathered, if it is much; waits when the server does not keep up. */
  async send(): Promise<void> {
    for (const table of this.#filled.values()) await table.send();
  }

  /** Sends the rest and commits. */
  async close(): Promise<void> {
    for (const table of this.#filled.values()) await table.close();
  }

  /** Gives up, after an error elsewhere. */
  async abandon(): Promise<void> {
    await Promise.allSettled([...this.#filled.values()].map((table) => table.abandon()));
  }

  /** How many rows were added, by table. */
  get rows(): Record<string, number> {
    return Object.fromEntries([...this.#filled].map(([name, { rows }]) => [name, rows]));
  }
}
