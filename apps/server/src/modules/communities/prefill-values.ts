/**
 * Value rows for fields that posts do not have yet. A field that is searchable or sortable has a row for each post, an
 * `empty` one where there is no value (migration 0004): without it "is empty" would not find the older posts, and an
 * order by the field would lose them.
 */

import { type WriteScope, write } from '../../kernel/access/index.ts';
import type { Scope } from '../../kernel/scope.ts';

/** Rows of one transaction at most (under 500). */
const ROWS = 450;

/** Whether more rows are missing than one transaction may write. */
export async function needsPrefill(
  w: Pick<WriteScope, 'tx'>,
  fieldCount: number,
  communityIds: readonly number[],
): Promise<boolean> {
  if (fieldCount === 0 || communityIds.length === 0) return false;
  const limit = Math.floor(ROWS / fieldCount) + 1;
  const [row] = await w.tx.query<{ count: number }>(
    `SELECT count(*) AS count FROM (
       SELECT FROM posts WHERE tenant_id = $1 AND community_id = ANY ($2::bigint[]) LIMIT $3) AS few`,
    [w.tx.tenantId, communityIds, limit],
  );
  return row!.count >= limit;
}

/** Writes all rows that are missing, in the running transaction. @returns how many */
export async function fillMissing(
  w: Pick<WriteScope, 'tx'>,
  fieldIds: readonly number[],
  communityIds: readonly number[],
): Promise<number> {
  if (fieldIds.length === 0 || communityIds.length === 0) return 0;
  return w.tx.execute(
    `INSERT INTO post_values (tenant_id, field_id, post_id, empty)
     SELECT p.tenant_id, f.id, p.id, true
       FROM posts p CROSS JOIN unnest($2::bigint[]) AS f (id)
      WHERE p.tenant_id = $1 AND p.community_id = ANY ($3::bigint[])
        AND NOT EXISTS (SELECT FROM post_values v WHERE v.tenant_id = p.tenant_id AND v.field_id = f.id AND v.post_id = p.id)
     ON CONFLICT DO NOTHING`,
    [w.tx.tenantId, fieldIds, communityIds],
  );
}

/**
 * Writes rows for posts that exist now, in many small transactions that wait for nobody. Posts that come meanwhile are
 * left to {@link fillMissing} in the transaction that brings the fields into use.
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
      const rows = await write(scope, 'none', async (w) => {
        const batch = await w.tx.query<{ id: number; customNo: number }>(
          `SELECT id, custom_no AS "customNo" FROM posts
            WHERE tenant_id = $1 AND community_id = $2 AND custom_no > $3 ORDER BY custom_no LIMIT $4`,
          [w.tx.tenantId, communityId, after, posts],
        );
        await w.tx.execute(
          `INSERT INTO post_values (tenant_id, field_id, post_id, empty)
           SELECT $1, f.id, p.id, true FROM unnest($2::bigint[]) AS f (id) CROSS JOIN unnest($3::bigint[]) AS p (id)
           ON CONFLICT DO NOTHING`,
          [w.tx.tenantId, fieldIds, batch.map((row) => row.id)],
        );
        return batch;
      });
      if (rows.length === 0) break;
      after = rows.at(-1)!.customNo;
    }
  }
}
