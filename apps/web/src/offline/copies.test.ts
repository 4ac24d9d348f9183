import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keptOf } from './copies.ts';

const NOW = Date.parse('2026-11-28');
const DAY = 86_400_000;

test('copies that are kept are young, fit together, and are newer than those that are not', () => {
  const copy = fc.record({
    at: fc.integer({ min: NOW - 40 * DAY, max: NOW }),
    size: fc.integer({ min: 1, max: 9_000_000 }),
  });
  fc.assert(
    fc.property(fc.dictionary(fc.string(), copy), (index) => {
      const kept = Object.values(keptOf(index, NOW));
      expect(kept.reduce((total, { size }) => total + size, 0)).toBeLessThanOrEqual(20_000_000);
      for (const { at } of kept) expect(NOW - at).toBeLessThan(30 * DAY);
      const young = Object.values(index).filter(({ at }) => NOW - at < 30 * DAY);
      // The newest of them always stays.
      const newest = Math.max(...young.map(({ at }) => at));
      if (young.length > 0) expect(kept.some(({ at }) => at === newest)).toBe(true);
    }),
    { numRuns: 50 },
  );
});
