/**
 * Attachments whose text is missing from, or outdated in, the search row of their post:
 * `searched_ref` is the content whose text the search row holds. Attaching a file, adding a version
 * and removing a file do not update it; a job does.
 */

import { AttachmentEntityType } from '@portico/contract';
import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import type { DueWork } from '../../../kernel/due-work.ts';

/** An attachment whose text must be added to or removed from the search row. */
interface OutdatedSearch {
  id: number;
  postId: number;
  /** Content that the search row must hold; null for a removed attachment. */
  due: string | null;
  /** Whether either content has (or may have had) text. */
  textual: boolean;
}

/**
 * SQL of a boolean: the search row does not hold the present document of an attachment `a`, and its
 * file `f`, if it has one, was read.
 */
const OUTDATED = `a.searched_ref IS DISTINCT FROM (CASE WHEN a.deleted_at IS NULL THEN a.content_ref END)
        AND (a.deleted_at IS NOT NULL OR a.content_ref IS NULL OR f.text_state IS NOT NULL)`;

/** Attachments whose documents must be added to the search rows of their posts. */
export const documentsDue: DueWork = {
  waiting: `SELECT FROM attachments a LEFT JOIN file_contents f ON f.tenant_id = $1 AND f.content_ref = a.content_ref
      WHERE a.tenant_id = $1 AND ${OUTDATED}`,
};

/** Returns the next outdated attachments; skips files whose text is not extracted yet. */
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

/**
 * Marks the contents that the search rows now hold. An attachment that changed meanwhile is
 * outdated again and returned again.
 */
export async function markSearched(db: TenantExecutor, attachments: readonly OutdatedSearch[]): Promise<void> {
  await db.execute(
    `UPDATE attachments a SET searched_ref = t.due FROM unnest($2::bigint[], $3::text[]) AS t (id, due)
      WHERE a.tenant_id = $1 AND a.id = t.id`,
    [db.tenantId, attachments.map((attachment) => attachment.id), attachments.map((attachment) => attachment.due)],
  );
}
