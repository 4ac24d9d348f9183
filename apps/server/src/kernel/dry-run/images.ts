/**
 * Which objects a dry run changed: their rows are read before the transaction gives them up and again after, when they
 * are as they were. The database, not the text of the statements, says what changed: what is written and comes out the
 * same is no change.
 *
 * Rows of this transaction are told by their `xmin`: verbs write in subtransactions, whose ids follow that of the
 * transaction. A row that somebody else wrote since then may be among them; it reads the same both times.
 */
import type { DryRunChange } from '@portico/contract';
import type { TenantTx } from '../../platform/db/tenant-db.ts';
import { type Column, type ObjectTable, objectTables, partTables } from './objects.ts';

/** A row as JSON; null where only the id is known, because this transaction did not write it. */
type Row = Readonly<Record<string, unknown>> | null;
type Rows = ReadonlyMap<number, Row>;

/** Rows of objects by table, and of their parts as one text per object and field. */
export interface Images {
  objects: ReadonlyMap<string, Rows>;
  /** Table → `id field` → text that differs when the parts do. */
  parts: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

const WRITTEN_HERE = 'age(t.xmin) <= age(pg_current_xact_id()::xid)';

/** Where to look: the tables that statements wrote to and the posts with a change row. */
export interface Extent {
  touched: ReadonlySet<string>;
  postIds: readonly number[];
}

/** The state within the transaction: rows that it wrote, and of what hangs on posts the ids of all that there is. */
export async function readAfter(tx: TenantTx, extent: Extent): Promise<Images> {
  const objects = new Map<string, Rows>();
  for (const [table, { ofPost }] of tables(extent)) {
    const posts = table === 'posts';
    const where = ofPost
      ? 't.post_id = ANY ($2::bigint[]) AND t.deleted_at IS NULL'
      : posts
        ? 't.id = ANY ($2::bigint[])'
        : WRITTEN_HERE;
    objects.set(
      table,
      await readRows(tx, table, where, ofPost ? WRITTEN_HERE : 'true', ofPost || posts ? [extent.postIds] : []),
    );
  }
  return { objects, parts: await readParts(tx, extent, objects) };
}

/** The state that a rollback left, of the same objects. */
export async function readBefore(tx: TenantTx, extent: Extent, after: Images): Promise<Images> {
  const objects = new Map<string, Rows>();
  for (const [table, { ofPost }] of tables(extent)) {
    const written = [...(after.objects.get(table) ?? [])].flatMap(([id, row]) => (row === null ? [] : [id]));
    const where = ofPost ? 't.post_id = ANY ($3::bigint[]) AND t.deleted_at IS NULL' : 't.id = ANY ($2::bigint[])';
    const wanted = 't.id = ANY ($2::bigint[])';
    objects.set(table, await readRows(tx, table, where, wanted, ofPost ? [written, extent.postIds] : [written]));
  }
  return { objects, parts: await readParts(tx, extent, after.objects) };
}

function tables({ touched }: Extent): [string, ObjectTable][] {
  return Object.entries(objectTables).filter(([table]) => table === 'posts' || touched.has(table));
}

async function readRows(
  tx: TenantTx,
  table: string,
  where: string,
  whole: string,
  values: readonly unknown[],
): Promise<Rows> {
  const rows = await tx.query<{ id: number; row: Row }>(
    `SELECT t.id, CASE WHEN ${whole} THEN to_jsonb(t) END AS row FROM ${table} t
      WHERE t.tenant_id = $1 AND ${where} ORDER BY t.id`,
    [tx.tenantId, ...values],
  );
  return new Map(rows.map(({ id, row }) => [id, row]));
}

async function readParts(
  tx: TenantTx,
  { touched }: Extent,
  owners: ReadonlyMap<string, Rows>,
): Promise<Map<string, Map<string, string>>> {
  const parts = new Map<string, Map<string, string>>();
  for (const [table, { owner, key, field }] of Object.entries(partTables)) {
    const ids = [...(owners.get(owner) ?? [])].flatMap(([id, row]) => (row === null ? [] : [id]));
    if (!touched.has(table) || ids.length === 0) continue;
    const rows = await tx.query<{ name: string; text: string }>(
      `SELECT t.${key} || ' ' || ${field} AS name, md5(string_agg(to_jsonb(t)::text, ' ' ORDER BY to_jsonb(t)::text)) AS text
         FROM ${table} t WHERE t.tenant_id = $1 AND t.${key} = ANY ($2::bigint[]) GROUP BY 1`,
      [tx.tenantId, ids],
    );
    parts.set(table, new Map(rows.map(({ name, text }) => [name, text])));
  }
  return parts;
}

/** What differs between two states, post by post, then table by table. */
export function compareImages(before: Images, after: Images): DryRunChange[] {
  const changes: DryRunChange[] = [];
  for (const [table, { entity, columns }] of Object.entries(objectTables)) {
    const now = after.objects.get(table) ?? new Map<number, Row>();
    const then = before.objects.get(table) ?? new Map<number, Row>();
    for (const [id, row] of now) {
      if (row === null) continue;
      const was = then.get(id);
      const fields = changedFields(columns, was ?? null, row);
      for (const name of changedParts(table, id, before, after)) fields.add(name);
      if (!was) changes.push({ entity, id, action: 'created', fields: [...fields].sort() });
      else if (isGone(row) && !isGone(was)) changes.push({ entity, id, action: 'deleted', fields: [] });
      else if (fields.size > 0) changes.push({ entity, id, action: 'modified', fields: [...fields].sort() });
    }
    for (const id of then.keys()) if (!now.has(id)) changes.push({ entity, id, action: 'deleted', fields: [] });
  }
  return changes;
}

const isGone = (row: NonNullable<Row>) => (row['deleted_at'] ?? null) !== null;

/** Names of the fields whose columns differ; of a new object, which was nothing, of those that hold something. */
export function changedFields(columns: Readonly<Record<string, Column>>, was: Row, row: NonNullable<Row>): Set<string> {
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

function changedParts(owner: string, id: number, before: Images, after: Images): string[] {
  return Object.entries(partTables).flatMap(([table, part]) => {
    if (part.owner !== owner) return [];
    const [then, now] = [before.parts.get(table), after.parts.get(table)];
    const names = new Set([...(then?.keys() ?? []), ...(now?.keys() ?? [])]);
    return [...names].flatMap((name) => {
      const [ownerId, field] = name.split(' ') as [string, string];
      return Number(ownerId) === id && then?.get(name) !== now?.get(name) ? [field] : [];
    });
  });
}

const asMap = (value: unknown) => (value ?? {}) as Readonly<Record<string, unknown>>;

const same = (a: unknown, b: unknown) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);

/** What a new object has when nothing was said of it. */
function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === 0 || value === false) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
