/**
 * The background job that brings the text of attached documents into the search rows of their posts. Attaching, a new
 * version and removing leave a trace in the attachment's row (`searched_ref` behind `content_ref`), which the job follows;
 * writes wait for nothing.
 */

import { write } from '../../../kernel/access/index.ts';
import type { Scope } from '../../../kernel/scope.ts';
import type { TenantDb } from '../../../platform/db/tenant-db.ts';
import { refreshPostSearch } from '../values/index.ts';

/** Attachments of one run; the next run takes the next ones. */
const BATCH = 500;

interface Trace {
  id: number;
  postId: number;
  /** What the search row is to hold: null for a removed attachment. */
  due: string | null;
  /** Whether either content has (or may have had) a text. */
  textual: boolean;
}

/**
 * Works out the search rows of the tenant's next posts whose documents changed. Documents whose text nobody has read yet
 * wait for that.
 * @param scope of the tenant's system account
 * @returns how many attachments were looked at; call again at once while it is not 0
 */
export async function indexDocuments(scope: Scope): Promise<number> {
  const traces = await findTraces(scope.db);
  const silent = traces.filter((trace) => !trace.textual);
  if (silent.length > 0) await settle(scope.db, silent);
  const byPost = Map.groupBy(
    traces.filter((trace) => trace.textual),
    (trace) => trace.postId,
  );
  for (const [postId, ofPost] of byPost) {
    await write(scope, 'none', async (w) => {
      // Edits of the post wait, or are read here: neither overwrites what the other found.
      await w.tx.query('SELECT FROM posts WHERE tenant_id = $1 AND id = $2 FOR NO KEY UPDATE', [w.tx.tenantId, postId]);
      await refreshPostSearch(w, postId);
      await settle(w.tx, ofPost);
    });
  }
  return traces.length;
}

async function findTraces(db: TenantDb): Promise<Trace[]> {
  return db.query<Trace>(
    `SELECT a.id, a.post_id AS "postId", CASE WHEN a.deleted_at IS NULL THEN a.content_ref END AS due,
            a.entity_type <> 3 AND (coalesce(f.text_state = 1 AND a.deleted_at IS NULL, false)
              OR (a.searched_ref IS NOT NULL AND coalesce(b.text_state, 1) = 1)) AS textual
       FROM attachments a
       LEFT JOIN file_contents f ON f.tenant_id = a.tenant_id AND f.content_ref = a.content_ref
       LEFT JOIN file_contents b ON b.tenant_id = a.tenant_id AND b.content_ref = a.searched_ref
      WHERE a.tenant_id = $1 AND a.searched_ref IS DISTINCT FROM (CASE WHEN a.deleted_at IS NULL THEN a.content_ref END)
        AND (a.deleted_at IS NOT NULL OR a.content_ref IS NULL OR f.text_state IS NOT NULL)
      ORDER BY a.id LIMIT ${BATCH}`,
    [db.tenantId],
  );
}

/** Notes what the search rows hold now. An attachment that changed meanwhile is behind again, and comes again. */
async function settle(db: Pick<TenantDb, 'execute' | 'tenantId'>, traces: readonly Trace[]): Promise<void> {
  await db.execute(
    `UPDATE attachments a SET searched_ref = t.due FROM unnest($2::bigint[], $3::text[]) AS t (id, due)
      WHERE a.tenant_id = $1 AND a.id = t.id`,
    [db.tenantId, traces.map((trace) => trace.id), traces.map((trace) => trace.due)],
  );
}
