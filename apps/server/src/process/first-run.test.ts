/** Lines that a start prints. */
import { expect, test } from 'vitest';
import { listOfTenants } from './first-run.ts';

test('a start names ten tenants at most, and says how many there are', () => {
  const names = Array.from({ length: 200 }, (_, index) => `t${index + 1}`);
  expect(listOfTenants(names.slice(0, 10))).toBe('Tenants: t1, t2, t3, t4, t5, t6, t7, t8, t9, t10');
  expect(listOfTenants(names)).toBe(
    'Tenants: 200, such as t1, t2, t3, t4, t5, t6, t7, t8, t9, t10; "portico admin tenant list" lists all.',
  );
});
