import path from 'node:path';
import { readPassword } from './cluster.ts';
import { errno } from './errors.ts';
import { clusterDirOf, findHome } from './placement.ts';
import { endPostmaster, isRunning, readPostmaster } from './postmaster.ts';
import { connectionString, openDatabase, otherClients, ownerConnection } from './session.ts';
import { lockDataDir } from './supervisor.ts';
import type { EmbeddedPostgres, EmbeddedPostgresOptions } from './types.ts';

/**
 * Uses the database that another process runs on this data directory.
 *
 * @returns null when it is not (or no longer) ready.
 */
export async function attach(dataDir: string, options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres | null> {
  const home = findHome(dataDir);
  const clusterDir = clusterDirOf(home);
  const password = readPassword(dataDir);
  const postmaster = readPostmaster(clusterDir);
  if (password === null || postmaster === null) return null;
  const connection = ownerConnection(postmaster.socketDir, password);
  let version: string;
  try {
    version = await openDatabase(connection);
  } catch (error) {
    // Not there: the holder is only starting or already stopping. Anything else is worth knowing.
    if (['ENOENT', 'ECONNREFUSED', 'ECONNRESET', '57P01', '57P03'].includes(errno(error) ?? '')) return null;
    throw error;
  }
  let stopped: Promise<void> | undefined;
  const leave = async () => {
    const taken = lockDataDir(dataDir, 'command');
    // Its holder looks after it.
    if ('holder' in taken) return;
    try {
      if (isRunning(postmaster, clusterDir) && (await otherClients(connection)) === 0) {
        await endPostmaster(postmaster, clusterDir, options.stopTimeoutMs ?? 15_000);
      }
    } finally {
      taken.lock.release();
    }
  };
  return {
    adminUrl: connectionString(connection),
    connection,
    pid: postmaster.pid,
    adopted: true,
    version,
    clusterDir,
    logFile: path.join(dataDir, 'postgres.log'),
    stop: () => {
      stopped ??= leave();
      return stopped;
    },
  };
}
