import { describe, expect, test } from 'vitest';
import { clientKey, FailureLimit } from './failure-limit.ts';

const refusal = (work: () => void) => {
  try {
    work();
  } catch (error) {
    return error as { code: string; headers: Record<string, string> };
  }
  return undefined;
};

describe('failures of a minute', () => {
  test('are refused from the limit on, of one key, until the minute is over', () => {
    const limit = new FailureLimit(3);
    for (const at of [0, 10_000, 20_000]) {
      expect(refusal(() => limit.check('a', at))).toBeUndefined();
      limit.note('a', at);
    }
    expect(refusal(() => limit.check('a', 20_500))).toMatchObject({
      code: 'RATE_LIMITED',
      headers: { 'Retry-After': '40' },
    });
    expect(refusal(() => limit.check('b', 20_500))).toBeUndefined();
    expect(refusal(() => limit.check('a', 60_000))).toBeUndefined();
    limit.note('a', 60_000);
    expect(refusal(() => limit.check('a', 60_001))).toBeUndefined();
  });

  test('have no limit at 0', () => {
    const limit = new FailureLimit(0);
    for (let n = 0; n < 100; n++) limit.note('a', 0);
    expect(refusal(() => limit.check('a', 0))).toBeUndefined();
  });

  test('of ten thousand keys are remembered, the newest', () => {
    const limit = new FailureLimit(1);
    for (let n = 0; n <= 10_000; n++) limit.note(`key ${n}`, n);
    expect(refusal(() => limit.check('key 0', 10_000))).toBeUndefined();
    expect(refusal(() => limit.check('key 1', 10_000))).toBeDefined();
    expect(refusal(() => limit.check('key 10000', 10_000))).toBeDefined();
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
