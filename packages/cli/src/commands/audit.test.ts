/** Sentences of `portico audit`. */
import { expect, test } from 'vitest';
import { verifiedLine } from './audit.ts';

test.each([
  [130, 1, 'Verified 130 entries; 1 is not chained yet.'],
  [1, 0, 'Verified 1 entry; 0 are not chained yet.'],
  [0, 2, 'Verified 0 entries; 2 are not chained yet.'],
])('%i verified and %i waiting', (entries, waiting, line) => {
  expect(verifiedLine({ entries, waiting })).toBe(line);
});
