/**
 * A row of every tenant table for a tenant, made from the database's own description of its tables:
 * for tests that must hold for each table, also for tables that a later migration adds.
 */
import type pg from 'pg';

interface ForeignKey {
  name: string;
  child: string;
  parent: string;
  /** Pairs of columns, child then parent. */
  columns: { child: string; parent: string }[];
}

interface Column {
  name: string;
  type: string;
  required: boolean;
}

export interface TableDescription {
  name: string;
  columns: Column[];
  primaryKey: string[];
  foreignKeys: ForeignKey[];
}

/** Values that a table's CHECK constraints ask for, where a plain value of the type would not do. */
const SPECIAL: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  one_time_links: { purpose: 'invitation', token_hash: Buffer.alloc(32) },
  fields: { type: 6, workflow_id: null },
  community_roles: { role_id: 1 },
  standing_roles: { role_id: 1 },
  group_standing_roles: { role_id: 1 },
  tenant_secrets: { kind: 'page', sealed_secret: Buffer.of(1) },
  signing_keys: { sealed_private_jwk: Buffer.of(1) },
  push_subscriptions: { address_hash: Buffer.alloc(32) },
  device_sign_ins: { device_hash: Buffer.alloc(32), token_hash: Buffer.alloc(32), user_code: 'BCDFGHJK' },
};

/** Every tenant table (all tables with a tenant_id but the registry of hosts), parents before children. */
export async function describeTenantTables(client: pg.ClientBase): Promise<TableDescription[]> {
  const { rows: columns } = await client.query<Column & { table: string; generated: boolean }>(
    `SELECT c.relname AS table, a.attname AS name, t.typname AS type,
            a.attnotnull AND NOT a.atthasdef AND a.attidentity = '' AS required, a.attgenerated <> '' AS generated
       FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
       JOIN pg_type t ON t.oid = a.atttypid
      WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace AND c.relname <> 'tenant_hosts'
        AND EXISTS (SELECT FROM pg_attribute x WHERE x.attrelid = c.oid AND x.attname = 'tenant_id')
      ORDER BY c.relname, a.attnum`,
  );
  const { rows: keys } = await client.query<{
    table: string;
    kind: string;
    name: string;
    parent: string | null;
    own: string[];
    other: string[];
  }>(
    `SELECT k.conrelid::regclass::text AS table, k.contype AS kind, k.conname AS name,
            CASE WHEN k.confrelid <> 0 THEN k.confrelid::regclass::text END AS parent,
            ARRAY(SELECT a.attname::text FROM unnest(k.conkey) WITH ORDINALITY n(num, at) JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = n.num ORDER BY n.at) AS own,
            ARRAY(SELECT a.attname::text FROM unnest(k.confkey) WITH ORDINALITY n(num, at) JOIN pg_attribute a ON a.attrelid = k.confrelid AND a.attnum = n.num ORDER BY n.at) AS other
       FROM pg_constraint k WHERE k.contype IN ('p', 'f') AND k.connamespace = 'public'::regnamespace`,
  );
  const tables = [...Map.groupBy(columns, (column) => column.table)].map(
    ([name, list]): TableDescription => ({
      name,
      columns: list.filter((column) => !column.generated),
      primaryKey: keys.find((key) => key.table === name && key.kind === 'p')?.own ?? [],
      foreignKeys: keys
        .filter((key) => key.table === name && key.kind === 'f')
        .map((key) => ({
          name: key.name,
          child: name,
          parent: key.parent as string,
          columns: key.own.map((child, index) => ({ child, parent: key.other[index] as string })),
        })),
    }),
  );
  const ordered: TableDescription[] = [];
  const pending = new Set(tables);
  while (pending.size > 0) {
    const free = [...pending].filter((table) =>
      table.foreignKeys.every(
        (key) => key.parent === table.name || ![...pending].some((other) => other.name === key.parent),
      ),
    );
    if (free.length === 0)
      throw new Error(`foreign keys form a circle among ${[...pending].map((table) => table.name).join(', ')}`);
    for (const table of free) {
      pending.delete(table);
      ordered.push(table);
    }
  }
  return ordered;
}

export type Row = Record<string, unknown>;

type RunStatement = (text: string, values: unknown[]) => Promise<{ rows: Row[] }>;

/**
 * Inserts one row per table, children pointing at the parents made before. Optional references are set too.
 * @param run a statement for the tenant
 * @returns the rows by table, as read back (texts, since only equality matters)
 */
export async function insertOneOfEach(
  run: RunStatement,
  tables: readonly TableDescription[],
  tenantId: number,
): Promise<Map<string, Row>> {
  const rows = new Map<string, Row>();
  for (const table of tables) {
    const values: Row = { tenant_id: tenantId, ...SPECIAL[table.name] };
    for (const key of table.foreignKeys) {
      const parent = rows.get(key.parent);
      if (!parent) continue;
      for (const { child, parent: column } of key.columns) if (!(child in values)) values[child] = parent[column];
    }
    for (const column of table.columns) {
      if (column.required && !(column.name in values)) values[column.name] = plainValue(column.type, tenantId);
    }
    rows.set(table.name, await insertRow(run, table.name, values));
  }
  return rows;
}

/** Inserts a row. @returns it as stored */
async function insertRow(run: RunStatement, table: string, values: Row): Promise<Row> {
  const names = Object.keys(values);
  const { rows } = await run(
    `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map((_, index) => `$${index + 1}`).join(', ')}) RETURNING *`,
    names.map((name) => values[name]),
  );
  return rows[0] as Row;
}

/** A value of a type that differs from other calls where uniqueness might ask for it. */
let counter = 0;
export function plainValue(type: string, seed = 0): unknown {
  counter++;
  switch (type) {
    case 'int8':
    case 'int4':
      return 1_000_000 + seed * 1000 + counter;
    case 'int2':
      return 1;
    case 'float8':
      return 1.5;
    case 'bool':
      return true;
    case 'timestamptz':
      return new Date(1_700_000_000_000 + counter);
    case 'jsonb':
      return '{}';
    case 'bytea':
      return Buffer.alloc(32, counter % 256);
    case 'xid8':
      return String(counter);
    case '_int8':
    case '_int2':
    case '_text':
      return [];
    default:
      return `value-${seed}-${counter}`;
  }
}

/** Tables of which a row of the tenant contains the text, in any case. */
export async function tablesWithText(owner: pg.Client, tenantId: number, text: string): Promise<string[]> {
  await owner.query(`SELECT set_config('app.tenant_id', $1, false)`, [String(tenantId)]);
  const { rows: tables } = await owner.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'tenant_id'
      WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace ORDER BY 1`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const { rows } = await owner.query(
      `SELECT FROM ${name} t WHERE tenant_id = $1 AND to_jsonb(t)::text ILIKE '%' || $2 || '%' LIMIT 1`,
      [tenantId, text],
    );
    if (rows.length > 0) found.push(name);
  }
  return found;
}
