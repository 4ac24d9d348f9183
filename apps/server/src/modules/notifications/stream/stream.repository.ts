/**
 * The statements of the stream: scans of change rows and of posts, never of a whole community per
 * page.
 */
import { Visibility } from '@portico/contract';
import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import { grantedPrincipalsSql, type PostReaders } from '../../../kernel/access/index.ts';
import { sqlColumns } from '../../columns.ts';
import { fromOtherNodeSql } from '../../records/index.ts';
import type { StreamState } from './stream-tokens.ts';

const changes = sqlColumns('changes');
const c = sqlColumns('changes', 'c');
const l = sqlColumns('changes', 'l');
const m = sqlColumns('changes', 'm');
const g = sqlColumns('post_grants', 'g');
const p = sqlColumns('posts', 'p');
const s = sqlColumns('stream_state', 's');

/**
 * Tells a change from another one that got the same number after a server had taken over without
 * the first.
 */
const fingerprintSql = (change: string) =>
  `left(md5(concat_ws(':', ${change}.id, ${change}.xid, ${change}.post_id, ${change}.kind, extract(epoch FROM ${change}.at))), 16)`;

/**
 * Returns the state of the stream of a tenant. @param seq number of a change to look up beside the
 * last one
 */
export async function readStreamState(db: TenantExecutor, seq: number | undefined): Promise<StreamState | undefined> {
  const [state] = await db.query<StreamState>(
    `SELECT ${s.generation}, ${s.last_seq} AS "lastSeq",
            (SELECT ${fingerprintSql('l')} FROM changes l WHERE l.tenant_id = $1 AND ${l.seq} = ${s.last_seq}) AS "lastChange",
            (SELECT ${fingerprintSql('c')} FROM changes c WHERE c.tenant_id = $1 AND ${c.seq} = $2) AS change
       FROM stream_state s WHERE s.tenant_id = $1`,
    [db.tenantId, seq ?? null],
  );
  return state;
}

/** A post that changed between two positions. */
interface ChangedPost {
  postId: number;
  communityId: number;
  /** Number of its last change in the window. */
  seq: number;
  modified: boolean;
}

/**
 * Returns posts that changed after `from` and up to `to`, once each, by their last change in these
 * communities, newest first. OFFSET 0 keeps the subqueries about each post index probes of its
 * changes: without it, PostgreSQL would read all changes of a long window for each page.
 * @param below continue below this position
 */
export function changedPosts(
  db: TenantExecutor,
  window: { from: number; to: number; below: number; communityIds: readonly number[] },
  limit: number,
): Promise<ChangedPost[]> {
  return db.query<ChangedPost>(
    `SELECT ${c.post_id} AS "postId", ${c.community_id} AS "communityId", ${c.seq},
            EXISTS (SELECT FROM changes m WHERE m.tenant_id = $1 AND ${m.post_id} = ${c.post_id} AND ${m.seq} > $2 AND ${m.seq} <= $3
                     AND ${m.kind} IN (1, 2) OFFSET 0) AS modified
       FROM changes c
      WHERE c.tenant_id = $1 AND ${c.seq} > $2 AND ${c.seq} <= $3 AND ${c.seq} < $4 AND ${c.community_id} = ANY ($5::bigint[])
        AND NOT EXISTS (SELECT FROM changes l WHERE l.tenant_id = $1 AND ${l.post_id} = ${c.post_id} AND ${l.seq} > ${c.seq} AND ${l.seq} <= $3
                         AND ${l.community_id} = ANY ($5::bigint[]) OFFSET 0)
      ORDER BY ${c.seq} DESC LIMIT $6`,
    [db.tenantId, window.from, window.to, window.below, window.communityIds, limit],
  );
}

/**
 * Readers of a post of a community at one moment; the principals are limited to the requested ones.
 */
interface ReadersAtMoment extends PostReaders {
  communityId: number;
}

/** A post now and at the two ends of a window. A missing state: the post was purged by then. */
interface PostAtMoments {
  current: ReadersAtMoment | undefined;
  atFrom: ReadersAtMoment | undefined;
  atTo: ReadersAtMoment | undefined;
}

interface MomentRow {
  postId: number;
  current: ReadersAtMoment | null;
  afterFrom: ReadersAtMoment | null;
  afterTo: ReadersAtMoment | null;
}

/** Reads the earlier readers from the first change after a position that altered them. */
const READERS_BEFORE = (position: string) => `LATERAL (
         SELECT jsonb_build_object('communityId', ${c.community_id}, 'live', ${c.before_live}, 'visibility', ${c.before_visibility},
                                   'principals', coalesce(to_jsonb(${c.before_principals}), '[]')) AS readers
           FROM changes c
          WHERE c.tenant_id = $1 AND ${c.post_id} = asked.id AND ${c.acl_changed} AND (${c.seq} > ${position} OR ${c.seq} IS NULL)
          ORDER BY ${c.seq} NULLS LAST, (${c.seq} IS NULL AND ${fromOtherNodeSql}) DESC, ${c.xid}, ${c.id} LIMIT 1)`;

