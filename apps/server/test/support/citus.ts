/**
 * The Citus cluster that `npm run test:citus` runs on: a coordinator and two workers on loopback,
 * made by a script beside the repository. `PORTICO_TEST_CITUS` names a directory for them, which is
 * kept: the next run finds the built cluster there.
 */
import { execFile } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';

/** Script that starts, stops and fills such a cluster. */
const SCRIPT = new URL('../../../../../shared/tools/citus-cluster.sh', import.meta.url).pathname;
/** Distribution takes a moment per shard; a few are as good for tests as the default of 32. */
export const SHARDS = 4;

/** The nodes: the coordinator first. */
export interface CitusCluster {
  ports: number[];
}

async function run(...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('sh', [SCRIPT, ...args], { env: process.env });
  return stdout.trim();
}

/** The first of three ports, chosen so that two runs on one machine rarely meet. */
function somePort(): number {
  return randomInt(6_000, 10_000) * 3;
}

/**
 * Starts the nodes that do not run. @returns the nodes, and a function that stops the started ones
 */
export async function startCitus(directory: string): Promise<{ citus: CitusCluster; stop: () => Promise<void> }> {
  const running = await run('status', directory).then(
    () => true,
    () => false,
  );
  // The ports of a cluster stay the same as when it was made.
  if (!running) await run('start', directory, ...(existsSync(join(directory, 'port')) ? [] : [String(somePort())]));
  const read = async (file: string) => (await readFile(join(directory, file), 'utf8')).trim();
  const ports = `${await read('port')} ${await read('worker-ports')}`.split(' ').map(Number);
  return {
    citus: { ports },
    stop: async () => {
      if (!running) await run('stop', directory);
    },
  };
}

/** Makes an empty database on all nodes. @returns the connection string of its owner, at the coordinator */
export function createCitusDatabase(directory: string, name: string): Promise<string> {
  return run('create', directory, name);
}

/** Runs a statement as the superuser on every node. */
async function onAllNodes({ ports }: CitusCluster, ...statements: string[]): Promise<void> {
  for (const port of ports) {
    const client = new pg.Client({ host: '127.0.0.1', port, user: 'postgres', database: 'postgres' });
    await client.connect();
    try {
      for (const statement of statements) await client.query(statement);
    } finally {
      await client.end();
    }
  }
}

/** Closes a database to everybody, so that it can be copied: nodes keep connections to one another in it. */
export async function closeCitusDatabase(citus: CitusCluster, name: string): Promise<void> {
  await onAllNodes(
    citus,
    `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`,
  );
}

/** Copies a closed database: metadata and shards are inside the databases, so copies of all nodes' are one again. */
export async function cloneCitusDatabase(citus: CitusCluster, from: string, name: string): Promise<void> {
  await onAllNodes(citus, `CREATE DATABASE ${name} OWNER portico TEMPLATE ${from} STRATEGY file_copy`);
}

export async function dropCitusDatabase(citus: CitusCluster, name: string): Promise<void> {
  await onAllNodes(citus, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
}

/**
 * Returns the settings with which a server keeps its tenants in an empty database of the cluster,
 * and a function that removes that database.
 */
export async function citusDatabaseForServer(
  directory: string,
  citus: CitusCluster,
): Promise<{ env: Record<string, string>; drop(): Promise<void> }> {
  const name = `portico_server_${randomBytes(5).toString('hex')}`;
  const url = await createCitusDatabase(directory, name);
  return {
    env: {
      DATABASE_URL: `${url}?options=${encodeURIComponent(`-c citus.shard_count=${SHARDS}`)}`,
      PORTICO_DATABASE_SCOPE: 'transaction',
    },
    drop: async () => {
      await dropCitusDatabase(citus, name);
      await onAllNodes(citus, `DROP ROLE IF EXISTS ${name}_service`);
    },
  };
}
