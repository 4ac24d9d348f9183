/**
 * Finds the objects that a dry run changed. The objects that the verb recorded as written are read
 * twice: after the verb, and again after the transaction was rolled back to its state before the
 * verb. Comparing the two states leaves out values that were written without a change.
 */
import type { DryRunChange } from '@portico/contract';
import type { TenantTx } from '@portico/platform/db/tenant-db';
import type { Column } from '../tables/define-tables.ts';
import { type Image, type ImagePart, isGone, readImages, sameValue } from '../tables/images.ts';
import { keyOf, objectTables, type RegisteredTable, type Tables } from '../tables/registry.ts';

/** A row as JSON. */
type Row = Image['row'];

/** Objects that were recorded as written: ids by table. */
type WrittenIds = ReadonlyMap<string, ReadonlySet<number>>;

/** Fields that rows of another table show → text that differs when the rows do. */
type Shown = Readonly<Record<string, string>>;

/** The state of objects at one moment, by table and id. */
type Images = ReadonlyMap<string, ReadonlyMap<number, Image<Shown>>>;

/** Values whose JSON has more bytes are read as a digest: only their differences are told. */
const LONG_VALUE = 200;
const valueSql = (value: string, otherwise: string) =>
  `CASE WHEN octet_length(${value}::text) <= ${LONG_VALUE} THEN ${value} ELSE ${otherwise} END`;
const digestSql = (value: string) => `to_jsonb(md5(${value}::text))`;

/** SQL of a row `t` as JSON, with digests of its long values and of the long members of its objects. */
const SHORT_ROW = `(SELECT jsonb_object_agg(e.key, ${valueSql(
  'e.value',
  `CASE jsonb_typeof(e.value) WHEN 'object'
     THEN (SELECT jsonb_object_agg(m.key, ${valueSql('m.value', digestSql('m.value'))}) FROM jsonb_each(e.value) m)
     ELSE ${digestSql('e.value')} END`,
)}) FROM jsonb_each(to_jsonb(t)) e)`;

/** Reads the objects as they are now, with the rows that belong to them and show as their fields. */
export async function readWritten(tx: TenantTx, tables: Tables, written: WrittenIds): Promise<Images> {
  const images = new Map<string, ReadonlyMap<number, Image<Shown>>>();
  for (const table of objectTables(tables)) {
    const ids = [...(written.get(table.name) ?? [])];
    if (ids.length === 0) continue;
    const read = await readImages<Shown>(tx, table, ids, partsOf(tables, table), false, SHORT_ROW);
    images.set(table.name, read);
  }
  return images;
}

function partsOf(tables: Tables, objects: RegisteredTable): ImagePart[] {
  return [...tables.values()].flatMap(({ name, parent, field }) =>
    field === undefined || parent?.table !== objects.name
      ? []
      : [
          {
            name,
            sql: `(SELECT jsonb_object_agg(f.field, f.text) FROM (
                SELECT ${field} AS field, md5(string_agg(to_jsonb(p)::text, ' ' ORDER BY to_jsonb(p)::text)) AS text
                  FROM ${name} p WHERE p.tenant_id = $1 AND p.${parent.column} = t.${keyOf(objects)} GROUP BY 1) f)`,
          },
        ],
  );
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
      else if (isGone(image) && !isGone(was)) changes.push({ entity, id, action: 'deleted', fields: [] });
      else if (fields.size > 0) changes.push({ entity, id, action: 'modified', fields: [...fields].sort() });
    }
    for (const id of then?.keys() ?? []) if (!now?.has(id)) changes.push({ entity, id, action: 'deleted', fields: [] });
  }
  return changes;
}

/**
 * Returns the names of the fields whose columns differ; for a new object, the fields that have a
 * value.
 */
function changedFields(columns: Readonly<Record<string, Column>>, was: Row | null, row: Row): Set<string> {
  const fields = new Set<string>();
  for (const [column, name] of Object.entries(columns)) {
    const [old, fresh] = [was?.[column], row[column]];
    if (name === null || (was ? sameValue(old, fresh) : isEmpty(fresh))) continue;
    if (typeof name === 'string') fields.add(name);
    else if ('of' in name) {
      for (const value of [old, fresh]) if (typeof value === 'number') fields.add(name.of(value));
    } else {
      const [then, now] = [asMap(old), asMap(fresh)];
      for (const key of new Set([...Object.keys(then), ...Object.keys(now)])) {
        if (!sameValue(then[key], now[key])) fields.add(`${name.each}.${key}`);
      }
    }
  }
  return fields;
}

function changedParts(was: Image<Shown> | undefined, image: Image<Shown>): string[] {
  const tables = new Set([...(was?.parts.keys() ?? []), ...image.parts.keys()]);
  return [...tables].flatMap((table) => {
    const [then, now] = [was?.parts.get(table) ?? {}, image.parts.get(table) ?? {}];
    return Object.keys({ ...then, ...now }).filter((field) => then[field] !== now[field]);
  });
}

const asMap = (value: unknown) => (value ?? {}) as Readonly<Record<string, unknown>>;

/** Whether a value is the default of a new object. */
function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === 0 || value === false) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
