/**
 * Physical removal of erasable posts (operation markPostAsErasable) after the operator's delay: the row, its values,
 * comments, tasks, history text, kept answers, and files that nothing else uses. Tombstones in `changes` stay for their
 * 30 days (docs/decisions/stream.md). Such posts are long invisible, so the work is cut into transactions of fewer
 * than 500 rows; a stop
 * between two of them leaves a post that is still erasable and is finished by the next run.
 */
import type { Tenant } from '../kernel/scope.ts';
import { objectTypes } from '../modules/fields/index.ts';
import { removeReleasedFiles } from '../modules/files/index.ts';
import type { TenantServices } from '../modules/tenants/index.ts';
import type { TenantDb, TenantTx } from '../platform/db/tenant-db.ts';

const DAY_MS = 24 * 3_600_000;
/** Posts that one transaction looks at, and rows below them that it removes. */
const POSTS_AT_ONCE = 20;
const ROWS_AT_ONCE = 400;

/** What hangs on posts: table → the rows below the posts `$2`, children before their parents. */
const below = (table: string, column: string, key = 'id') =>
  `t.${column} IN (SELECT x.${key} FROM ${table} x WHERE x.tenant_id = $1 AND x.post_id = ANY ($2::bigint[]))`;
const OF_POST = 't.post_id = ANY ($2::bigint[])';
const PARTS: readonly { table: string; where: string; order?: string; contents?: true }[] = [
  { table: 'attachment_versions', where: below('attachments', 'attachment_id'), contents: true },
  { table: 'attachment_hashtags', where: below('attachments', 'attachment_id') },
  { table: 'attachments', where: OF_POST, contents: true },
  { table: 'comment_likes', where: below('comments', 'comment_id') },
  // Answers go before what they answer, so that no cascade takes more rows than were counted.
  { table: 'comments', where: OF_POST, order: 't.id DESC' },
  { table: 'sub_tasks', where: below('tasks', 'task_id') },
  { table: 'task_reminders', where: below('tasks', 'task_id') },
  { table: 'task_watchers', where: below('tasks', 'task_id') },
  { table: 'task_mentions', where: below('tasks', 'task_id') },
  { table: 'task_hashtags', where: below('tasks', 'task_id') },
  { table: 'tasks', where: OF_POST },
  { table: 'history_events', where: OF_POST },
  { table: 'import_records', where: OF_POST },
  { table: 'event_answers', where: OF_POST },
  { table: 'event_invitations', where: OF_POST },
  { table: 'post_likes', where: OF_POST },
  { table: 'post_view_counts', where: OF_POST },
  { table: 'post_user_state', where: OF_POST },
  { table: 'post_mentions', where: OF_POST },
  { table: 'post_hashtags', where: OF_POST },
  { table: 'post_watchers', where: OF_POST },
  { table: 'post_grants', where: OF_POST },
  { table: 'post_texts', where: OF_POST },
  { table: 'post_values', where: OF_POST },
  { table: 'post_search', where: OF_POST },
];

/** What was removed, or would be. */
export interface Erasure {
  postIds: number[];
  /** Rows by table; tables without any are left out. */
  rows: Map<string, number>;
  /** Stored files that nothing else uses. */
  files: number;
}

/** The time before which posts must have been marked. @param days the delay; Epoch milliseconds */
export function erasureCutoff(now: number, days: number): number {
  return now - days * DAY_MS;
}

/** The worker's task: removes what was marked longer ago than the configured delay. */
export async function eraseDuePosts(services: TenantServices, tenant: Tenant): Promise<Erasure> {
  return erasePosts(services, tenant, erasureCutoff(services.clock.now(), services.config.eraseAfterDays));
}

/** Removes the posts that were marked as erasable at or before `cutoff` (epoch milliseconds). */
export async function erasePosts(services: TenantServices, tenant: Tenant, cutoff: number): Promise<Erasure> {
  const db = services.databases.for(tenant.id);
  const done: Erasure = { postIds: [], rows: new Map(), files: 0 };
  const released = new Set<string>();
  for (;;) {
    const step = await db.transaction((tx) => eraseSome(tx, cutoff));
    for (const [table, count] of step.rows) done.rows.set(table, (done.rows.get(table) ?? 0) + count);
    done.postIds.push(...step.postIds);
    for (const ref of step.released) released.add(ref);
    if (!step.more) break;
  }
  if (released.size > 0) {
    const removed = await removeReleasedFiles(db, services.storage, [...released], services.clock.now());
    done.files = removed.contents;
  }
  done.postIds.sort((a, b) => a - b);
  return done;
}

/** Says what {@link erasePosts} would remove, and removes nothing. */
export async function previewErasure(services: TenantServices, tenant: Tenant, cutoff: number): Promise<Erasure> {
  const db = services.databases.for(tenant.id);
  const postIds = (
    await db.query<{ id: number }>(
      `SELECT id FROM posts WHERE tenant_id = $1 AND erasable_at <= $2 AND deleted_at IS NOT NULL ORDER BY id`,
      [tenant.id, new Date(cutoff)],
    )
  ).map(({ id }) => id);
  const rows = new Map<string, number>();
  if (postIds.length === 0) return { postIds, rows, files: 0 };
  for (const part of PARTS) {
    const [found] = await db.query<{ count: number }>(
      `SELECT count(*) AS count FROM ${part.table} t WHERE t.tenant_id = $1 AND ${part.where}`,
      [tenant.id, postIds],
    );
    if (found && found.count > 0) rows.set(part.table, found.count);
  }
  rows.set('posts', postIds.length);
  return { postIds, rows, files: await countFilesOf(db, postIds) };
}

interface Step {
  postIds: number[];
  rows: Map<string, number>;
  released: Set<string>;
  more: boolean;
}

