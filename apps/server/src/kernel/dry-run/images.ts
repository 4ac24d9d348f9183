/**
 * Finds the objects that a dry run changed. The objects that the verb recorded as written are read
 * twice: after the verb, and again after the transaction was rolled back to its state before the
 * verb. Comparing the two states leaves out values that were written without a change.
 */
import type { DryRunChange } from '@portico/contract';
import type { TenantTx } from '../../platform/db/tenant-db.ts';
import type { Column } from '../tables/define-tables.ts';
import { keyOf, objectTables, type RegisteredTable, type Tables } from '../tables/registry.ts';

/** A row as JSON. */
type Row = Readonly<Record<string, unknown>>;

/** Objects that were noted as written: ids by table. */
type WrittenIds = ReadonlyMap<string, ReadonlySet<number>>;

/** The state of objects at one moment, by table and id. */
type Images = ReadonlyMap<string, ReadonlyMap<number, Image>>;

interface Image {
  row: Row;
  /** Fields shown from rows of other tables → text that differs when the rows do. */
  parts: Map<string, string>;
}

/** Reads the objects as they are now, with the rows that belong to them and show as their fields. */
export async function readImages(tx: TenantTx, tables: Tables, written: WrittenIds): Promise<Images> {
  const images = new Map<string, Map<number, Image>>();
  for (const table of objectTables(tables)) {
    const ids = [...(written.get(table.name) ?? [])];
    if (ids.length === 0) continue;
    const key = keyOf(table);
    const rows = await tx.query<{ id: number; row: Row }>(
      `SELECT t.${key} AS id, to_jsonb(t) AS row FROM ${table.name} t
        WHERE t.tenant_id = $1 AND t.${key} = ANY ($2::bigint[]) ORDER BY t.${key}`,
      [tx.tenantId, ids],
    );
    const byId = new Map(rows.map(({ id, row }): [number, Image] => [id, { row, parts: new Map() }]));
    for (const { id, field, text } of await readParts(tx, tables, table, [...byId.keys()]))
      byId.get(id)?.parts.set(field, text);
    images.set(table.name, byId);
  }
  return images;
}

async function readParts(
  tx: TenantTx,
  tables: Tables,
  objects: RegisteredTable,
  ids: readonly number[],
): Promise<{ id: number; field: string; text: string }[]> {
  const statements = [...tables.values()].flatMap(({ name, parent, field }) =>
    field === undefined || parent?.table !== objects.name
      ? []
      : [
          `SELECT t.${parent.column} AS id, '${name} ' || ${field} AS field,
                  md5(string_agg(to_jsonb(t)::text, ' ' ORDER BY to_jsonb(t)::text)) AS text
             FROM ${name} t WHERE t.tenant_id = $1 AND t.${parent.column} = ANY ($2::bigint[]) GROUP BY 1, 2`,
        ],
  );
  if (statements.length === 0 || ids.length === 0) return [];
  return tx.query(statements.join(' UNION ALL '), [tx.tenantId, ids]);
}

/** Returns the differences between two states, by table, in the order of the ids. */
export function compareImages(tables: Tables, before: Images, after: Images): DryRunChange[] {
  const changes: DryRunChange[] = [];
  for (const { name, entity, columns } of objectTables(tables)) {
    const [then, now] = [before.get(name), after.get(name)];
    for (const [id, image] of now ?? []) {
      const was = then?.get(id);
      const fields = changedFields(columns, was?.row ?? null, image.row);
      for (const field of changedParts(was, image)) fields.add(field);
      if (!was) changes.push({ entity, id, action: 'created', fields: [...fields].sort() });
      else if (isGone(image.row) && !isGone(was.row)) changes.push({ entity, id, action: 'deleted', fields: [] });
      else if (fields.size > 0) changes.push({ entity, id, action: 'modified', fields: [...fields].sort() });
    }
    for (const id of then?.keys() ?? []) if (!now?.has(id)) changes.push({ entity, id, action: 'deleted', fields: [] });
  }
  return changes;
}

const isGone = (row: Row) => (row['deleted_at'] ?? null) !== null;

/**
 * Returns the names of the fields whose columns differ; for a new object, the fields that have a
 * value.
 */
function changedFields(columns: Readonly<Record<string, Column>>, was: Row | null, row: Row): Set<string> {
  const fields = new Set<string>();
  for (const [column, name] of Object.entries(columns)) {
    const [old, fresh] = [was?.[column], row[column]];
    if (name === null || (was ? same(old, fresh) : isEmpty(fresh))) continue;
    if (typeof name === 'string') fields.add(name);
    else if ('of' in name) {
      for (const value of [old, fresh]) if (typeof value === 'number') fields.add(name.of(value));
    } else {
      const [then, now] = [asMap(old), asMap(fresh)];
      for (const key of new Set([...Object.keys(then), ...Object.keys(now)])) {
        if (!same(then[key], now[key])) fields.add(`${name.each}.${key}`);
      }
    }
  }
  return fields;
}

function changedParts(was: Image | undefined, image: Image): string[] {
  const keys = new Set([...(was?.parts.keys() ?? []), ...image.parts.keys()]);
  // A key is a table and the field.
  return [...keys].flatMap((key) =>
    was?.parts.get(key) === image.parts.get(key) ? [] : [key.slice(key.indexOf(' ') + 1)],
  );
}

const asMap = (value: unknown) => (value ?? {}) as Readonly<Record<string, unknown>>;

const same = (a: unknown, b: unknown) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);

/** Whether a value is the default of a new object. */
function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === 0 || value === false) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
