/** Missing objects that imports created (table import_made), and posts that they created. */
import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import { sqlColumns } from '../columns.ts';

const c = sqlColumns('changes', 'c');
const p = sqlColumns('posts', 'p');

/** Kinds of objects that an undo removes in addition to posts. */
export type MadeKind = 'person' | 'field' | 'value' | 'state';

/** Records objects that an import created; skips ids that are recorded already. */
export async function noteMade(
  db: TenantExecutor,
  importId: number | undefined,
  kind: MadeKind,
  ids: readonly number[],
): Promise<void> {
  if (importId === undefined || ids.length === 0) return;
  await db.execute(
    `INSERT INTO import_made (tenant_id, import_id, kind, object_id)
     SELECT i.tenant_id, i.id, $3, m.id FROM imports i, unnest($4::bigint[]) AS m (id) WHERE i.tenant_id = $1 AND i.id = $2
     ON CONFLICT DO NOTHING`,
    [db.tenantId, importId, kind, ids],
  );
}

/** Returns the ids of the objects that an import created, by kind. */
export async function readMade(db: TenantExecutor, importId: number): Promise<Record<MadeKind, number[]>> {
  const rows = await db.query<{ kind: MadeKind; id: number }>(
    'SELECT kind, object_id AS id FROM import_made WHERE tenant_id = $1 AND import_id = $2 ORDER BY object_id',
    [db.tenantId, importId],
  );
  const made: Record<MadeKind, number[]> = { person: [], field: [], value: [], state: [] };
  for (const { kind, id } of rows) made[kind].push(id);
  return made;
}

/** Row last written by an import, and its post. */
export interface WrittenPost {
  readonly postId: number;
  readonly title: string | null;
  readonly externalId: string;
  /** Whether the post existed before the import. */
  readonly edited: boolean;
  readonly deleted: boolean;
  /** Whether the post changed after the import. */
  readonly touched: boolean;
}

/**
 * Returns posts that an import wrote, in the order of their ids.
 * @param since end of the import, epoch milliseconds
 * @param after id of the last post of the previous page
 */
export async function readWritten(
  db: TenantExecutor,
  importId: number,
  since: number,
  after: number,
  most: number,
): Promise<WrittenPost[]> {
  return db.query<WrittenPost>(
    `SELECT ${p.id} AS "postId", ${p.title}, r.external_id AS "externalId", r.edited, ${p.deleted_at} IS NOT NULL AS deleted,
            EXISTS (SELECT FROM changes c WHERE c.tenant_id = $1 AND ${c.post_id} = ${p.id} AND ${c.at} > $3) AS touched
       FROM import_records r JOIN posts p ON p.tenant_id = r.tenant_id AND ${p.id} = r.post_id
      WHERE r.tenant_id = $1 AND r.import_id = $2 AND r.post_id > $4
      ORDER BY r.post_id LIMIT $5`,
    [db.tenantId, importId, new Date(since), after, most],
  );
}

/** Deletes the records of rows, so that an import can create their posts again. */
export async function forgetRows(db: TenantExecutor, importId: number, postIds: readonly number[]): Promise<void> {
  await db.execute(
    'DELETE FROM import_records WHERE tenant_id = $1 AND import_id = $2 AND post_id = ANY ($3::bigint[])',
    [db.tenantId, importId, postIds],
  );
}

/**
 * Deletes the record of a file that identifies its rows by lines, once none of its rows is left.
 */
export async function forgetFile(db: TenantExecutor, source: string, prefix: string, suffix: string): Promise<void> {
  await db.execute(
    `DELETE FROM import_files f WHERE f.tenant_id = $1 AND f.source = $2 AND f.prefix = $3 AND f.suffix = $4
        AND NOT EXISTS (SELECT FROM import_records r WHERE r.tenant_id = $1 AND r.source = $2
                           AND starts_with(r.external_id, $3) AND right(r.external_id, length($4)) = $4)`,
    [db.tenantId, source, prefix, suffix],
  );
}
