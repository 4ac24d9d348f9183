/** A node on which two processes serve: clients and operators see the same as with one process. */
import { createSign, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Log } from '../../src/kernel/scope.ts';
import { readConfig } from '../../src/process/config/config.ts';
import { openDatabase } from '../../src/process/database.ts';
import {
  asClient,
  demoKey,
  isAlive,
  postgresPid,
  type Running,
  Surroundings,
  signIn,
  until,
} from './process.fixture.ts';

const SIGN_IN = 'core/auth/create-access-token-by-service-account';
const CURRENT_USER = 'core/auth/current-user-data';
const FAILURES = 12;
/** Requests a minute: more than the attempts to see that processes count together. */
const LIMIT = 200;
/** Pause of a client between two requests, so that processes that start get a share of the cores. Milliseconds. */
const PAUSE = 10;
const silent: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

const surroundings = new Surroundings();
let running: Running;
let dataDir: string;
let origin: string;
let metricsPort: number;
let token: string;

beforeAll(async () => {
  dataDir = await surroundings.dataDirectory({ demo: true });
  metricsPort = await freePort();
  running = surroundings.start({
    PORTICO_PROCESSES: '2',
    PORTICO_DATA_DIR: dataDir,
    PORTICO_DEMO: undefined,
    PORTICO_METRICS_PORT: String(metricsPort),
    PORTICO_SIGN_IN_FAILURES: String(FAILURES),
    PORTICO_TRUSTED_PROXIES: '127.0.0.1',
    PORTICO_DRAIN_MS: '300',
  });
  origin = await running.ready();
  token = await signIn(origin, demoKey(dataDir));
}, 200_000);
afterAll(() => surroundings.clean());

interface Sent {
  readonly address?: string;
  readonly token?: string;
  readonly body?: unknown;
  readonly agent?: Agent;
}

/** Sends a request, by default on a connection of its own. @param sent.address of the client, as a proxy says */
function send(
  path: string,
  sent: Sent = {},
): Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; body: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<Awaited<ReturnType<typeof send>>>();
  const outgoing = request(
    `${origin}/${path}`,
    {
      method: sent.body === undefined ? 'GET' : 'POST',
      agent: sent.agent ?? false,
      headers: {
        ...(sent.address !== undefined && { 'X-Forwarded-For': sent.address }),
        ...(sent.token !== undefined && { Authorization: `Bearer ${sent.token}` }),
        ...(sent.body !== undefined && { 'Content-Type': 'application/json' }),
      },
    },
    (response) => {
      text(response).then(
        (body) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
        reject,
      );
    },
  );
  outgoing.once('error', reject);
  outgoing.end(sent.body === undefined ? undefined : JSON.stringify(sent.body));
  return promise;
}

const api = (path: string, sent?: Sent) => send(`portal/api/${path}`, sent);

/** The processes that serve. */
function serving(): number[] {
  const parts = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return parts.map(Number).filter((pid) => {
    try {
      const parent = /^\d+ \(.*\) \S (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1];
      return Number(parent) === running.pid && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('several/entry');
    } catch (error) {
      // It has ended since it was listed.
      if (['ENOENT', 'ESRCH'].includes(String((error as NodeJS.ErrnoException).code))) return false;
      throw error;
    }
  });
}

const logged = (message: string) => running.log.filter(({ msg }) => msg === message);
const jobsOf = () => logged('this process runs the background jobs of the node').map(({ pid }) => pid);

