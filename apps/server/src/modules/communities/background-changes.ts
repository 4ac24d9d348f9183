/**
 * Definition changes that update the posts of a community in the background (table
 * `definition_changes`). The edit that needs a change starts it; every node works on it in small
 * transactions, and resumes it after a crash where it stopped.
 * A change with a `finish` takes effect at its end: until then reads and writes use the old
 * definition. Posts written meanwhile are updated again in passes over the change rows; the last
 * pass excludes writers.
 */
import {
  definitionLimits,
  type EditCommunityWorkflowRequest,
  type EditPostFieldRequest,
  type FieldType,
} from '@portico/contract';
import { takeIds } from '@portico/platform/db/take-ids';
import type { TenantExecutor, TenantTx } from '@portico/platform/db/tenant-db';
import type { WriteScope } from '../../kernel/access/index.ts';
import { PorticoError } from '../../kernel/errors.ts';
import { sqlColumns } from '../columns.ts';
import type { FieldCondition } from '../fields/index.ts';

const changes = sqlColumns('changes');
const postsColumns = sqlColumns('posts');
const p = sqlColumns('posts', 'p');

/** Work on each post. Repeating it has the same effect. */
export type PostWork =
  /**
   * Computes search text, mentions and hashtags anew, after the visibility of a text field changed.
   */
  | { readonly do: 'refreshTexts' }
  /** Tells followers of the stream to read the post again. */
  | { readonly do: 'announce' }
  /** Replaces values of a list by others; null removes them. */
  | {
      readonly do: 'moveValues';
      readonly fieldId: number;
      readonly values: readonly (readonly [number, number | null])[];
    }
  /**
   * Moves posts to other states. If a state has several moves, the first one whose conditions hold
   * applies.
   */
  | { readonly do: 'moveStates'; readonly moves: readonly StateMove[] }
  /** Copies the value of one field into another, as far as the other field can hold it. */
  | {
      readonly do: 'copyValues';
      readonly fromId: number;
      readonly toId: number;
      /** Copies only into posts without a value in the target field. */
      readonly onlyEmpty?: boolean;
      /**
       * Copies back after a replacement: only values written since then return to the former field.
       */
      readonly back?: boolean;
      /** Ends the change at the first value that cannot be converted. */
      readonly strict?: boolean;
    }
  /** Deletes the values of a field. */
  | { readonly do: 'clearField'; readonly fieldId: number }
  /** Deletes the grants of a field that no longer lets the people in it see the post. */
  | { readonly do: 'dropGrants'; readonly fieldId: number }
  /** Writes the rows by which lists filter and order. */
  | { readonly do: 'indexField'; readonly fieldId: number; readonly searchable: boolean; readonly sortable: boolean };

export interface StateMove {
  readonly from: number;
  readonly to: number;
  readonly conditions: readonly FieldCondition[];
}

/** The way a change takes effect after its last post. */
export type ChangeFinish =
  | {
      readonly do: 'editField';
      readonly place: 'post' | 'screen';
      readonly fieldId: number;
      readonly form: EditPostFieldRequest;
    }
  | { readonly do: 'editWorkflow'; readonly form: EditCommunityWorkflowRequest }
  | { readonly do: 'replaceField'; readonly fieldId: number; readonly successorId: number; readonly type: FieldType }
  | { readonly do: 'restoreVersion'; readonly version: number };

/**
 * A moment before which all writes were committed and seen. Posts written later are updated again.
 */
interface WriteMark {
  /** Lowest transaction that may have written since, and the node of that transaction. */
  readonly xid: string;
  readonly node?: number;
  /** Epoch milliseconds. */
  readonly at: number;
}

interface ChangeDetails {
  readonly work?: readonly PostWork[];
  readonly finish?: ChangeFinish;
  readonly mark?: WriteMark;
  /**
   * A pass over the posts written since the mark: its mark, the last post done, and the number of
   * posts.
   */
  readonly pass?: { readonly mark: WriteMark; readonly after: number; readonly posts: number };
}

/** An unfinished change. */
export interface DueChange {
  readonly id: number;
  readonly communityId: number;
  readonly kind: string;
  readonly details: ChangeDetails;
  readonly startedBy: number;
  /** Number of the last post done. */
  readonly position: number;
}

/**
 * Starts a change of the posts of some communities. It is due when the transaction commits.
 * @returns its ids
 */
