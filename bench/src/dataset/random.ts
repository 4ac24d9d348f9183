/** Pseudo-random numbers that follow from where they are used: the same data every time, on every machine. */
import { Random } from '@portico/server/testing/dataset';

/** A 32-bit number that follows from two (a finaliser of MurmurHash3). */
export function mix(a: number, b: number): number {
  let hash = Math.imul(a ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(b + 0x165667b1, 0xc2b2ae35);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Random numbers of some further distributions. */
export class Dice extends Random {
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

  /** A positive number whose mean this is; half of them lie below 0.7 of it. */
  exponential(mean: number): number {
    return -Math.log(1 - this.next()) * mean;
  }
}
