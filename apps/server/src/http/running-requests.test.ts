/** Requests in progress of an account. */

import { CallerGone } from '@portico/platform/db/connection-pool';
import { expect, it } from 'vitest';
import { LocalLimits } from '../kernel/node-limits.ts';
import { RunningRequests } from './running-requests.ts';

const forever = new AbortController().signal;

it('refuses requests beyond the bound of an account, and takes them again when one has ended', async () => {
  const requests = new RunningRequests(new LocalLimits(), 2);
  const ends = [await requests.begin('1:1'), await requests.begin('1:1')];
  await expect(requests.begin('1:1')).rejects.toMatchObject({ code: 'TOO_MANY_AT_ONCE', status: 429 });
  const other = await requests.begin('1:2');
  ends[0]!();
  ends.push(await requests.begin('1:1'));
  await expect(requests.begin('1:1')).rejects.toThrow();
  for (const end of [...ends.slice(1), other]) end();
  await requests.begin('1:1');
});

it('works on few requests of an account at once, in the order of their arrival', async () => {
  const requests = new RunningRequests(new LocalLimits(), 100);
  let running = 0;
  let most = 0;
  const order: number[] = [];
  const run = async (number: number) => {
    const end = await requests.begin('1:1');
    await requests.run('1:1', 'read', forever, async () => {
      order.push(number);
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
    });
    end();
  };
  await Promise.all(Array.from({ length: 50 }, (_, number) => run(number)));
  expect(most).toBe(8);
  expect(order).toEqual(Array.from({ length: 50 }, (_, number) => number));
});

it('gives the place of a request that ends to the one that waits, not to one that arrives then', async () => {
  const requests = new RunningRequests(new LocalLimits(), 100);
  const ends = await Promise.all(Array.from({ length: 10 }, () => requests.begin('1:1')));
  let running = 0;
  let most = 0;
  const counted = (until: Promise<unknown>) =>
    requests.run('1:1', 'read', forever, async () => {
      running += 1;
      most = Math.max(most, running);
      await until;
      running -= 1;
    });
  const { promise, resolve } = Promise.withResolvers<void>();
  const { promise: other, resolve: endOthers } = Promise.withResolvers<void>();
  const all = [counted(promise), ...Array.from({ length: 8 }, () => counted(other))];
  const late = all[0]!.then(() => counted(other));
  resolve();
  await all[0];
  endOthers();
  await Promise.all([...all, late]);
  expect(most).toBe(8);
  for (const end of ends) end();
});

it('gives up a request that waits when its client has gone, and serves the next ones', async () => {
  const requests = new RunningRequests(new LocalLimits(), 100);
  const { promise: blocked, resolve: unblock } = Promise.withResolvers<void>();
  for (let count = 0; count < 10; count++) await requests.begin('1:1');
  const running = Array.from({ length: 8 }, () => requests.run('1:1', 'read', forever, () => blocked));
  const gone = new AbortController();
  const waiting = requests.run('1:1', 'read', gone.signal, async () => 'served');
  const next = requests.run('1:1', 'read', forever, async () => 'served');
  expect(await requests.run('1:1', 'write', forever, async () => 'a write')).toBe('a write');
  gone.abort(new CallerGone());
  await expect(waiting).rejects.toMatchObject({ name: 'DatabaseUnavailable' });
  unblock();
  await Promise.all(running);
  expect(await next).toBe('served');
});
