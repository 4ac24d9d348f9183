import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exactBody, parseJsonBody } from './body.ts';
import { markLongIntegers } from './json-text.ts';

/** The same by a reviver, which is called for every value. */
function revived(text: string): unknown {
  const exact = (_key: string, value: unknown, context?: { source?: string }): unknown =>
    typeof value === 'number' &&
    Number.isFinite(value) &&
    !Number.isSafeInteger(value) &&
    /^-?\d+$/.test(context!.source!)
      ? BigInt(context!.source!)
      : value;
  return JSON.parse(text, exact);
}

/** Texts of numbers as they stand in JSON, many of them long. */
const numbers = fc.oneof(
  fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }).map(String),
  fc.tuple(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.nat()).map(([whole, part]) => `${whole}.${part}`),
  fc.tuple(fc.bigInt({ min: 0n, max: 10n ** 20n }), fc.integer({ min: -400, max: 280 })).map(([n, e]) => `${n}e${e}`),
  fc.constantFrom(
    '1e+12345678901234567',
    '9007199254740991',
    '9007199254740992',
    '-9007199254740992',
    '9'.repeat(309),
    '9'.repeat(400),
  ),
);
/** Texts with quotes, backslashes, brackets and digits. */
const strings = fc
  .oneof(fc.string(), fc.stringMatching(/^[\\"[\]{}:, -]{0,6}(?:\d{15,18})?[\\"[\]{}:,]{0,6}$/))
  .map((text) => text.replaceAll('\0', ''));
const { text: texts } = fc.letrec<{ text: string }>((tie) => ({
  text: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'text' },
    numbers,
    strings.map((text) => JSON.stringify(text)),
    fc.array(tie('text'), { maxLength: 4, depthIdentifier: 'text' }).map((items) => `[${items.join(' , ')}]`),
    fc
      .uniqueArray(fc.tuple(strings, tie('text')), { maxLength: 4, selector: ([key]) => key, depthIdentifier: 'text' })
      .map((members) => `{${members.map(([key, item]) => `${JSON.stringify(key)}:${item}`).join('\n,')}}`),
  ),
}));

describe('integers beyond 2^53', () => {
  it('are read from their digits, and nothing else is', () => {
    fc.assert(
      fc.property(texts, (text) => {
        // Bodies with an infinite number are rejected; other bodies equal the result of a reviver.
        const wrapped = `{"a":${text}}`;
        fc.pre(
          wrapped.isWellFormed() && !wrapped.includes('__proto__') && Number.isFinite(maximum(JSON.parse(wrapped))),
        );
        expect(exactBody(parseJsonBody(wrapped))).toEqual(revived(wrapped));
      }),
      { numRuns: 2_000 },
    );
  });

  it('are found in time that grows with the text alone', () => {
    const text = `[${'"\\\\\\"1234567890123456",'.repeat(40_000)}${'12345678901234567,'.repeat(40_000)}1]`;
    const marked = JSON.parse(markLongIntegers(text, 'm:')) as unknown[];
    expect(marked.filter((item) => typeof item === 'string' && item.startsWith('m:'))).toHaveLength(40_000);
    expect(marked[0]).toBe('\\"1234567890123456');
  });
});

function maximum(value: unknown): number {
  if (typeof value === 'number') return Math.abs(value);
  if (typeof value !== 'object' || value === null) return 0;
  return Math.max(0, ...Object.values(value).map(maximum));
}