export async function startChanges(
  write: WriteScope,
  communityIds: readonly number[],
  kind: string,
  details: ChangeDetails,
  fieldId: number | null = null,
): Promise<number[]> {
  if (communityIds.length === 0) return [];
  const ids = await takeIds(write.tx, 'definition_changes', communityIds.length);
  const marked = details.finish ? { ...details, mark: await presentMark(write) } : details;
  await write.tx.send(
    `INSERT INTO definition_changes (tenant_id, id, community_id, kind, details, started_by, started_at, field_id, posts)
     SELECT a.tenant_id, c.id, c.community_id, $4, $5::jsonb, $6, $7, $8,
            (SELECT count(*) FROM posts p WHERE p.tenant_id = $1 AND ${p.community_id} = c.community_id)
       FROM tenant_versions a, unnest($2::bigint[], $3::bigint[]) AS c (id, community_id) WHERE a.tenant_id = $1`,
    [
      write.tx.tenantId,
      ids,
      communityIds,
      kind,
      JSON.stringify(marked),
      write.actor.userId,
      new Date(write.now),
      fieldId,
    ],
  );
  return ids;
}

/**
 * Returns the mark of the present moment. Transactions that this one does not see may write posts
 * later.
 */
export async function presentMark({ tx, now }: Pick<WriteScope, 'tx' | 'now'>): Promise<WriteMark> {
  const [row] = await tx.query<{ xid: string; node: number }>(
    `SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS xid, portico_node(tenant_id) AS node
       FROM tenant_versions WHERE tenant_id = $1`,
    [tx.tenantId],
  );
  return { ...row!, at: now };
}

/**
 * SQL that voids the marks of unfinished changes, so that every write since their time counts as
 * later: transaction ids start anew when a database is restored or copied.
 */
export const voidMarksSql = `UPDATE definition_changes
  SET details = jsonb_set(jsonb_set(details, '{mark,node}', '-1'), '{pass,mark,node}', '-1') WHERE finished_at IS NULL`;

/** Longest time between the timestamp of a write and its commit, in milliseconds. */
const LONGEST_WRITE_MS = 10 * 60_000;

/**
 * Returns the posts of a community that were written since a mark, in order of id, after the given
 * post.
 */
export async function writtenSince(
  tx: TenantTx,
  communityId: number,
  mark: WriteMark,
  after: number,
  limit: number,
): Promise<number[]> {
  const rows = await tx.query<{ id: number }>(
    `SELECT DISTINCT ${changes.post_id} AS id FROM changes
      WHERE tenant_id = $1 AND ${changes.community_id} = $2 AND ${changes.at} >= $3 AND (${changes.xid} >= $4::xid8 OR ${changes.node} <> $5) AND ${changes.post_id} > $6
      ORDER BY ${changes.post_id} LIMIT $7`,
    // Writes of another node, before or after the tenant moved, count as later.
    [tx.tenantId, communityId, new Date(mark.at - LONGEST_WRITE_MS), mark.xid, mark.node ?? 0, after, limit],
  );
  return rows.map(({ id }) => id);
}

const COLUMNS = `id, community_id AS "communityId", kind, details, position, started_by AS "startedBy"`;

/**
 * Locks the oldest due change that no other node works on. The changes of one community run one
 * after the other, because a later change starts from the result of the earlier one.
 */
export async function holdDueChange(tx: TenantTx): Promise<DueChange | undefined> {
  const [row] = await tx.query<DueChange>(
    `SELECT ${COLUMNS} FROM definition_changes c
      WHERE c.tenant_id = $1 AND c.finished_at IS NULL
        AND NOT EXISTS (SELECT FROM definition_changes e WHERE e.tenant_id = $1 AND e.community_id = c.community_id
               AND e.finished_at IS NULL AND e.id < c.id)
      ORDER BY c.id LIMIT 1 FOR UPDATE OF c SKIP LOCKED`,
    [tx.tenantId],
  );
  return row;
}

/** Locks a change, finished or not. */
export async function holdChange(
  tx: TenantTx,
  communityId: number,
  changeId: number,
): Promise<(DueChange & { finished: boolean }) | undefined> {
  const [row] = await tx.query<DueChange & { finished: boolean }>(
    `SELECT ${COLUMNS}, finished_at IS NOT NULL AS finished FROM definition_changes
      WHERE tenant_id = $1 AND community_id = $2 AND id = $3 FOR UPDATE`,
    [tx.tenantId, communityId, changeId],
  );
  return row;
}

/** Returns whether an unfinished change copies values of another field into this field. */
export async function isBeingFilled(tx: TenantTx, communityIds: readonly number[], fieldId: number): Promise<boolean> {
  const rows = await tx.query(
    `SELECT FROM definition_changes
      WHERE tenant_id = $1 AND community_id = ANY ($2::bigint[]) AND finished_at IS NULL AND details @> $3::jsonb LIMIT 1`,
    [tx.tenantId, communityIds, JSON.stringify({ work: [{ do: 'copyValues', toId: fieldId }] })],
  );
  return rows.length > 0;
}

