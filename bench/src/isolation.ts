/**
 * Cost of isolation per read: the same 15-row page as the owner without row security, and as the
 * service's role in both scope modes, alternating in one run. Prints reads per second and the ratio
 * to the first.
 */

import { createTestDatabase, createTestTenantRows, ScopedPool, startTestCluster } from '@portico/server/testing';
import pg from 'pg';

const ROWS = 20_000;
const ROUNDS = 7;
const READS = 3_000;
const PAGE = `SELECT id, first_name, last_name, contact_email FROM users
  WHERE tenant_id = $1 AND (last_key, first_key, id) > ($2, $3, $4) ORDER BY last_key, first_key, id LIMIT 15`;

export async function measureIsolation(): Promise<void> {
  const { cluster, stop } = await startTestCluster();
  const database = await createTestDatabase(cluster);
  const tenantId = await createTestTenantRows(database, ROWS);
  const bare = new pg.Pool({ ...database.owner, max: 10 });
  await bare.query('ALTER TABLE users NO FORCE ROW LEVEL SECURITY');
  const connection = new ScopedPool({ connection: database.service, mode: 'connection', max: 10 });
  const transaction = new ScopedPool({ connection: database.service, mode: 'transaction', max: 10 });
  const key = () => [tenantId, String.fromCharCode(97 + Math.floor(Math.random() * 26)), '', 0];
  const ways: Record<string, () => Promise<unknown>> = {
    'owner, no row security, named': () => bare.query({ name: 'page', text: PAGE, values: key() }),
    'owner, no row security, unnamed': () => bare.query(PAGE, key()),
    'service, scope per connection': () => connection.withConnection(tenantId, {}, (c) => c.query(PAGE, key())),
    'service, scope per transaction': () => transaction.withConnection(tenantId, {}, (c) => c.query(PAGE, key())),
  };
  const rates = new Map<string, number[]>(Object.keys(ways).map((name) => [name, []]));
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [name, read] of Object.entries(ways)) {
      const started = performance.now();
      let sent = 0;
      await Promise.all(
        Array.from({ length: 10 }, async () => {
          while (sent++ < READS) await read();
        }),
      );
      if (round > 0) rates.get(name)!.push((READS / (performance.now() - started)) * 1000);
    }
  }
  const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number;
  const limit = median(rates.values().next().value as number[]);
  for (const [name, values] of rates) {
    process.stdout.write(
      `${name.padEnd(36)} ${Math.round(median(values)).toString().padStart(6)} reads/s  ${((median(values) / limit) * 100).toFixed(0)}%\n`,
    );
  }
  await Promise.all([bare.end(), connection.end(), transaction.end()]);
  await database.drop();
  await stop();
}
