/** Vitest's global set-up: the page, a directory for the files of the run, and one PostgreSQL cluster. */
import { join } from 'node:path';
import { buildWeb } from '../../../web/build.ts';
import { startTestCluster } from './cluster.ts';
import { PREPARED } from './data-directory.ts';
import { useWorkDirectory } from './work-directory.ts';

export default async function setup(): Promise<() => Promise<void>> {
  // Once for all servers that tests start.
  await buildWeb();
  const { directory, remove } = await useWorkDirectory();
  process.env[PREPARED] = join(directory, 'prepared');
  // Servers and commands are started some hundred times, each with the same modules.
  process.env['NODE_COMPILE_CACHE'] = join(directory, 'compiled');
  const { cluster, stop } = await startTestCluster();
  // For processes that tests start.
  if (cluster.citus) process.env['PORTICO_DATABASE_SCOPE'] = 'transaction';
  process.env['PORTICO_TEST_CLUSTER'] = JSON.stringify(cluster);
  return async () => {
    await stop();
    await remove();
  };
}
