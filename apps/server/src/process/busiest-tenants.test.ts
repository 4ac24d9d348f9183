import { expect, test } from 'vitest';
import { BusiestTenants, OTHERS } from './busiest-tenants.ts';

test('names the busiest tenants and counts the others as one', () => {
  const busiest = new BusiestTenants(2);
  const names = (tenant: string, times: number) =>
    Array.from({ length: times }, () => busiest.count(tenant)).map(({ name }) => name);
  // The first are named until there is something to compare.
  expect(new Set(names('a', 10))).toEqual(new Set(['a']));
  expect(new Set(names('b', 10))).toEqual(new Set(['b']));
  expect(new Set(names('c', 5_000))).toEqual(new Set([OTHERS]));
  names('a', 4_979);
  const { name, dropped } = busiest.count('c');
  expect({ name, dropped }).toEqual({ name: 'c', dropped: ['b'] });
  expect(busiest.count('b').name).toBe(OTHERS);
  expect(busiest.count('a').name).toBe('a');
});
