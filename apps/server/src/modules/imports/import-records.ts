/** Records of earlier imports (table import_records), and existing posts. */

import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import { Parameters, visiblePostSql } from '../../kernel/access/index.ts';
import type { Scope } from '../../kernel/scope.ts';
import { sqlColumns } from '../columns.ts';

const p = sqlColumns('posts', 'p');

export interface ImportRecord {
  readonly externalId: string;
  readonly postId: number;
  /** Empty while the row is not finished. */
  readonly fingerprint: string;
  /** The import that wrote the row last, and whether it edited a post that was there before; null for the command line. */
  readonly importId: number | null;
  readonly edited: boolean;
}

interface Known {
  /** Records of this import, by external id. */
  readonly records: ReadonlyMap<string, ImportRecord>;
  /** Posts that have the external id of a row as their clientUid, regardless of their creator. */
  readonly taken: ReadonlyMap<string, { postId: number; communityId: number; deleted: boolean }>;
  /** Posts that rows can refer to, by external id. */
  readonly posts: ReadonlyMap<string, number>;
}

/**
 * Looks up rows and their references, in two statements.
 * @param onlyVisible references find only posts that the actor sees
 */
export async function readKnown(
  scope: Scope,
  source: string,
  externalIds: readonly string[],
  referredTo: readonly string[],
  onlyVisible: boolean,
): Promise<Known> {
  const db = scope.db;
  const records = await db.query<ImportRecord>(
    `SELECT external_id AS "externalId", post_id AS "postId", fingerprint, import_id AS "importId", edited FROM import_records
      WHERE tenant_id = $1 AND source = $2 AND external_id = ANY ($3::text[])`,
    [db.tenantId, source, externalIds],
  );
  const parameters = new Parameters([db.tenantId, [...new Set([...externalIds, ...referredTo])]]);
  const visible = onlyVisible ? visiblePostSql('p', scope.actor, parameters) : 'p.deleted_at IS NULL';
  const posts = await db.query<{
    externalId: string;
    postId: number;
    communityId: number;
    deleted: boolean;
    usable: boolean;
  }>(
    `SELECT ${p.client_uid} AS "externalId", ${p.id} AS "postId", ${p.community_id} AS "communityId",
            ${p.deleted_at} IS NOT NULL AS deleted, ${visible} AS usable
       FROM posts p WHERE p.tenant_id = $1 AND ${p.client_uid} = ANY ($2::text[])`,
    parameters.values,
  );
  const rows = new Set(externalIds);
  return {
    records: new Map(records.map((record) => [record.externalId, record])),
    taken: new Map(posts.filter((post) => rows.has(post.externalId)).map((post) => [post.externalId, post])),
    posts: new Map(posts.filter((post) => post.usable).map((post) => [post.externalId, post.postId])),
  };
}

/** Records the posts created from external ids. */
export async function saveRecords(db: TenantExecutor, source: string, records: readonly ImportRecord[]): Promise<void> {
  if (records.length === 0) return;
  await db.execute(
    `INSERT INTO import_records (tenant_id, source, external_id, fingerprint, post_id, import_id, edited)
     SELECT a.tenant_id, $2, r.*
       FROM tenant_versions a, unnest($3::text[], $4::text[], $5::bigint[], $6::bigint[], $7::boolean[])
              AS r (external_id, fingerprint, post_id, import_id, edited)
      WHERE a.tenant_id = $1
     ON CONFLICT (tenant_id, source, external_id)
       DO UPDATE SET fingerprint = excluded.fingerprint, post_id = excluded.post_id, import_id = excluded.import_id,
                     edited = excluded.edited`,
    [
      db.tenantId,
      source,
      records.map((record) => record.externalId),
      records.map((record) => record.fingerprint),
      records.map((record) => record.postId),
      records.map((record) => record.importId),
      records.map((record) => record.edited),
    ],
  );
}

/** Inserts unknown external ids. @returns the inserted ids, in no order */
export async function claimRecords(
  db: TenantExecutor,
  source: string,
  records: readonly { externalId: string; postId: number }[],
): Promise<Set<string>> {
  const rows = await db.query<{ externalId: string }>(
    `INSERT INTO import_records AS x (tenant_id, source, external_id, fingerprint, post_id)
     SELECT a.tenant_id, $2, r.external_id, '', r.post_id
       FROM tenant_versions a, unnest($3::text[], $4::bigint[]) AS r (external_id, post_id) WHERE a.tenant_id = $1
     ON CONFLICT DO NOTHING RETURNING x.external_id AS "externalId"`,
    [db.tenantId, source, records.map((record) => record.externalId), records.map((record) => record.postId)],
  );
  return new Set(rows.map((row) => row.externalId));
}
