import { expect, it } from 'vitest';
import { Random } from './random.ts';

it('random numbers are the same for the same seed, within their bounds, and spread', () => {
  const [one, two] = [new Random(7), new Random(7)];
  const drawn = Array.from({ length: 1000 }, () => one.int(3, 12));
  expect(Array.from({ length: 1000 }, () => two.int(3, 12))).toEqual(drawn);
  expect(new Set(drawn)).toEqual(new Set([3, 4, 5, 6, 7, 8, 9, 10, 11, 12]));
  expect(new Set(one.some([1, 2, 3, 4, 5], 3)).size).toBe(3);
});
