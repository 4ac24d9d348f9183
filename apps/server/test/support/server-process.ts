/**
 * Real server processes for tests: started as `npm start` does, ended by their own process ids. Tests of the server, the
 * SDK, the command line and the acceptance suite use the same.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { citusDatabaseForServer } from './citus.ts';
import { currentCluster } from './cluster.ts';
import { fillDataDirectory } from './data-directory.ts';
import { Running, START } from './running.ts';

export { longForm } from './long-form.ts';
export { cleanEnvironment, ROOT, Running, START } from './running.ts';

/** A server with a data directory of its own, and in a run on Citus with a database of its own there. */
export interface ServerProcess {
  baseUrl: string;
  /** The data directory, with the embedded database where there is no other. */
  dataDir: string;
  /** Output of the start. */
  output: string;
  /** Path of the key file of the demo's service account; empty without the demo. */
  keyPath: string;
  /** Ends the process and removes its files. */
  stop(): Promise<void>;
}

export interface ServerOptions {
  env?: Record<string, string>;
}

/**
 * Starts a server on a data directory of its own and a free port.
 * @param demo whether it has the demo tenant
 */
export async function startServer(demo: boolean, { env = {} }: ServerOptions = {}): Promise<ServerProcess> {
  const dataDir = await mkdtemp(join(tmpdir(), 'portico-server-'));
  const citus = await citusDatabase();
  // Prepared data is in an embedded database.
  if (!citus) await fillDataDirectory(dataDir, demo);
  const running = new Running(process.execPath, [START], {
    PORT: '0',
    HOST: '127.0.0.1',
    PORTICO_DATA_DIR: dataDir,
    PORTICO_DEMO: String(demo),
    PORTICO_LOG_LEVEL: 'error',
    PORTICO_DRAIN_MS: '0',
    ...citus?.env,
    ...env,
  });
  let stopping = false;
  void running.exited.then(({ code, signal }) => {
    // Requests then fail without a reason: it is here.
    if (!stopping)
      console.error(`The server ended by itself (${signal ?? `code ${code}`}):\n${running.stdout}${running.stderr}`);
  });
  const stop = async () => {
    stopping = true;
    await running.end();
    await citus?.drop();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 10 });
  };
  try {
    const baseUrl = await running.ready();
    const keyPath = /Service-account key:\s*(\S.*)/.exec(running.stdout)?.[1]?.trim() ?? '';
    if (demo && keyPath === '') throw new Error(`the start named no key file:\n${running.stdout}`);
    return { baseUrl, dataDir, output: running.stdout, keyPath, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function citusDatabase() {
  const directory = process.env['PORTICO_TEST_CITUS'];
  const { citus } = directory ? currentCluster() : {};
  return directory && citus ? citusDatabaseForServer(directory, citus) : undefined;
}
