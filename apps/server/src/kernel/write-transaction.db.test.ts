/** Writes within one transaction: a rejected write undoes its own changes and no others. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestPortal, type TestPortal } from '../../test/support/index.ts';
import { createTestWorld, type TestWorld } from '../../test/support/test-world.ts';
import { joining, writeTransaction } from './access/index.ts';

let portal: TestPortal;
let world: TestWorld;

beforeAll(async () => {
  portal = await createTestPortal();
  world = await createTestWorld(portal);
});
afterAll(() => portal?.close());

test('a write is undone whole, also after one within it was refused', async () => {
  const scope = await world.scope(world.people.author);
  const rename = (
    write: { tx: typeof world.db | { tenantId: number; execute: typeof world.db.execute } },
    name: string,
  ) => write.tx.execute('UPDATE groups SET name = $2 WHERE tenant_id = $1', [write.tx.tenantId, name]);
  await world.db.transaction(async (tx) => {
    const outer = writeTransaction({ ...scope, db: tx }, 'none', async (write) => {
      await rename(write, 'outer');
      const inner = writeTransaction(joining(write), 'none', async (within) => {
        await rename(within, 'inner');
        throw new Error('refused within');
      });
      await expect(inner).rejects.toThrow('refused within');
      throw new Error('refused');
    });
    await expect(outer).rejects.toThrow('refused');
  });
  expect(await world.rows('SELECT name FROM groups WHERE tenant_id = $1')).toEqual([{ name: 'Editors' }]);
});
