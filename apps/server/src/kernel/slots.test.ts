import { expect, test } from 'vitest';
import { PorticoError } from './errors.ts';
import { Slots } from './slots.ts';

test('each tenant has its own slots, which are given back once', () => {
  const slots = new Slots(2, 'pieces of work');
  const [one] = [slots.take(1), slots.take(1)];
  expect(() => slots.take(1)).toThrow(PorticoError);
  expect(() => slots.take(1)).toThrow('2 pieces of work of this tenant are running');
  const other = slots.take(2);
  one();
  one();
  slots.take(1);
  expect(() => slots.take(1)).toThrow(PorticoError);
  other();
  expect(slots.take(2)).toBeTypeOf('function');
});
