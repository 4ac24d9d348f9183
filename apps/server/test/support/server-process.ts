/**
 * Real server processes for tests: started as `npm start` does, ended by their own process ids. Tests of the server, the
 * SDK, the command line and the acceptance suite use the same.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
export const START = join(ROOT, 'apps/server/start.mjs');
const READY_MS = 100_000;

export interface Outcome {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** One process and all that it printed. */
export class Running {
  readonly child: ChildProcess;
  readonly exited: Promise<Outcome>;
  stdout = '';
  stderr = '';

  constructor(command: string, args: readonly string[], env: Record<string, string | undefined>, cwd = ROOT) {
    this.child = spawn(command, args, { cwd, env: cleanEnvironment(env), stdio: ['ignore', 'pipe', 'pipe'] });
    this.child.stdout?.on('data', (chunk: Buffer) => {
      this.stdout += chunk.toString();
    });
    this.child.stderr?.on('data', (chunk: Buffer) => {
      this.stderr += chunk.toString();
    });
    this.exited = new Promise((resolve, reject) => {
      this.child.once('error', reject);
      // Not "exit": what was printed last may still be on its way then.
      this.child.once('close', (code, signal) => resolve({ code, signal }));
    });
  }

  get pid(): number {
    return this.child.pid as number;
  }

  /** `http://127.0.0.1:PORT` (or https), once the process said that it is ready. */
  async ready(): Promise<string> {
    const deadline = performance.now() + READY_MS;
    for (;;) {
      const found = /ready at (https?):\/\/[^\s]*:(\d+)\n/.exec(this.stdout);
      // The lines below the address belong to it.
      if (found && this.stdout.trimEnd().split('\n').length > this.stdout.slice(0, found.index).split('\n').length)
        return `${found[1]}://127.0.0.1:${found[2]}`;
      if (this.child.exitCode !== null || this.child.signalCode !== null || performance.now() > deadline)
        throw new Error(`the server was not ready (exit code ${this.child.exitCode}):\n${this.stdout}${this.stderr}`);
      await sleep(20);
    }
  }

  /** Sends a signal and waits for the end. */
  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<Outcome> {
    if (this.child.exitCode === null && this.child.signalCode === null) this.child.kill(signal);
    return this.exited;
  }

  /** What the process logged, line by line. */
  get log(): Record<string, unknown>[] {
    return this.stdout
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  }
}

/** Nothing that steers the test run steers the server. */
export function cleanEnvironment(env: Record<string, string | undefined>): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(PORTICO_|DATABASE_URL|PORT$|HOST$|VITEST)/.test(name),
  );
  return { ...Object.fromEntries(kept), ...env };
}

/** A server with a data directory of its own. */
export interface ServerProcess {
  baseUrl: string;
  /** The data directory, with the embedded database. */
  dataDir: string;
  /** What the start printed. */
  output: string;
  /** Path of the key file of the demo's service account; empty without the demo. */
  keyPath: string;
  /** Milliseconds from the start of the process until it was ready. */
  readyAfter: number;
  /** Ends the process and removes the data directory. */
  stop(): Promise<void>;
}

/** Starts a server on an empty data directory and a free port. @param demo whether it makes the demo tenant */
export async function startServer(demo: boolean, env: Record<string, string> = {}): Promise<ServerProcess> {
  const dataDir = await mkdtemp(join(tmpdir(), 'portico-server-'));
  const started = performance.now();
  const running = new Running(process.execPath, [START], {
    PORT: '0',
    HOST: '127.0.0.1',
    PORTICO_DATA_DIR: dataDir,
    PORTICO_DEMO: String(demo),
    PORTICO_LOG_LEVEL: 'error',
    PORTICO_DRAIN_MS: '0',
    ...env,
  });
  const stop = async () => {
    await running.end();
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    const baseUrl = await running.ready();
    const readyAfter = performance.now() - started;
    const keyPath = /Service-account key:\s*(\S.*)/.exec(running.stdout)?.[1]?.trim() ?? '';
    if (demo && keyPath === '') throw new Error(`the start named no key file:\n${running.stdout}`);
    return { baseUrl, dataDir, output: running.stdout, keyPath, readyAfter, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
