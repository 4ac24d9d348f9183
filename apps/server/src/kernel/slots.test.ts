import { expect, test } from 'vitest';
import { PorticoError } from './errors.ts';
import { LocalLimits } from './node-limits.ts';
import { Slots } from './slots.ts';

test('each tenant has its own slots, which are given back once', async () => {
  const node = new LocalLimits();
  const slots = new Slots({ ofTenant: 2 }, 'pieces of work');
  const [one] = await Promise.all([slots.take(node, 1, 7), slots.take(node, 1, 7)]);
  await expect(slots.take(node, 1, 8)).rejects.toThrow(PorticoError);
  await expect(slots.take(node, 1, 8)).rejects.toThrow(
    '2 pieces of work of this tenant are running; retry in 5 seconds.',
  );
  const other = await slots.take(node, 2, 7);
  one();
  one();
  await slots.take(node, 1, 7);
  await expect(slots.take(node, 1, 7)).rejects.toThrow(PorticoError);
  other();
  expect(await slots.take(node, 2, 7)).toBeTypeOf('function');
});

test('an account cannot hold those of its tenant, nor a tenant those of the node', async () => {
  const node = new LocalLimits();
  const slots = new Slots({ ofAccount: 1, ofTenant: 2, ofNode: 3 }, 'pieces of work');
  const one = await slots.take(node, 1, 7);
  await expect(slots.take(node, 1, 7)).rejects.toThrow(
    'of this account are running; end one, or wait until one has ended, and retry',
  );
  await slots.take(node, 1, 8);
  await expect(slots.take(node, 1, 9)).rejects.toThrow('of this tenant');
  await slots.take(node, 2, 7);
  await expect(slots.take(node, 3, 7)).rejects.toThrow('of all tenants');
  one();
  await slots.take(node, 3, 7);
});
