/** Measured programs: started, read and ended; shared by the small measurements. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
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

/** Environment of a measured server with its own directory, without the demo. */
const serverEnv = (dataDir: string): NodeJS.ProcessEnv => ({
  ...process.env,
  PORTICO_DATA_DIR: dataDir,
  PORT: '0',
  HOST: '127.0.0.1',
  PORTICO_DEMO: 'false',
  PORTICO_LOG_LEVEL: 'error',
  PORTICO_DRAIN_MS: '0',
  // All figures are for a single process, whatever the machine.
  PORTICO_PROCESSES: '1',
  // The key that encrypts the data prepared by tests.
  PORTICO_ENCRYPTION_KEYS: TEST_ENCRYPTION_KEY,
});

/** The arguments of Node.js that run Portico, as `npm start` passes them. */
export const SERVER_ARGUMENTS: readonly string[] = [
  '--heap-growing-percent=60',
  '--max-semi-space-size=32',
  join(ROOT, 'apps/server/start.mjs'),
];

/** Waits until the server listens. @returns its port */
export async function portOf(server: ChildProcess): Promise<string> {
  const line = linesOf(server);
  let port: string | undefined;
  while (!port) port = /ready at https?:\/\/\S+?:(\d+)/.exec(await line())?.[1];
  server.stdout!.resume();
  return port;
}

/** Portico while it is measured. */
interface MeasuredServer {
  readonly port: number;
  readonly process: ChildProcess;
  readonly dataDir: string;
}

/**
 * Runs Portico as a separate process with its own directory while it is measured; removes both
 * afterwards.
 * @param prepare fills the directory before the start; it may change the environment
 */
export async function withServer<Prepared>(
  prepare: (env: NodeJS.ProcessEnv) => Promise<Prepared>,
  measure: (prepared: Prepared, server: MeasuredServer) => Promise<void>,
): Promise<void> {
  await withDataDirectory(prepare, async (prepared, env, dataDir) => {
    const server = spawn(process.execPath, [...SERVER_ARGUMENTS], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      await measure(prepared, { port: Number(await portOf(server)), process: server, dataDir });
    } finally {
      await stop(server);
    }
  });
}

/**
 * Creates a directory for measured servers, and removes it afterwards.
 * @param prepare as of {@link withServer}
 */
export async function withDataDirectory<Prepared>(
  prepare: (env: NodeJS.ProcessEnv) => Promise<Prepared>,
  measure: (prepared: Prepared, env: NodeJS.ProcessEnv, dataDir: string) => Promise<void>,
): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'portico-bench-'));
  const env = serverEnv(dataDir);
  try {
    await measure(await prepare(env), env, dataDir);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}
