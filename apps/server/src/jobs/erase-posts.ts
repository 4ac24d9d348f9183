/**
 * Erases erasable posts (operation markPostAsErasable) after the operator's delay: the row, its
 * values, comments, tasks, history text, kept answers, and files that nothing else uses. Tombstones
 * in `changes` stay for their 30 days (docs/decisions/stream.md). Erasable posts are already
 * invisible, so the work is cut into transactions of fewer than 500 rows; a stop between two of
 * them leaves a post that is still erasable, and the next run finishes it.
 */

import { countRows } from '@portico/platform/db/count-rows';
import type { TenantDb, TenantTx } from '@portico/platform/db/tenant-db';
import type { DueWork } from '../kernel/due-work.ts';
import type { Tenant } from '../kernel/scope.ts';
import { removePostsFromResponses } from '../kernel/stored-responses.ts';
import { eraseRows } from '../kernel/tables/erase-rows.ts';
import { belongsToSql, type RegisteredTable, tablesBelow, unreferencedSql } from '../kernel/tables/registry.ts';
import { removeReleasedFiles } from '../modules/files/index.ts';
import { markReferencesErased } from '../modules/records/index.ts';
import { tables } from '../modules/tables.ts';
import type { TenantServices } from '../modules/tenants/index.ts';

const DAY_MS = 24 * 3_600_000;
/** Limits of one transaction: posts that it locks, and dependent rows that it deletes. */
const POSTS_AT_ONCE = 20;
const ROWS_AT_ONCE = 400;

/**
 * Tables of rows that belong to posts, children before their parents, without the table of posts.
 */
const BELOW_POSTS = tablesBelow(tables, 'posts');
const POSTS = tables.get('posts') as RegisteredTable;
const ofPostsSql = (table: RegisteredTable) => belongsToSql(tables, table, 'posts', '$2::bigint[]');

/** Result of an erasure, or of its dry run. */
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

/** When posts are removed. */
export const erasablePostsDue: DueWork = {
  earliest:
    'SELECT min(erasable_at) FROM posts WHERE tenant_id = $1 AND erasable_at IS NOT NULL AND deleted_at IS NOT NULL',
  afterMs: ({ config }) => config.eraseAfterDays * DAY_MS,
};

/** The worker's task: erases posts marked longer ago than the configured delay. */
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
    const removed = await removeReleasedFiles(
      db,
      { storage: services.storage, tables },
      [...released],
      services.clock.now(),
    );
    done.files = removed.contents;
  }
  done.postIds.sort((a, b) => a - b);
  return done;
}

/** Counts the rows that {@link erasePosts} would remove. */
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
  for (const table of [...BELOW_POSTS, POSTS]) {
    const from = `${table.name} t WHERE t.tenant_id = $1 AND ${ofPostsSql(table)}`;
    const count = await countRows(db, from, [tenant.id, postIds]);
    if (count > 0) rows.set(table.name, count);
  }
  return { postIds, rows, files: await countFilesOf(db, postIds) };
}

interface Step {
  postIds: number[];
  rows: Map<string, number>;
  released: Set<string>;
  more: boolean;
}

async function eraseSome(tx: TenantTx, cutoff: number): Promise<Step> {
  // Rows locked by another node are skipped.
  const posts = await tx.query<{ id: number }>(
    `SELECT id FROM posts WHERE tenant_id = $1 AND erasable_at <= $2 AND deleted_at IS NOT NULL
      ORDER BY erasable_at, id LIMIT ${POSTS_AT_ONCE} FOR UPDATE SKIP LOCKED`,
    [tx.tenantId, new Date(cutoff)],
  );
  const step: Step = { postIds: [], rows: new Map(), released: new Set(), more: posts.length > 0 };
  if (posts.length === 0) return step;
  const ids = posts.map((post) => post.id);
  await removePostsFromResponses(tx, ids);
  let room = ROWS_AT_ONCE;
  const erase = async (table: RegisteredTable, limit: number): Promise<number> => {
    const { count, contentRefs } = await eraseRows(tx, tables, table, 'posts', ids, limit);
    for (const contentRef of contentRefs) step.released.add(contentRef);
    if (count > 0) step.rows.set(table.name, count);
    return count;
  };
  for (const table of BELOW_POSTS) {
    room -= await erase(table, room);
    // The rest is removed by the next transaction.
    if (room === 0) return step;
  }
  if ((await markReferencesErased(tx, ids, room)) === room) return step;
  await erase(POSTS, POSTS_AT_ONCE);
  step.postIds = ids;
  return step;
}

async function countFilesOf(db: TenantDb, postIds: readonly number[]): Promise<number> {
  const erased = new Set([...BELOW_POSTS, POSTS]);
  const held = [...erased].flatMap((table) =>
    (table.files ?? []).map(
      (column) =>
        `SELECT t.${column} AS content_ref FROM ${table.name} t WHERE t.tenant_id = $1 AND ${ofPostsSql(table)}`,
    ),
  );
  const unused = unreferencedSql(tables, 'h.content_ref', (table) =>
    erased.has(table) ? ofPostsSql(table) : undefined,
  );
  const [found] = await db.query<{ count: number }>(
    `WITH held AS (${held.join(' UNION ')})
     SELECT count(*) AS count FROM held h WHERE h.content_ref IS NOT NULL AND ${unused}`,
    [db.tenantId, postIds],
  );
  return found?.count ?? 0;
}
