/**
 * Objects as the audit log records them: the fields that responses show and the fields that the
 * table's description adds, without secrets and without consequences of other changes. Lists that
 * belong to an object are recorded as removed and added elements.
 */
import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import { type Image, isGone, readImages, sameValue } from '../tables/images.ts';
import { keyOf, type RegisteredTable, type Tables } from '../tables/registry.ts';
import type { AuditAction, AuditValues } from './entries.ts';

/** A table whose changes are recorded. */
export type AuditedTable = RegisteredTable & { audit: NonNullable<RegisteredTable['audit']> };

/** An object at one moment; its parts are its lists, by field. */
export type AuditImage = Image<readonly unknown[]>;

/** Versions, and who changed what when: the entry itself says it. */
const FOLLOWS = new Set([
  'creationTimestamp',
  'creatorUser',
  'lastModifyTimestamp',
  'lastModifyUser',
  'membersCount',
  'occToken',
]);

/** Stands for a secret that there is. */
const SECRET = 'secret';

/**
 * Reads the present state of objects.
 * @param lock locks the rows, so that the next statement changes the state that was read
 */
export function readAuditImages(
  tx: TenantExecutor,
  tables: Tables,
  table: AuditedTable,
  ids: readonly number[],
  lock: boolean,
): Promise<Map<number, AuditImage>> {
  const key = keyOf(table);
  const lists = [...tables.values()].flatMap(({ name, auditList: list }) =>
    list?.of === table.name
      ? [
          {
            name: list.field,
            sql: `(SELECT jsonb_agg(${list.value}) FROM ${name} l WHERE l.tenant_id = $1 AND l.${list.column} = t.${key})`,
          },
        ]
      : [],
  );
  return readImages(tx, table, ids, lists, lock);
}

/** Difference between two states of an object, as an entry records it. */
interface AuditDifference {
  action: AuditAction;
  before?: AuditValues;
  after?: AuditValues;
}

/** @returns undefined where nothing that is recorded differs */
export function compareAuditImages(
  table: AuditedTable,
  was: AuditImage | undefined,
  is: AuditImage | undefined,
): AuditDifference | undefined {
  const [old, fresh] = [was && !isGone(was) ? was : undefined, is && !isGone(is) ? is : undefined];
  if (!old && !fresh) {
    // A deleted object that is emptied: an erased person.
    const emptied = [...fieldsOf(table).values()]
      .flat()
      .some((column) => !sameValue(was?.row[column], is?.row[column]));
    return was && emptied ? { action: 'deleted' } : undefined;
  }
  const before: Record<string, unknown> = {};
  const after: Record<string, unknown> = {};
  for (const [field, columns] of fieldsOf(table)) {
    const differs = columns.some((column) => !sameValue(old?.row[column], fresh?.row[column]));
    if (!differs || [old, fresh].every((image) => isEmpty(image, columns))) continue;
    if (old) before[field] = recorded(table, columns, old);
    if (fresh) after[field] = recorded(table, columns, fresh);
  }
  for (const field of new Set([...(old?.parts.keys() ?? []), ...(fresh?.parts.keys() ?? [])])) {
    const [then, now] = [elementsOf(old, field), elementsOf(fresh, field)];
    const removed = missing(then, now);
    const added = missing(now, then);
    if (removed.length > 0) before[field] = removed;
    if (added.length > 0) after[field] = added;
  }
  if (!old) return { action: 'created', after };
  if (!fresh) return { action: 'deleted', before };
  const changed = Object.keys(before).length > 0 || Object.keys(after).length > 0;
  return changed ? { action: 'modified', before, after } : undefined;
}

/** Whether the object does not exist, or the columns hold only defaults. */
const isEmpty = (image: AuditImage | undefined, columns: readonly string[]) =>
  columns.every((column) => ['', 0, false, '[]', '{}', null].includes(comparable(image?.row[column])));

const comparable = (value: unknown) =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : ((value ?? null) as string | number | null);

/** Returns the elements of a list by their text. */
const elementsOf = (image: AuditImage | undefined, field: string): ReadonlyMap<string, unknown> =>
  new Map((image?.parts.get(field) ?? []).map((value) => [JSON.stringify(value), value]));

const missing = (from: ReadonlyMap<string, unknown>, others: ReadonlyMap<string, unknown>) =>
  [...from].flatMap(([text, value]) => (others.has(text) ? [] : [value]));

/** The recorded fields of a table with their columns. */
function fieldsOf({ columns, audit }: AuditedTable): Map<string, string[]> {
  const fields = new Map<string, string[]>();
  for (const [column, shown] of Object.entries(columns)) {
    if (typeof shown === 'string' && !FOLLOWS.has(shown)) fields.set(shown, [...(fields.get(shown) ?? []), column]);
  }
  for (const column of audit.also ?? []) fields.set(camelCase(column), [column]);
  return fields;
}

/** The value of a field; of one that several columns hold, by the name of the column. */
function recorded({ audit }: AuditedTable, columns: readonly string[], { row }: AuditImage): unknown {
  const value = (column: string) => {
    const held = row[column] ?? null;
    return held !== null && audit.secret?.includes(column) ? SECRET : held;
  };
  if (columns.length === 1) return value(columns[0] as string);
  return Object.fromEntries(columns.map((column) => [camelCase(column), value(column)]));
}

const camelCase = (column: string) => column.replaceAll(/_(\w)/g, (_all, letter: string) => letter.toUpperCase());
