/**
 * Statistics of list queries, aggregated in memory by tenant, community and shape and flushed periodically. The cost per
 * list is one map lookup.
 */

import type { DueWork } from '../../../kernel/due-work.ts';
import type { Clock, ListCost, ListCosts } from '../../../kernel/scope.ts';
import { StatementCancelled } from '../../../platform/db/pg-errors.ts';
import type { StatementOptions, TenantExecutor } from '../../../platform/db/tenant-db.ts';
import { parseShape, type ShapedInput, type ShapeUse, shapeOf, shapeText } from './shape.ts';

const DAY_MS = 86_400_000;
/** Maximum number of shapes per tenant in memory, and per tenant and day in the table. */
const MAX_SHAPES = 500;
/** Retention of shapes. Days. */
export const SHAPE_DAYS = 30;

interface Sum {
  day: number;
  communityId: number;
  shape: string;
  lists: number;
  ms: number;
  slowest: number;
  found: number;
  walks: number;
  drives: number;
  failures: number;
}

/** Aggregates statistics of list queries and flushes them to the table. */
export class ListShapes implements ListCosts {
  readonly #databases: { for(tenantId: number): TenantExecutor };
  #sums = new Map<number, Map<string, Sum>>();

  constructor(databases: { for(tenantId: number): TenantExecutor }) {
    this.#databases = databases;
  }

  note(tenantId: number, communityId: number, shape: string, cost: ListCost, now: number): void {
    let sums = this.#sums.get(tenantId);
    if (!sums) {
      sums = new Map();
      this.#sums.set(tenantId, sums);
    }
    const day = Math.floor(now / DAY_MS);
    const key = `${day} ${communityId} ${shape}`;
    let sum = sums.get(key);
    if (!sum) {
      // Further shapes are dropped until the next flush.
      if (sums.size >= MAX_SHAPES) return;
      sum = { day, communityId, shape, lists: 0, ms: 0, slowest: 0, found: 0, walks: 0, drives: 0, failures: 0 };
      sums.set(key, sum);
    }
    sum.lists++;
    sum.ms += cost.ms;
    if (cost.ms > sum.slowest) sum.slowest = cost.ms;
    sum.found += cost.found;
    sum.walks += cost.walks;
    sum.drives += cost.drives;
    if (cost.failed) sum.failures++;
  }

