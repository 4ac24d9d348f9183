/**
 * A cache of counts of candidates and of index scans that exceeded their budget. It affects only
 * the choice of the plan, never the result, so entries may be outdated: they expire after a minute.
 */
import { LRUCache } from 'lru-cache';

const LIFETIME_MS = 60_000;
const MAX_ENTRIES = 10_000;

export class PlanMemory {
  readonly #entries: LRUCache<string, { value: number; at: number }>;

  /** @param maxEntries number of entries for which memory is allocated at once */
  constructor(maxEntries = MAX_ENTRIES) {
    this.#entries = new LRUCache({ max: maxEntries });
  }

  /** A cached number, or undefined. @param now epoch milliseconds */
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
