/**
 * Keeps the search index of a tenant up to date: follows its change rows, and builds the index of
 * posts that it does not have yet, the newest first. Stopped work continues where it was.
 */

import { retrying } from '@portico/platform/db/retrying';
import type { TenantDb, TenantTx } from '@portico/platform/db/tenant-db';
import type { DueWork } from '../../kernel/due-work.ts';
import type { TenantScope } from '../../kernel/scope.ts';
import { takePendingSearch } from '../post-parts/index.ts';
import { sequenceChanges } from '../records/index.ts';
import { indexPosts } from './index-posts.ts';

/** Change rows, and posts of a transaction. */
const CHANGES = 100;
const POSTS = 40;

/** State of the index (table `search_state`). */
interface IndexState {
  generation: number;
  seq: number;
  builtFrom: number | null;
  /** Version of the labels of catalog entries. */
  labelsVersion: number;
}

/** Work on an index that is behind the changes, not there, or being built. */
export const indexDue: DueWork = {
  waiting: `SELECT FROM stream_state t LEFT JOIN search_state s ON s.tenant_id = t.tenant_id
     JOIN tenant_versions v ON v.tenant_id = t.tenant_id
     WHERE t.tenant_id = $1 AND (s.seq IS NULL OR s.seq < t.last_seq OR s.generation <> t.generation
       OR s.built_from IS NOT NULL OR s.labels_version <> v.labels_version)`,
};

/**
 * Does a part of the work: follows changes, or else indexes some older posts.
 * @returns whether more may be left
 */
export async function indexNext(scope: TenantScope): Promise<boolean> {
  await sequenceChanges(scope.db);
  await ensureState(scope.db);
  return retrying(() => scope.db.transaction((tx) => work(scope, tx)));
}

async function work(scope: TenantScope, tx: TenantTx): Promise<boolean> {
  const state = await holdState(tx);
  if (!state) return false;
  const pending = await takePendingSearch(tx, POSTS);
  const index = (ids: readonly number[]) => indexPosts(scope, tx, ids, state.labelsVersion);
  await index(pending);
  const changed = await followChanges(tx, state, index);
  if (changed + pending.length > 0) return true;
  return state.builtFrom !== null && (await buildNext(tx, state.builtFrom, index));
}

/** Indexes posts. */
type Index = (postIds: readonly number[]) => Promise<void>;

/** @returns the number of changes followed */
async function followChanges(tx: TenantTx, state: IndexState, index: Index): Promise<number> {
  const changes = await tx.query<{ seq: number; postId: number }>(
    'SELECT seq, post_id AS "postId" FROM changes WHERE tenant_id = $1 AND seq > $2 ORDER BY seq LIMIT $3',
    [tx.tenantId, state.seq, CHANGES],
  );
  if (changes.length === 0) return 0;
  const ids = [...new Set(changes.map(({ postId }) => postId))].sort((a, b) => a - b);
  for (let at = 0; at < ids.length; at += POSTS) await index(ids.slice(at, at + POSTS));
  await tx.send('UPDATE search_state SET seq = $2 WHERE tenant_id = $1', [tx.tenantId, changes.at(-1)!.seq]);
  return changes.length;
}

/** Indexes the posts below an id. @returns whether more may be left */
async function buildNext(tx: TenantTx, from: number, index: Index): Promise<boolean> {
  const posts = await tx.query<{ id: number }>(
    'SELECT id FROM posts WHERE tenant_id = $1 AND id < $2 ORDER BY id DESC LIMIT $3',
    [tx.tenantId, from, POSTS],
  );
  const ids = posts.map(({ id }) => id);
  await index(ids);
  const more = ids.length === POSTS;
  await tx.send(
    'UPDATE search_state SET built_from = $2, complete = complete OR $2::bigint IS NULL WHERE tenant_id = $1',
    [tx.tenantId, more ? ids.at(-1) : null],
  );
  return more;
}

/** The build begins above every id. */
const ABOVE_ALL = Number.MAX_SAFE_INTEGER;

/** Begins an index that is not there. */
async function ensureState(db: TenantDb): Promise<void> {
  await db.execute(
    `INSERT INTO search_state (tenant_id, generation, seq, built_from, labels_version)
     SELECT t.tenant_id, t.generation, t.last_seq, $2, v.labels_version
       FROM stream_state t JOIN tenant_versions v ON v.tenant_id = t.tenant_id
      WHERE t.tenant_id = $1 AND NOT EXISTS (SELECT FROM search_state s WHERE s.tenant_id = $1)
     ON CONFLICT DO NOTHING`,
    [db.tenantId, ABOVE_ALL],
  );
}

/**
 * Locks the state. Begins to build anew, with all entries in place, where changes may be missing
 * (after a restore, or when their rows were deleted meanwhile), and when labels changed.
 */
async function holdState(tx: TenantTx): Promise<IndexState | undefined> {
  const [state] = await tx.query<IndexState>(
    `SELECT generation, seq, built_from AS "builtFrom", labels_version AS "labelsVersion" FROM search_state WHERE tenant_id = $1 FOR UPDATE`,
    [tx.tenantId],
  );
  const [stream] = await tx.query<{
    generation: number;
    lastSeq: number;
    labelsVersion: number;
    oldest: number | null;
  }>(
    `SELECT t.generation, t.last_seq AS "lastSeq", v.labels_version AS "labelsVersion",
            (SELECT min(seq) FROM changes WHERE tenant_id = $1 AND seq IS NOT NULL) AS oldest
       FROM stream_state t JOIN tenant_versions v ON v.tenant_id = t.tenant_id WHERE t.tenant_id = $1`,
    [tx.tenantId],
  );
  if (!state || !stream) return undefined;
  const missed = state.seq < stream.lastSeq && (stream.oldest ?? stream.lastSeq + 1) > state.seq + 1;
  const follows = state.generation === stream.generation && !missed && state.seq <= stream.lastSeq;
  if (follows && state.labelsVersion === stream.labelsVersion) return state;
  const { generation, labelsVersion } = stream;
  const anew = { generation, seq: follows ? state.seq : stream.lastSeq, builtFrom: ABOVE_ALL, labelsVersion };
  await tx.send(
    'UPDATE search_state SET generation = $2, seq = $3, built_from = $4, labels_version = $5 WHERE tenant_id = $1',
    [tx.tenantId, generation, anew.seq, anew.builtFrom, labelsVersion],
  );
  return anew;
}
