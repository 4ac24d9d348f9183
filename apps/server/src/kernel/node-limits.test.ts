import { describe, expect, test } from 'vitest';
import { LocalLimits, Portion, shareOf } from './node-limits.ts';

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
  [1, 1],
  [8, 1],
  [1, 2],
  [16, 2],
  [19, 3],
])('no more than %i units are taken by %i processes, and one may take most of them', async (most, processes) => {
  const node = new LocalLimits(processes);
  const portions = Array.from({ length: processes }, () => new Portion(node, 'requests', most));
  const takeAll = async (portion: Portion | undefined) => {
    const taken: (() => void)[] = [];
    for (let one = await portion?.take('a'); one; one = await portion?.take('a')) taken.push(one);
    return taken;
  };
  const first = await takeAll(portions[0]);
  expect(first.length).toBeGreaterThanOrEqual(most * 0.75);
  const others = [];
  for (const portion of portions.slice(1)) others.push(...(await takeAll(portion)));
  expect(first.length + others.length).toBe(most);
  for (const release of [...first, ...others]) release();
  expect(await takeAll(portions.at(-1))).toHaveLength(first.length);
});

test.each([
  [10, 1, 10],
  [10, 4, 2],
  [1, 4, 1],
])('%i units of a node with %i processes are %i for each', (most, processes, share) => {
  expect(shareOf(new LocalLimits(processes), most)).toBe(share);
});
