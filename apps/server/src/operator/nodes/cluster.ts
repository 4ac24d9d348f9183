/** The nodes of a cluster (Citus), and the groups of shards that tenants are in. */

import { hasCitus } from '@portico/platform/db/citus';
import { readWorkers } from '@portico/platform/db/workers';
import type pg from 'pg';
import { OperatorError } from '../operator-error.ts';

/** Table whose shards stand for the shards of all tables of a tenant, which are kept together. */
export const ANCHOR = 'tenant_versions';

/** A node of the cluster. */
export interface ClusterNode {
  /** `host:port`, as the coordinator knows it. */
  readonly name: string;
  readonly host: string;
  readonly port: number;
  readonly role: 'coordinator' | 'worker';
  /** `away`: it does not answer the coordinator; `closed`: it is to hold no shards. */
  readonly state: 'ok' | 'away' | 'closed';
}

/** The shards of all tables that hold the same tenants. They move together. */
export interface ShardGroup {
  /** The shard of {@link ANCHOR}. */
  readonly shardId: string;
  readonly node: string;
  /** Whether it holds one tenant alone; no other is ever added. */
  readonly own: boolean;
  /** Names of the tenants in it. */
  readonly tenants: readonly string[];
  /** Bytes of all its tables; null where the node is away. */
  readonly bytes: number | null;
}

export interface Cluster {
  readonly nodes: readonly ClusterNode[];
  readonly groups: readonly ShardGroup[];
}

/** @throws OperatorError when the database is one server */
export async function requireCluster(owner: pg.ClientBase): Promise<void> {
  if (!(await hasCitus(owner)))
    throw new OperatorError('The database is one PostgreSQL server: tenants are spread over several only by Citus.');
}

/** Reads the nodes, and which tenants and how many bytes are on each. @throws OperatorError without Citus */
export async function readCluster(owner: pg.ClientBase): Promise<Cluster> {
  await requireCluster(owner);
  const nodes = await readNodes(owner);
  const { rows } = await owner.query<{ shardId: string; node: string; own: boolean; low: string }>(
    `SELECT s.shardid::text AS "shardId", n.nodename || ':' || n.nodeport AS node,
            s.shardminvalue = s.shardmaxvalue AS own, s.shardminvalue AS low
       FROM pg_dist_shard s JOIN pg_dist_placement p ON p.shardid = s.shardid
       JOIN pg_dist_node n ON n.groupid = p.groupid AND n.noderole = 'primary'
      WHERE s.logicalrelid = $1::regclass ORDER BY s.shardminvalue::bigint`,
    [ANCHOR],
  );
  const tenants = await owner.query<{ name: string; shardId: string }>(
    `SELECT name, get_shard_id_for_distribution_column($1::regclass, id)::text AS "shardId" FROM tenants ORDER BY name`,
    [ANCHOR],
  );
  const away = new Set(nodes.filter(({ state }) => state === 'away').map(({ name }) => name));
  const bytes = await readBytes(owner);
  return {
    nodes,
    groups: rows.map(({ low, ...group }) => ({
      ...group,
      tenants: tenants.rows.filter(({ shardId }) => shardId === group.shardId).map(({ name }) => name),
      bytes: away.has(group.node) ? null : (bytes.get(low) ?? 0),
    })),
  };
}

async function readNodes(owner: pg.ClientBase): Promise<ClusterNode[]> {
  const { rows } = await owner.query<Omit<ClusterNode, 'state' | 'name'> & { takesShards: boolean }>(
    `SELECT nodename AS host, nodeport AS port, CASE groupid WHEN 0 THEN 'coordinator' ELSE 'worker' END AS role,
            shouldhaveshards AS "takesShards"
       FROM pg_dist_node WHERE noderole = 'primary' ORDER BY groupid <> 0, nodename, nodeport`,
  );
  const workers = new Map((await readWorkers(owner)).map(({ name, answers }) => [name, answers]));
  return rows.map(({ takesShards, ...node }) => {
    const name = `${node.host}:${node.port}`;
    const answers = node.role === 'coordinator' || workers.get(name) === true;
    const closed = node.role === 'worker' && !takesShards;
    const reachable = closed ? 'closed' : 'ok';
    return { ...node, name, state: answers ? reachable : 'away' };
  });
}

/** Bytes of each group by where its range begins. Citus leaves out a node that does not answer. */
async function readBytes(owner: pg.ClientBase): Promise<Map<string, number>> {
  const { rows } = await owner.query<{ low: string; bytes: string }>(
    `SELECT s.shardminvalue AS low, sum(z.size)::text AS bytes
       FROM citus_shard_sizes() z JOIN pg_dist_shard s ON s.shardid = z.shard_id
       JOIN pg_dist_partition d ON d.logicalrelid = s.logicalrelid
      WHERE d.colocationid = (SELECT colocationid FROM pg_dist_partition WHERE logicalrelid = $1::regclass)
      GROUP BY s.shardminvalue`,
    [ANCHOR],
  );
  return new Map(rows.map(({ low, bytes }) => [low, Number(bytes)]));
}

/**
 * A worker by its name.
 * @throws OperatorError when no worker has that name, or it does not answer
 */
export function findWorker({ nodes }: Pick<Cluster, 'nodes'>, name: string): ClusterNode {
  const workers = nodes.filter(({ role }) => role === 'worker');
  const node = workers.find((one) => one.name === name);
  if (!node)
    throw new OperatorError(`There is no worker "${name}"; there are ${workers.map((one) => one.name).join(', ')}.`);
  return requireAnswer(node);
}

/** @throws OperatorError when a node does not answer */
export function requireAnswer(node: ClusterNode): ClusterNode {
  if (node.state === 'away') throw new OperatorError(`The worker ${node.name} does not answer the coordinator.`);
  return node;
}

/** Bytes that a worker holds; null where it is away. */
export function bytesOn({ groups }: Pick<Cluster, 'groups'>, node: string): number | null {
  const here = groups.filter((group) => group.node === node);
  return here.some(({ bytes }) => bytes === null) ? null : here.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0);
}

/** A worker may hold this many times the mean. */
const TOLERANCE = 1.3;

/** Whether no worker that takes shards holds much more than the mean; null where one is away. */
export function isBalanced(cluster: Cluster): boolean | null {
  const held = cluster.nodes
    .filter(({ role, state }) => role === 'worker' && state !== 'closed')
    .map(({ name }) => bytesOn(cluster, name));
  if (held.includes(null)) return null;
  const bytes = held as number[];
  return Math.max(...bytes) <= (TOLERANCE * bytes.reduce((sum, one) => sum + one, 0)) / bytes.length;
}
