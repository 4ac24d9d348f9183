/**
 * Attachments whose text is not, or no longer, in the search row of their post: `searched_ref` is the content whose text
 * the search row holds. Attaching, a new version and removing leave it behind, and a job brings it up to date.
 */

import { AttachmentEntityType } from '@portico/contract';
import type { DueWork } from '../../kernel/due-work.ts';
import type { TenantExecutor } from '../../platform/db/tenant-db.ts';

/** An attachment whose text is to be searched, or no longer. */
interface OutdatedSearch {
  id: number;
  postId: number;
  /** The content that the search row is to hold: null for a removed attachment. */
  due: string | null;
  /** Whether either content has (or may have had) a text. */
  textual: boolean;
}

/** SQL: whether the search rows do not hold the document of an attachment `a` as it is, whose file `f` was read. */
const OUTDATED = `a.searched_ref IS DISTINCT FROM (CASE WHEN a.deleted_at IS NULL THEN a.content_ref END)
        AND (a.deleted_at IS NOT NULL OR a.content_ref IS NULL OR f.text_state IS NOT NULL)`;

/** Attachments whose posts are to be found by their documents. */
export const documentsDue: DueWork = {
  waiting: `SELECT FROM attachments a LEFT JOIN file_contents f ON f.tenant_id = $1 AND f.content_ref = a.content_ref
      WHERE a.tenant_id = $1 AND ${OUTDATED}`,
};

/** The next such attachments; those whose text is not extracted yet are skipped. */
export function findOutdatedSearch(db: TenantExecutor, limit: number): Promise<OutdatedSearch[]> {
  return db.query<OutdatedSearch>(
    `SELECT a.id, a.post_id AS "postId", CASE WHEN a.deleted_at IS NULL THEN a.content_ref END AS due,
            a.entity_type <> ${AttachmentEntityType.COMMENT} AND (coalesce(f.text_state = 1 AND a.deleted_at IS NULL, false)
              OR (a.searched_ref IS NOT NULL AND coalesce(b.text_state, 1) = 1)) AS textual
       FROM attachments a
       LEFT JOIN file_contents f ON f.tenant_id = a.tenant_id AND f.content_ref = a.content_ref
       LEFT JOIN file_contents b ON b.tenant_id = a.tenant_id AND b.content_ref = a.searched_ref
      WHERE a.tenant_id = $1 AND ${OUTDATED}
      ORDER BY a.id LIMIT $2`,
    [db.tenantId, limit],
  );
}

/** Notes what the search rows hold now. An attachment that changed meanwhile is outdated again, and comes again. */
export async function markSearched(db: TenantExecutor, attachments: readonly OutdatedSearch[]): Promise<void> {
  await db.execute(
    `UPDATE attachments a SET searched_ref = t.due FROM unnest($2::bigint[], $3::text[]) AS t (id, due)
      WHERE a.tenant_id = $1 AND a.id = t.id`,
    [db.tenantId, attachments.map((attachment) => attachment.id), attachments.map((attachment) => attachment.due)],
  );
}
