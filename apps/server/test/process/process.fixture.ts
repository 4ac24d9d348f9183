/**
 * Real processes for tests of an operator's actions: started as `npm start` does, ended by their
 * own process ids.
 */
import { createSign, randomBytes, randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { clusterDirOf, findHome } from '@portico/embedded-postgres/placement';
import pg from 'pg';
import { fillDataDirectory } from '../support/data-directory.ts';
import { configOf, currentCluster } from '../support/index.ts';
import { Running, START } from '../support/server-process.ts';

export { cleanEnvironment, ROOT, Running, START } from '../support/server-process.ts';

/** Directories, processes and databases of a test file; `clean` ends and removes them all. */
export class Surroundings {
  readonly #running: Running[] = [];
  readonly #undo: (() => Promise<unknown>)[] = [];

  async directory(): Promise<string> {
    const path = await mkdtemp(join(tmpdir(), 'portico-process-'));
    this.#undo.push(() => rm(path, { recursive: true, force: true, maxRetries: 10 }));
    return path;
  }

  /** A data directory that a first start has filled. @param demo whether it holds the demo tenant */
  async dataDirectory({ demo = false } = {}): Promise<string> {
    const path = await this.directory();
    await fillDataDirectory(path, demo);
    return path;
  }

  /** Starts a server on a free port. */
  start(env: Record<string, string | undefined>): Running {
    return this.run(process.execPath, [START], {
      PORT: '0',
      PORTICO_DEMO: 'false',
      PORTICO_LOG_LEVEL: 'info',
      // Nobody is in front of it who would have to turn away.
      PORTICO_DRAIN_MS: '0',
      ...env,
    });
  }

  run(command: string, args: readonly string[], env: Record<string, string | undefined>): Running {
    const running = new Running(command, args, env);
    this.#running.push(running);
    return running;
  }

  /** An empty database on the run's server, owned by a role of its own that is no superuser. */
  async database(): Promise<{ url: string; owner: pg.ClientConfig }> {
    const server = administrator();
    const name = `portico_process_${randomBytes(5).toString('hex')}`;
    const password = randomBytes(12).toString('hex');
    await asClient(server, async (client) => {
      await client.query(`CREATE ROLE ${name} LOGIN CREATEROLE PASSWORD '${password}'`);
      await client.query(`CREATE DATABASE ${name} OWNER ${name} ENCODING 'UTF8' TEMPLATE template0`);
    });
    this.#undo.push(() =>
      asClient(server, async (client) => {
        await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
        await client.query(`DROP ROLE IF EXISTS ${name}_service`);
        await client.query(`DROP ROLE ${name}`);
      }),
    );
    const { host, port } = server;
    return {
      url: `postgres://${name}:${password}@/${name}?host=${encodeURIComponent(String(host))}&port=${port}`,
      owner: { ...server, user: name, password, database: name },
    };
  }

  async clean(): Promise<void> {
    await Promise.all(
      this.#running.map(async (running) => {
        const stopped = await Promise.race([running.end('SIGTERM'), sleep(20_000, undefined, { ref: false })]);
        // A test that failed may have left one that listens to nothing less.
        if (!stopped) await running.end('SIGKILL');
      }),
    );
    for (const undo of this.#undo.toReversed()) await undo();
  }
}

/** The superuser of the run's server. */
export function administrator(): pg.ClientConfig {
  return configOf(currentCluster().ownerUrl, 'postgres');
}

export async function asClient<T>(config: pg.ClientConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(config);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Process id of the embedded PostgreSQL of a data directory, or undefined when none runs. */
export function postgresPid(dataDir: string): number | undefined {
  const file = join(clusterDirOf(findHome(dataDir)), 'postmaster.pid');
  if (!existsSync(file)) return undefined;
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
  return isAlive(pid) ? pid : undefined;
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A zombie takes signals and lives no more.
    return !existsSync(`/proc/${pid}/stat`) || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}

export async function until(what: string, condition: () => boolean | Promise<boolean>, ms = 90_000): Promise<void> {
  const deadline = performance.now() + ms;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`waited in vain until ${what}`);
    await sleep(25);
  }
}

interface KeyFile {
  private_key_id: number;
  private_key: string;
  client_id: number;
}

/** The key file that a first start made. */
export function demoKey(dataDir: string): KeyFile {
  return JSON.parse(readFileSync(join(dataDir, 'demo-service-account.json'), 'utf8')) as KeyFile;
}

/** A signed assertion of a service account. */
export function assertion(key: KeyFile): string {
  const now = Math.floor(Date.now() / 1000);
  const unsigned = [
    { alg: 'RS512', typ: 'JWT', kid: key.private_key_id },
    {
      iss: key.client_id,
      aud: 'portico/portal-authenticator',
      iat: now,
      exp: now + 300,
      jti: randomUUID().replaceAll('-', ''),
    },
  ]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${unsigned}.${createSign('RSA-SHA512').update(unsigned).sign(key.private_key).toString('base64url')}`;
}

/** Signs in. @returns an access token */
export async function signIn(origin: string, key: KeyFile): Promise<string> {
  const answer = await ask(origin, undefined, 'POST', 'core/auth/create-access-token-by-service-account', {
    jwtAssertion: assertion(key),
  });
  return answer['accessToken'] as string;
}

/** A request that must succeed. @returns its body */
export async function ask(
  origin: string,
  token: string | undefined,
  method: string,
  path: string,
  body?: unknown,
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came
): Promise<Record<string, any>> {
  const response = await fetch(`${origin}/portal/api/${path}`, {
    method,
    redirect: 'manual',
    headers: {
      ...(token && { Authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
}
