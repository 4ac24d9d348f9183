/** Which tenants a background task serves in a round. */

/**
 * Tenants in use are served in each round, the others in turn, at most one in this many milliseconds, so that the work does not
 * grow with the number of tenants. Up to 100 tenants are all served in each round.
 */
const IDLE_TENANT_MS = 20;

/** The turns of one task. Times are epoch milliseconds. */
export class Turns {
  readonly #every: number;
  readonly #due = new Map<number, number>();

  /** @param every milliseconds between two rounds */
  constructor(every: number) {
    this.#every = every;
  }

  /** Whether a tenant has its turn. @param inUse it has one in each round */
  has(tenantId: number, now: number, inUse: boolean): boolean {
    return inUse || (this.#due.get(tenantId) ?? 0) <= now;
  }

  /**
   * Notes that a tenant was looked after.
   * @param round the number of tenants, whether there is more to do for this one, and when something is due next, if it is known
   */
  async done(
    tenantId: number,
    now: number,
    round: { tenants: number; more: boolean; next: () => Promise<number | undefined> | undefined },
  ): Promise<void> {
    const idleMs = round.tenants * IDLE_TENANT_MS;
    if (idleMs <= this.#every || round.more) this.#due.delete(tenantId);
    else this.#due.set(tenantId, Math.min(now + idleMs, (await round.next()) ?? Number.POSITIVE_INFINITY));
  }
}
