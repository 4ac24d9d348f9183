/** Starts the real server with its demo content on an empty data directory, as `npm start` does. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const START = fileURLToPath(new URL('../../../../apps/server/start.mjs', import.meta.url));
const START_TIMEOUT_MS = 100_000;

export interface DemoPortal {
  baseUrl: string;
  /** Path of the key file of the demo's service account. */
  keyFile: string;
  stop(): Promise<void>;
}

/** Starts a portal of its own for a test file; stop it when the file ends. */
export async function startDemoPortal(env: Record<string, string> = {}): Promise<DemoPortal> {
  const dataDir = await mkdtemp(join(tmpdir(), 'portico-clients-'));
  // The embedded database, whatever the surroundings say: the directory is this portal's own.
  const { DATABASE_URL: _, ...surroundings } = process.env;
  const child = spawn(process.execPath, [START], {
    env: {
      ...surroundings,
      PORT: '0',
      HOST: '127.0.0.1',
      PORTICO_DATA_DIR: dataDir,
      PORTICO_LOG_LEVEL: 'error',
      PORTICO_DRAIN_MS: '0',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const stop = async () => {
    await ended(child);
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    const output = await untilReady(child);
    const port = /ready at https?:\/\/[^\s:]+:(\d+)/.exec(output)?.[1];
    const keyFile = /Service-account key:\s*(\S.*)/.exec(output)?.[1]?.trim();
    if (!port || !keyFile) throw new Error(`the start did not say what it should:\n${output}`);
    return { baseUrl: `http://127.0.0.1:${port}`, keyFile, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function untilReady(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    const timer = setTimeout(() => reject(new Error(`the server was not ready in time:\n${output}`)), START_TIMEOUT_MS);
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      if (!/Service-account key:.*\n/.test(output)) return;
      clearTimeout(timer);
      resolve(output);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('exit', (code) => {
      clearTimeout(timer);
      reject(new Error(`the server ended with ${code}:\n${output}`));
    });
  });
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill('SIGTERM');
  await exit;
}
