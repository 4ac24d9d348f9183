import { RE2JS } from 're2js';
import { describe, expect, it } from 'vitest';
import { finishAtOnce } from '../parts.ts';
import { expandedLength, matchesPattern, programSize } from './pattern.ts';

const matches = (source: string, text: string) => finishAtOnce(matchesPattern(source, text));

/** A text of the letters a and b that looks random, and is the same in every run. */
function withoutPeriod(length: number): string {
  let state = 1;
  return Array.from({ length }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state > 2 ** 30 ? 'a' : 'b';
  }).join('');
}

describe('patterns', () => {
  it.each([
    ['abc', 3],
    ['a{3}', 3],
    ['(ab){3}c', 10],
    ['((a{2}b){3}){4}', 52],
    ['[a-z]{1,60}', 60],
    ['\\d{4}-\\{2}', 8],
    ['\\p{L}{5}', 5],
    ['[{3}]{2}', 2],
    ['a{2,}', 2],
    ['\\Q(a\\E(b){9}', 24],
  ])('are as long as what their counts say: %s', (source, length) => expect(expandedLength(source)).toBe(length));

  it.each(['(.?){1000}', '(a|b|c){1,1000}', '(?:[a-z]{1,30}[0-9]?){16}', '((a?){30}){30}', '\\Q)\\E(?:aa){900}'])(
    'are compiled where their program cannot be much larger: %s',
    (source) => expect(RE2JS.compile(source).programSize()).toBeLessThan(expandedLength(source) * 4),
  );

  it('match a text as a whole', () => {
    expect(matches('[A-Z]{3}-\\d+', 'ABC-1')).toBe(true);
    expect(matches('[A-Z]{3}-\\d+', 'ABC-1x')).toBe(false);
    expect(matches('(?:[a-z]+ ?)+', 'word '.repeat(50_000))).toBe(true);
    expect(matches('(', '(')).toBeUndefined();
    expect(programSize('(')).toBe('invalid');
    expect(programSize('[A-Z]{3}')).toBeLessThan(20);
  });

  it('are not made where they are too large, and are broken off where they take too long', () => {
    expect(programSize(`${'(.?){1000}'.repeat(20)}z`)).toBe('tooLarge');
    expect(matches(`${'(.?){1000}'.repeat(20)}z`, 'x')).toBeUndefined();
    // A text without a period meets a new state at nearly every character: unwatched it takes many seconds.
    const slow = '(?:(?:a|b)*a(?:a|b){30}){8}z';
    const text = withoutPeriod(400_000);
    expect(matches(slow, text)).toBeUndefined();
    expect(matches(slow, 'a')).toBe(false);
  });
});
