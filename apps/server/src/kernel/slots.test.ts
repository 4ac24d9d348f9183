import { expect, test } from 'vitest';
import { PorticoError } from './errors.ts';
import { Slots } from './slots.ts';

test('each tenant has its own slots, which are given back once', () => {
  const slots = new Slots({ ofTenant: 2 }, 'pieces of work');
  const [one] = [slots.take(1, 7), slots.take(1, 7)];
  expect(() => slots.take(1, 8)).toThrow(PorticoError);
  expect(() => slots.take(1, 8)).toThrow('2 pieces of work of this tenant are running; retry in 5 seconds.');
  const other = slots.take(2, 7);
  one();
  one();
  slots.take(1, 7);
  expect(() => slots.take(1, 7)).toThrow(PorticoError);
  other();
  expect(slots.take(2, 7)).toBeTypeOf('function');
});

test('an account cannot hold those of its tenant, nor a tenant those of the node', () => {
  const slots = new Slots({ ofAccount: 1, ofTenant: 2, ofNode: 3 }, 'pieces of work');
  const one = slots.take(1, 7);
  expect(() => slots.take(1, 7)).toThrow(
    'of this account are running; end one, or wait until one has ended, and retry',
  );
  slots.take(1, 8);
  expect(() => slots.take(1, 9)).toThrow('of this tenant');
  slots.take(2, 7);
  expect(() => slots.take(3, 7)).toThrow('of all tenants');
  one();
  slots.take(3, 7);
});
