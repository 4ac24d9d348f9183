/**
 * Numbers of posts (`customId`): unique in a community, and rising from one write to the next that begins after it.
 * Writes that overlap may get theirs in any order, and a write that fails leaves a gap
 * (docs/adr/0026-numbers-of-posts.md).
 */
import type { TenantDb, TenantTx } from '@portico/platform/db/tenant-db';
import type { WriteScope } from '../../../kernel/access/index.ts';

const ADVANCE = `UPDATE community_counters SET last_custom_no = last_custom_no + $3::integer
  WHERE tenant_id = $1 AND community_id = $2
  RETURNING last_custom_no AS last`;

const ADVANCE_HERE = `INSERT INTO community_counters AS c (tenant_id, community_id, last_custom_no) VALUES ($1, $2, $3::integer)
  ON CONFLICT (tenant_id, community_id) DO UPDATE SET last_custom_no = c.last_custom_no + excluded.last_custom_no
  RETURNING c.last_custom_no AS last`;

const RESERVE = `INSERT INTO community_counters AS c (tenant_id, community_id, last_custom_no) VALUES ($1, $2, $3)
  ON CONFLICT (tenant_id, community_id) DO UPDATE SET last_custom_no = greatest(c.last_custom_no, excluded.last_custom_no)`;

/** Reserves the numbers up to one for posts that an archive brings: new posts get later ones. */
export async function reserveNumbers({ tx }: WriteScope, communityId: number, last: number): Promise<void> {
  await tx.send(RESERVE, [tx.tenantId, communityId, last]);
}

/** A write that waits for numbers. */
interface Waiter {
  readonly count: number;
  /** Given the last of its numbers; undefined: the counter could not be advanced apart. */
  readonly grant: (last: number | undefined) => void;
}

/** The writes of this process that wait, by tenant and community; present while a statement is under way. */
const waiting = new WeakMap<TenantDb, Map<number, Waiter[]>>();

/** Communities whose counter a transaction has advanced itself: it holds the row, others would wait for it. */
const advancedHere = new WeakMap<TenantTx, Set<number>>();

/**
 * Reserves the next numbers of posts of a community: in a transaction apart, so that no other write waits for this one,
 * and in this one where everything is rolled back, where the community is new, or where the row is locked for long.
 * @returns the last of them
 */
export async function takeNumbers({ tx }: WriteScope, communityId: number, count: number): Promise<number> {
  const here = advancedHere.get(tx) ?? new Set();
  if (!tx.undone && !here.has(communityId)) {
    const last = await takeApart(tx.detached, communityId, count);
    if (last !== undefined) return last;
  }
  advancedHere.set(tx, here.add(communityId));
  const [counter] = await tx.query<{ last: number }>(ADVANCE_HERE, [tx.tenantId, communityId, count]);
  return counter!.last;
}

/** Takes numbers in one statement with all writes that wait when it is sent. */
function takeApart(db: TenantDb, communityId: number, count: number): Promise<number | undefined> {
  const { promise, resolve: grant } = Promise.withResolvers<number | undefined>();
  const communities = waiting.get(db) ?? new Map<number, Waiter[]>();
  waiting.set(db, communities);
  const line = communities.get(communityId);
  if (line) line.push({ count, grant });
  else {
    communities.set(communityId, [{ count, grant }]);
    void serve(db, communities, communityId);
  }
  return promise;
}

async function serve(db: TenantDb, communities: Map<number, Waiter[]>, communityId: number): Promise<void> {
  for (;;) {
    const together = communities.get(communityId)!;
    if (together.length === 0) break;
    communities.set(communityId, []);
    const total = together.reduce((sum, { count }) => sum + count, 0);
    const rows = await db.apart<{ last: number }>(ADVANCE, [db.tenantId, communityId, total]);
    let last = rows?.[0] && rows[0].last - total;
    for (const { count, grant } of together) {
      if (last !== undefined) last += count;
      grant(last);
    }
  }
  communities.delete(communityId);
}
