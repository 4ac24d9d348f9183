import { takeIds } from './take-ids.ts';
import type { TenantExecutor } from './tenant-db.ts';

/** Ids taken ahead with those that were asked for. */
const AHEAD = 50;

/**
 * Ids that this process took ahead, so that a write needs no statement for them as a rule. Those of two processes do not grow
 * together: it is for rows whose ids only tell them apart and order those of one transaction.
 */
export class IdReserve {
  readonly #ids = new Map<string, number[]>();

  /** @returns so many ids of a table, growing */
  async take(tx: Pick<TenantExecutor, 'query'>, table: string, count: number): Promise<number[]> {
    const taken = this.#ids.get(table)?.splice(0, count) ?? [];
    if (taken.length === count) return taken;
    const fresh = await takeIds(tx, table, count - taken.length + AHEAD);
    taken.push(...fresh.splice(0, count - taken.length));
    this.#ids.set(
      table,
      [...(this.#ids.get(table) ?? []), ...fresh].sort((a, b) => a - b),
    );
    return taken;
  }

  /** Forgets all: a sequence may have gone back, such as on a server that took over. */
  clear(): void {
    this.#ids.clear();
  }
}
