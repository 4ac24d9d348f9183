/**
 * Tracks the tenants that have work, and the tasks done for each of them since then. Times are
 * epoch milliseconds.
 */
import type { DueTenant } from '../modules/tenants/index.ts';

interface Round {
  /** By the name of the task. */
  readonly begun: Map<string, number>;
  /** Tasks that have ended since the tenant has work. */
  readonly ended: Set<string>;
}

export class Rounds {
  #due: readonly DueTenant[] = [];
  readonly #rounds = new Map<number, Round>();

  /** The tenants that have work. */
  get due(): readonly DueTenant[] {
    return this.#due;
  }

  /**
   * Takes over the tenants read from the database. A tenant that had no work before begins a new
   * round.
   */
  follow(due: readonly DueTenant[]): void {
    const before = new Set(this.#due.map(({ tenant }) => tenant.id));
    // While a tenant is written to, the ended tasks may have missed the last write.
    for (const { tenant, inUse } of due) if (inUse || !before.has(tenant.id)) this.#of(tenant.id).ended.clear();
    this.#due = due;
  }

  /** Whether a task is to run for a tenant now; notes that it begins. @param every milliseconds between two runs */
  begin(tenantId: number, task: string, now: number, every: number): boolean {
    const { begun } = this.#of(tenantId);
    const last = begun.get(task);
    // A clock that was set back must not stop the task.
    if (last !== undefined && last <= now && last + every > now) return false;
    begun.set(task, now);
    return true;
  }

  /** Notes that a task has run. @param more true lets it run again at once */
  end(tenantId: number, task: string, more: boolean): void {
    const { begun, ended } = this.#of(tenantId);
    if (more) begun.delete(task);
    else ended.add(task);
  }

  /** Whether all of these tasks have run for a tenant since it has work. */
  hasRun(tenantId: number, tasks: readonly string[]): boolean {
    const { ended } = this.#of(tenantId);
    return tasks.every((task) => ended.has(task));
  }

  #of(tenantId: number): Round {
    let round = this.#rounds.get(tenantId);
    if (!round) {
      round = { begun: new Map(), ended: new Set() };
      this.#rounds.set(tenantId, round);
    }
    return round;
  }
}