async function eraseSome(tx: TenantTx, cutoff: number): Promise<Step> {
  // Another node that is at it holds these rows and is left alone.
  const posts = await tx.query<{ id: number; cover: string | null }>(
    `SELECT id, cover_content_ref AS cover FROM posts
      WHERE tenant_id = $1 AND erasable_at <= $2 AND deleted_at IS NOT NULL
      ORDER BY erasable_at, id LIMIT ${POSTS_AT_ONCE} FOR UPDATE SKIP LOCKED`,
    [tx.tenantId, new Date(cutoff)],
  );
  const step: Step = { postIds: [], rows: new Map(), released: new Set(), more: posts.length > 0 };
  if (posts.length === 0) return step;
  const ids = posts.map((post) => post.id);
  await forgetAnswers(tx, ids);
  let room = ROWS_AT_ONCE;
  for (const part of PARTS) {
    const gone = await tx.query<{ contentRef: string | null }>(
      `DELETE FROM ${part.table} WHERE tenant_id = $1 AND ctid = ANY (ARRAY(
         SELECT t.ctid FROM ${part.table} t WHERE t.tenant_id = $1 AND ${part.where}
          ${part.order ? `ORDER BY ${part.order}` : ''} LIMIT $3))
       RETURNING ${part.contents ? 'content_ref' : 'NULL'} AS "contentRef"`,
      [tx.tenantId, ids, room],
    );
    for (const { contentRef } of gone) if (contentRef !== null) step.released.add(contentRef);
    if (gone.length > 0) step.rows.set(part.table, gone.length);
    room -= gone.length;
    // What is left goes in the next transaction.
    if (room === 0) return step;
  }
  for (const { cover } of posts) if (cover !== null) step.released.add(cover);
  if ((await forgetReferences(tx, ids, room)) === room) return step;
  await tx.execute('DELETE FROM posts WHERE tenant_id = $1 AND id = ANY ($2::bigint[])', [tx.tenantId, ids]);
  step.rows.set('posts', ids.length);
  step.postIds = ids;
  return step;
}

/**
 * Notes on values that refer to the posts that these are gone: filters look for them by that.
 * @returns how many rows it changed, at most `room`
 */
async function forgetReferences(tx: TenantTx, ids: readonly number[], room: number): Promise<number> {
  return tx.execute(
    `UPDATE post_values SET ref_community = 0 WHERE tenant_id = $1 AND ctid = ANY (ARRAY(
       SELECT e.ctid FROM fields f CROSS JOIN unnest($2::bigint[]) AS gone (id)
        CROSS JOIN LATERAL (SELECT v.ctid FROM post_values v
                             WHERE v.tenant_id = $1 AND v.field_id = f.id AND v.ref = gone.id AND v.ref_community <> 0 OFFSET 0) e
        WHERE f.tenant_id = $1 AND f.type IN (${objectTypes.join(', ')}) LIMIT $3))`,
    [tx.tenantId, ids, room],
  );
}

/**
 * Takes the text of the posts out of answers kept for repeated requests; the keys stay used. Answers that name no post
 * (workflow screens) go with their 48 hours.
 */
async function forgetAnswers(tx: TenantTx, ids: readonly number[]): Promise<void> {
  await tx.execute(
    `UPDATE idempotency_keys SET response = response - '{postData,taskData,comment}'::text[]
      WHERE tenant_id = $1 AND response ?| '{postData,taskData,comment}'
        AND (coalesce(response ->> 'postId', response #>> '{postData,id}', response #>> '{taskData,postId}') = ANY ($2::text[])
          OR response #>> '{comment,id}' IN (SELECT id::text FROM comments WHERE tenant_id = $1 AND post_id = ANY ($3::bigint[])))`,
    [tx.tenantId, ids.map(String), ids],
  );
}

async function countFilesOf(db: TenantDb, postIds: readonly number[]): Promise<number> {
  const [found] = await db.query<{ count: number }>(
    `WITH held AS (
       SELECT a.content_ref FROM attachments a WHERE a.tenant_id = $1 AND a.post_id = ANY ($2::bigint[])
       UNION SELECT v.content_ref FROM attachment_versions v JOIN attachments a ON a.tenant_id = $1 AND a.id = v.attachment_id
              WHERE v.tenant_id = $1 AND a.post_id = ANY ($2::bigint[])
       UNION SELECT cover_content_ref FROM posts WHERE tenant_id = $1 AND id = ANY ($2::bigint[]))
     SELECT count(*) AS count FROM held h WHERE h.content_ref IS NOT NULL
        AND NOT EXISTS (SELECT FROM attachments a WHERE a.tenant_id = $1 AND a.content_ref = h.content_ref AND a.post_id <> ALL ($2::bigint[]))
        AND NOT EXISTS (SELECT FROM attachment_versions v JOIN attachments a ON a.tenant_id = $1 AND a.id = v.attachment_id
                         WHERE v.tenant_id = $1 AND v.content_ref = h.content_ref AND a.post_id <> ALL ($2::bigint[]))
        AND NOT EXISTS (SELECT FROM posts p WHERE p.tenant_id = $1 AND p.cover_content_ref = h.content_ref AND p.id <> ALL ($2::bigint[]))
        AND NOT EXISTS (SELECT FROM users u WHERE u.tenant_id = $1 AND u.photo_content_ref = h.content_ref)
        AND NOT EXISTS (SELECT FROM communities c WHERE c.tenant_id = $1 AND c.cover_content_ref = h.content_ref)
        AND NOT EXISTS (SELECT FROM workspaces w WHERE w.tenant_id = $1
                         AND (w.cover_content_ref = h.content_ref OR w.logo_content_ref = h.content_ref))`,
    [db.tenantId, postIds],
  );
  return found?.count ?? 0;
}
