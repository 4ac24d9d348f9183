import { describe, expect, test } from 'vitest';
import { clientKey, FailureLimit } from './failure-limit.ts';
import { LocalLimits } from './node-limits.ts';

const limitOf = (most: number) => new FailureLimit({ node: new LocalLimits(), of: 'keys', most });

const refusal = (work: Promise<void>) =>
  work.then(
    () => undefined,
    (error: { code: string; headers: Record<string, string> }) => error,
  );

describe('failures of a minute', () => {
  test('are refused from the limit on, of one key, until the minute is over', async () => {
    const limit = limitOf(3);
    for (const at of [0, 10_000, 20_000]) {
      expect(await refusal(limit.check('a', at))).toBeUndefined();
      await limit.note('a', at);
    }
    expect(await refusal(limit.check('a', 20_500))).toMatchObject({
      code: 'RATE_LIMITED',
      headers: { 'Retry-After': '40' },
    });
    expect(await refusal(limit.check('b', 20_500))).toBeUndefined();
    expect(await refusal(limit.check('a', 60_000))).toBeUndefined();
    await limit.note('a', 60_000);
    expect(await refusal(limit.check('a', 60_001))).toBeUndefined();
  });

  test('have no limit at 0', async () => {
    const limit = limitOf(0);
    for (let n = 0; n < 100; n++) await limit.note('a', 0);
    expect(await refusal(limit.check('a', 0))).toBeUndefined();
  });

  test('of ten thousand keys are remembered, the newest', async () => {
    const limit = limitOf(1);
    for (let n = 0; n <= 10_000; n++) await limit.note(`key ${n}`, n);
    expect(await refusal(limit.check('key 0', 10_000))).toBeUndefined();
    expect(await refusal(limit.check('key 1', 10_000))).toBeDefined();
    expect(await refusal(limit.check('key 10000', 10_000))).toBeDefined();
  });
});

test.each([
  ['10.0.0.1', '10.0.0.1'],
  ['::ffff:10.0.0.1', '10.0.0.1'],
  ['2001:db8:0:1:aaaa::1', '2001:db8:0:1::/64'],
  ['2001:0db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
])('the client at %s is %s', (address, key) => {
  expect(clientKey(address)).toBe(key);
});
