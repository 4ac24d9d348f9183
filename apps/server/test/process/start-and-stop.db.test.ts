/**
 * Starting and stopping as an operator does it: the printed lines, the finished requests, the
 * remains.
 */
import { readFileSync, statSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Log } from '../../src/kernel/scope.ts';
import { readConfig } from '../../src/process/config/config.ts';
import { openDatabase } from '../../src/process/database.ts';
import { countWaitingStatements } from '../support/activity.ts';
import { firstStarts } from '../support/data-directory.ts';
import {
  asClient,
  ask,
  demoKey,
  isAlive,
  postgresPid,
  type Running,
  Surroundings,
  signIn,
  until,
} from './process.fixture.ts';

const surroundings = new Surroundings();
afterAll(() => surroundings.clean());

const silent: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

describe('an installation with the embedded database', { timeout: 300_000 }, () => {
  /** The third start of the demo, which the test after it ends. */
  let third: {
    running: Running;
    dataDir: string;
    origin: string;
    token: string;
    community: { id: number; posts: number };
  };

  it('stops while the demo is being made; the next start makes it and prints how to sign in; a third one finds it again', async () => {
    const { dataDir: madeIn, stopped, made, postgresLog } = await firstStarts();
    expect(stopped).toMatchObject({ code: 0, signal: null, stderr: '', postgresLeft: false });
    expect(stopped.stdout).not.toContain('ready at');

    expect(made).toMatchObject({ code: 0, signal: null, stderr: '', postgresLeft: false });
    expect(made.stdout).toMatch(/^Portico is ready at http:\/\/localhost:\d+\n/m);
    expect(made.stdout).toMatch(/\nAdministrator:\s+\S+@\S+\n/);
    expect(made.stdout).toContain(`Service-account key: ${join(madeIn, 'demo-service-account.json')}\n`);
    // Shown by the start that made them, and by no other.
    const passwords = /^Sign in once as: +\S+ with password [A-Za-z2-9]{20}$/gm;
    expect(made.stdout.match(passwords)).toHaveLength(3);
    expect(made.stdout.match(/^[^{\n].*$/gm)).toHaveLength(7);

    const dataDir = await surroundings.dataDirectory({ demo: true });
    const output = `${made.stdout}${postgresLog}`;
    expect(output).not.toMatch(/BEGIN (RSA )?PRIVATE KEY|Bearer |eyJ[\w-]{20,}|ptc_/);
    const privateKey = demoKey(dataDir).private_key.split('\n');
    for (const line of privateKey.filter(({ length }) => length > 40)) expect(output).not.toContain(line);
    const keyFile = join(dataDir, 'demo-service-account.json');
    expect(statSync(keyFile).mode & 0o777).toBe(0o600);
    const kept = readFileSync(keyFile, 'utf8');

    const env = { PORTICO_DATA_DIR: dataDir, PORTICO_DEMO: undefined };
    const first = surroundings.start(env);
    const origin = await first.ready();
    const port = new URL(origin).port;
    expect(first.stdout).toContain(`Portico is ready at http://localhost:${port}\n`);
    for (const host of ['127.0.0.1', '[::1]', 'localhost'])
      expect((await fetch(`http://${host}:${port}/readyz`)).status).toBe(200);
    const token = await signIn(origin, demoKey(dataDir));
    const community = await communityWithPosts(origin, token);
    // Ctrl-C in a terminal: the process hears it from the terminal and once more from npm.
    first.child.kill('SIGINT');
    first.child.kill('SIGINT');
    expect(await first.exited).toEqual({ code: 0, signal: null });
    expect(first.stderr).toBe('');
    expect(postgresPid(dataDir)).toBeUndefined();

    const running = surroundings.start({ ...env, PORTICO_DRAIN_MS: '1500' });
    const again = await running.ready();
    expect(running.stdout).toContain(keyFile);
    expect(running.stdout).not.toContain('with password');
    expect(readFileSync(keyFile, 'utf8')).toBe(kept);
    // Tokens are valid across restarts; the posts are the same as before.
    expect(await countPosts(again, token, community.id)).toBe(community.posts);
    third = { running, dataDir, origin: again, token, community };
  });

  it('finishes a slow request, turns balancers away meanwhile, and is not held by connections that carry none', async () => {
    const { running, dataDir, origin, token, community } = third;
    const postgres = postgresPid(dataDir) as number;
    const port = Number(new URL(origin).port);
    // Three connections: kept after a request, silent from the beginning, stopped in the middle of
    // its headers.
    const agent = new Agent({ keepAlive: true });
    await new Promise((resolve) =>
      request(`${origin}/healthz`, { agent }, (r) => r.resume().once('end', resolve)).end(),
    );
    const mute = connect(port, '127.0.0.1').on('error', () => undefined);
    const half = connect(port, '::1').on('error', () => undefined);
    half.write('GET /healthz HTTP/1.1\r\nHost: x\r\n');

    const live = await fetch(`${origin}/portal/api/communication/live`, {
      headers: { Authorization: `Bearer ${token}` },
    });

    const database = await openDatabase(readConfig({ PORTICO_DATA_DIR: dataDir }), silent, 'command');
    const answers = await asClient(database.owner, async (client) => {
      await client.query('BEGIN; LOCK TABLE posts IN ACCESS EXCLUSIVE MODE');
      // Over both addresses: the second one is as much of the server as the first.
      const slow = ['127.0.0.1', '[::1]'].map((host) => countPosts(`http://${host}:${port}`, token, community.id));
      await until('both requests wait', async () => (await countWaitingStatements(database.owner)) >= 2);
      running.child.kill('SIGTERM');
      await until('/readyz answers 503', async () => (await fetch(`${origin}/readyz`)).status === 503);
      const draining = await fetch(`${origin}/healthz`);
      expect([draining.status, draining.headers.get('connection')]).toEqual([200, 'close']);
      await until('the server no longer listens', () => refused(port));
      // The stop does not wait for endless responses.
      expect(await live.text()).toContain('retry: ');
      expect(isAlive(running.pid)).toBe(true);
      await client.query('COMMIT');
      return Promise.all(slow);
    });
    await database.close();
    expect(answers).toEqual([community.posts, community.posts]);
    expect(await running.exited).toEqual({ code: 0, signal: null });
    expect(isAlive(postgres)).toBe(false);
    expect(running.log.some((line) => line['level'] === 50)).toBe(false);
    for (const socket of [mute, half]) socket.destroy();
    agent.destroy();
  });

  it('cuts off what takes longer than it may, and still ends the database cleanly', async () => {
    const { url, owner } = await surroundings.database();
    const running = surroundings.start({
      PORTICO_DATA_DIR: await surroundings.directory(),
      DATABASE_URL: url,
      PORTICO_DEMO: 'false',
      PORTICO_STOP_TIMEOUT_MS: '700',
    });
    const origin = await running.ready();
    await asClient(owner, async (client) => {
      await client.query('BEGIN; LOCK TABLE tenants IN ACCESS EXCLUSIVE MODE');
      const slow = fetch(`${origin}/portal/api/core/auth/current-user-data`);
      const cut = expect(slow).rejects.toThrow();
      await until('the request waits', async () => (await countWaitingStatements(owner)) > 0);
      running.child.kill('SIGTERM');
      await cut;
      await client.query('COMMIT');
    });
    expect((await running.exited).code).toBe(0);
    expect(running.stdout).toContain('requests did not end in time and were cut off');
  });

  it('runs below npm: SIGTERM to npm ends everything', async () => {
    const dataDir = await surroundings.dataDirectory();
    const npm = surroundings.run('npm', ['start'], {
      PORT: '0',
      PORTICO_DATA_DIR: dataDir,
      PORTICO_DEMO: 'false',
      PORTICO_LOG_LEVEL: 'info',
      PORTICO_DRAIN_MS: '0',
    });
    const origin = await npm.ready();
    expect((await fetch(`${origin}/readyz`)).status).toBe(200);
    const postgres = postgresPid(dataDir) as number;
    const server = npm.log.map((line) => line['pid']).find((pid) => typeof pid === 'number') as number;
    expect(server).not.toBe(npm.pid);
    await npm.end('SIGTERM');
    await until('the server has ended', () => !isAlive(server));
    expect(isAlive(postgres)).toBe(false);
    expect(npm.stdout).toContain('"stopped"');
  });
});

async function communityWithPosts(origin: string, token: string): Promise<{ id: number; posts: number }> {
  const { communities } = await ask(origin, token, 'GET', 'communication/settings/communities');
  for (const { id } of communities as { id: number }[]) {
    const posts = await countPosts(origin, token, id);
    if (posts > 10) return { id, posts };
  }
  throw new Error('the demo has no community with posts');
}

async function countPosts(origin: string, token: string, community: number): Promise<number> {
  const body = { pageSize: 1, calculateTotalItemsCount: true };
  const page = await ask(origin, token, 'POST', `communication/posts/data/list/community/${community}`, body);
  return page['totalItemsCount'] as number;
}

function refused(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(false);
    });
    socket.once('error', () => resolve(true));
  });
}
