/** Programs that are measured: started, listened to and ended; shared by the small measurements. */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { TEST_ENCRYPTION_KEY } from '@portico/server/testing';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The lines that a process prints, one at a time. */
export function linesOf(child: ChildProcess): () => Promise<string> {
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  return async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error('the process ended before it said what it should');
    return value as string;
  };
}

/** Ends a process and waits until it is gone. */
export async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  child.once('exit', () => resolve());
  child.kill('SIGTERM');
  await promise;
}

export const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number;

/** What a server needs that is measured on a directory of its own, without the demo. */
export const serverEnv = (dataDir: string): NodeJS.ProcessEnv => ({
  ...process.env,
  PORTICO_DATA_DIR: dataDir,
  PORT: '0',
  HOST: '127.0.0.1',
  PORTICO_DEMO: 'false',
  PORTICO_LOG_LEVEL: 'error',
  PORTICO_DRAIN_MS: '0',
  // The key by which what tests prepare is encrypted.
  PORTICO_ENCRYPTION_KEYS: TEST_ENCRYPTION_KEY,
});

/** The arguments of Node.js that run Portico, as `npm start` passes them. */
export const SERVER_ARGUMENTS: readonly string[] = [
  '--heap-growing-percent=60',
  '--max-semi-space-size=32',
  join(ROOT, 'apps/server/start.mjs'),
];

/** Starts Portico as a process of its own; it is to be stopped by the caller. */
export const startServer = (env: NodeJS.ProcessEnv): ChildProcess =>
  spawn(process.execPath, [...SERVER_ARGUMENTS], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });

/** Waits until the server listens. @returns its port */
export async function portOf(server: ChildProcess): Promise<string> {
  const line = linesOf(server);
  let port: string | undefined;
  while (!port) port = /ready at https?:\/\/\S+?:(\d+)/.exec(await line())?.[1];
  server.stdout!.resume();
  return port;
}
