/** Turns on the main thread by use. */
import { describe, expect, it } from 'vitest';
import { MainThread, type Requester, runFor, SLICE_MS } from './main-thread.ts';
import { mapInTurns, Turns } from './turns.ts';

const HEAVY: Requester = { tenant: 1, user: 1 };
const LIGHT: Requester = { tenant: 2, user: 2 };

/** Moment of the clock of these tests, in milliseconds. It moves only when work uses time. */
let moment = 0;
const newThread = () => new MainThread(() => moment);

/** Lets time pass on the clock of these tests. @param ms milliseconds */
function use(ms: number): void {
  moment += ms;
}

/** Uses processor time. @param ms milliseconds */
function spend(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

/** Resolves when due callbacks, and the promises that they resolve, have run. */
const turned = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Counts time for a requester as a callback of the event loop would use it. */
async function used(thread: MainThread, requester: Requester, ms: number): Promise<void> {
  await turned();
  thread.enter(requester);
  use(ms);
  await turned();
}

describe('the main thread', () => {
  it('counts the time until a callback has ended, with what awaited it, for its requester alone', async () => {
    const thread = newThread();
    await turned();
    const awaited = Promise.resolve().then(() => use(20));
    thread.enter(HEAVY);
    use(20);
    await awaited;
    await turned();
    use(30);
    await turned();
    const counted = thread.usedBy(1);
    expect(counted).toBeGreaterThan(30);
    thread.enter(LIGHT);
    await turned();
    expect(thread.usedBy(1)).toBeLessThanOrEqual(counted);
    expect(thread.usedBy(2)).toBe(0);
  });

  it('lets a tenant that used little go on while others wait', async () => {
    const thread = newThread();
    await used(thread, HEAVY, 200);
    const waiting = thread.wait(HEAVY);
    expect(thread.turn(LIGHT)).toBeUndefined();
    expect(thread.turn(HEAVY)).toBeInstanceOf(Promise);
    await waiting;
  });

  it('serves first who used least, by tenant and then by account', async () => {
    const thread = newThread();
    const accounts: [string, Requester, number][] = [
      ['much of tenant 1', { tenant: 1, user: 1 }, 90],
      ['little of tenant 1', { tenant: 1, user: 2 }, 10],
      ['tenant 3', { tenant: 3, user: 3 }, 50],
    ];
    for (const [, requester, ms] of accounts) await used(thread, requester, ms);
    const served: string[] = [];
    await Promise.all(
      accounts.map(async ([name, requester]) => {
        await thread.wait(requester);
        served.push(name);
        use(SLICE_MS);
      }),
    );
    expect(served).toEqual(['tenant 3', 'little of tenant 1', 'much of tenant 1']);
    expect(thread.waiting).toBe(0);
  });

  it('turns the event loop when a slice is used, however many wait', async () => {
    const thread = newThread();
    let turns = 0;
    let counting = true;
    const count = () => {
      turns += 1;
      if (counting) setImmediate(count);
    };
    setImmediate(count);
    const at: number[] = [];
    await Promise.all(
      Array.from({ length: 10 }, async () => {
        await thread.wait(HEAVY);
        at.push(turns);
        use(SLICE_MS);
      }),
    );
    counting = false;
    expect(new Set(at).size).toBe(10);
  });

  it('serves everybody in the end, and forgets who used next to nothing', async () => {
    const thread = newThread();
    const served = new Set<number>();
    await Promise.all(
      Array.from({ length: 3_000 }, async (_, tenant) => {
        await thread.wait({ tenant: tenant + 1 });
        served.add(tenant);
      }),
    );
    expect(served.size).toBe(3_000);
  });
});

describe('long work', () => {
  it('maps in parts, in order, and leaves out what is undefined', async () => {
    const parts = new Set<number>();
    let turn = 0;
    const timer = setInterval(() => (turn += 1), 0);
    const mapped = await runFor(HEAVY, () =>
      mapInTurns([1, 2, 3, 4], (one) => {
        parts.add(turn);
        spend(3 * SLICE_MS);
        return one === 2 ? undefined : one * 10;
      }),
    );
    clearInterval(timer);
    expect(mapped).toEqual([10, 30, 40]);
    expect(parts.size).toBeGreaterThan(1);
  });

  it('is over after a slice', () => {
    const turns = new Turns(HEAVY);
    expect(turns.isOver).toBe(false);
    spend(2 * SLICE_MS);
    expect(turns.isOver).toBe(true);
  });
});
