/** Numbers that look random and follow from where they are used: the same data every time, on every machine. */

/** A 32-bit number that follows from two (a finaliser of MurmurHash3). */
export function mix(a: number, b: number): number {
  let hash = Math.imul(a ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(b + 0x165667b1, 0xc2b2ae35);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** A stream of numbers from a seed (mulberry32). */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 up to 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  /** A whole number from 0 to below `count`. */
  below(count: number): number {
    return Math.floor(this.next() * count);
  }

  /** A whole number from 0 to below `count`: the lower the commoner, the more so the higher the power. */
  skewed(count: number, power = 3): number {
    return Math.min(count - 1, Math.floor(this.next() ** power * count));
  }

  /** A whole number from 0 to below `count`: few are common and most are rare, the last ones about one in 30,000. */
  falling(count: number): number {
    return Math.min(count - 1, Math.floor(this.exponential(count / 8)));
  }

  /** By Zipf's law: 0 comes up twice as often as 1, three times as often as 2. */
  zipf(count: number): number {
    return Math.min(count - 1, Math.floor(Math.exp(this.next() * Math.log(count + 1))) - 1);
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T;
  }

  /** A positive number whose mean this is; half of them lie below 0.7 of it. */
  exponential(mean: number): number {
    return -Math.log(1 - this.next()) * mean;
  }
}
