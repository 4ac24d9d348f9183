import { expect, it } from 'vitest';
import { Turns } from './turns.ts';

const EVERY = 2_000;
const nothing = () => undefined;

it('looks after each tenant of a small installation in each round', async () => {
  const turns = new Turns(EVERY);
  await turns.done(7, 1_000_000, { tenants: 100, more: false, next: nothing });
  expect(turns.has(7, 1_000_000 + EVERY, false)).toBe(true);
});

it('looks after a tenant that is not in use when as much time has passed as there are tenants', async () => {
  const turns = new Turns(EVERY);
  const now = 1_000_000;
  expect(turns.has(7, now, false)).toBe(true);
  await turns.done(7, now, { tenants: 10_000, more: false, next: nothing });
  expect(turns.has(7, now + 199_999, false)).toBe(false);
  expect(turns.has(7, now + 199_999, true)).toBe(true);
  expect(turns.has(7, now + 200_000, false)).toBe(true);
});

it('does not let what is due or unfinished wait for that', async () => {
  const turns = new Turns(EVERY);
  const now = 1_000_000;
  await turns.done(7, now, { tenants: 10_000, more: false, next: async () => now + 5_000 });
  expect(turns.has(7, now + 4_999, false)).toBe(false);
  expect(turns.has(7, now + 5_000, false)).toBe(true);
  await turns.done(7, now + 5_000, { tenants: 10_000, more: true, next: nothing });
  expect(turns.has(7, now + 7_000, false)).toBe(true);
});
