/** The server of a run of the suite, with the demo tenant. */
import { readFile } from 'node:fs/promises';
import { type ServerOptions, type ServerProcess, startServer } from '@portico/server/testing/process';
import type { KeyFile } from './client.ts';

export interface RunningPortal extends ServerProcess {
  /** The key file of the demo's service account. */
  keyFile: KeyFile;
}

/** Starts a server and waits until `/readyz` answers 200. */
export async function startPortal(options: ServerOptions = {}): Promise<RunningPortal> {
  const server = await startServer(true, options);
  try {
    const ready = await fetch(`${server.baseUrl}/readyz`);
    if (ready.status !== 200) throw new Error(`/readyz answered ${ready.status} after the start`);
    return { ...server, keyFile: JSON.parse(await readFile(server.keyPath, 'utf8')) as KeyFile };
  } catch (error) {
    await server.stop();
    throw error;
  }
}
