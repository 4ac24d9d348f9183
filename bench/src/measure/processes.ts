/**
 * The measured processes: Portico and the limit, on one database, each on a free port of this
 * machine.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { TEST_ENCRYPTION_KEY } from '@portico/server/testing';
import pg from 'pg';
import { SERVER_ARGUMENTS } from '../measured-server.ts';
import type { ExplainAnswer, RecordAnswer, RecordOrder } from './limit-server.ts';
import { askOnce } from './load.ts';
import { postmasterOf } from './usage.ts';

/** A process that listens. */
interface Listening {
  readonly port: number;
  readonly pid: number;
  stop(): Promise<void>;
}

/** The limit's process. */
interface Limit extends Listening {
  /** Runs requests by the product within the limit's process, and records their statements. */
  record(order: RecordOrder): Promise<RecordAnswer>;
  explain(plan: number): Promise<ExplainAnswer>;
}

export interface Processes {
  /** Connection string of the owner of the shared database. */
  readonly ownerUrl: string;
  readonly server: Listening;
  readonly limit: Limit;
  /** Process id of the database server, if it runs on this machine. */
  readonly postmaster: number | undefined;
  readonly pool: number;
  /** Restarts Portico, with the memory and the prepared statements of a fresh process. */
  restartServer(): Promise<void>;
  restartLimit(): Promise<void>;
  stop(): Promise<void>;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  child.once('exit', () => resolve());
  child.kill('SIGTERM');
  const patience = setTimeout(() => child.kill('SIGKILL'), 20_000);
  await promise;
  clearTimeout(patience);
}

/** Starts a program and waits for the line with its port. */
async function launch(args: readonly string[], env: NodeJS.ProcessEnv, ready: RegExp): Promise<Listening> {
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  let waiting = true;
  createInterface({ input: child.stdout! }).on('line', (line) => {
    const port = ready.exec(line)?.[1];
    if (port) {
      waiting = false;
      resolve(Number(port));
    } else if (!waiting && line.startsWith('{')) {
      // Its log has only errors here, which the user must see.
      process.stderr.write(`${line}\n`);
    }
  });
  child.once('exit', () => reject(new Error(`${args.at(-1)} ended before it was ready`)));
  return { port: await promise, pid: child.pid!, stop: () => end(child) };
}

/**
 * Starts everything.
 * @param ownerUrl the database's owner, a superuser
 */
export async function startProcesses(ownerUrl: string): Promise<Processes> {
  const dataDir = await mkdtemp(join(tmpdir(), 'portico-bench-'));
  const env = {
    // All figures are for a single process, whatever the machine.
    PORTICO_PROCESSES: '1',
    ...process.env,
    DATABASE_URL: ownerUrl,
    PORTICO_ENCRYPTION_KEYS: TEST_ENCRYPTION_KEY,
    PORTICO_DATA_DIR: dataDir,
    PORTICO_DEMO: 'false',
    PORTICO_LOG_LEVEL: 'error',
    HOST: '127.0.0.1',
    PORT: '0',
    // A run takes longer than a token's usual life.
    PORTICO_ACCESS_TOKEN_SECONDS: '86400',
  };
  const startServer = () => launch(SERVER_ARGUMENTS, env, /ready at https?:\/\/\S+?:(\d+)/);
  const startLimit = () => launch([fileURLToPath(new URL('limit-server.ts', import.meta.url))], env, /^{"port":(\d+)}/);
  let server = await startServer();
  let limit = await startLimit();
  const order = async <T>(path: string, body: unknown) =>
    JSON.parse(
      await askOnce(limit.port, {
        method: 'POST',
        path,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    ) as T;
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const postmaster = postmasterOf(rows[0]!.pid);
  await client.end();
  return {
    ownerUrl,
    get server() {
      return server;
    },
    get limit() {
      return {
        ...limit,
        record: (what: RecordOrder) => order<RecordAnswer>('/record', what),
        explain: (plan: number) => order<ExplainAnswer>('/explain', { plan }),
      };
    },
    postmaster,
    pool: Number(process.env['PORTICO_DATABASE_POOL'] ?? 10),
    restartServer: async () => {
      await server.stop();
      server = await startServer();
    },
    restartLimit: async () => {
      await limit.stop();
      limit = await startLimit();
    },
    stop: async () => {
      await Promise.all([server.stop(), limit.stop()]);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
