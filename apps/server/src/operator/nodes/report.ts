import type pg from 'pg';
import { bytesOn, type ClusterNode, isBalanced, readCluster } from './cluster.ts';

/** The nodes of a cluster (Citus) with their contents. */
export interface ClusterReport {
  readonly nodes: readonly {
    /** `host:port`, as the coordinator knows it. */
    readonly node: string;
    readonly role: ClusterNode['role'];
    readonly state: ClusterNode['state'];
    readonly tenants: number;
    /** Null on the coordinator, which holds no tenants, and where the node is away. */
    readonly bytes: number | null;
  }[];
  readonly tenants: readonly {
    readonly tenant: string;
    readonly node: string;
    readonly ownShards: boolean;
    /** Null where other tenants are in the same shards, or the node is away. */
    readonly bytes: number | null;
  }[];
  /** Whether no worker holds much more than the mean; null while one is away. */
  readonly balanced: boolean | null;
}

/** Reads the nodes, and which tenants and how many bytes are on each. @throws OperatorError without Citus */
export async function reportCluster(owner: pg.ClientBase): Promise<ClusterReport> {
  const cluster = await readCluster(owner);
  return {
    nodes: cluster.nodes.map(({ name, role, state }) => ({
      node: name,
      role,
      state,
      tenants: cluster.groups.filter(({ node }) => node === name).flatMap(({ tenants }) => tenants).length,
      bytes: role === 'worker' ? bytesOn(cluster, name) : null,
    })),
    tenants: cluster.groups.flatMap(({ tenants, node, own, bytes }) =>
      tenants.map((tenant) => ({ tenant, node, ownShards: own, bytes: tenants.length === 1 ? bytes : null })),
    ),
    balanced: isBalanced(cluster),
  };
}
