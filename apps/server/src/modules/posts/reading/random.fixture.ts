/** Random numbers for tests of reading. */
import type { SampleSource } from '../../fields/index.ts';

/** A source of random numbers that a seed decides. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0 || 1;
  }

  /** 0 ≤ x < 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** A whole number below n. */
  below(n: number): number {
    return Math.floor(this.next() * n);
  }

  chance(p: number): boolean {
    return this.next() < p;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }

  /** Up to `most` different elements, at least `least`. */
  some<T>(list: readonly T[], most: number, least = 0): T[] {
    const left = [...list];
    const taken: T[] = [];
    const wanted = Math.min(list.length, least + this.below(most - least + 1));
    while (taken.length < wanted) taken.push(...left.splice(this.below(left.length), 1));
    return taken;
  }

  /** The same numbers as samples of field types draw them. */
  forSamples(): SampleSource['random'] {
    return {
      next: () => this.next(),
      int: (from, to) => from + this.below(to - from + 1),
      chance: (p) => this.chance(p),
      pick: (list) => this.pick(list),
      some: (list, count) => this.some(list, count, count),
    };
  }
}
