/**
 * Vitest's global set-up of the layers that use a database: a directory for the files of the run,
 * and one PostgreSQL cluster. Each layer calls it; the layers of one run share the results of the
 * first call, and the last one ends it.
 */
import { join } from 'node:path';
import { startTestCluster } from './start-cluster.ts';
import { PREPARED, useWorkDirectory } from './work-directory.ts';

interface Surroundings {
  layers: number;
  started: Promise<() => Promise<void>>;
}

/** Vitest loads this module once for each layer, so a module variable would not be shared. */
const shared = globalThis as { porticoTestSurroundings?: Surroundings };

export default async function setup(): Promise<() => Promise<void>> {
  shared.porticoTestSurroundings ??= { layers: 0, started: start() };
  const surroundings = shared.porticoTestSurroundings;
  surroundings.layers++;
  const stop = await surroundings.started;
  return async () => {
    if (--surroundings.layers === 0) await stop();
  };
}

async function start(): Promise<() => Promise<void>> {
  const { directory, remove } = await useWorkDirectory();
  process.env[PREPARED] = join(directory, 'prepared');
  const { cluster, stop } = await startTestCluster();
  // For processes that tests start.
  if (cluster.citus) process.env['PORTICO_DATABASE_SCOPE'] = 'transaction';
  process.env['PORTICO_TEST_CLUSTER'] = JSON.stringify(cluster);
  return async () => {
    await stop();
    await remove();
  };
}
