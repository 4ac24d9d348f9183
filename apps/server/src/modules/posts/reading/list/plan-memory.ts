/**
 * What earlier requests found out about how many posts conditions fit and which walks were in vain. It decides only which
 * way is taken, never what is found, so it may be wrong: entries are forgotten after a minute.
 */

const LIFETIME_MS = 60_000;
const MAX_ENTRIES = 10_000;

export class PlanMemory {
  readonly #entries = new Map<string, { value: number; at: number }>();

  /** A remembered number. @param now epoch milliseconds */
  get(key: string, now: number): number | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    if (now - entry.at <= LIFETIME_MS) return entry.value;
    this.#entries.delete(key);
    return undefined;
  }

  set(key: string, value: number, now: number): void {
    if (this.#entries.size >= MAX_ENTRIES) this.#entries.delete(this.#entries.keys().next().value as string);
    this.#entries.delete(key);
    this.#entries.set(key, { value, at: now });
  }
}
