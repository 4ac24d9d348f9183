import fc from 'fast-check';
import { expect, it } from 'vitest';
import { codePoints, isLongerThan } from './index.ts';

it('counts code points: one for a pair of surrogates, one for half of a pair', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.nat(12), (text, limit) => {
      expect(codePoints(text)).toBe([...text].length);
      expect(isLongerThan(text, limit)).toBe([...text].length > limit);
    }),
  );
  expect(codePoints('a😀\ud83d')).toBe(3);
});
