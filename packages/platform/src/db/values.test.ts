/** Times as PostgreSQL writes them. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseTimestamp, toParameters } from './values.ts';

const written = (ms: number) => new Date(ms).toISOString().replace('T', ' ').replace('Z', '+00');

test('reads what PostgreSQL writes of the years 0001 to 9999', () => {
  const range = { min: Date.parse('0001-01-01T00:00:00Z'), max: Date.parse('9999-12-31T23:59:59.999Z') };
  fc.assert(
    fc.property(fc.integer(range), (ms) => {
      expect(parseTimestamp(written(ms))).toBe(ms);
      // Without a fraction, with one digit of it, with microseconds.
      const second = Math.floor(ms / 1000) * 1000;
      expect(parseTimestamp(written(second).replace('.000', ''))).toBe(second);
      expect(parseTimestamp(written(second).replace('.000', '.5'))).toBe(second + 500);
      expect(parseTimestamp(written(ms).replace('+00', '789+00'))).toBe(ms);
    }),
    { numRuns: 2_000 },
  );
});

test.each([
  ['2024-02-29 23:59:59+00', Date.UTC(2024, 1, 29, 23, 59, 59)],
  ['0096-02-29 00:00:00+00', Date.parse('0096-02-29T00:00:00Z')],
  ['2026-11-21 05:43:22.123+05:30', Date.UTC(2026, 10, 21, 0, 13, 22, 123)],
  ['12026-01-01 00:00:00+00', Date.parse('+012026-01-01T00:00:00Z')],
  ['0045-03-15 00:00:00+00 BC', Date.parse('-000044-03-15T00:00:00Z')],
  ['0001-01-01 00:00:00+00 BC', Date.parse('0000-01-01T00:00:00Z')],
])('%s', (text, ms) => {
  expect(parseTimestamp(text)).toBe(ms);
});

test('writes long lists of numbers as array literals, and leaves other parameters to the driver', () => {
  const long = Array.from({ length: 60 }, (_, index) => index - 30);
  expect(toParameters([long])).toEqual([`{${long.join(',')}}`]);
  const others = [1, 'x', null, [1, 2], Array(60).fill('a,b'), [...long, null]];
  expect(toParameters(others)).toEqual(others);
});
