import { existsSync, realpathSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { attach } from './attach.ts';
import { passwordFile } from './cluster.ts';
import { clusterDirOf, clusterExists, findHome, logArchiveOf } from './placement.ts';
import { inUse, lockDataDir, prepareDataDir, Supervisor } from './supervisor.ts';
import type { ClusterFiles, EmbeddedPostgres, EmbeddedPostgresOptions } from './types.ts';

export type { EmbeddedPostgresErrorCode } from './errors.ts';
export { EmbeddedPostgresError, writeFailures } from './errors.ts';
export type {
  ClusterFiles,
  EmbeddedPostgres,
  EmbeddedPostgresConnection,
  EmbeddedPostgresLog,
  EmbeddedPostgresLogLine,
  EmbeddedPostgresOptions,
} from './types.ts';

/** Whether a data directory has a database. @throws EmbeddedPostgresError `relocated_missing` */
export function hasDatabase(dataDir: string): boolean {
  return existsSync(dataDir) && clusterExists(findHome(realpathSync(dataDir)));
}

/** Where a data directory has its cluster. @throws EmbeddedPostgresError `relocated_missing` */
export function clusterFiles(dataDir: string): ClusterFiles {
  const home = findHome(realpathSync(dataDir));
  return { clusterDir: clusterDirOf(home), logArchive: logArchiveOf(home), passwordFile: passwordFile(dataDir) };
}

/** How long an operator's command is waited for that holds the data directory, in milliseconds. */
const COMMAND_PATIENCE_MS = 10_000;

/**
 * Starts the embedded PostgreSQL of a data directory and holds that directory until `stop()` or the end of this
 * process. Makes the cluster and the database `portico` on the first start, takes over a server that an earlier,
 * killed process left running, and cleans up everything else such a process left. The server survives this process when
 * that is killed, and is brought back when it dies itself.
 *
 * @throws EmbeddedPostgresError with one sentence for the operator; see {@link EmbeddedPostgresErrorCode}. `in_use`
 *   when another live process holds the directory.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const dataDir = prepareDataDir(options.dataDir);
  const deadline = performance.now() + COMMAND_PATIENCE_MS;
  for (;;) {
    const taken = lockDataDir(dataDir, 'server');
    if ('lock' in taken) {
      const supervisor = new Supervisor(dataDir, taken.lock, 'server', options);
      await supervisor.start();
      return supervisor;
    }
    const patient = taken.holder.purpose === 'command' && performance.now() < deadline;
    if (!patient || options.signal?.aborted) throw inUse(dataDir, taken.holder);
    await sleep(100);
  }
}

/**
 * Opens the embedded PostgreSQL for an operator's command, whether or not a server runs on the data directory: uses the
 * running database, or starts it for the time of the command. `stop()` ends the database only if this command is the
 * last that uses it and no server holds the directory; close your own connections first.
 *
 * @throws EmbeddedPostgresError as {@link startEmbeddedPostgres}; `in_use` when the holder of the directory does not
 *   get its database ready within a minute.
 */
export async function openEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const dataDir = prepareDataDir(options.dataDir);
  const deadline = performance.now() + 60_000;
  for (;;) {
    options.signal?.throwIfAborted();
    const taken = lockDataDir(dataDir, 'command');
    if ('lock' in taken) {
      const supervisor = new Supervisor(dataDir, taken.lock, 'command', { ...options, restart: false });
      await supervisor.start();
      return supervisor;
    }
    const attached = await attach(dataDir, options);
    if (attached) return attached;
    if (performance.now() >= deadline) throw inUse(dataDir, taken.holder);
    await sleep(100);
  }
}

/**
 * Starts a cluster for tests: as {@link startEmbeddedPostgres}, but without waiting for the disk anywhere, and a server
 * that dies stays dead, so that a test sees it. Several clusters of different data directories can run at once.
 *
 * @throws EmbeddedPostgresError as {@link startEmbeddedPostgres}.
 */
export function startTestCluster(
  options: Omit<EmbeddedPostgresOptions, 'log'> & Partial<Pick<EmbeddedPostgresOptions, 'log'>>,
): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({
    log: () => undefined,
    restart: false,
    skipInitialSync: true,
    ...options,
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', ...options.settings },
  });
}
