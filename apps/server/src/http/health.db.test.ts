/** /readyz where a disk is full. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestPortal, type TestPortal } from '../../test/support/index.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await createTestPortal();
});
afterAll(async () => {
  await portal.close();
});

const ready = async (of: TestPortal) => {
  const answer = await of.app.inject({ url: '/readyz', headers: { host: 'localhost' } });
  return [answer.statusCode, answer.json()];
};

test('stays ready and says that writes are refused while the database cannot write a temporary file', async () => {
  const { user, database } = portal.database.service;
  // Like a full disk, this makes the database refuse statements that take room.
  const limit = (to: string) => portal.owner.query(`ALTER ROLE "${user}" IN DATABASE "${database}" ${to}`);
  expect(await ready(portal)).toEqual([200, { status: 'ok' }]);
  await limit('SET temp_file_limit = 0');
  try {
    await portal.owner.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1 AND datname = $2',
      [user, database],
    );
    await expect
      .poll(() => ready(portal), { timeout: 20_000 })
      .toEqual([200, { status: 'ok', uploads: 'refused', writes: 'refused' }]);
  } finally {
    await limit('RESET temp_file_limit');
  }
  await portal.owner.query(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1 AND datname = $2',
    [user, database],
  );
  await expect.poll(() => ready(portal), { timeout: 20_000 }).toEqual([200, { status: 'ok' }]);
});

test('asks the database for room once, however many probes there are at a time', async () => {
  const { user, database } = portal.database.service;
  const files = async () => {
    const { rows } = await portal.owner.query<{ files: number }>(
      'SELECT temp_files::int AS files FROM pg_stat_database WHERE datname = $1',
      [database],
    );
    return rows[0]!.files;
  };
  await portal.owner.query('SELECT pg_stat_reset()');
  await Promise.all(Array.from({ length: 200 }, () => portal.services.monitor.hasRoom()));
  // Figures of a connection are certain to be there once it has ended.
  await portal.owner.query(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1 AND datname = $2',
    [user, database],
  );
  expect(await files()).toBeLessThanOrEqual(2);
});