  /** Writes the statistics since the last flush, one statement for each tenant. */
  async flush(): Promise<void> {
    const taken = this.#sums;
    this.#sums = new Map();
    for (const [tenantId, sums] of taken) await writeSums(this.#databases.for(tenantId), [...sums.values()]);
  }
}

async function writeSums(db: TenantExecutor, sums: readonly Sum[]): Promise<void> {
  const column = <K extends keyof Sum>(name: K) => sums.map((sum) => sum[name]);
  // In the order of the primary key, so that concurrent flushes of two nodes cannot deadlock.
  await db.execute(
    `INSERT INTO list_shapes (tenant_id, day, community_id, shape, lists, total_ms, slowest_ms, found, walks, drives, failures)
     SELECT a.tenant_id, s.* FROM tenant_versions a, unnest($2::int[], $3::bigint[], $4::text[], $5::bigint[], $6::float8[], $7::float8[], $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[])
              AS s (day, community_id, shape, lists, total_ms, slowest_ms, found, walks, drives, failures)
      WHERE a.tenant_id = $1
      ORDER BY s.day, s.community_id, s.shape COLLATE "C"
     ON CONFLICT (tenant_id, day, community_id, shape) DO UPDATE SET
       lists = list_shapes.lists + excluded.lists,
       total_ms = list_shapes.total_ms + excluded.total_ms,
       slowest_ms = greatest(list_shapes.slowest_ms, excluded.slowest_ms),
       found = list_shapes.found + excluded.found,
       walks = list_shapes.walks + excluded.walks,
       drives = list_shapes.drives + excluded.drives,
       failures = list_shapes.failures + excluded.failures`,
    [
      db.tenantId,
      column('day'),
      column('communityId'),
      column('shape'),
      column('lists'),
      column('ms'),
      column('slowest'),
      column('found'),
      column('walks'),
      column('drives'),
      column('failures'),
    ],
  );
}

/** Schedule for deleting list statistics. */
export const shapesDue: DueWork = {
  earliest: 'SELECT to_timestamp(min(day) * 86400::float8) FROM list_shapes WHERE tenant_id = $1',
  afterMs: () => (SHAPE_DAYS + 1) * DAY_MS,
};

/** Deletes shapes past their retention, and all but the most expensive ones of each day. @param now epoch milliseconds */
export async function forgetShapes(db: TenantExecutor, now: number): Promise<void> {
  const today = Math.floor(now / DAY_MS);
  await db.execute('DELETE FROM list_shapes WHERE tenant_id = $1 AND day < $2', [db.tenantId, today - SHAPE_DAYS]);
  await db.execute(
    `DELETE FROM list_shapes l USING (
       SELECT day, community_id, shape, row_number() OVER (PARTITION BY day ORDER BY total_ms DESC) AS place
         FROM list_shapes WHERE tenant_id = $1 AND day >= $3) r
      WHERE l.tenant_id = $1 AND l.day = r.day AND l.community_id = r.community_id AND l.shape = r.shape AND r.place > $2`,
    [db.tenantId, MAX_SHAPES, today - 1],
  );
}

/** Executors that measure the statements of one list. */
interface ObservedList {
  /** For the statements that find the page. */
  readonly page: TenantExecutor;
  /** For the statement that counts all pages. */
  readonly total: TenantExecutor;
  /** Records the page. @param found number of ids on it */
  done(found: number): void;
}

/**
 * Measures the duration and the plans of the statements of a list.
 * @param scope the scope of the request; without `listCosts` nothing is measured
 */
export function observeList(
  scope: { readonly db: TenantExecutor; readonly clock: Clock; readonly listCosts?: ListCosts },
  communityId: number,
  input: ShapedInput,
): ObservedList {
  const { db, listCosts } = scope;
  if (!listCosts) return { page: db, total: db, done: () => undefined };
  let [ms, walks, drives] = [0, 0, 0];
  const note = (use: ShapeUse, cost: ListCost) =>
    listCosts.note(db.tenantId, communityId, shapeText(shapeOf(input, use)), cost, scope.clock.now());
  const timed = (use: ShapeUse, ended: (took: number, text: string, failed: boolean) => void): TenantExecutor => ({
    tenantId: db.tenantId,
    execute: (text, values) => db.execute(text, values),
    pipeline: (work) => db.pipeline(work),
    query: async <R>(text: string, values?: readonly unknown[], options?: StatementOptions): Promise<R[]> => {
      const started = performance.now();
      let failed = true;
      try {
        const rows = await db.query<R>(text, values, options);
        failed = false;
        return rows;
      } catch (error) {
        if (error instanceof StatementCancelled) error.shape = shapeText(shapeOf(input, use));
        throw error;
      } finally {
        ended(performance.now() - started, text, failed);
      }
    },
  });
  return {
    page: timed('page', (took, text, failed) => {
      ms += took;
      if (text.includes('WITH w0 ')) walks++;
      else if (text.includes('WITH found ')) drives++;
      if (failed) note('page', { ms, found: 0, walks, drives, failed });
    }),
    total: timed('total', (took, _text, failed) => note('total', { ms: took, found: 0, walks: 0, drives: 0, failed })),
    done: (found) => note('page', { ms, found, walks, drives, failed: false }),
  };
}

/** Statistics of the lists of one shape in one community, over some days. */
export interface ShapeReport {
  readonly communityId: number;
  readonly shape: ReturnType<typeof parseShape>;
  readonly lists: number;
  readonly totalMs: number;
  readonly slowestMs: number;
  /** Number of ids found, in all. */
  readonly found: number;
  readonly walks: number;
  readonly drives: number;
  readonly failures: number;
}

/**
 * Shapes of slow lists, by total time, descending.
 * @param options.since first day, epoch milliseconds  @param options.minMs least mean time of a list
 */
export async function readShapes(
  db: TenantExecutor,
  options: { since: number; minMs: number; limit: number },
): Promise<ShapeReport[]> {
  const rows = await db.query<Omit<ShapeReport, 'shape'> & { shape: string }>(
    `SELECT community_id AS "communityId", shape, sum(lists)::float8 AS lists, sum(total_ms) AS "totalMs",
            max(slowest_ms) AS "slowestMs", sum(found)::float8 AS found, sum(walks)::float8 AS walks, sum(drives)::float8 AS drives, sum(failures)::float8 AS failures
       FROM list_shapes WHERE tenant_id = $1 AND day >= $2
      GROUP BY community_id, shape HAVING sum(total_ms) >= $3 * sum(lists) OR sum(failures) > 0
      ORDER BY sum(total_ms) DESC, shape LIMIT $4`,
    [db.tenantId, Math.floor(options.since / DAY_MS), options.minMs, options.limit],
  );
  return rows.map((row) => ({ ...row, shape: parseShape(row.shape) }));
}
