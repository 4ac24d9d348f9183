/**
 * Changes of definitions that go over the posts of a community in the background (table `definition_changes`): started by the
 * edit that needs them, worked on by every node in small transactions, continued after a crash where they were.
 *
 * A change with a `finish` takes effect at its end: until then the old definition answers and is written by. Posts that are
 * written meanwhile are worked on again, in passes over the change rows, the last of which excludes writers.
 */
import {
  definitionLimits,
  type EditCommunityWorkflowRequest,
  type EditPostFieldRequest,
  type FieldType,
} from '@portico/contract';
import type { WriteScope } from '../../kernel/access/index.ts';
import { PorticoError } from '../../kernel/errors.ts';
import { takeIds } from '../../platform/db/take-ids.ts';
import type { TenantExecutor, TenantTx } from '../../platform/db/tenant-db.ts';
import type { FieldCondition } from '../fields/index.ts';

/** What is done with each post. Each may be done again with the same effect. */
export type PostWork =
  /** Search text, mentions and hashtags are worked out anew: who sees a text field has changed. */
  | { readonly do: 'refreshTexts' }
  /** Followers of the stream are told to read the post again. */
  | { readonly do: 'announce' }
  /** Values of a list become others; null takes them out. */
  | {
      readonly do: 'moveValues';
      readonly fieldId: number;
      readonly values: readonly (readonly [number, number | null])[];
    }
  /** Posts change their state: of several moves from a state the first whose conditions hold. */
  | { readonly do: 'moveStates'; readonly moves: readonly StateMove[] }
  /** The value of one field is written into another, as far as that can hold it. */
  | {
      readonly do: 'copyValues';
      readonly fromId: number;
      readonly toId: number;
      /** Only into posts that have no value there. */
      readonly onlyEmpty?: boolean;
      /** The other field had been replaced by the one: only what was written since comes back. */
      readonly back?: boolean;
      /** Values that cannot be taken over end the change. */
      readonly strict?: boolean;
    }
  /** The values of a field are deleted. */
  | { readonly do: 'clearField'; readonly fieldId: number }
  /** The field no longer lets the people in it see the post: its grants are deleted. */
  | { readonly do: 'dropGrants'; readonly fieldId: number }
  /** The rows by which lists filter and order are written. */
  | { readonly do: 'indexField'; readonly fieldId: number; readonly searchable: boolean; readonly sortable: boolean };

export interface StateMove {
  readonly from: number;
  readonly to: number;
  readonly conditions: readonly FieldCondition[];
}

/** How a change takes effect when all posts are done. */
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

/** A moment before which all writes were committed and seen: posts written since are worked on again. */
interface WriteMark {
  /** Lowest transaction that may have written since, and the node that it is of. */
  readonly xid: string;
  readonly node?: number;
  /** Epoch milliseconds. */
  readonly at: number;
}

interface ChangeDetails {
  readonly work?: readonly PostWork[];
  readonly finish?: ChangeFinish;
  readonly mark?: WriteMark;
  /** A pass over what was written since the mark: where it began, the last post, and how many there were. */
  readonly pass?: { readonly mark: WriteMark; readonly after: number; readonly posts: number };
}

/** A change that is not finished. */
export interface DueChange {
  readonly id: number;
  readonly communityId: number;
  readonly kind: string;
  readonly details: ChangeDetails;
  readonly startedBy: number;
  /** Number of the last post that was worked on. */
  readonly position: number;
}

