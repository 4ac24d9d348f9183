/**
 * The databases of tests: clones of one migrated template on the cluster of the run, which start-cluster.ts starts.
 */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { ServiceLogin } from '../../src/schema/migrate.ts';
import { type CitusCluster, cloneCitusDatabase, dropCitusDatabase } from './citus.ts';
import { testSealer } from './encryption.ts';

/** How a test process reaches the run's cluster; handed over in an environment variable. */
export interface TestCluster {
  /** The owner's connection string, any database. */
  ownerUrl: string;
  template: string;
  service: ServiceLogin;
  /** The nodes, when the cluster has Citus; `ownerUrl` is at the coordinator. */
  citus?: CitusCluster;
}

/** A clone of the template that belongs to one test file. */
export interface TestDatabase {
  name: string;
  owner: pg.ClientConfig;
  service: pg.ClientConfig;
  drop(): Promise<void>;
}

export async function createTestDatabase(cluster = currentCluster()): Promise<TestDatabase> {
  const name = `${cluster.template}_${randomBytes(5).toString('hex')}`;
  const { citus } = cluster;
  if (citus) await cloneCitusDatabase(citus, cluster.template, name);
  else
    await asOwner(cluster.ownerUrl, undefined, (client) =>
      client.query(`CREATE DATABASE ${name} TEMPLATE ${cluster.template} STRATEGY file_copy`),
    );
  const owner = configOf(cluster.ownerUrl, name);
  return {
    name,
    owner,
    service: { ...owner, user: cluster.service.user, password: cluster.service.password },
    drop: async () => {
      if (citus) {
        await requireOwnTransactions(owner);
        return dropCitusDatabase(citus, name);
      }
      await asOwner(cluster.ownerUrl, undefined, (client) =>
        client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
      );
    },
  };
}

/**
 * Starts an embedded cluster for one test file and returns a migrated database on it; dropping the database ends the
 * cluster. For files that wait until no transaction of the cluster is open, which others' would hold up. Where the run has
 * a cluster that the environment names, the database is on that one.
 */
export async function createDatabaseOnOwnCluster(): Promise<TestDatabase> {
  if (process.env['PORTICO_TEST_CITUS'] || process.env['DATABASE_URL']) return createTestDatabase();
  const { startTestCluster } = await import('./start-cluster.ts');
  const { cluster, stop } = await startTestCluster();
  const database = await createTestDatabase(cluster);
  return { ...database, drop: stop };
}

/**
 * Largest distance between the id of a transaction and the ids of writes after its savepoints,
 * which come shortly after.
 */
const OF_ONE_TRANSACTION = 5_000;

/**
 * Compares the transaction ids in change rows with the transactions that wrote the rows, on the
 * nodes where they are. Numbered rows are written again, and rows that tests insert for other nodes
 * name no such transaction.
 * @throws Error when one differs
 */
async function requireOwnTransactions(owner: pg.ClientConfig): Promise<void> {
  const client = new pg.Client(owner);
  await client.connect();
  try {
    const { rows } = await client.query<{ result: string }>(`SELECT result FROM run_command_on_shards('changes', $$
      SELECT count(*) FROM %s c WHERE c.seq IS NULL AND c.node = (SELECT groupid FROM pg_dist_local_group)
         AND c.xmin::text::bigint - c.xid::text::bigint NOT BETWEEN 0 AND ${OF_ONE_TRANSACTION} $$)`);
    const wrong = rows.filter(({ result }) => result !== '0');
    if (wrong.length > 0)
      throw new Error(
        `change rows name other transactions than those that wrote them: ${wrong.map(({ result }) => result).join(', ')}`,
      );
  } finally {
    await client.end();
  }
}

/** The cluster that the run's global set-up made. */
export function currentCluster(): TestCluster {
  const text = process.env['PORTICO_TEST_CLUSTER'];
  if (!text) throw new Error('no test cluster: run the tests through vitest, whose global set-up starts one');
  return JSON.parse(text) as TestCluster;
}

/** A connection string as a pg configuration, for another database of the same server. */
export function configOf(url: string, database: string | undefined): pg.ClientConfig {
  const { host, port, user, password } = new pg.Client({ connectionString: url });
  return {
    host,
    port,
    ...(user && { user }),
    ...(password && { password }),
    database: database ?? new pg.Client({ connectionString: url }).database ?? 'postgres',
  };
}

export async function asOwner<T>(
  url: string,
  database: string | undefined,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(configOf(url, database));
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** A tenant with many people, by COPY-like bulk inserts: for measuring reads. @returns its id */
export async function createTestTenantRows(database: TestDatabase, people: number): Promise<number> {
  const { createTenant } = await import('../../src/modules/tenants/index.ts');
  const client = new pg.Client(database.owner);
  await client.connect();
  try {
    const { id } = await createTenant(client, testSealer, { name: 'measured', hosts: ['measured.test'] });
    await client.query(`SELECT set_config('app.tenant_id', $1, false)`, [String(id)]);
    await client.query(
      `INSERT INTO users (tenant_id, first_name, last_name, first_key, last_key, contact_email)
       SELECT $1, 'First' || n, 'Last' || n, 'first' || n, md5(n::text), 'user' || n || '@measured.test' FROM generate_series(1, $2::int) n`,
      [id, people],
    );
    await client.query('ANALYZE users');
    return id;
  } finally {
    await client.end();
  }
}
