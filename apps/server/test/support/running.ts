/** Processes that tests start, with all that they print; ended by their own process ids. */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { buildWeb } from '../../../web/build.ts';
import { TEST_ENCRYPTION_KEY } from './encryption.ts';

export const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
export const START = join(ROOT, 'apps/server/start.mjs');
const READY_MS = 200_000;

// Servers that tests start serve the page. Built here, so that no start prints that it builds.
await buildWeb();

/** How a process ended. */
export interface Outcome {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A process with all of its output. */
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
      // Not "exit": the last output may still be on its way then.
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

  /** Waits until the process has printed a text. */
  async prints(text: string): Promise<void> {
    const deadline = performance.now() + READY_MS;
    while (!this.stdout.includes(text)) {
      if (this.child.exitCode !== null || this.child.signalCode !== null || performance.now() > deadline)
        throw new Error(`the process did not print ${text}:\n${this.stdout}${this.stderr}`);
      await sleep(20);
    }
  }

  /** Sends a signal and waits for the end. */
  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<Outcome> {
    if (this.child.exitCode === null && this.child.signalCode === null) this.child.kill(signal);
    return this.exited;
  }

  /** The log of the process, line by line. */
  get log(): Record<string, unknown>[] {
    return this.stdout
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  }

  /** The output of the process besides its log, line by line. */
  get plainLines(): string[] {
    return this.stdout.split('\n').filter((line) => line !== '' && !line.startsWith('{'));
  }
}

/** Nothing that steers the test run steers the server. */
export function cleanEnvironment(env: Record<string, string | undefined>): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(PORTICO_|DATABASE_URL|PORT$|HOST$|VITEST)/.test(name),
  );
  // An external database needs a key; tests that start without one say so.
  const external = env['DATABASE_URL'] !== undefined || env['DATABASE_URL_FILE'] !== undefined;
  return {
    ...Object.fromEntries(kept),
    ...(external && { PORTICO_ENCRYPTION_KEYS: TEST_ENCRYPTION_KEY }),
    // Whatever the machine: a test that needs several processes says so.
    PORTICO_PROCESSES: '1',
    ...env,
  };
}
