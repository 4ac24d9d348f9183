/** All tables together, and what is derived from their descriptions. */
import type { Table } from './define-tables.ts';

/** A table, its name, and the folder of the sources that owns it: `modules/people`. */
export interface RegisteredTable extends Table {
  readonly name: string;
  readonly owner: string;
}

/** Tables by name, in the order in which they were described. */
export type Tables = ReadonlyMap<string, RegisteredTable>;

/**
 * Puts the tables of all owners together.
 * @throws Error when two describe the same table, or a parent is unknown
 */
export function assembleTables(byOwner: Readonly<Record<string, Readonly<Record<string, Table>>>>): Tables {
  const tables = new Map<string, RegisteredTable>();
  for (const [owner, described] of Object.entries(byOwner)) {
    for (const [name, table] of Object.entries(described)) {
      if (tables.has(name))
        throw new Error(`The table ${name} is described by ${tables.get(name)?.owner} and ${owner}.`);
      if (table.parent && !tables.has(table.parent.table) && !(table.parent.table in described))
        throw new Error(`The table ${name} comes before its parent ${table.parent.table}.`);
      tables.set(name, { ...table, name, owner });
    }
  }
  return tables;
}

/** Tables that belong to an object of the table, directly or through another, children before their parents. */
export function tablesBelow(tables: Tables, root: string): RegisteredTable[] {
  const below = new Set([root]);
  for (const { name, parent } of tables.values()) if (parent && below.has(parent.table)) below.add(name);
  below.delete(root);
  return [...below].reverse().map((name) => tables.get(name) as RegisteredTable);
}
