/** A copy is the same portal: ids, tokens, numbers of new rows, the place of followers in the stream. */
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/support/cluster.ts';
import { createTestPortal, type TestPortal } from '../../../test/support/index.ts';
import { createTestWorld, type TestWorld } from '../../../test/support/test-world.ts';
import { sequenceChanges } from '../../modules/records/index.ts';
import { copyDatabase } from './copy-database.ts';

let world: TestWorld;
let target: TestDatabase;
let copy: TestPortal | undefined;

beforeAll(async () => {
  world = await createTestWorld(await createTestPortal({}));
  target = await createTestDatabase();
});
afterAll(async () => {
  if (copy) await copy.close();
  else await target.drop();
  await world.portal.close();
});

const COMMUNICATION = '/portal/api/external/v2/communication';

const copied = () => copyDatabase(world.portal.database.owner, target.owner, () => undefined);

test('nothing is copied while a node is connected', async () => {
  const node = new pg.Client({ ...world.portal.database.service, application_name: 'portico schema 1' });
  await node.connect();
  await expect(copied()).rejects.toThrow('stop all of them first');
  await node.end();
});

test('the copy answers old tokens, gives ids that go on, and continues the stream', async () => {
  const { people, portal, tenant } = world;
  const post = await world.post(people.author, { title: 'A tab\t, a line\nand a \\ of the first' });
  await tenant.settleStream();
  const syncToken = (await world.ok(people.reader, 'POST', 'posts/data/global-stream', {})).nextSyncToken;
  const later = await world.post(people.author, { title: 'Not yet told' });
  // A transaction id that the other server may not have reached, and a change of a definition that began before it.
  await world.db.execute(
    `UPDATE changes SET seq = NULL, xid = '4611686018427387904'::xid8 WHERE tenant_id = $1 AND post_id = $2`,
    [world.db.tenantId, later],
  );
  const mark = { xid: '4611686018427387904', node: 0, at: 1 };
  await world.db.execute(
    `INSERT INTO definition_changes (tenant_id, community_id, kind, details, started_by, started_at)
     VALUES ($1, $2, 'index', $3, $4, now())`,
    [world.db.tenantId, world.communityId, JSON.stringify({ mark, pass: { mark } }), people.author],
  );
  const bearer = `Bearer ${await tenant.token(people.reader)}`;
  const read = async ({ app }: TestPortal, method: 'GET' | 'POST', path: string) =>
    app.inject({
      method,
      url: `${COMMUNICATION}/${path}`,
      headers: { host: tenant.host, authorization: bearer },
      ...(method === 'POST' && { payload: {} }),
    });
  const before = await read(portal, 'GET', `posts/data/post-detail-by-id/${post}`);
  expect(before.statusCode, before.body).toBe(200);

  const report = await copied();
  expect(report.rows).toBeGreaterThan(20);
  await expect(copied()).rejects.toThrow('is not empty');
  // On a cluster the end of the test compares transaction ids.
  await world.db.execute('DELETE FROM changes WHERE tenant_id = $1 AND seq IS NULL', [world.db.tenantId]);

  copy = await createTestPortal({ database: target, bystander: false });
  expect(await forcedTables(copy)).toBe(await forcedTables(portal));
  const after = await read(copy, 'GET', `posts/data/post-detail-by-id/${post}`);
  const { viewsCount, viewedByUsersCount, ...same } = before.json();
  expect(after.json()).toMatchObject(same);
  expect([viewsCount, viewedByUsersCount]).toEqual([1, 1]);
  const db = copy.services.databases.for(world.db.tenantId);
  // Ids of transactions begin anew there: by its mark the change takes every write for later.
  const [change] = await db.query('SELECT details FROM definition_changes WHERE tenant_id = $1', [db.tenantId]);
  expect(change).toEqual({ details: { mark: { ...mark, node: -1 }, pass: { mark: { ...mark, node: -1 } } } });
  await sequenceChanges(db);
  const told = await read(copy, 'POST', `posts/data/global-stream?${new URLSearchParams({ syncToken })}`);
  expect(told.statusCode, told.body).toBe(200);
  expect(told.json().items.map(({ id }: { id: number }) => id)).toEqual([later]);
  const [next] = (await copy.owner.query(`SELECT nextval('posts_id_seq') AS id`)).rows;
  expect(Number(next.id)).toBeGreaterThan(later);
});

/** How many tables bind their owner by row security. */
async function forcedTables({ owner }: TestPortal): Promise<number> {
  const { rows } = await owner.query(
    `SELECT count(*)::int AS count FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relforcerowsecurity`,
  );
  return rows[0].count;
}
