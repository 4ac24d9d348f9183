import { afterEach, expect, test, vi } from 'vitest';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('returns that follow failures at once are told after pauses that double, up to a minute', async () => {
  vi.useFakeTimers();
  vi.stubGlobal('window', new EventTarget());
  vi.stubGlobal('navigator', { onLine: true });
  let fails = false;
  vi.stubGlobal('fetch', async () => {
    if (fails) throw new TypeError('Failed to fetch');
    return new Response();
  });
  const { isReachable, onReturn, watchedFetch } = await import('./connection.ts');
  const toldAt: number[] = [];
  const begin = performance.now();
  onReturn(() => toldAt.push(Math.round((performance.now() - begin) / 1_000)));
  const ask = async (failing: boolean) => {
    fails = failing;
    await watchedFetch('/', {}).catch(() => undefined);
  };
  // One address fails and another answers, ten times a second.
  for (let tenths = 0; tenths < 3_000; tenths++) {
    await ask(true);
    expect(isReachable()).toBe(false);
    await ask(false);
    expect(isReachable()).toBe(true);
    await vi.advanceTimersByTimeAsync(100);
  }
  expect(toldAt).toEqual([0, 4, 12, 28, 60, 120, 180, 240, 300].slice(0, toldAt.length));
  expect(toldAt.length).toBeGreaterThanOrEqual(8);
  // After a quiet time a return is told at once.
  await vi.advanceTimersByTimeAsync(200_000);
  const before = toldAt.length;
  await ask(true);
  await ask(false);
  await vi.advanceTimersByTimeAsync(0);
  expect(toldAt).toHaveLength(before + 1);
});