async function figure(name: string): Promise<number> {
  const figures = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  const lines = figures.split('\n').filter((line) => line.startsWith(name));
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}
const requests = () => figure('portico_http_request_seconds_count{operation="currentUserData"');

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Asks on kept connections and on new ones until it is ended. @returns how many answers there were of each kind */
function keepAsking() {
  const outcomes = new Map<string, number>();
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  let going = true;
  const client = async (kept: boolean) => {
    while (going) {
      const outcome = await api(CURRENT_USER, { token, ...(kept && { agent }) }).then(
        ({ status }) => String(status),
        (error: NodeJS.ErrnoException) => String(error.code),
      );
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
  };
  const done = Promise.all([true, true, true, true, false, false].map(client));
  return {
    outcomes,
    end: async () => {
      going = false;
      await done;
      agent.destroy();
      return [...outcomes.keys()].sort();
    },
  };
}

describe.runIf(process.platform === 'linux')('two processes of a node', { timeout: 200_000 }, () => {
  it('both serve, behind one port and one /metrics, and one of them runs the jobs', async () => {
    expect(serving()).toHaveLength(2);
    const before = await requests();
    for (let count = 0; count < 12; count++) expect((await api(CURRENT_USER, { token })).status).toBe(200);
    expect(await requests()).toBe(before + 12);
    const answers = running.log.filter(({ operation }) => operation === 'currentUserData');
    expect([...new Set(answers.map(({ pid }) => Number(pid)))].sort()).toEqual(serving().sort());
    expect(jobsOf()).toHaveLength(1);
    expect((await fetch(`${origin}/readyz`)).status).toBe(200);
  });

  it('count failed sign-ins, requests of an account and live connections together', async () => {
    const failed = [];
    for (let count = 0; count < FAILURES + 4; count++) {
      const body = { jwtAssertion: 'eyJhbGciOiJSUzUxMiIsImtpZCI6MX0.eyJpc3MiOjF9.AAAA' };
      failed.push((await api(SIGN_IN, { address: '192.0.2.1', body })).status);
    }
    expect(failed).toEqual([...Array(FAILURES).fill(401), ...Array(4).fill(429)]);

    const live = Array.from({ length: 22 }, () =>
      fetch(`${origin}/portal/api/communication/live`, { headers: { Authorization: `Bearer ${token}` } }),
    );
    const channels = await Promise.all(live);
    expect(channels.filter(({ status }) => status === 200)).toHaveLength(20);
    expect(channels.filter(({ status }) => status === 429)).toHaveLength(2);
    await Promise.all(channels.map(({ body }) => body?.cancel()));
    await expect
      .poll(async () => {
        const again = await fetch(`${origin}/portal/api/communication/live`, {
          headers: { Authorization: `Bearer ${token}` },
        });
        await again.body?.cancel();
        return again.status;
      })
      .toBe(200);

    await limitRequests(LIMIT);
    const left = async (): Promise<number> => {
      const { headers } = await api(CURRENT_USER, { token });
      return Number(/r=(\d+)/.exec(String(headers['ratelimit']))?.[1] ?? Number.NaN);
    };
    // Processes read a changed setting one after the other, and a minute may end in between.
    await expect
      .poll(
        async () => {
          const [first, ...rest] = [await left(), await left(), await left(), await left(), await left(), await left()];
          return rest.map((remaining) => (first as number) - remaining);
        },
        { interval: 1_000 },
      )
      .toEqual([1, 2, 3, 4, 5]);
    const states = async (count: number) => {
      const seen: number[] = [];
      for (let n = 0; n < count; n++) seen.push((await api(CURRENT_USER, { token })).status);
      return seen;
    };
    await expect.poll(() => states(LIMIT + 1)).toContain(429);
    await limitRequests(null);
    await expect.poll(() => states(6)).toEqual(Array(6).fill(200));
  });

  it('answer a repeated assertion of the older line with one token', async () => {
    const { client_id, private_key_id, private_key } = demoKey(dataDir);
    const now = Math.floor(Date.now() / 1000);
    const parts = [
      { alg: 'RS512', typ: 'JWT', kid: private_key_id },
      { iss: String(client_id), aud: 'portico/portal-authenticator', iat: now, exp: now + 300, jti: randomUUID() },
    ].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'));
    const unsigned = parts.join('.');
    const signed = createSign('RSA-SHA512').update(unsigned).sign(private_key).toString('base64url');
    const body = { jwtAssertion: `${unsigned}.${signed}` };
    const answers = await Promise.all(Array.from({ length: 6 }, () => api(SIGN_IN, { address: '192.0.2.2', body })));
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
    expect(new Set(answers.map((answer) => JSON.parse(answer.body).accessToken)).size).toBe(1);
    expect((await api(SIGN_IN, { address: '192.0.2.3', body })).status).toBe(401);
  });

  it('are replaced one after the other on SIGHUP, and no request fails', async () => {
    const before = serving();
    const counted = await requests();
    const load = keepAsking();
    await until('there is load', () => (load.outcomes.get('200') ?? 0) > 50);
    running.child.kill('SIGHUP');
    await until('all processes were restarted', () => logged('all processes were restarted').length === 1);
    expect(await load.end()).toEqual(['200']);
    const after = serving();
    expect(after).toHaveLength(2);
    expect(after.filter((pid) => before.includes(pid))).toEqual([]);
    // The sum still includes the counts of the former processes.
    expect(await requests()).toBe(counted + (load.outcomes.get('200') ?? 0));
    expect(after).toContain(jobsOf().at(-1));
  });

  it('are replaced when they end, whichever does, by a signal or by themselves', async () => {
    const jobs = jobsOf().at(-1) as number;
    const killed = serving().find((pid) => pid !== jobs) as number;
    const counted = await requests();
    process.kill(killed, 'SIGKILL');
    await until('another one serves', () => serving().length === 2 && !serving().includes(killed));
    const ended = 'a serving process ended by itself; another one takes its place';
    await until('the end was logged', () => logged(ended).length === 1);
    process.kill(jobs, 'SIGTERM');
    await until('the jobs have moved', () => jobsOf().at(-1) !== jobs && !isAlive(jobs));
    await until('two serve', () => serving().length === 2);
    expect((await api(CURRENT_USER, { token })).status).toBe(200);
    expect(await requests()).toBeGreaterThan(counted);
  });

  it('end with the node: requests are answered or refused, and nothing is left', async () => {
    const [processes, postgres] = [serving(), postgresPid(dataDir) as number];
    const load = keepAsking();
    await until('there is load', () => (load.outcomes.get('200') ?? 0) > 50);
    running.child.kill('SIGTERM');
    await until(
      'balancers turn away',
      async () => (await fetch(`${origin}/readyz`).catch(() => undefined))?.status === 503,
    );
    expect(await running.exited).toEqual({ code: 0, signal: null });
    expect(await load.end()).toEqual(['200', 'ECONNREFUSED']);
    expect([...processes, postgres].filter(isAlive)).toEqual([]);
    const ended = 'a serving process ended by itself; another one takes its place';
    expect(running.log.filter(({ level, msg }) => Number(level) >= 40 && msg !== ended)).toEqual([]);
    expect(running.stderr).toBe('');
  });

  it('end when the process that started them is killed', async () => {
    const env = { PORTICO_PROCESSES: '2', PORTICO_DATA_DIR: dataDir };
    running = surroundings.start(env);
    origin = await running.ready();
    const processes = serving();
    expect(processes).toHaveLength(2);
    await running.end('SIGKILL');
    await until('they have ended', () => !processes.some(isAlive));
    running = surroundings.start({ ...env, PORTICO_PROCESSES: '1' });
    origin = await running.ready();
    expect(serving()).toEqual([]);
    expect((await api(CURRENT_USER, { token })).status).toBe(200);
  });
});

/** Sets the requests of an account within a minute. */
async function limitRequests(most: number | null): Promise<void> {
  const database = await openDatabase(readConfig({ PORTICO_DATA_DIR: dataDir }), silent, 'command');
  await asClient(database.owner, (client) =>
    client.query(`UPDATE tenant_settings SET account_requests_per_minute = ${most ?? 'NULL'}`),
  );
  await database.close();
}
