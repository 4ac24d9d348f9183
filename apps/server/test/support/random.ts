/** Seeded random numbers for tests and measurements. */

/** Seeded generator of pseudo-random numbers (mulberry32): a seed gives the same numbers on every machine. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A number from 0 up to, not including, 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** A whole number, both bounds included. */
  int(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from + 1));
  }

  /** A whole number from 0 up to, not including, `limit`. */
  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  /** True with this probability. @param probability 0 to 1 */
  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** Returns one element of a list that is not empty. */
  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }

  /** Different elements of a list, at most `count`. */
  some<T>(list: readonly T[], count: number): T[] {
    const rest = [...list];
    const chosen: T[] = [];
    while (chosen.length < count && rest.length > 0) {
      chosen.push(...rest.splice(this.below(rest.length), 1));
    }
    return chosen;
  }
}

export class TestRandom extends Random {
  /** Between `least` and `most` different elements. */
  between<T>(list: readonly T[], most: number, least = 0): T[] {
    return this.some(list, least + this.below(most - least + 1));
  }

  /** The elements of a list, each with this probability. */
  subset<T>(list: readonly T[], probability = 0.4): T[] {
    return list.filter(() => this.chance(probability));
  }
}
