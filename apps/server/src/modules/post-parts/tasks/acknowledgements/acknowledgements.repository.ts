/** SQL of requests to acknowledge a post: tasks of type ACKNOWLEDGE, one for each person. */
import { TaskPriority, TaskType } from '@portico/contract';
import { takeIds } from '@portico/platform/db/take-ids';
import type { TenantExecutor, TenantTx } from '@portico/platform/db/tenant-db';
import type { ResolvedZoned } from '@portico/platform/time';
import { Parameters, readersSql, type WriteScope } from '../../../../kernel/access/index.ts';
import { type PageRequest, readPage, type SortKey } from '../../../../kernel/paging/index.ts';
import { sqlColumns } from '../../../columns.ts';

const m = sqlColumns('group_members', 'm');
const g = sqlColumns('groups', 'g');
const p = sqlColumns('posts', 'p');
const u = sqlColumns('users', 'u');

const REQUESTS = `t.tenant_id = $1 AND t.post_id = $2 AND t.type = ${TaskType.ACKNOWLEDGE} AND t.assignee > 0
  AND t.deleted_at IS NULL`;

const READER = readersSql('u.id', 'p');

/**
 * Returns the readers of a published post, among some people and the members of groups, by
 * id.
 * @param limit maximum number of people
 * @returns each with whether they have been asked to acknowledge it
 */
export function findReaders(
  tx: TenantTx,
  postId: number,
  { userIds, groupIds }: { userIds: readonly number[]; groupIds: readonly number[] },
  limit: number,
): Promise<{ userId: number; requested: boolean }[]> {
  return tx.query(
    `WITH named AS MATERIALIZED (
       SELECT n.id FROM unnest($3::bigint[]) n (id)
       UNION
       SELECT ${m.user_id} FROM groups g JOIN group_members m ON m.tenant_id = $1 AND ${m.group_id} = ${g.id}
        WHERE g.tenant_id = $1 AND ${g.id} = ANY ($4::bigint[]) AND ${g.deleted_at} IS NULL)
     SELECT ${u.id} AS "userId", EXISTS (SELECT FROM tasks t WHERE ${REQUESTS} AND t.assignee = ${u.id}) AS requested
       FROM named
       JOIN users u ON u.tenant_id = $1 AND ${u.id} = named.id AND ${u.deleted_at} IS NULL AND NOT ${u.blocked}
       JOIN posts p ON p.tenant_id = $1 AND ${p.id} = $2 AND ${p.live}
       ${READER.joins}
      WHERE ${READER.where}
      ORDER BY ${u.id} LIMIT $5`,
    [tx.tenantId, postId, userIds, groupIds, limit],
  );
}

/** Asks people to acknowledge a post. @returns the ids of their tasks */
export async function insertRequests(
  write: WriteScope,
  postId: number,
  userIds: readonly number[],
  { title, expiration }: { title: string | null; expiration: ResolvedZoned | undefined },
): Promise<number[]> {
  const ids = await takeIds(write.tx, 'tasks', userIds.length);
  await write.tx.createAs(
    'tasks',
    ids,
    `INSERT INTO tasks (tenant_id, id, post_id, type, priority, title, expires_at, expires_local, expires_timezone, assignee,
        creator_id, created_at, modifier_id, modified_at)
      SELECT a.tenant_id, n.id, $4, ${TaskType.ACKNOWLEDGE}, ${TaskPriority.NORMAL}, $5, $6, $7, $8, n.assignee, $9, $10, $9, $10
        FROM tenant_versions a, unnest($2::bigint[], $3::bigint[]) AS n (id, assignee) WHERE a.tenant_id = $1`,
    [
      write.tx.tenantId,
      ids,
      userIds,
      postId,
      title,
      expiration ? new Date(expiration.epochMs) : null,
      expiration?.local ?? null,
      expiration?.timezone ?? null,
      write.actor.userId,
      new Date(write.now),
    ],
  );
  return ids;
}

/**
 * Withdraws open requests of a post. @param userIds people; undefined: all @returns the number
 * withdrawn
 */
export async function withdrawRequests(
  write: WriteScope,
  postId: number,
  userIds: readonly number[] | undefined,
): Promise<number> {
  const rows = await write.tx.changeRows<{ id: number }>(
    'tasks',
    ({ id }) => id,
    `UPDATE tasks t SET deleted_at = $3, version = version + 1, modifier_id = $4, modified_at = $3
      WHERE ${REQUESTS} AND t.closed_at IS NULL AND ($5::bigint[] IS NULL OR t.assignee = ANY ($5::bigint[])) RETURNING t.id`,
    [write.tx.tenantId, postId, new Date(write.now), write.actor.userId, userIds ?? null],
  );
  return rows.length;
}

/** The requests to a person to acknowledge a post. Times are epoch milliseconds; null while a request is open. */
export function findRequestsTo(
  db: TenantExecutor,
  postId: number,
  userId: number,
): Promise<{ id: number; acknowledgedAt: number | null }[]> {
  return db.query(
    `SELECT t.id, t.closed_at AS "acknowledgedAt" FROM tasks t WHERE ${REQUESTS} AND t.assignee = $3 ORDER BY t.id`,
    [db.tenantId, postId, userId],
  );
}

/** A request as a list shows it. Times are epoch milliseconds. */
interface RequestRow {
  id: number;
  userId: number;
  creatorId: number;
  createdAt: number;
  expiresAt: number | null;
  expiresTimezone: string | null;
  acknowledgedAt: number | null;
}

/** Selection of the requests of a post. */
interface RequestFilter {
  acknowledged?: boolean | undefined;
  overdue?: boolean | undefined;
  /** Epoch milliseconds. */
  now: number;
}

/** Requests of a post in the order in which they were made. */
export function pageOfRequests(
  db: TenantExecutor,
  postId: number,
  { acknowledged, overdue, now }: RequestFilter,
  page: PageRequest<SortKey>,
) {
  const parameters = new Parameters([db.tenantId, postId]);
  const where = [REQUESTS];
  if (acknowledged !== undefined) where.push(`t.closed_at IS ${acknowledged ? 'NOT NULL' : 'NULL'}`);
  if (overdue !== undefined) {
    const isOverdue = `coalesce(t.closed_at IS NULL AND t.expires_at < ${parameters.add(new Date(now))}, false)`;
    where.push(overdue ? isOverdue : `NOT ${isOverdue}`);
  }
  return readPage<RequestRow>(
    db,
    page,
    {
      select: `t.id, t.assignee AS "userId", t.creator_id AS "creatorId", t.created_at AS "createdAt", t.expires_at AS "expiresAt",
            t.expires_timezone AS "expiresTimezone", t.closed_at AS "acknowledgedAt"`,
      from: 'tasks t',
      where,
      order: [{ sql: 't.id', desc: false, type: 'bigint' }],
    },
    parameters,
  );
}
