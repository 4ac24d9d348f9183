import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openEmbeddedPostgres, startEmbeddedPostgres, startTestCluster } from './index.ts';
import { clusterProcesses, isAlive, waitUntil } from './processes.ts';
import { killHard, leftovers, query, removeTemplate, serverUser, TestPlace } from './testing/fixtures.ts';

let place: TestPlace;
beforeEach(() => {
  place = new TestPlace();
});
afterEach(() => place.cleanUp());
afterAll(removeTemplate);

const remember = "CREATE TABLE kept (what text); INSERT INTO kept VALUES ('this'); SELECT what FROM kept";
const recall = 'SELECT what FROM kept';

describe('starting and stopping', () => {
  it('makes a cluster on the first start and finds it again on the second', async () => {
    const dataDir = place.path('data');
    const first = await place.start(dataDir, { skipInitialSync: false });
    expect(first.adopted).toBe(false);
    expect(first.version).toMatch(/^18\.\d+$/);
    expect(await query(first.connection, remember)).toEqual([{ what: 'this' }]);
    const [made] = await query(
      first.connection,
      `SELECT current_setting('server_encoding') AS encoding, datctype, datcollate, current_setting('listen_addresses') AS listens,
         current_setting('fsync') AS fsync, (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) AS super,
         current_database() AS name
       FROM pg_database WHERE datname = current_database()`,
    );
    expect(made).toEqual({
      encoding: 'UTF8',
      datctype: 'C.UTF-8',
      datcollate: 'C.UTF-8',
      listens: '',
      fsync: 'on',
      super: true,
      name: 'portico',
    });
    for (const secret of ['postgres-password', 'postgres.log']) {
      expect(statSync(path.join(dataDir, secret)).mode & 0o777).toBe(0o600);
    }
    await first.stop();
    await first.stop();
    expect(isAlive(first.pid)).toBe(false);
    expect(leftovers(dataDir)).toEqual([]);

    const second = await place.start(dataDir);
    expect(second.adopted).toBe(false);
    expect(second.connection).toEqual(first.connection);
    expect(await query(second.connection, recall)).toEqual([{ what: 'this' }]);
  });

  it('refuses connections without the password', async () => {
    const { connection } = await place.start(await place.seeded('data'));
    await expect(query({ ...connection, password: 'guess' }, 'SELECT 1')).rejects.toMatchObject({ code: '28P01' });
  });

  it('gives an address that pg reads, for a path with spaces, quotes and signs', async () => {
    const cluster = await place.start(await place.seeded('My data, "50%20" of\'it ü'));
    const client = new pg.Client(cluster.adminUrl);
    await client.connect();
    const { rows } = await client.query('SELECT current_user AS name');
    await client.end();
    expect(rows).toEqual([{ name: 'portico_owner' }]);
  });

  it('puts the socket elsewhere when the path is too long for one, and cleans it up', async () => {
    const dataDir = await place.seeded('a'.repeat(110));
    const cluster = await place.start(dataDir);
    const { host } = cluster.connection;
    expect(host.startsWith(dataDir)).toBe(false);
    expect(statSync(host).mode & 0o777).toBe(0o700);
    expect(await query(cluster.connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await cluster.stop();
    expect(existsSync(host)).toBe(false);
  });

  it('runs several clusters at once, each with its own settings', async () => {
    const clusters = await Promise.all(
      ['a', 'b'].map((name, index) =>
        startTestCluster({ dataDir: place.path(name), settings: { max_connections: String(20 + index) } }),
      ),
    );
    try {
      const [a, b] = await Promise.all(clusters.map((one) => query(one.connection, 'SHOW max_connections')));
      expect([a, b]).toEqual([[{ max_connections: '20' }], [{ max_connections: '21' }]]);
      expect(await query(clusters[0]!.connection, 'SHOW fsync')).toEqual([{ fsync: 'off' }]);
    } finally {
      await Promise.all(clusters.map((one) => one.stop()));
    }
  });

  it('ends a start on request and leaves nothing behind', async () => {
    const dataDir = place.path('data');
    const abort = new AbortController();
    const log = ({ msg }: { msg: string }) => {
      if (msg.startsWith('Making')) setImmediate(() => abort.abort());
    };
    await expect(place.start(dataDir, { signal: abort.signal, log })).rejects.toMatchObject({ code: 'aborted' });
    expect(leftovers(dataDir)).toEqual([]);
    await place.start(dataDir);
  });
});

describe('after kill -9', () => {
  it('of the server: takes over the database that still runs', async () => {
    const dataDir = await place.seeded('data');
    const holder = await place.hold(dataDir);
    await query(holder.report.connection, remember);
    await holder.end('SIGKILL');
    expect(isAlive(holder.report.pid)).toBe(true);

    const next = await place.start(dataDir);
    expect(next).toMatchObject({ adopted: true, pid: holder.report.pid });
    expect(await query(next.connection, recall)).toEqual([{ what: 'this' }]);
    await next.stop();
    expect(isAlive(holder.report.pid)).toBe(false);
    expect(clusterProcesses(next.clusterDir)).toEqual([]);
  });

  it('of a server that is making the database: makes it anew and leaves nothing of the attempt', async () => {
    const dataDir = place.path('data');
    const killedWhileMaking = async (child: ChildProcess) => {
      const made = () =>
        existsSync(dataDir) && leftovers(dataDir).some((name) => existsSync(path.join(dataDir, name, 'data')));
      expect(await waitUntil(made, 30_000, 5)).toBe(true);
      child.kill('SIGKILL');
    };
    await expect(place.hold(dataDir, { onSpawn: killedWhileMaking })).rejects.toThrow('no report');
    const next = await place.start(dataDir);
    expect(await query(next.connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await next.stop();
    expect(leftovers(dataDir)).toEqual([]);
  });

  it('and after Ctrl-C in a terminal, which reaches the server and not the database', async () => {
    const dataDir = await place.seeded('data');
    const holder = await place.hold(dataDir);
    process.kill(-holder.pid, 'SIGINT');
    await holder.end('SIGKILL');
    const next = await place.start(dataDir);
    expect(next).toMatchObject({ adopted: true, pid: holder.report.pid });
  });

  it('of the database: starts it anew, with what was committed', async () => {
    const dataDir = await place.seeded('data');
    const holder = await place.hold(dataDir);
    await query(holder.report.connection, remember);
    await killHard(holder.report.pid);
    expect(await holder.end('SIGTERM')).toBe(0);

    const next = await place.start(dataDir);
    expect(next.adopted).toBe(false);
    expect(await query(next.connection, recall)).toEqual([{ what: 'this' }]);
  });

  it('of the database while the server lives: brings it back at the same address', async () => {
    const cluster = await place.start(await place.seeded('data'), { restart: true });
    await query(cluster.connection, remember);
    const { pid, connection } = cluster;
    await killHard(pid);
    expect(await waitUntil(() => cluster.pid !== pid, 20_000)).toBe(true);
    expect(cluster.connection).toEqual(connection);
    expect(await query(connection, recall)).toEqual([{ what: 'this' }]);
  });

  it('of the database on a full disk: tries until there is room, and brings it back', async () => {
    const lost: Error[] = [];
    const cluster = await place.start(await place.seeded('data'), {
      restart: true,
      startRoomBytes: Number.MAX_SAFE_INTEGER,
      onLost: (error) => lost.push(error),
    });
    await query(cluster.connection, remember);
    const { pid, clusterDir } = cluster;
    // The server cannot write its file of options at its start.
    const options = path.join(clusterDir, 'postmaster.opts');
    rmSync(options);
    mkdirSync(options);
    await killHard(pid);
    expect(await waitUntil(() => place.log.some((line) => line.includes('The disk is full')), 30_000)).toBe(true);
    rmdirSync(options);
    expect(await waitUntil(() => cluster.pid !== pid, 30_000)).toBe(true);
    expect(await query(cluster.connection, recall)).toEqual([{ what: 'this' }]);
    expect(lost).toEqual([]);
  });

  it('of the database that was taken over: says so when it shall not be brought back', async () => {
    const dataDir = await place.seeded('data');
    const holder = await place.hold(dataDir);
    await holder.end('SIGKILL');
    const lost = new Promise<Error>((resolve) => {
      place.start(dataDir, { onLost: resolve }).then((next) => {
        expect(next.adopted).toBe(true);
        return killHard(next.pid);
      });
    });
    expect(await lost).toMatchObject({ code: 'lost' });
  });

  it('of both: starts anew, with what was committed', async () => {
    const dataDir = await place.seeded('data');
    const holder = await place.hold(dataDir);
    await query(holder.report.connection, remember);
    await Promise.all([holder.end('SIGKILL'), killHard(holder.report.pid)]);

    const next = await place.start(dataDir);
    expect(next.adopted).toBe(false);
    expect(await query(next.connection, recall)).toEqual([{ what: 'this' }]);
  });

  it('with a stale pid file that names a foreign process of the same user: removes the file, not the process', async () => {
    const dataDir = await place.seeded('data');
    const holder = await place.hold(dataDir);
    const { clusterDir, connection, pid } = holder.report;
    await query(connection, remember);
    await Promise.all([holder.end('SIGKILL'), killHard(pid)]);
    const stranger = await place.bystander({ as: serverUser(clusterDir) });
    for (const file of [path.join(clusterDir, 'postmaster.pid'), path.join(connection.host, '.s.PGSQL.5432.lock')]) {
      const [, ...rest] = readFileSync(file, 'utf8').split('\n');
      writeFileSync(file, [stranger, ...rest].join('\n'));
    }

    const next = await place.start(dataDir);
    expect(next.adopted).toBe(false);
    expect(await query(next.connection, recall)).toEqual([{ what: 'this' }]);
    expect(isAlive(stranger)).toBe(true);
  });

  it('with a busy backend that keeps the shared memory: kills it, and nobody else in that directory', async () => {
    const dataDir = await place.seeded('data');
    const holder = await place.hold(dataDir);
    const { clusterDir, connection, pid } = holder.report;
    await query(connection, remember);
    const busy = new pg.Client(connection);
    busy.on('error', () => undefined);
    await busy.connect();
    const [row] = (await busy.query('SELECT pg_backend_pid() AS backend')).rows;
    const cut = expect(busy.query('DO $$ BEGIN LOOP END LOOP; END $$')).rejects.toThrow();
    const shell = await place.bystander({ cwd: clusterDir });
    await Promise.all([holder.end('SIGKILL'), killHard(pid)]);
    expect(isAlive(row.backend)).toBe(true);

    const next = await place.start(dataDir);
    await cut;
    expect(next.adopted).toBe(false);
    expect(isAlive(row.backend)).toBe(false);
    expect(isAlive(shell)).toBe(true);
    expect(place.log).toContainEqual(expect.stringContaining('left behind'));
    expect(await query(next.connection, recall)).toEqual([{ what: 'this' }]);
  });

  it('and a removed pid file: ends the server that nobody can find any more, and starts anew', async () => {
    const dataDir = await place.seeded('data');
    const holder = await place.hold(dataDir);
    await query(holder.report.connection, remember);
    await holder.end('SIGKILL');
    rmSync(path.join(holder.report.clusterDir, 'postmaster.pid'));
    const next = await place.start(dataDir);
    expect(next.adopted).toBe(false);
    expect(await query(next.connection, recall)).toEqual([{ what: 'this' }]);
  });

  it('and a move of the directory while the database runs on: starts it anew at the new place', async () => {
    const holder = await place.hold(await place.seeded('old'));
    await query(holder.report.connection, remember);
    await holder.end('SIGKILL');
    renameSync(place.path('old'), place.path('new'));
    const next = await place.start(place.path('new'));
    expect(isAlive(holder.report.pid)).toBe(false);
    expect(await query(next.connection, recall)).toEqual([{ what: 'this' }]);
  });
});

describe('one data directory', () => {
  it('refuses a second start in one sentence, and none after the first was killed', async () => {
    const dataDir = await place.seeded('data');
    const holder = await place.hold(dataDir);
    const refusal = { code: 'in_use', message: expect.stringMatching(/^Portico already runs .*[^.]*\.$/) };
    await expect(place.start(dataDir)).rejects.toMatchObject(refusal);
    expect(await query(holder.report.connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await holder.end('SIGKILL');
    await place.start(dataDir);
    await expect(place.start(dataDir)).rejects.toMatchObject(refusal);
  });

  it('goes to exactly one of several starts that find the same stale lock', async () => {
    const dataDir = await place.seeded('data');
    const holder = await place.hold(dataDir);
    await Promise.all([holder.end('SIGKILL'), killHard(holder.report.pid)]);
    const starts = await Promise.all([1, 2, 3].map(() => place.hold(dataDir)));
    const winners = starts.filter(({ report }) => report.error === undefined);
    expect(starts.map(({ report }) => report.error?.code ?? 'up').sort()).toEqual(['in_use', 'in_use', 'up']);
    expect(await query(winners[0]!.report.connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(await winners[0]!.end('SIGTERM')).toBe(0);
  });

  it('lends its running database to commands, and starts it for them otherwise', async () => {
    const dataDir = await place.seeded('data');
    const log = () => undefined;
    const alone = await openEmbeddedPostgres({ dataDir, log, skipInitialSync: true });
    const beside = await place.hold(dataDir, { how: 'open' });
    expect(beside.report.pid).toBe(alone.pid);
    // The second command still works when the first one has ended, and ends the database as the last one.
    const client = new pg.Client(beside.report.connection);
    await client.connect();
    await alone.stop();
    expect(isAlive(alone.pid)).toBe(true);
    await client.end();
    expect(await beside.end('SIGTERM')).toBe(0);
    expect(isAlive(alone.pid)).toBe(false);

    const server = await place.start(dataDir);
    const command = await openEmbeddedPostgres({ dataDir, log });
    expect(command.pid).toBe(server.pid);
    await command.stop();
    expect(await query(server.connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('of another major version is refused', async () => {
    const dataDir = await place.seeded('data');
    const cluster = await place.start(dataDir);
    await cluster.stop();
    writeFileSync(path.join(cluster.clusterDir, 'PG_VERSION'), '17\n');
    await expect(place.start(dataDir)).rejects.toMatchObject({
      code: 'version_mismatch',
      message: expect.stringContaining('PostgreSQL 17'),
    });
    expect(leftovers(dataDir)).toEqual([]);
  });

  it('that lost its password file gets a new password, and a wrong one is named', async () => {
    const dataDir = await place.seeded('data');
    const cluster = await place.start(dataDir);
    await query(cluster.connection, remember);
    await cluster.stop();
    rmSync(path.join(dataDir, 'postgres-password'));
    const again = await place.start(dataDir);
    expect(again.connection.password).not.toBe(cluster.connection.password);
    expect(await query(again.connection, recall)).toEqual([{ what: 'this' }]);
    await again.stop();
    writeFileSync(path.join(dataDir, 'postgres-password'), 'something else\n');
    await expect(place.start(dataDir)).rejects.toMatchObject({ code: 'password_mismatch' });
  });

  it('that cannot be made is named in one sentence', async () => {
    writeFileSync(place.path('file'), '');
    for (const dataDir of [place.path('file', 'data'), place.path('file'), '/proc/portico']) {
      await expect(startEmbeddedPostgres({ dataDir, log: () => undefined })).rejects.toMatchObject({
        code: 'data_dir_unwritable',
        message: expect.stringMatching(
          new RegExp(`^The data directory ${dataDir} cannot be written .*PORTICO_DATA_DIR\\.$`),
        ),
      });
    }
  });

  it('with a setting the server refuses: says what the server said', async () => {
    const dataDir = await place.seeded('data');
    await expect(place.start(dataDir, { settings: { shared_buffers: 'plenty' } })).rejects.toMatchObject({
      code: 'start_failed',
      message: expect.stringContaining('shared_buffers'),
    });
    await expect(place.start(dataDir, { settings: { 'bad name': '1' } })).rejects.toMatchObject({
      code: 'start_failed',
    });
    expect(leftovers(dataDir)).toEqual([]);
  });
});
