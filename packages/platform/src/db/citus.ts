/**
 * Adapts a database with Citus; all differences are in this file. It runs after the migrations,
 * which are the same for both engines, and changes only objects that are not yet in their final
 * state (docs/adr/0014-citus.md).
 */
import pg from 'pg';
import { parentsFirst, readForeignKeys } from './foreign-keys.ts';
import { MigrationError } from './migration-error.ts';
import type { Distribution, TableKeeping } from './tables.ts';

/** Where the rows of tables are kept, by name. */
export type Distributions = ReadonlyMap<string, TableKeeping>;

/** Whether the extension is there. */
export async function hasCitus(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query(`SELECT FROM pg_extension WHERE extname = 'citus'`);
  return rows.length > 0;
}

/**
 * Refuses to name the tenant of a connection in a session setting, which other nodes do not get.
 * @throws MigrationError when the database has Citus
 */
export async function requireOneNode(connection: pg.ClientConfig): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    if (await hasCitus(client))
      throw new MigrationError('The database is distributed by Citus: set PORTICO_DATABASE_SCOPE=transaction.');
  } finally {
    await client.end();
  }
}

/**
 * Settings of the service's connections on every node; beyond the coordinator only settings of the
 * role hold.
 */
const ROLE_SETTINGS: Readonly<Record<string, string>> = {
  timezone: 'UTC',
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  random_page_cost: '1.1',
  idle_in_transaction_session_timeout: '60000',
};

/** Functions that statements call with columns of rows: they must be on every node. */
const FUNCTIONS = ['portico_transaction(bigint)', 'portico_node(bigint)'];

/** Says which node a row is on: the group of the node outlives a failover within it. */
const NODE_BODY = 'BEGIN RETURN (SELECT groupid FROM pg_dist_local_group); END';

/**
 * Row security as the planner of Citus takes it: `tenant_id = …` beside the same condition of a statement lets it refuse outer
 * joins ("pseudoconstant quals"), two bounds do not, and they are the condition of an index scan as well.
 */
const CURRENT = `current_setting('app.tenant_id')::bigint`;
const POLICY = `(tenant_id >= ${CURRENT} AND tenant_id <= ${CURRENT})`;

/**
 * Sets the session options that changes of the schema need: tables that are linked to reference
 * tables use one connection per node, and tables that are not yet distributed stay unchanged until
 * it is their turn.
 */
export async function prepareSession(client: pg.Client): Promise<void> {
  await client.query(`SET citus.multi_shard_modify_mode = 'sequential'`);
  await client.query('SET citus.enable_local_reference_table_foreign_keys = off');
}

/**
 * Spreads tables over the nodes and adapts row security. A second call changes nothing.
 * @param client the owner, outside a transaction
 * @throws Error when the database has a table that `tables` does not name
 */
export async function distributeTables(
  client: pg.Client,
  tables: Distributions,
  log?: (message: string) => void,
): Promise<void> {
  await client.query('BEGIN');
  try {
    await adaptRowSecurity(client);
    const done = await distributeMissing(client, tables);
    for (const signature of FUNCTIONS) await client.query('SELECT create_distributed_function($1)', [signature]);
    await adaptNodeFunction(client);
    await client.query('COMMIT');
    if (done > 0) log?.(`distributed ${done} tables`);
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
}

/**
 * The owner and the subscriptions by which Citus copies shards are bound by FORCE, and fail for want of a tenant. The service
 * owns nothing: ENABLE binds it.
 */
async function adaptRowSecurity(client: pg.Client): Promise<void> {
  const { rows: forced } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relforcerowsecurity ORDER BY relname`,
  );
  for (const { name } of forced)
    await client.query(`ALTER TABLE ${client.escapeIdentifier(name)} NO FORCE ROW LEVEL SECURITY`);
  const { rows: policies } = await client.query<{ table: string; name: string }>(
    `SELECT tablename AS table, policyname AS name FROM pg_policies
      WHERE schemaname = 'public' AND qual NOT LIKE '%>=%' ORDER BY tablename`,
  );
  for (const { table, name } of policies)
    await client.query(
      `ALTER POLICY ${client.escapeIdentifier(name)} ON ${client.escapeIdentifier(table)} USING ${POLICY} WITH CHECK ${POLICY}`,
    );
}

async function adaptNodeFunction(client: pg.Client): Promise<void> {
  const { rows } = await client.query(`SELECT FROM pg_proc WHERE proname = 'portico_node' AND prosrc = $1`, [
    NODE_BODY,
  ]);
  if (rows.length > 0) return;
  await client.query(
    `CREATE OR REPLACE FUNCTION portico_node(tenant_id bigint) RETURNS integer LANGUAGE plpgsql STABLE AS $$${NODE_BODY}$$`,
  );
}

async function distributeMissing(client: pg.Client, tables: Distributions): Promise<number> {
  const missing = await readUndistributed(client);
  const keys = await readForeignKeys(client);
  const ofKind = (kind: Distribution) => missing.filter((name) => distributionOf(tables, name) === kind);
  const references = parentsFirst(ofKind('reference'), keys);
  const ordered = parentsFirst(ofKind('distributed'), keys);
  // All others are kept beside the anchor, which needs no other table.
  const distributed = ordered.includes(ANCHOR) ? [ANCHOR, ...ordered.filter((name) => name !== ANCHOR)] : ordered;
  for (const name of references) await client.query('SELECT create_reference_table($1)', [name]);
  for (const name of distributed)
    await client.query(`SELECT create_distributed_table($1, 'tenant_id', colocate_with => $2)`, [
      name,
      name === ANCHOR ? 'none' : ANCHOR,
    ]);
  return references.length + distributed.length;
}

/** The table that all others are kept beside. It is the first that is distributed. */
const ANCHOR = 'tenant_versions';

async function readUndistributed(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class c
      WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
        AND NOT EXISTS (SELECT FROM pg_dist_partition d WHERE d.logicalrelid = c.oid)
        AND NOT EXISTS (SELECT FROM pg_depend e WHERE e.classid = 'pg_class'::regclass AND e.objid = c.oid AND e.deptype = 'e')
      ORDER BY relname`,
  );
  return rows.map((row) => row.name);
}

function distributionOf(tables: Distributions, name: string): Distribution {
  const table = tables.get(name);
  if (!table) throw new Error(`The table ${name} is not described: nothing says where its rows are kept.`);
  return table.distribution;
}

/** Gives the service's role its settings on every node. @param role escaped */
export async function setRoleOnNodes(client: pg.Client, role: string): Promise<void> {
  for (const [name, value] of Object.entries(ROLE_SETTINGS))
    await client.query(`ALTER ROLE ${role} SET ${name} = ${client.escapeLiteral(value)}`);
}
