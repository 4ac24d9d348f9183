import { describe, expect, test } from 'vitest';
import { LocalLimits, shareOf } from './node-limits.ts';

describe('a count', () => {
  test('begins anew when its window has ended, and reading it changes nothing', async () => {
    const limits = new LocalLimits();
    const at = (now: number) => ({ now, length: 1_000 });
    expect(await limits.count('requests', 'a', 0, at(0))).toEqual({ units: 0, endsIn: 0 });
    expect(await limits.count('requests', 'a', 2, at(100))).toEqual({ units: 2, endsIn: 1_000 });
    expect(await limits.count('requests', 'a', 1, at(700))).toEqual({ units: 3, endsIn: 400 });
    expect(await limits.count('requests', 'a', 0, at(1_099))).toEqual({ units: 3, endsIn: 1 });
    expect(await limits.count('failures', 'a', 0, at(1_099))).toEqual({ units: 0, endsIn: 0 });
    expect(await limits.count('requests', 'a', 1, at(1_100))).toEqual({ units: 1, endsIn: 1_000 });
  });
});

describe('units', () => {
  test('are taken under all limits or none, and given back once', async () => {
    const limits = new LocalLimits();
    const account = { key: 'account 1', most: 2 };
    const take = (units: number) => limits.take('bytes', [account, { key: 'node', most: 3 }], units);
    const two = await take(2);
    expect(await take(1)).toEqual({ full: 0, held: 2 });
    expect(
      await limits.take(
        'bytes',
        [
          { key: 'account 2', most: 2 },
          { key: 'node', most: 3 },
        ],
        2,
      ),
    ).toEqual({
      full: 1,
      held: 2,
    });
    if (!('release' in two)) throw new Error('the first units were refused');
    two.release();
    two.release();
    expect('release' in (await take(2))).toBe(true);
    expect(await take(1)).toEqual({ full: 0, held: 2 });
  });
});

test.each([
  [10, 1, 10],
  [10, 4, 2],
  [1, 4, 1],
])('%i units of a node with %i processes are %i for each', (most, processes, share) => {
  expect(shareOf(new LocalLimits(processes), most)).toBe(share);
});
