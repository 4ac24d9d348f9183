/**
 * What earlier requests found out about how many posts conditions fit and which walks were in vain. It decides only which
 * way is taken, never what is found, so it may be wrong: entries are forgotten after a minute.
 */
import { LRUCache } from 'lru-cache';

const LIFETIME_MS = 60_000;
const MAX_ENTRIES = 10_000;

export class PlanMemory {
  readonly #entries = new LRUCache<string, { value: number; at: number }>({ max: MAX_ENTRIES });

  /** A remembered number. @param now epoch milliseconds */
  get(key: string, now: number): number | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    if (now - entry.at <= LIFETIME_MS) return entry.value;
    this.#entries.delete(key);
    return undefined;
  }

  set(key: string, value: number, now: number): void {
    this.#entries.set(key, { value, at: now });
  }
}
