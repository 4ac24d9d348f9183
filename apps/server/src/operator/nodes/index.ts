/** The nodes of a cluster (Citus) and where tenants are. */
export { drainNode, moveTenant, withMoveLock } from './move-shards.ts';
export { type ClusterReport, reportCluster } from './report.ts';
