/** All tables together, with the data derived from their descriptions. */
import type { Table } from './define-tables.ts';

/** A table, its name, and the folder of the sources that owns it: `modules/people/users`. */
export interface RegisteredTable extends Table {
  readonly name: string;
  readonly owner: string;
}

/** Tables by name, in the order in which they were described. */
export type Tables = ReadonlyMap<string, RegisteredTable>;

/**
 * Puts the tables of all owners together.
 * @throws Error when two describe the same table, or a table comes before its parent
 */
export function assembleTables(byOwner: Readonly<Record<string, Readonly<Record<string, Table>>>>): Tables {
  const tables = new Map<string, RegisteredTable>();
  for (const [owner, described] of Object.entries(byOwner)) {
    for (const [name, table] of Object.entries(described)) {
      if (tables.has(name))
        throw new Error(`The table ${name} is described by ${tables.get(name)?.owner} and ${owner}.`);
      if (table.parent && !tables.has(table.parent.table))
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

/**
 * SQL of which rows of a table, named `t`, belong to objects of another one.
 * @param root table of the objects: the table itself, its parent, or a parent of that
 * @param ids SQL of an array of the objects' ids
 */
export function belongsToSql(tables: Tables, { name, parent }: RegisteredTable, root: string, ids: string): string {
  if (name === root) return `t.id = ANY (${ids})`;
  if (parent === undefined) throw new Error(`The rows of ${name} do not belong to ${root}.`);
  if (parent.table === root) return `t.${parent.column} = ANY (${ids})`;
  const owners = belongsToSql(tables, tables.get(parent.table) as RegisteredTable, root, ids);
  return `t.${parent.column} IN (SELECT t.id FROM ${parent.table} t WHERE t.tenant_id = $1 AND ${owners})`;
}

/**
 * SQL of "no row refers to this stored file".
 * @param contentRef SQL of the reference of the file
 * @param exceptSql condition of the rows, named `t`, of a table that do not count; undefined where all do
 */
export function unreferencedSql(
  tables: Tables,
  contentRef: string,
  exceptSql: (table: RegisteredTable) => string | undefined = () => undefined,
): string {
  const conditions: string[] = [];
  for (const table of tables.values()) {
    if (!table.files) continue;
    const same = table.files.map((column) => `t.${column} = ${contentRef}`).join(' OR ');
    const except = exceptSql(table);
    conditions.push(
      `NOT EXISTS (SELECT FROM ${table.name} t WHERE t.tenant_id = $1 AND (${same})${except ? ` AND NOT (${except})` : ''})`,
    );
  }
  return conditions.join(' AND ');
}

/** Tables whose rows are objects of the interface, in the order in which they were described. */
export function objectTables(tables: Tables): (RegisteredTable & { entity: string })[] {
  return [...tables.values()].filter(
    (table): table is RegisteredTable & { entity: string } => table.entity !== undefined,
  );
}

/** The column of the id of the objects that the rows of a table are. */
export function keyOf({ audit }: RegisteredTable): string {
  return audit?.key ?? 'id';
}

/** Columns whose rows are removed with the person that they name. */
export function columnsRemovedWithPeople(tables: Tables): { table: RegisteredTable; column: string }[] {
  return [...tables.values()].flatMap((table) =>
    Object.entries(table.people ?? {}).flatMap(([column, what]) => (what === 'remove' ? [{ table, column }] : [])),
  );
}

/** The column of a table that a field of the interface shows. @throws Error when there is none */
export function columnOf(tables: Tables, table: string, field: string): string {
  const found = Object.entries(tables.get(table)?.columns ?? {}).find(([, name]) => name === field);
  if (!found) throw new Error(`No column of ${table} is shown as ${field}.`);
  return found[0];
}
