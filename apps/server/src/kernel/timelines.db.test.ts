/** Caches of a tenant that moves to a server with an earlier timeline, as between nodes of a cluster: versions seem to fall. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { testSealer } from '../../test/support/encryption.ts';
import { createTestPortal, type TestPortal } from '../../test/support/index.ts';
import { createTestWorld, type TestWorld } from '../../test/support/test-world.ts';
import { rotateKey } from '../operator/keys.ts';

let portal: TestPortal;
let world: TestWorld;

beforeAll(async () => {
  portal = await createTestPortal();
});
beforeEach(async () => {
  await onTimeline(7);
  world = await createTestWorld(portal);
});
afterAll(() => portal?.close());

/** As if another server held the tenants. */
async function onTimeline(timeline: number): Promise<void> {
  await portal.owner.query(
    `CREATE OR REPLACE FUNCTION portico_timeline(tenant_id bigint) RETURNS bigint LANGUAGE plpgsql STABLE
       AS $$ BEGIN RETURN ${timeline}; END $$`,
  );
}

test('a definition that is changed after the move is read anew, and kept', async () => {
  const { people, communityId, tenant } = world;
  const read = async () =>
    (await world.ok(people.reader, 'GET', `settings/communities/${communityId}/post-definition`)).titleEnabled;
  const before = await read();
  await onTimeline(3);
  const path = `/portal/api/admin/manage/communities/${communityId}`;
  const { occToken } = (await tenant.request(people.admin, 'GET', path)).body;
  const edited = await tenant.request(people.admin, 'PUT', path, { name: 'News', titleEnabled: 2, occToken });
  expect([before, edited.status], edited.text).toEqual([1, 200]);
  expect(await read()).toBe(2);
  portal.takeStatements();
  await read();
  expect(portal.takeStatements().filter((statement) => statement.includes('FROM communities'))).toEqual([]);
});

test('a token is refused whose signing key was withdrawn after the move', async () => {
  const { people, tenant } = world;
  const token = { Authorization: `Bearer ${await tenant.token(people.reader)}` };
  const ask = async () =>
    (await tenant.request(null, 'GET', '/portal/api/core/auth/current-user-data', undefined, token)).status;
  expect(await ask()).toBe(200);
  await onTimeline(3);
  expect(await ask()).toBe(200);
  await rotateKey(world.db, testSealer, 'signing', Date.now(), { withdrawOthers: true });
  expect(await ask()).toBe(401);
});
