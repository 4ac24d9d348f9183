/**
 * Value rows that follow from definitions and erasures. A searchable or sortable field has a row
 * for each post that is not deleted; without a value the row is `empty`.
 */
import type { TenantTx } from '@portico/platform/db/tenant-db';
import { sqlColumns } from '../../columns.ts';
import { objectTypes } from '../../fields/index.ts';

const f = sqlColumns('fields', 'f');
const v = sqlColumns('post_values', 'v');
const p = sqlColumns('posts', 'p');

/**
 * Adds the empty rows of fields that posts of some communities lack. @returns the number of rows
 */
export async function insertMissingValues(
  tx: TenantTx,
  fieldIds: readonly number[],
  communityIds: readonly number[],
): Promise<number> {
  if (fieldIds.length === 0 || communityIds.length === 0) return 0;
  return tx.execute(
    `INSERT INTO post_values (tenant_id, field_id, post_id, empty)
     SELECT p.tenant_id, f.id, ${p.id}, true
       FROM posts p CROSS JOIN unnest($2::bigint[]) AS f (id)
      WHERE p.tenant_id = $1 AND ${p.community_id} = ANY ($3::bigint[]) AND ${p.deleted_at} IS NULL
        AND NOT EXISTS (SELECT FROM post_values v WHERE v.tenant_id = $1 AND ${v.field_id} = f.id AND ${v.post_id} = ${p.id})
     ON CONFLICT DO NOTHING`,
    [tx.tenantId, fieldIds, communityIds],
  );
}

/** Adds empty value rows of fields to posts; existing rows are kept. */
export async function insertEmptyValues(
  tx: TenantTx,
  fieldIds: readonly number[],
  postIds: readonly number[],
): Promise<void> {
  await tx.send(
    `INSERT INTO post_values (tenant_id, field_id, post_id, empty)
     SELECT a.tenant_id, f.id, p.id, true
       FROM tenant_versions a, unnest($2::bigint[]) AS f (id) CROSS JOIN unnest($3::bigint[]) AS p (id) WHERE a.tenant_id = $1
     ON CONFLICT DO NOTHING`,
    [tx.tenantId, fieldIds, postIds],
  );
}

/**
 * Marks the values that refer to erased posts, so that filters find them.
 * @returns the number of rows changed, at most `limit`
 */
export async function markReferencesErased(tx: TenantTx, postIds: readonly number[], limit: number): Promise<number> {
  return tx.execute(
    `UPDATE post_values SET ref_community = 0 WHERE tenant_id = $1 AND ctid = ANY (ARRAY(
       SELECT e.ctid FROM fields f CROSS JOIN unnest($2::bigint[]) AS gone (id)
        CROSS JOIN LATERAL (SELECT v.ctid FROM post_values v
                             WHERE v.tenant_id = $1 AND ${v.field_id} = ${f.id} AND ${v.ref} = gone.id AND ${v.ref_community} <> 0 OFFSET 0) e
        WHERE f.tenant_id = $1 AND ${f.type} IN (${objectTypes.join(', ')}) LIMIT $3))`,
    [tx.tenantId, postIds, limit],
  );
}

/** Updates the community of a post in the values that refer to it. */
export async function moveReferences(tx: TenantTx, postId: number, communityId: number): Promise<void> {
  await tx.send(
    `UPDATE post_values v SET ref_community = $3 FROM fields f
      WHERE f.tenant_id = $1 AND ${f.type} IN (${objectTypes.join(', ')})
        AND v.tenant_id = $1 AND v.field_id = ${f.id} AND v.ref = $2 AND v.ref_community IS NOT NULL`,
    [tx.tenantId, postId, communityId],
  );
}
