/**
 * Writes the row types of the migrated database (`apps/server/src/platform/db/types.generated.ts`): what Kysely checks
 * composed queries against. Times are read as epoch milliseconds and written as Date.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { withFreshDatabase } from '@portico/server/testing';

const TARGET = new URL('../apps/server/src/platform/db/types.generated.ts', import.meta.url);

interface Column {
  table_name: string;
  column_name: string;
  udt_name: string;
  nullable: boolean;
  optional: boolean;
  generated: boolean;
}

const TYPES: Record<string, string> = {
  int8: 'number',
  int4: 'number',
  int2: 'number',
  float8: 'number',
  text: 'string',
  bool: 'boolean',
  bytea: 'Buffer',
  timestamptz: 'Timestamp',
  jsonb: 'Json',
  xid8: 'string',
  _int8: 'number[]',
  _int2: 'number[]',
  _text: 'string[]',
};

/** @returns the files that were (or, when only checking, would be) rewritten. */
export async function generateRowTypes(check: boolean): Promise<string[]> {
  const columns = await withFreshDatabase((client) =>
    client.query<Column>(
      `SELECT c.relname AS table_name, a.attname AS column_name, t.typname AS udt_name,
              NOT a.attnotnull AS nullable, (a.atthasdef OR a.attidentity <> '' OR NOT a.attnotnull) AS optional,
              a.attgenerated <> '' AS generated
         FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
         JOIN pg_type t ON t.oid = a.atttypid
        WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'v')
          AND c.relname NOT IN ('portico_migrations', 'portico_owner_secrets')
        ORDER BY c.relname, a.attnum`,
    ),
  );
  const tables = Map.groupBy(columns.rows, (column) => column.table_name);
  const pascal = (name: string) => name.replaceAll(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
  const lines = [
    '/** Made by `npm run generate` from the migrated database: do not edit. */',
    "import type { ColumnType, Generated } from 'kysely';",
    '',
    '/** Epoch milliseconds when read, Date when written. */',
    'export type Timestamp = ColumnType<number, Date, Date>;',
    '/** Parsed when read, JSON text when written. */',
    'export type Json = ColumnType<unknown, string, string>;',
    '',
  ];
  for (const [table, list] of tables) {
    lines.push(`export interface ${pascal(table)}Table {`);
    for (const column of list) {
      const base = TYPES[column.udt_name];
      if (!base) throw new Error(`no row type for ${column.udt_name} of ${table}.${column.column_name}`);
      const nullable = column.nullable ? `${base} | null` : base;
      const type = column.generated
        ? `ColumnType<${base}, never, never>`
        : base === 'Timestamp' && (column.nullable || column.optional)
          ? `ColumnType<number${column.nullable ? ' | null' : ''}, Date${column.nullable ? ' | null' : ''} | undefined, Date${column.nullable ? ' | null' : ''}>`
          : base === 'Json' && column.optional
            ? `ColumnType<unknown, string${column.nullable ? ' | null' : ''} | undefined, string${column.nullable ? ' | null' : ''}>`
            : column.optional && !column.nullable
              ? `Generated<${base}>`
              : nullable;
      lines.push(`  ${column.column_name}: ${type};`);
    }
    lines.push('}', '');
  }
  lines.push('export interface Database {');
  for (const table of tables.keys()) lines.push(`  ${table}: ${pascal(table)}Table;`);
  lines.push('}', '');
  const text = lines.join('\n');
  const current = await readFile(TARGET, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  if (current === text) return [];
  if (!check) await writeFile(TARGET, text);
  return ['apps/server/src/platform/db/types.generated.ts'];
}
