/** Vitest's global set-up: one PostgreSQL cluster for the whole run. */
import { startTestCluster } from './cluster.ts';

export default async function setup(): Promise<() => Promise<void>> {
  const { cluster, stop } = await startTestCluster();
  process.env['PORTICO_TEST_CLUSTER'] = JSON.stringify(cluster);
  return stop;
}
