/** SQL of the live feed. Each statement reads for all listeners of a tenant at once. */

import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import type { PostReaders } from '../../../kernel/access/index.ts';
import { grantedPrincipalsSql } from '../../../kernel/access/index.ts';
import { generationOfServerSql, versionSql } from '../../../kernel/tenant-versions.ts';

/** State of the tenant's feed. */
interface FeedState {
  /** Changes after a restore, a move or a failover: earlier positions are invalid. */
  generation: number;
  lastSeq: number;
  accessVersion: number;
}

export async function readFeedState(db: TenantExecutor): Promise<FeedState | undefined> {
  const [state] = await db.query<FeedState>(
    `SELECT ${generationOfServerSql} AS generation, s.last_seq AS "lastSeq", ${versionSql('access_version')} AS "accessVersion"
       FROM stream_state s JOIN tenant_versions v ON v.tenant_id = s.tenant_id WHERE s.tenant_id = $1`,
    [db.tenantId],
  );
  return state;
}

/** Numbered change, with the earlier readers of the post if it changed them. */
export interface FeedChange {
  seq: number;
  postId: number;
  communityId: number;
  kind: number;
  /** Time of the write. Epoch milliseconds. */
  at: number;
  /** Types of the events that the write recorded in the history; null if it was written by an earlier version. */
  historyTypes: number[] | null;
  /** Undefined if the readers stayed the same. */
  before: PostReaders | undefined;
}

interface ChangeRow {
  seq: number;
  postId: number;
  communityId: number;
  kind: number;
  at: number;
  historyTypes: number[] | null;
  aclChanged: boolean;
  live: boolean | null;
  visibility: PostReaders['visibility'];
  principals: number[] | null;
}

/** Returns the changes after a position, in their order. @param most maximum number */
export async function changesAfter(db: TenantExecutor, seq: number, upTo: number, most: number): Promise<FeedChange[]> {
  const rows = await db.query<ChangeRow>(
    `SELECT seq, post_id AS "postId", community_id AS "communityId", kind, at, history_types AS "historyTypes",
            acl_changed AS "aclChanged",
            before_live AS live, before_visibility AS visibility, before_principals AS principals
       FROM changes WHERE tenant_id = $1 AND seq > $2 AND seq <= $3 ORDER BY seq LIMIT $4`,
    [db.tenantId, seq, upTo, most],
  );
  return rows.map(({ aclChanged, live, visibility, principals, ...change }) => ({
    ...change,
    before: aclChanged ? { live: live === true, visibility, principals: principals ?? [] } : undefined,
  }));
}

/** Current readers and community of a post. */
export type ReadersNow = PostReaders & { communityId: number };

/** Returns the current readers of posts; posts that no longer exist are missing. */
export async function readersNow(db: TenantExecutor, postIds: readonly number[]): Promise<Map<number, ReadersNow>> {
  const rows = await db.query<ReadersNow & { id: number }>(
    `SELECT p.id, p.community_id AS "communityId", p.live, p.visibility, ${grantedPrincipalsSql('p.id')} AS principals
       FROM posts p WHERE p.tenant_id = $1 AND p.id = ANY ($2::bigint[])`,
    [db.tenantId, postIds],
  );
  return new Map(rows.map((row) => [row.id, row]));
}
