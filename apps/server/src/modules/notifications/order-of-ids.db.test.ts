/** Order of the ids of notifications, with several nodes. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createTestPortal,
  createTestWorld,
  type TestPortal,
  type TestWorld,
} from '../../../test/support/test-world.ts';
import { deliverNotifications } from './deliver-notifications.ts';
import { notifiedAfter } from './notifications.repository.ts';

let portal: TestPortal;
let world: TestWorld;

beforeAll(async () => {
  portal = await createTestPortal();
  world = await createTestWorld(portal);
});
afterAll(() => portal?.close());

const deliver = () => deliverNotifications(world.db, Date.now());
const mention = (userId: number) => ({
  description: JSON.stringify([{ insert: { mention: { id: userId, value: 'Somebody' } } }, { insert: '\n' }]),
  descriptionFormat: 1,
});

test('who follows the ids misses nobody, however many nodes write notifications', async () => {
  const { people } = world;
  const { owner } = portal;
  const { last } = await notifiedAfter(world.db, undefined);
  const first = await world.post(people.author, mention(people.reader));
  const waiting = async () => {
    const rows = await world.db.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return rows.length;
  };
  await owner.query('BEGIN');
  await owner.query(`SELECT set_config('app.tenant_id', $1, true)`, [String(world.db.tenantId)]);
  const nodes: Promise<unknown>[] = [];
  let told: Awaited<ReturnType<typeof notifiedAfter>>;
  try {
    await owner.query('SELECT FROM posts WHERE tenant_id = $1 AND id = $2 FOR UPDATE', [world.db.tenantId, first]);
    nodes.push(deliver());
    await expect.poll(waiting).toBe(1);
    // Its ids are allocated but not committed when another node writes notifications.
    await world.post(people.author, mention(people.contributor));
    const second = deliver();
    nodes.push(second);
    await Promise.race([second, expect.poll(waiting).toBe(2)]);
    told = await notifiedAfter(world.db, last);
  } finally {
    await owner.query('ROLLBACK');
  }
  await Promise.all(nodes);
  const { userIds } = await notifiedAfter(world.db, told.last);
  expect(new Set([...told.userIds, ...userIds])).toEqual(new Set([people.reader, people.contributor]));
});
