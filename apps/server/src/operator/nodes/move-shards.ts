/**
 * Moves tenants between the workers of a cluster (Citus). Each step is one statement of the
 * coordinator, whole or not at all, and detects finished steps: an interrupted command is run
 * again.
 */

import { LOCK_NOT_AVAILABLE } from '@portico/platform/db/pg-errors';
import type { TenantDatabases } from '@portico/platform/db/tenant-db';
import pg from 'pg';
import { fromOtherNodeSql, renewStream, sequenceChanges } from '../../modules/records/index.ts';
import { OperatorError } from '../operator-error.ts';
import {
  ANCHOR,
  bytesOn,
  type Cluster,
  findWorker,
  readCluster,
  requireAnswer,
  requireCluster,
  type ShardGroup,
} from './cluster.ts';

/** Key of the advisory lock that lets one move run at a time. The number has no meaning. */
const LOCK_KEY = 5_402_361_191;

interface MoveContext {
  /** A connection of the owner, for this work alone. */
  readonly owner: pg.ClientBase;
  readonly databases: TenantDatabases;
  /** Called with a sentence for each step. */
  readonly tell: (sentence: string) => void;
}

/** Runs `work` on a connection of its own that nobody else moves shards with. @throws OperatorError when another one does */
export async function withMoveLock<T>(connection: pg.ClientConfig, work: (owner: pg.Client) => Promise<T>): Promise<T> {
  const owner = new pg.Client(connection);
  owner.on('error', () => undefined);
  await owner.connect();
  try {
    await requireCluster(owner);
    // The server ends a statement soon after its client was killed. Waiting for a lock holds up writers, so it is bounded.
    await owner.query(`SET client_connection_check_interval = '2s'; SET lock_timeout = '30s'`);
    const { rows } = await owner.query<{ mine: boolean }>('SELECT pg_try_advisory_lock($1) AS mine', [LOCK_KEY]);
    if (!rows[0]?.mine) throw new OperatorError('Another command moves tenants now; run this one when it has ended.');
    return await work(owner);
  } finally {
    await owner.end();
  }
}

/** Gives a tenant shards of its own and moves them to a worker. @throws OperatorError for an unknown tenant or worker */
export async function moveTenant(context: MoveContext, tenant: string, to: string): Promise<void> {
  const { owner, tell } = context;
  const cluster = await readCluster(owner);
  const target = findWorker(cluster, to);
  let group = cluster.groups.find(({ tenants }) => tenants.includes(tenant));
  if (!group)
    throw new OperatorError(`There is no tenant "${tenant}"; run "portico admin tenant list" to see all tenants.`);
  requireAnswer(cluster.nodes.find(({ name }) => name === group?.node)!);
  if (group.own && group.node === target.name) tell(`${tenant} is on ${to} already.`);
  if (!group.own) {
    await splitOff(context, tenant, group);
    group = (await readCluster(owner)).groups.find(({ tenants }) => tenants.includes(tenant))!;
  }
  if (group.node === target.name) return settleStreams(context, [tenant]);
  await moveGroup(context, cluster, group, to);
}

/**
 * Moves everything off a worker, each group of shards to the one that holds least.
 * @returns how many groups were moved
 */
export async function drainNode(context: MoveContext, name: string): Promise<number> {
  const { owner, tell } = context;
  let moved = 0;
  for (;;) {
    const cluster = await readCluster(owner);
    findWorker(cluster, name);
    const here = cluster.groups.filter(({ node }) => node === name);
    const group = here[0];
    if (!group) return moved;
    const target = cluster.nodes
      .filter((node) => node.role === 'worker' && node.state === 'ok' && node.name !== name)
      .sort((a, b) => (bytesOn(cluster, a.name) ?? 0) - (bytesOn(cluster, b.name) ?? 0))[0];
    if (!target) throw new OperatorError(`There is no other worker that could take what ${name} holds.`);
    if (moved === 0) tell(`Groups of shards to move: ${here.length}.`);
    await moveGroup(context, cluster, group, target.name);
    moved++;
  }
}

/** Puts a tenant into shards of its own, on the same node. Writes are blocked: Citus would not catch up with them otherwise. */
async function splitOff({ owner, tell }: MoveContext, tenant: string, { bytes, node }: ShardGroup): Promise<void> {
  tell(`Giving ${tenant} shards of its own on ${node}, out of ${bytes} bytes: writes of all tenants wait.`);
  const { rows } = await owner.query<{ id: string }>('SELECT id FROM tenants WHERE name = $1', [tenant]);
  const started = performance.now();
  await runLong(
    owner,
    `SELECT isolate_tenant_to_new_shard($1::regclass, $2::bigint, 'CASCADE', shard_transfer_mode := 'block_writes')`,
    [ANCHOR, rows[0]?.id],
  );
  tell(`Done; writes waited ${seconds(started)} at most.`);
}

async function moveGroup(context: MoveContext, cluster: Cluster, group: ShardGroup, to: string): Promise<void> {
  const { owner, tell } = context;
  // The coordinator can hold shards, too.
  const source = cluster.nodes.find(({ name }) => name === group.node)!;
  const target = findWorker(cluster, to);
  const whom = group.tenants.length > 0 ? group.tenants.join(', ') : 'shards without tenants';
  // Changes that came with an earlier move get their numbers first: changes of two former nodes
  // have no common order.
  await settleStreams(context, group.tenants);
  tell(`Moving ${whom} from ${group.node} to ${to}${group.tenants.length > 0 ? '; reads and writes go on' : ''}.`);
  const started = performance.now();
  // Nobody writes to empty ones, and copying them is quicker. (The owner may not name the type, so it is no parameter.)
  const mode = group.tenants.length > 0 ? 'force_logical' : 'block_writes';
  await runLong(
    owner,
    `SELECT citus_move_shard_placement($1::bigint, $2, $3::int, $4, $5::int, shard_transfer_mode := '${mode}')`,
    [group.shardId, source.host, source.port, target.host, target.port],
  );
  tell(`Moved in ${seconds(started)}.`);
  await settleStreams(context, group.tenants);
}

async function runLong(owner: pg.ClientBase, text: string, values: unknown[]): Promise<void> {
  try {
    await owner.query(text, values);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error;
    const why =
      error.code === LOCK_NOT_AVAILABLE ? 'transactions that hold the tables have run for 30 s' : error.message;
    throw new OperatorError(`Nothing was moved: ${why}. Run the command again.`, { cause: error });
  }
}

function seconds(started: number): string {
  return `${((performance.now() - started) / 1000).toFixed(1)} s`;
}

/**
 * Numbers the changes that came with tenants from another node, so that followers of their streams continue where they are. Where
 * some changes remain without a number, followers have to start afresh.
 */
async function settleStreams({ owner, databases, tell }: MoveContext, tenants: readonly string[]): Promise<void> {
  const { rows } = await owner.query<{ id: string; name: string }>(
    'SELECT id, name FROM tenants WHERE name = ANY ($1)',
    [tenants],
  );
  for (const { id, name } of rows) {
    const db = databases.for(Number(id));
    await sequenceChanges(db);
    const left = await db.query(
      `SELECT c.id FROM changes c WHERE c.tenant_id = $1 AND c.seq IS NULL AND ${fromOtherNodeSql} LIMIT 1`,
      [db.tenantId],
    );
    if (left.length === 0) continue;
    await renewStream(db);
    tell(`Changes of ${name} could not be put in order: followers of its stream start afresh.`);
  }
}