/** Begins a change of the posts of some communities. It is due when the transaction commits. @returns its ids */
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
  await write.tx.execute(
    `INSERT INTO definition_changes (tenant_id, id, community_id, kind, details, started_by, started_at, field_id, posts)
     SELECT a.tenant_id, c.id, c.community_id, $4, $5::jsonb, $6, $7, $8,
            (SELECT count(*) FROM posts p WHERE p.tenant_id = $1 AND p.community_id = c.community_id)
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

/** The mark of this moment: transactions that this one does not see may write posts later. */
export async function presentMark({ tx, now }: Pick<WriteScope, 'tx' | 'now'>): Promise<WriteMark> {
  const [row] = await tx.query<{ xid: string; node: number }>(
    `SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS xid, portico_node(tenant_id) AS node
       FROM tenant_versions WHERE tenant_id = $1`,
    [tx.tenantId],
  );
  return { ...row!, at: now };
}

/**
 * SQL: makes the marks of unfinished changes void, so that every write since their time counts as later: transaction ids begin
 * anew where the database was restored or copied to.
 */
export const voidMarksSql = `UPDATE definition_changes
  SET details = jsonb_set(jsonb_set(details, '{mark,node}', '-1'), '{pass,mark,node}', '-1') WHERE finished_at IS NULL`;

/** How much earlier than a mark the time of a write may be that commits after it. Milliseconds. */
const LONGEST_WRITE_MS = 10 * 60_000;

/** Posts of a community that were written since a mark, in order, after one of them. */
export async function writtenSince(
  tx: TenantTx,
  communityId: number,
  mark: WriteMark,
  after: number,
  limit: number,
): Promise<number[]> {
  const rows = await tx.query<{ id: number }>(
    `SELECT DISTINCT post_id AS id FROM changes
      WHERE tenant_id = $1 AND community_id = $2 AND at >= $3 AND (xid >= $4::xid8 OR node <> $5) AND post_id > $6
      ORDER BY post_id LIMIT $7`,
    // What another node wrote, before the tenant moved or since, is taken for later.
    [tx.tenantId, communityId, new Date(mark.at - LONGEST_WRITE_MS), mark.xid, mark.node ?? 0, after, limit],
  );
  return rows.map(({ id }) => id);
}

const COLUMNS = `id, community_id AS "communityId", kind, details, position, started_by AS "startedBy"`;

/**
 * Holds the oldest change that is due and that no other node works on. Changes of one community are worked on one after the other:
 * a later one goes on from what an earlier one has made of the posts.
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

/** Holds a change, if it is not finished. */
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

/** Whether a change that is not finished brings values of another field into a field. */
export async function isBeingFilled(tx: TenantTx, communityIds: readonly number[], fieldId: number): Promise<boolean> {
  const rows = await tx.query(
    `SELECT FROM definition_changes
      WHERE tenant_id = $1 AND community_id = ANY ($2::bigint[]) AND finished_at IS NULL AND details @> $3::jsonb LIMIT 1`,
    [tx.tenantId, communityIds, JSON.stringify({ work: [{ do: 'copyValues', toId: fieldId }] })],
  );
  return rows.length > 0;
}

/** The next posts of a change in the order of their numbers, held until the write ends. */
export async function holdNextPosts(
  tx: TenantTx,
  change: DueChange,
  limit: number,
): Promise<{ id: number; customNo: number }[]> {
  return tx.query(
    `SELECT id, custom_no AS "customNo" FROM posts
      WHERE tenant_id = $1 AND community_id = $2 AND custom_no > $3 ORDER BY custom_no LIMIT $4 FOR NO KEY UPDATE`,
    [tx.tenantId, change.communityId, change.position, limit],
  );
}

/** Notes that posts were worked on; those that were written after the count are added to it. @param last whether no more are left */
export async function noteProgress(
  write: WriteScope,
  change: DueChange,
  posts: readonly { customNo: number }[],
  last: boolean,
): Promise<void> {
  await write.tx.execute(
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

/** Notes how far a change is with what was written meanwhile. */
export async function notePass(write: WriteScope, change: DueChange, details: ChangeDetails): Promise<void> {
  await write.tx.execute('UPDATE definition_changes SET details = $3 WHERE tenant_id = $1 AND id = $2', [
    write.tx.tenantId,
    change.id,
    JSON.stringify(details),
  ]);
}

/** Ends a change without effect. @param error why; left out where it is cancelled */
export async function endChange(write: WriteScope, changeId: number, error?: string): Promise<void> {
  const now = new Date(write.now);
  await write.tx.execute(
    'UPDATE definition_changes SET finished_at = $3, cancelled_at = $4, error = $5 WHERE tenant_id = $1 AND id = $2',
    [write.tx.tenantId, changeId, now, error === undefined ? now : null, error ?? null],
  );
}

/** A change as it is listed. Times are epoch milliseconds. */
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

/** The newest changes of a community, the newest first. */
export async function listChanges(db: TenantExecutor, communityId: number): Promise<ListedChange[]> {
  return db.query(
    `SELECT id, kind, field_id AS "fieldId", posts, posts_done AS "postsDone", error, started_by AS "startedById",
            started_at AS "startedAt", finished_at AS "finishedAt", cancelled_at IS NOT NULL AS cancelled
       FROM definition_changes WHERE tenant_id = $1 AND community_id = $2 ORDER BY id DESC LIMIT ${definitionLimits.versions}`,
    [db.tenantId, communityId],
  );
}

/** Changes that are worked on, or carried out: edits that they make are not refused. */
const carriedOut = new WeakSet<TenantTx>();

/** Marks the transaction as one that carries out a change: {@link refuseWhileChanging} lets its edits pass. */
export function carryOut(tx: TenantTx): void {
  carriedOut.add(tx);
}

/**
 * Refuses edits of a definition while a change that takes effect at its end goes over the posts: it was checked against the
 * definition as it is.
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
