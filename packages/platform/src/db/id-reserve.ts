import { takeIdsOf } from './take-ids.ts';
import type { TenantExecutor } from './tenant-db.ts';

/** Number of ids taken ahead together with the requested ids. */
const AHEAD = 50;

/** Ids of the table that was asked for, and of others. Each list grows. */
export interface TakenIds<T extends string> {
  readonly ids: number[];
  readonly others: Record<T, number[]>;
}

/**
 * Ids that this process took ahead, so that most writes need no statement for them. Ids of two
 * processes are not in the order of their transactions: use it where ids only identify rows and
 * order the rows of one transaction.
 */
export class IdReserve {
  readonly #ids = new Map<string, number[]>();
  readonly #losses: () => number;
  #takenAt = 0;

  /**
   * @param losses see `ConnectionPool.losses`. Ids taken before it rose are dropped: on a server that took over without
   *   the last commits, a sequence has gone back and would give them again.
   */
  constructor(losses: () => number) {
    this.#losses = losses;
  }

  /**
   * Takes ids of a table that this process takes from here alone.
   * @param others counts of ids of other tables, by name, which are taken as they are asked for and cost a statement
   */
  async take<T extends string>(
    tx: Pick<TenantExecutor, 'query'>,
    table: string,
    count: number,
    others: Readonly<Record<T, number>>,
  ): Promise<TakenIds<T>> {
    const losses = this.#losses();
    if (losses !== this.#takenAt) {
      this.#ids.clear();
      this.#takenAt = losses;
    }
    const ids = this.#ids.get(table)?.splice(0, count) ?? [];
    const missing = count - ids.length;
    const counts = { ...others, [table]: missing > 0 ? missing + AHEAD : 0 };
    const { [table]: fresh = [], ...rest } = (await takeIdsOf(tx, counts)) as Record<string, number[]>;
    ids.push(...fresh.splice(0, missing));
    if (fresh.length > 0 && losses === this.#losses() && losses === this.#takenAt)
      this.#ids.set(
        table,
        [...(this.#ids.get(table) ?? []), ...fresh].sort((a, b) => a - b),
      );
    return { ids, others: rest as Record<T, number[]> };
  }
}