/**
 * Returns the readers of posts now and at the two ends of a window.
 * @param principals the relevant ones: the follower and their groups, then and now
 */
export async function postsAtMoments(
  db: TenantExecutor,
  postIds: readonly number[],
  window: { from: number; to: number },
  principals: readonly number[],
): Promise<Map<number, PostAtMoments>> {
  const rows = await db.query<MomentRow>(
    `SELECT asked.id AS "postId", f.readers AS "afterFrom", t.readers AS "afterTo",
            CASE WHEN ${p.id} IS NOT NULL THEN jsonb_build_object('communityId', ${p.community_id}, 'live', ${p.live}, 'visibility', ${p.visibility},
              'principals', ${grantedPrincipalsSql('asked.id', '$5::bigint[]')}) END AS current
       FROM unnest($2::bigint[]) AS asked(id)
       LEFT JOIN posts p ON p.tenant_id = $1 AND ${p.id} = asked.id
       LEFT JOIN ${READERS_BEFORE('$3')} f ON true
       LEFT JOIN ${READERS_BEFORE('$4')} t ON true`,
    [db.tenantId, postIds, window.from, window.to, principals],
  );
  return new Map(
    rows.map((row) => {
      const current = row.current ?? undefined;
      return [row.postId, { current, atFrom: row.afterFrom ?? current, atTo: row.afterTo ?? current }];
    }),
  );
}

/**
 * Returns posts of communities, newest id first: for a first round, and for communities that a
 * follower lost, gained or sees differently. On request it includes deleted posts, which may have
 * been visible before.
 * @param below continue below this id
 */
export async function postsOfCommunities(
  db: TenantExecutor,
  communityIds: readonly number[],
  below: number,
  limit: number,
): Promise<number[]> {
  const rows = await db.query<{ id: number }>(
    `SELECT newest.id FROM unnest($2::bigint[]) AS c(id)
      CROSS JOIN LATERAL (
        SELECT ${p.id} FROM posts p WHERE p.tenant_id = $1 AND ${p.community_id} = c.id AND ${p.live} AND ${p.id} < $3
         ORDER BY ${p.id} DESC LIMIT $4) newest
      ORDER BY newest.id DESC LIMIT $4`,
    [db.tenantId, communityIds, below, limit],
  );
  return rows.map((row) => row.id);
}

/** Private posts that grants to the given groups open, newest id first. */
export async function postsGrantedTo(
  db: TenantExecutor,
  principals: readonly number[],
  below: number,
  limit: number,
): Promise<number[]> {
  const rows = await db.query<{ id: number }>(
    `SELECT DISTINCT ${g.post_id} AS id FROM post_grants g JOIN posts p ON p.tenant_id = g.tenant_id AND ${p.id} = ${g.post_id}
      WHERE g.tenant_id = $1 AND ${g.principal} = ANY ($2::bigint[]) AND ${g.post_id} < $3 AND ${p.live} AND ${p.visibility} = ${Visibility.PRIVATE}
      ORDER BY id DESC LIMIT $4`,
    [db.tenantId, principals, below, limit],
  );
  return rows.map((row) => row.id);
}

/**
 * Returns the given posts that changed between two positions: segment 0 of the round has them
 * already.
 */
export async function changedAmong(
  db: TenantExecutor,
  postIds: readonly number[],
  from: number,
  to: number,
): Promise<Set<number>> {
  const rows = await db.query<{ id: number }>(
    `SELECT DISTINCT ${changes.post_id} AS id FROM changes WHERE tenant_id = $1 AND ${changes.post_id} = ANY ($2::bigint[]) AND ${changes.seq} > $3 AND ${changes.seq} <= $4`,
    [db.tenantId, postIds, from, to],
  );
  return new Set(rows.map((row) => row.id));
}

/**
 * Returns posts whose readers changed after the end of a round, or so lately that the change has no
 * number yet, newest id first. Without them, a follower that lost a role or group in the same
 * moment would never hear of these posts: this round no longer finds them, and for the next round
 * the follower did not see them before.
 */
export async function alteredSince(
  db: TenantExecutor,
  communityIds: readonly number[],
  to: number,
  below: number,
  limit: number,
): Promise<number[]> {
  const rows = await db.query<{ id: number }>(
    `SELECT DISTINCT ${changes.id} FROM (
       SELECT ${changes.post_id} AS id FROM changes WHERE tenant_id = $1 AND ${changes.seq} > $3 AND ${changes.acl_changed} AND ${changes.community_id} = ANY ($2::bigint[])
       UNION ALL
       SELECT ${changes.post_id} FROM changes WHERE tenant_id = $1 AND ${changes.seq} IS NULL AND ${changes.acl_changed} AND ${changes.community_id} = ANY ($2::bigint[])
     ) altered WHERE ${changes.id} < $4 ORDER BY ${changes.id} DESC LIMIT $5`,
    [db.tenantId, communityIds, to, below, limit],
  );
  return rows.map((row) => row.id);
}
