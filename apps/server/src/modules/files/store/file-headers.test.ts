import { matchesEtag } from '@portico/platform/etags';
import { describe, expect, it } from 'vitest';
import { readRange } from './file-headers.ts';

describe('headers of files', () => {
  it('reads ranges', () => {
    const cases: [string | undefined, number, ReturnType<typeof readRange>][] = [
      [undefined, 10, undefined],
      ['bytes=0-0', 10, { start: 0, end: 0 }],
      ['bytes=2-', 10, { start: 2, end: 9 }],
      ['bytes=2-100', 10, { start: 2, end: 9 }],
      ['bytes=-3', 10, { start: 7, end: 9 }],
      ['bytes=-30', 10, { start: 0, end: 9 }],
      ['bytes=10-', 10, 'unsatisfiable'],
      ['bytes=-0', 10, 'unsatisfiable'],
      ['bytes=0-', 0, 'unsatisfiable'],
      ['bytes=-5', 0, 'unsatisfiable'],
      ['bytes=5-2', 10, undefined],
      ['bytes=0-1,4-5', 10, undefined],
      ['bytes=-', 10, undefined],
      ['items=0-1', 10, undefined],
      ['bytes=x', 10, undefined],
      [`bytes=${'9'.repeat(400)}-`, 10, 'unsatisfiable'],
    ];
    for (const [header, size, expected] of cases) expect(readRange(header, size), header).toEqual(expected);
  });

  it('compares entity tags', () => {
    expect(matchesEtag('"a"', '"a"')).toBe(true);
    expect(matchesEtag('"b", W/"a"', '"a"')).toBe(true);
    expect(matchesEtag('*', '"a"')).toBe(true);
    expect(matchesEtag('"b"', '"a"')).toBe(false);
    expect(matchesEtag(undefined, '"a"')).toBe(false);
  });
});
