/** Starts the real server as `npm start` does, on an empty data directory, and ends it by its own process id. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { KeyFile } from './client.ts';

const START = fileURLToPath(new URL('../apps/server/start.mjs', import.meta.url));
const START_TIMEOUT_MS = 100_000;

export interface RunningPortal {
  baseUrl: string;
  /** What the first start printed. */
  output: string;
  keyFile: KeyFile;
  /** Path of that key file. */
  keyPath: string;
  /** Milliseconds from the start of the process until `/readyz` answered 200. */
  readyAfter: number;
  stop(): Promise<void>;
}

/** Starts a server with a data directory of its own, which goes away with it. */
export async function startPortal(): Promise<RunningPortal> {
  const dataDir = await mkdtemp(join(tmpdir(), 'portico-acceptance-'));
  const started = performance.now();
  // The embedded database, whatever the surroundings say: the directory is this run's own.
  const { DATABASE_URL: _, ...env } = process.env;
  const child = spawn(process.execPath, [START], {
    env: {
      ...env,
      PORT: '0',
      HOST: '127.0.0.1',
      PORTICO_DATA_DIR: dataDir,
      PORTICO_LOG_LEVEL: 'error',
      PORTICO_DRAIN_MS: '0',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const stop = async () => {
    await ended(child);
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    const output = await welcome(child);
    const port = /ready at https?:\/\/[^\s:]+:(\d+)/.exec(output)?.[1];
    const keyPath = /Service-account key:\s*(\S.*)/.exec(output)?.[1]?.trim();
    if (!port || !keyPath) throw new Error(`the start did not say what it should:\n${output}`);
    const baseUrl = `http://127.0.0.1:${port}`;
    const ready = await fetch(`${baseUrl}/readyz`);
    if (ready.status !== 200) throw new Error(`/readyz answered ${ready.status} after the start`);
    const readyAfter = performance.now() - started;
    const keyFile = JSON.parse(await readFile(keyPath, 'utf8')) as KeyFile;
    return { baseUrl, output, keyFile, keyPath, readyAfter, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** What the server prints until it is ready. */
function welcome(child: ChildProcess): Promise<string> {
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
