import type { GrantSource, WriteScope } from '../../../kernel/access/index.ts';
import { sqlColumns } from '../../columns.ts';

const postGrants = sqlColumns('post_grants');

/** A grant to add. */
export interface NewGrant {
  postId: number;
  /** A user id, or a group id negated. */
  principal: number;
  /** Id of the task or the field, for sources that have one. */
  sourceId?: number;
}

/** Grants principals access to private posts; existing grants are kept. */
export async function addGrants(write: WriteScope, source: GrantSource, grants: readonly NewGrant[]): Promise<void> {
  if (grants.length === 0) return;
  await write.tx.send(
    `INSERT INTO post_grants (tenant_id, post_id, principal, source, source_id)
     SELECT a.tenant_id, g.post_id, g.principal, $2, g.source_id
       FROM tenant_versions a, unnest($3::bigint[], $4::bigint[], $5::bigint[]) AS g (post_id, principal, source_id)
      WHERE a.tenant_id = $1
     ON CONFLICT DO NOTHING`,
    [
      write.tx.tenantId,
      source,
      grants.map((grant) => grant.postId),
      grants.map((grant) => grant.principal),
      grants.map((grant) => grant.sourceId ?? 0),
    ],
  );
}

/**
 * Deletes the grants of one source.
 * @param which.principals only of these principals
 * @param which.sourceIds only of these tasks or fields
 * @param which.except not of this principal
 */
export async function removeGrants(
  write: WriteScope,
  source: GrantSource,
  postId: number,
  which: { principals?: readonly number[]; sourceIds?: readonly number[]; except?: number | null } = {},
): Promise<void> {
  await write.tx.send(
    `DELETE FROM post_grants
      WHERE tenant_id = $1 AND ${postGrants.post_id} = $2 AND ${postGrants.source} = $3
        AND ($4::bigint[] IS NULL OR ${postGrants.principal} = ANY ($4)) AND ($5::bigint[] IS NULL OR ${postGrants.source_id} = ANY ($5))
        AND ($6::bigint IS NULL OR ${postGrants.principal} <> $6)`,
    [write.tx.tenantId, postId, source, which.principals ?? null, which.sourceIds ?? null, which.except ?? null],
  );
}
