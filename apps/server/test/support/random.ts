/** Seeded random numbers for tests. */
import { Random } from '../../src/platform/random.ts';

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
