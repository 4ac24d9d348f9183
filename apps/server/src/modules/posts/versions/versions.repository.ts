/** SQL of versions of posts. */
import { mostPostVersions } from '@portico/contract';
import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import { sqlColumns } from '../../columns.ts';

const attachmentsColumns = sqlColumns('attachments');
const hashtagsColumns = sqlColumns('hashtags');

/** Number of the present version. */
export const PRESENT = 0;

/** A version. Times are epoch milliseconds. */
export interface VersionRow {
  /** {@link PRESENT} for the present version. */
  version: number;
  authorId: number;
  authoredAt: number;
  /**
   * Names of the parts changed by the edit that created the version; null if that edit is not
   * stored.
   */
  changed: string[] | null;
}

const LAST = Number.MAX_SAFE_INTEGER;

/**
 * Returns versions of a post, the newest first, among the versions that can be read. The author of
 * a version is stored in the version before it or, if that is deleted, in the version itself.
 * @param where a condition on `v.id`; the present version has the last id of all
 */
async function selectVersions(
  db: TenantExecutor,
  postId: number,
  where: string,
  values: readonly unknown[],
): Promise<VersionRow[]> {
  return db.query<VersionRow>(
    `SELECT CASE WHEN v.id = ${LAST} THEN ${PRESENT} ELSE v.id END AS version,
            coalesce(o.replaced_by, v.author_id) AS "authorId", coalesce(o.replaced_at, v.authored_at) AS "authoredAt",
            o.changed
       FROM (SELECT ${LAST}::bigint AS id, p.modifier_id AS author_id, p.modified_at AS authored_at
               FROM posts p WHERE p.tenant_id = $1 AND p.id = $2
              UNION ALL
             (SELECT n.id, n.author_id, n.authored_at FROM post_versions n WHERE n.tenant_id = $1 AND n.post_id = $2
               ORDER BY n.id DESC LIMIT ${mostPostVersions})) v
       LEFT JOIN LATERAL (
         SELECT e.replaced_by, e.replaced_at, ARRAY(SELECT jsonb_object_keys(e.content)) AS changed FROM post_versions e
          WHERE e.tenant_id = $1 AND e.post_id = $2 AND e.id < v.id ORDER BY e.id DESC LIMIT 1) o ON true
      WHERE ${where}`,
    [db.tenantId, postId, ...values],
  );
}

/** Returns a page of versions. @param after version before the page; undefined for the first */
export function pageOfPostVersions(
  db: TenantExecutor,
  postId: number,
  after: number | undefined,
  limit: number,
): Promise<VersionRow[]> {
  const last = after === PRESENT ? LAST : after;
  const from = last ?? LAST + 1;
  return selectVersions(db, postId, 'v.id < $3::numeric ORDER BY v.id DESC LIMIT $4', [from, limit]);
}

export async function findPostVersion(
  db: TenantExecutor,
  postId: number,
  version: number,
): Promise<VersionRow | undefined> {
  const [row] = await selectVersions(db, postId, 'v.id = $3', [version === PRESENT ? LAST : version]);
  return row;
}

/** Counts the versions, the present one included. */
export async function countPostVersions(db: TenantExecutor, postId: number): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `SELECT 1 + count(*) AS count FROM (
       SELECT FROM post_versions WHERE tenant_id = $1 AND post_id = $2 LIMIT ${mostPostVersions}) v`,
    [db.tenantId, postId],
  );
  return row!.count;
}

/** Returns the parts of a version that were replaced since, by name. */
export async function replacedSince(
  db: TenantExecutor,
  postId: number,
  version: number,
): Promise<ReadonlyMap<string, unknown>> {
  if (version === PRESENT) return new Map();
  const rows = await db.query<{ key: string; value: unknown }>(
    `SELECT DISTINCT ON (e.key) e.key, e.value
       FROM (SELECT v.id, v.content FROM post_versions v
              WHERE v.tenant_id = $1 AND v.post_id = $2 AND v.id >= $3 ORDER BY v.id DESC LIMIT ${mostPostVersions}) v
      CROSS JOIN LATERAL jsonb_each(v.content) e ORDER BY e.key, v.id`,
    [db.tenantId, postId, version],
  );
  return new Map(rows.map(({ key, value }) => [key, value]));
}

/** Returns the ids of the hashtags of a post. */
export async function hashtagsOf(db: TenantExecutor, postId: number): Promise<number[]> {
  const rows = await db.query<{ id: number }>(
    'SELECT hashtag_id AS id FROM post_hashtags WHERE tenant_id = $1 AND post_id = $2 ORDER BY hashtag_id',
    [db.tenantId, postId],
  );
  return rows.map(({ id }) => id);
}

/** Returns names of hashtags and attachments by id, without removed attachments. */
export async function loadNamed(
  db: TenantExecutor,
  postId: number,
  hashtagIds: readonly number[],
  attachmentIds: readonly number[],
): Promise<{
  hashtags: Map<number, { id: number; name: string; externalId: string | null; deleted: boolean }>;
  attachments: Map<number, string>;
}> {
  const hashtags = await db.query<{ id: number; name: string; externalId: string | null; deleted: boolean }>(
    `SELECT ${hashtagsColumns.id}, ${hashtagsColumns.name}, ${hashtagsColumns.external_id} AS "externalId", ${hashtagsColumns.deleted} FROM hashtags WHERE tenant_id = $1 AND ${hashtagsColumns.id} = ANY ($2::bigint[])`,
    [db.tenantId, hashtagIds],
  );
  const attachments = await db.query<{ id: number; name: string }>(
    `SELECT ${attachmentsColumns.id}, ${attachmentsColumns.name} FROM attachments
      WHERE tenant_id = $1 AND ${attachmentsColumns.post_id} = $2 AND ${attachmentsColumns.id} = ANY ($3::bigint[]) AND ${attachmentsColumns.deleted_at} IS NULL`,
    [db.tenantId, postId, attachmentIds],
  );
  return {
    hashtags: new Map(hashtags.map((tag) => [tag.id, tag])),
    attachments: new Map(attachments.map(({ id, name }) => [id, name])),
  };
}