/**
 * Returns the next posts of a change in the order of their numbers, locked until the write ends.
 */
export async function holdNextPosts(
  tx: TenantTx,
  change: DueChange,
  limit: number,
): Promise<{ id: number; customNo: number }[]> {
  return tx.query(
    `SELECT ${postsColumns.id}, ${postsColumns.custom_no} AS "customNo" FROM posts
      WHERE tenant_id = $1 AND ${postsColumns.community_id} = $2 AND ${postsColumns.custom_no} > $3 ORDER BY ${postsColumns.custom_no} LIMIT $4 FOR NO KEY UPDATE`,
    [tx.tenantId, change.communityId, change.position, limit],
  );
}

/**
 * Saves the progress of a change. Posts written after the initial count raise the total. @param
 * last whether no posts are left
 */
export async function noteProgress(
  write: WriteScope,
  change: DueChange,
  posts: readonly { customNo: number }[],
  last: boolean,
): Promise<void> {
  await write.tx.send(
    `UPDATE definition_changes
        SET position = $3, posts_done = posts_done + $4, posts = greatest(posts, posts_done + $4), finished_at = $5
      WHERE tenant_id = $1 AND id = $2`,
    [
      write.tx.tenantId,
      change.id,
      posts.at(-1)?.customNo ?? change.position,
      posts.length,
      last ? new Date(write.now) : null,
    ],
  );
}

/** Saves the progress of a change through the posts written meanwhile. */
export async function notePass(write: WriteScope, change: DueChange, details: ChangeDetails): Promise<void> {
  await write.tx.send('UPDATE definition_changes SET details = $3 WHERE tenant_id = $1 AND id = $2', [
    write.tx.tenantId,
    change.id,
    JSON.stringify(details),
  ]);
}

/** Ends a change without effect. @param error reason; omitted when the change is cancelled */
export async function endChange(write: WriteScope, changeId: number, error?: string): Promise<void> {
  const now = new Date(write.now);
  await write.tx.send(
    'UPDATE definition_changes SET finished_at = $3, cancelled_at = $4, error = $5 WHERE tenant_id = $1 AND id = $2',
    [write.tx.tenantId, changeId, now, error === undefined ? now : null, error ?? null],
  );
}

/** A change as lists show it. Times are epoch milliseconds. */
export interface ListedChange {
  readonly id: number;
  readonly kind: string;
  readonly fieldId: number | null;
  readonly posts: number;
  readonly postsDone: number;
  readonly error: string | null;
  readonly startedById: number;
  readonly startedAt: number;
  readonly finishedAt: number | null;
  readonly cancelled: boolean;
}

/** Returns the newest changes of a community, the newest first. */
export async function listChanges(db: TenantExecutor, communityId: number): Promise<ListedChange[]> {
  return db.query(
    `SELECT id, kind, field_id AS "fieldId", posts, posts_done AS "postsDone", error, started_by AS "startedById",
            started_at AS "startedAt", finished_at AS "finishedAt", cancelled_at IS NOT NULL AS cancelled
       FROM definition_changes WHERE tenant_id = $1 AND community_id = $2 ORDER BY id DESC LIMIT ${definitionLimits.versions}`,
    [db.tenantId, communityId],
  );
}

/** Transactions that work on a change or carry it out. Their edits are allowed. */
const carriedOut = new WeakSet<TenantTx>();

/** Marks the transaction as one that carries out a change: {@link refuseWhileChanging} lets its edits pass. */
export function carryOut(tx: TenantTx): void {
  carriedOut.add(tx);
}

/**
 * Refuses edits of a definition while a change that takes effect at its end is running: the change
 * was checked against the present definition.
 * @throws PorticoError CONFLICT
 */
export async function refuseWhileChanging(tx: TenantTx, communityIds: readonly number[]): Promise<void> {
  if (carriedOut.has(tx)) return;
  const [running] = await tx.query<{ id: number }>(
    `SELECT id FROM definition_changes
      WHERE tenant_id = $1 AND community_id = ANY ($2::bigint[]) AND finished_at IS NULL AND details ? 'finish' LIMIT 1`,
    [tx.tenantId, communityIds],
  );
  if (running)
    throw new PorticoError('CONFLICT', {
      message: `The change ${running.id} of the definition goes on in the background; wait until it has ended, or cancel it.`,
    });
}
