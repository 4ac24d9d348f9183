/**
 * Counts and limits that hold for all processes of a node together. A process that serves alone keeps them in memory; one of
 * several asks the process that started it (process/several, docs/adr/0022-processes-of-a-node.md).
 */
import { LRUCache } from 'lru-cache';

/** A time span that begins with the first count in it. Milliseconds. */
export interface Window {
  /** Epoch milliseconds. */
  readonly now: number;
  readonly length: number;
}

/** The state of a count within its window. */
export interface Counted {
  readonly units: number;
  /** Time until the window ends; 0 when there is none. Milliseconds. */
  readonly endsIn: number;
}

/** Most units of a key that may be held at once. */
export interface Limit {
  readonly key: string;
  readonly most: number;
}

/** Units that were taken, or the first limit that left no room, with the units that are held under it. */
export type Taken = { readonly release: () => void } | { readonly full: number; readonly held: number };

export interface NodeLimits {
  /** Number of processes that serve on this node; {@link shareOf} divides a limit by it. */
  readonly processes: number;
  /**
   * Adds units to a count and returns it; 0 units only read it.
   * @param kind name of the count; each kind remembers the {@link MOST_KEYS} keys that were used last
   */
  count(kind: string, key: string, units: number, window: Window): Promise<Counted>;
  /** Takes units under every limit, or none. The units of a process are given back when it ends. */
  take(kind: string, limits: readonly Limit[], units?: number): Promise<Taken>;
}

/** Number of keys kept of each kind; the least recently used is dropped first. */
const MOST_KEYS = 10_000;

/** The own part of a process is its share of the limit divided by this number. */
const OWN_PARTS = 4;

/** The part of a limit that one process may use without asking the others; at least 1. */
export function shareOf({ processes }: Pick<NodeLimits, 'processes'>, most: number): number {
  return Math.max(1, Math.floor(most / processes));
}

/**
 * Units of a limit that are taken for every request: a process takes a part of them without asking, and the rest where it is still
 * free on the node. Few units cost no question, and one process may use most of the limit while the others use little.
 */
export class Portion {
  readonly #node: NodeLimits;
  readonly #kind: string;
  readonly #own: number;
  readonly #common: number;
  readonly #held = new Map<string, number>();

  /** @param most units of a key on the node */
  constructor(node: NodeLimits, kind: string, most: number) {
    this.#node = node;
    this.#kind = kind;
    this.#own = node.processes === 1 ? most : Math.floor(most / (node.processes * OWN_PARTS));
    this.#common = most - this.#own * node.processes;
  }

  /** Takes a unit. @returns gives it back, called once; undefined where none is free */
  async take(key: string): Promise<(() => void) | undefined> {
    const held = this.#held.get(key) ?? 0;
    if (held < this.#own) {
      this.#held.set(key, held + 1);
      return () => this.#giveBack(key);
    }
    if (this.#common === 0) return undefined;
    const taken = await this.#node.take(this.#kind, [{ key, most: this.#common }]);
    return 'release' in taken ? taken.release : undefined;
  }

  #giveBack(key: string): void {
    const held = (this.#held.get(key) ?? 0) - 1;
    if (held > 0) this.#held.set(key, held);
    else this.#held.delete(key);
  }
}

/** The counts and limits, in the memory of this process. */
export class LocalLimits implements NodeLimits {
  readonly processes: number;
  readonly #windows = new Map<string, LRUCache<string, { since: number; units: number }>>();
  readonly #held = new Map<string, number>();

  /** @param processes that serve on this node */
  constructor(processes = 1) {
    this.processes = processes;
  }

  async count(kind: string, key: string, units: number, { now, length }: Window): Promise<Counted> {
    const windows = this.#windowsOf(kind);
    const known = windows.get(key);
    const present = known && now - known.since < length ? known : undefined;
    if (!present && units === 0) return { units: 0, endsIn: 0 };
    const window = present ?? { since: now, units: 0 };
    window.units += units;
    if (!present) windows.set(key, window);
    return { units: window.units, endsIn: window.since + length - now };
  }

  async take(kind: string, limits: readonly Limit[], units = 1): Promise<Taken> {
    const keys = limits.map(({ key }) => `${kind} ${key}`);
    for (const [full, { most }] of limits.entries()) {
      const held = this.#held.get(keys[full] as string) ?? 0;
      if (held + units > most) return { full, held };
    }
    for (const key of keys) this.#add(key, units);
    let released = false;
    return {
      release: () => {
        if (released) return;
        released = true;
        for (const key of keys) this.#add(key, -units);
      },
    };
  }

  #windowsOf(kind: string): LRUCache<string, { since: number; units: number }> {
    const windows = this.#windows.get(kind) ?? new LRUCache({ max: MOST_KEYS });
    this.#windows.set(kind, windows);
    return windows;
  }

  #add(key: string, units: number): void {
    const held = (this.#held.get(key) ?? 0) + units;
    if (held === 0) this.#held.delete(key);
    else this.#held.set(key, held);
  }
}
