/**
 * Value rows for fields that existing posts lack. A searchable or sortable field has a row for each
 * post that is not deleted, an `empty` row if there is no value (migration 0004). Without it, the filter "is empty"
 * would not find older posts, and an order by the field would lose them.
 */

import { countRows } from '@portico/platform/db/count-rows';
import { type WriteScope, writeTransaction } from '../../kernel/access/index.ts';
import type { Scope } from '../../kernel/scope.ts';
import { sqlColumns } from '../columns.ts';
import { insertEmptyValues, type insertMissingValues } from '../records/index.ts';

const postsColumns = sqlColumns('posts');

/** Maximum rows per transaction (under 500). */
const ROWS = 450;

/** Returns whether more rows are missing than one transaction may write. */
export async function needsPrefill(
  write: Pick<WriteScope, 'tx'>,
  fieldCount: number,
  communityIds: readonly number[],
): Promise<boolean> {
  if (fieldCount === 0 || communityIds.length === 0) return false;
  const limit = Math.floor(ROWS / fieldCount) + 1;
  const few = `(SELECT FROM posts WHERE tenant_id = $1 AND ${postsColumns.community_id} = ANY ($2::bigint[]) LIMIT $3) AS few`;
  return (await countRows(write.tx, few, [write.tx.tenantId, communityIds, limit])) >= limit;
}

/**
 * Writes rows for the existing posts, in many small transactions that wait for no lock.
 * {@link insertMissingValues} writes the rows of posts created meanwhile, in the transaction that
 * brings the fields into use.
 */
export async function prefill(
  scope: Scope,
  fieldIds: readonly number[],
  communityIds: readonly number[],
): Promise<void> {
  const posts = Math.max(1, Math.floor(ROWS / fieldIds.length));
  for (const communityId of communityIds) {
    let after = 0;
    for (;;) {
      const rows = await writeTransaction(scope, 'none', async (write) => {
        const batch = await write.tx.query<{ id: number; customNo: number; deleted: boolean }>(
          `SELECT ${postsColumns.id}, ${postsColumns.custom_no} AS "customNo", ${postsColumns.deleted_at} IS NOT NULL AS deleted FROM posts
            WHERE tenant_id = $1 AND ${postsColumns.community_id} = $2 AND ${postsColumns.custom_no} > $3 ORDER BY ${postsColumns.custom_no} LIMIT $4`,
          [write.tx.tenantId, communityId, after, posts],
        );
        await insertEmptyValues(
          write.tx,
          fieldIds,
          batch.flatMap(({ id, deleted }) => (deleted ? [] : id)),
        );
        return batch;
      });
      if (rows.length === 0) break;
      after = rows.at(-1)!.customNo;
    }
  }
}
