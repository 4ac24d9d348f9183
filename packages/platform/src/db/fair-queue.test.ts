/** Order of the grants of connections. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FairQueue, type Requester } from './fair-queue.ts';

/** A queue on a clock of its own, and who was served in which order. */
function queueOf(size: number, busy: readonly number[] = []) {
  let now = 0;
  const queue = new FairQueue(
    size,
    () => now,
    (tenant) => busy.includes(tenant),
  );
  const served: string[] = [];
  const ask = (name: string, tenant: number | undefined, user?: number, writes = false, brief = false) => {
    const requester: Requester = {
      ...(brief && { brief }),
      ...(tenant !== undefined && { tenant }),
      ...(user !== undefined && { user }),
      writes,
    };
    return { requester, giveUp: queue.acquire(requester, () => served.push(name)) };
  };
  const pass = (ms: number) => {
    now += ms;
  };
  return { queue, served, ask, pass };
}

const times = <T>(count: number, work: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => work(index));

describe('connections are shared by tenant', () => {
  it('gives a tenant alone all but the one that is kept for others', () => {
    const { queue, ask } = queueOf(10);
    times(64, () => ask('a', 1, 7));
    expect([queue.heldBy(1), queue.waiting]).toEqual([9, 55]);
  });

  it('serves another tenant at once, whatever the first one asked for', () => {
    const { queue, served, ask } = queueOf(10);
    times(64, () => ask('a', 1, 7));
    ask('b', 2, 8);
    expect(served.at(-1)).toBe('b');
    expect(queue.held).toBe(10);
  });

  it('leaves a tenant no more than a third while another one asks', () => {
    const { queue, ask, pass } = queueOf(10);
    const asked = times(64, () => ask('a', 1, 7));
    const other = ask('b', 2, 8);
    queue.release(other.requester);
    for (const { requester } of asked.slice(0, 9)) queue.release(requester);
    expect(queue.heldBy(1)).toBe(4);
    // Long after the other one has asked, all are its again.
    pass(60_000);
    queue.release(asked[9]!.requester);
    expect(queue.heldBy(1)).toBe(9);
  });

  it('starts one read at a time for a tenant that keeps the main thread busy, while another one asks', () => {
    const { queue, served, ask, pass } = queueOf(10, [1]);
    const reads = times(8, (index) => ask(`read ${index}`, 1, 7, false, true));
    expect(queue.heldBy(1)).toBe(8);
    ask('b', 2, 8, false, true);
    for (const { requester } of reads) queue.release(requester);
    const next = times(3, (index) => ask(`next ${index}`, 1, 7, false, true));
    expect(served.slice(-2)).toEqual(['b', 'next 0']);
    // A snapshot, and a write, do not stand behind them.
    ask('snapshot', 1, 7);
    ask('write', 1, 7, true);
    expect(served.slice(-2)).toEqual(['snapshot', 'write']);
    queue.release(next[0]!.requester);
    expect(served.at(-1)).toBe('next 1');
    // A read that takes long waits for the database, not for the thread.
    pass(1_000);
    ask('c', 2, 8, false, true);
    expect(served.slice(-2)).toEqual(expect.arrayContaining(['next 2', 'c']));
  });

  it('goes round tenants and users, so that who asks much waits longer', () => {
    const { queue, served, ask } = queueOf(2);
    const first = [ask('first', 1, 1), ask('second', 3, 1)];
    times(20, (index) => ask(`a${index}`, 1, 7));
    ask('c', 1, 9);
    ask('b', 2, 8);
    for (const { requester } of first) queue.release(requester);
    expect(served.slice(2)).toEqual(expect.arrayContaining(['b']));
    queue.release({ tenant: 2, user: 8, writes: false });
    queue.release({ tenant: 1, user: 7, writes: false });
    queue.release({ tenant: 1, user: 9, writes: false });
    expect(served.slice(2, 5)).toEqual(expect.arrayContaining(['b', 'a0', 'c']));
  });

  it('serves the registry of tenants before anybody else, with the one that is kept', () => {
    const { served, ask } = queueOf(4);
    times(20, () => ask('a', 1, 7));
    ask('registry', undefined);
    expect(served.filter((name) => name === 'registry')).toHaveLength(1);
  });

  it('keeps a quarter for reads while writes wait', () => {
    const { queue, served, ask } = queueOf(8);
    times(30, () => ask('write', 1, 7, true));
    expect([queue.heldBy(1), queue.waiting]).toEqual([5, 25]);
    ask('read', 1, 9);
    expect(served.at(-1)).toBe('read');
  });

  it('forgets who gave up', () => {
    const { queue, served, ask } = queueOf(1);
    const first = ask('first', 1, 1);
    const second = ask('second', 1, 2);
    ask('third', 1, 3);
    expect(second.giveUp()).toBe(true);
    queue.release(first.requester);
    expect(served).toEqual(['first', 'third']);
    expect(second.giveUp()).toBe(false);
    expect(queue.waiting).toBe(0);
  });
});

it('never grants more than there is, and everybody in the end', () => {
  const requester = fc.record({
    tenant: fc.integer({ min: 1, max: 4 }),
    user: fc.integer({ min: 1, max: 3 }),
    writes: fc.boolean(),
  });
  const step = fc.oneof(requester, fc.constant('release' as const), fc.nat({ max: 20_000 }));
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 12 }), fc.array(step, { maxLength: 80 }), (size, steps) => {
      let now = 0;
      const queue = new FairQueue(size, () => now);
      const holding: Requester[] = [];
      let asked = 0;
      let granted = 0;
      const release = () => {
        const one = holding.shift();
        if (one) queue.release(one);
      };
      for (const one of steps) {
        if (one === 'release') release();
        else if (typeof one === 'number') now += one;
        else {
          asked++;
          queue.acquire(one, () => {
            granted++;
            holding.push(one);
          });
        }
        expect(queue.held).toBe(holding.length);
        expect(queue.held).toBeLessThanOrEqual(size);
      }
      while (holding.length > 0) release();
      expect(granted).toBe(asked);
      expect([queue.held, queue.waiting]).toEqual([0, 0]);
    }),
  );
});
