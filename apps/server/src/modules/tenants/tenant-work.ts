/**
 * The time at which background work is due for each tenant: one row per tenant, which one statement
 * reads for all. A write marks its tenant as due; when no work is left, the row is set to the time
 * at which work is due next.
 */

import type { ScopedPool } from '@portico/platform/db/scoped-pool';
import type { Clock, Log, Tenant } from '../../kernel/scope.ts';

/** Minimum interval between marks of a tenant by one process. Milliseconds. */
const MARK_MS = 20_000;
/**
 * Period after a mark for which a tenant counts as in use: longer than {@link MARK_MS} and a write
 * together. Milliseconds.
 */
const IN_USE_MS = 60_000;
/** Maximum period after which a tenant is checked in any case. Milliseconds. */
const LONGEST_MS = 6 * 3_600_000;
/** The same while nodes that do not mark may serve beside this one. Milliseconds. */
const WATCHED_MS = 300_000;

/** A tenant for which work is due, as its row was read. Times are epoch milliseconds. */
export interface DueTenant {
  readonly tenant: Tenant;
  /** Number of marks; null: the tenant has no row. */
  readonly marks: number | null;
  /** Whether the tenant was written to a moment ago: more writes, and more work, are likely. */
  readonly inUse: boolean;
  readonly watched: boolean;
}

interface WorkRow extends Tenant {
  readonly marks: number | null;
  readonly markedAt: number | null;
  readonly watchedUntil: number | null;
}

export class TenantWork {
  readonly #pool: ScopedPool;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #marked = new Map<number, number>();
  readonly #writing = new Set<Promise<void>>();
  /** Marks that could not be written. */
  readonly #failed = new Set<number>();

  constructor(pool: ScopedPool, clock: Clock, log: Log) {
    this.#pool = pool;
    this.#clock = clock;
    this.#log = log;
  }

  /** Records a write of a tenant, at its begin and after its end. Nobody waits for the mark. */
  mark(tenantId: number): void {
    const now = this.#clock.now();
    const before = this.#marked.get(tenantId);
    if (before !== undefined && before > now - MARK_MS && before <= now) return;
    this.#marked.set(tenantId, now);
    const writing = this.#write(tenantId, now).finally(() => this.#writing.delete(writing));
    this.#writing.add(writing);
  }

  /** Resolves when all marks are written or have failed. */
  async settle(): Promise<void> {
    await Promise.all(this.#writing);
  }

  /** Returns the tenants for which work is due, in the order of their ids. */
  async readDue(): Promise<DueTenant[]> {
    for (const tenantId of this.#failed) {
      this.#failed.delete(tenantId);
      this.mark(tenantId);
    }
    const now = this.#clock.now();
    const rows = await this.#pool.registry<WorkRow>(
      `SELECT t.id, t.name, t.display_name AS "displayName", w.marks, w.marked_at AS "markedAt",
              w.watched_until AS "watchedUntil"
         FROM tenants t LEFT JOIN tenant_work w ON w.tenant = t.id
        WHERE t.disabled_at IS NULL AND (w.due_at IS NULL OR w.due_at <= $1) ORDER BY t.id`,
      [new Date(now)],
    );
    return rows.map(({ marks, markedAt, watchedUntil, ...tenant }) => ({
      tenant,
      marks,
      inUse: markedAt !== null && markedAt > now - IN_USE_MS,
      watched: watchedUntil !== null && watchedUntil > now,
    }));
  }

  /**
   * Sets the next due time of a tenant, unless it was marked since it was read.
   * @param next epoch milliseconds; undefined: unknown
   */
  async rest({ tenant, marks, watched }: DueTenant, next: number | undefined): Promise<void> {
    const longest = watched ? WATCHED_MS : LONGEST_MS;
    // Spread at random, so that tenants created together are not checked together for ever.
    const latest = this.#clock.now() + longest * (0.75 + Math.random() / 4);
    await this.#pool.registry(
      `INSERT INTO tenant_work AS w (tenant, due_at, marked_at, marks) VALUES ($1, $2, to_timestamp(0), 0)
       ON CONFLICT (tenant) DO UPDATE SET due_at = excluded.due_at WHERE w.marks = $3`,
      [tenant.id, new Date(Math.min(next ?? latest, latest)), marks],
    );
  }

  async #write(tenantId: number, now: number): Promise<void> {
    try {
      await this.#pool.registry(
        `INSERT INTO tenant_work AS w (tenant, due_at, marked_at, marks) VALUES ($1, $2, $2, 1)
         ON CONFLICT (tenant) DO UPDATE SET due_at = least(w.due_at, excluded.due_at),
           marked_at = greatest(w.marked_at, excluded.marked_at), marks = w.marks + 1`,
        [tenantId, new Date(now)],
      );
    } catch (error) {
      this.#marked.delete(tenantId);
      this.#failed.add(tenantId);
      this.#log.warn(
        { err: error, tenant: tenantId },
        'a write could not be noted for background work; it is tried again',
      );
    }
  }
}
