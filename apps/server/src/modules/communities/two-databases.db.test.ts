import { expect, test } from 'vitest';
import { createTestPortal } from '../../../test/support/index.ts';
import { createStage } from './communities.fixture.ts';
import { getDefinition } from './definitions.ts';

test('a process that serves two databases keeps their definitions apart, though their ids and versions are equal', async () => {
  const portals = [await createTestPortal({}), await createTestPortal({})] as const;
  try {
    const [one, other] = [await createStage(portals[0]), await createStage(portals[1])];
    const ids = [await one.community('Of the one'), await other.community('Of the other')];
    expect(other.tenant.tenant.id).toBe(one.tenant.tenant.id);
    expect(ids[1]).toBe(ids[0]);

    const readers = [await one.admin(), await other.admin()] as const;
    expect(readers[1].definitionsVersion).toBe(readers[0].definitionsVersion);
    // The first turn reads both with a cold cache, the second from memory.
    for (let turn = 0; turn < 2; turn++) {
      const definitions = await Promise.all(readers.map((reader, index) => getDefinition(reader, ids[index]!)));
      expect(definitions.map((definition) => definition?.community.name)).toEqual(['Of the one', 'Of the other']);
    }
  } finally {
    await Promise.all(portals.map((portal) => portal.close()));
  }
});
