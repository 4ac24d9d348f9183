/** Restores of the embedded database to a point in time, from a base and its archived log, in a folder and in a bucket. */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { clusterFiles } from '@portico/embedded-postgres';
import { startTestS3 } from '@portico/platform/files/s3/s3rver.fixture';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Log } from '../../src/kernel/scope.ts';
import { listBases, logFolder } from '../../src/operator/backup/index.ts';
import { withPlace } from '../../src/process/backup.ts';
import { readConfig } from '../../src/process/config/config.ts';
import { type OpenDatabase, openDatabase } from '../../src/process/database.ts';
import { LogArchive, measureLogArchive } from '../../src/process/log-archive.ts';
import { makeBackup, makeBackupKey, removeBackups, restoreInstallationTo } from '../../src/process/operator.ts';
import { openStorage } from '../../src/process/services.ts';
import { TEST_ENCRYPTION_KEY } from '../support/encryption.ts';
import { Surroundings, until } from './process.fixture.ts';

const surroundings = new Surroundings();
const quiet = { tell: () => undefined };
const log: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
/** A place of backups, as the environment names it. */
interface Place {
  readonly env: Readonly<Record<string, string>>;
  /** The same, but away. */
  readonly away: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

async function makeFolder(): Promise<Place> {
  const folder = await surroundings.directory();
  await writeFile(join(folder, 'in-the-way'), 'a file');
  return {
    env: { PORTICO_BACKUP_TO: folder },
    away: { PORTICO_BACKUP_TO: join(folder, 'in-the-way') },
    close: async () => undefined,
  };
}

async function makeBucket(): Promise<Place> {
  const { options, close } = await startTestS3();
  const to = `s3://${options.bucket}/backups`;
  const env = {
    PORTICO_BACKUP_TO: to,
    PORTICO_BACKUP_S3_ENDPOINT: options.endpoint,
    PORTICO_BACKUP_S3_ACCESS_KEY_ID: options.accessKeyId,
    PORTICO_BACKUP_S3_SECRET_ACCESS_KEY: options.secretAccessKey,
  };
  return { env, away: { ...env, PORTICO_BACKUP_TO: 's3://none-of-this-name/backups' }, close };
}

afterAll(() => surroundings.clean());

async function connect(owner: pg.ClientConfig): Promise<pg.Client> {
  const opened = new pg.Client(owner);
  await opened.connect();
  return opened;
}

/** A bucket whose backups and log are encrypted. */
async function makeEncrypted(): Promise<Place> {
  const key = join(await surroundings.directory(), 'key');
  const keys = { PORTICO_BACKUP_RECIPIENTS: await makeBackupKey(key), PORTICO_BACKUP_IDENTITY_FILE: key };
  const { env, away, close } = await makeBucket();
  return { env: { ...env, ...keys }, away: { ...away, ...keys }, close };
}

describe.each([
  ['a folder', makeFolder],
  ['a bucket', makeBucket],
  ['a bucket, encrypted', makeEncrypted],
])('with the log in %s', (_, makePlace) => {
  let place: Place;
  let env: Record<string, string>;
  let database: OpenDatabase;
  let client: pg.Client;
  let archive: LogArchive;
  let awayArchive: LogArchive;
  /** Each look is an hour after the last, so that each looks for files. */
  let looks = 0;

  const environment = (dataDir: string) => ({
    PORTICO_DATA_DIR: dataDir,
    PORTICO_ENCRYPTION_KEYS: TEST_ENCRYPTION_KEY,
    PORTICO_BACKUP_LOG: 'true',
    PORTICO_MIN_FREE_BYTES: '0',
    ...place.env,
  });

  beforeAll(async () => {
    place = await makePlace();
    env = environment(await surroundings.directory());
    const config = readConfig(env);
    await mkdir(config.filesDir, { recursive: true });
    database = await openDatabase(config, log, 'command');
    client = await connect(database.owner);
    // The rows of files here name no author.
    await client.query('SET session_replication_role = replica');
    const { storage } = await openStorage(config);
    const clock = { now: () => Date.now() + 3_600_000 * ++looks };
    const archiveTo = (of: Record<string, string>) =>
      new LogArchive({ config: readConfig(of), storage, clock } as never, database.owner);
    archive = archiveTo(env);
    awayArchive = archiveTo({ ...env, ...place.away });
  });
  afterAll(async () => {
    await client?.end();
    await database?.close();
    await place?.close();
  });

  /** Makes a tenant, with a file. @returns the time at which it is there */
  async function write(name: string): Promise<Date> {
    const { storage, close } = await openStorage(readConfig(env));
    const { rows } = await client.query(`INSERT INTO tenants (name, display_name) VALUES ($1, $1) RETURNING id`, [
      name,
    ]);
    const { id } = rows[0];
    await client.query('INSERT INTO stream_state (tenant_id) VALUES ($1)', [id]);
    const received = await storage.receive(id, bytesOf(name), { maxBytes: 100 });
    await received.publish();
    await client.query(
      `INSERT INTO file_contents (tenant_id, content_ref, storage_key, mime_type, size, md5, sha256, state, creator_id, created_at, uploaded_at)
       VALUES ($1, $2, $3, 'text/plain', $4, $5, $6, 1, 1, now(), now())`,
      [id, randomBytes(32).toString('hex'), received.storageKey, received.size, received.md5, received.sha256],
    );
    close();
    // A date has no microseconds: the next whole millisecond is after these rows, and before the next ones.
    const { rows: times } = await client.query<{ now: Date }>(
      `SELECT date_trunc('milliseconds', clock_timestamp()) + interval '1 millisecond' AS now, pg_sleep(0.002)`,
    );
    return times[0]!.now;
  }

  async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
    yield Buffer.from(text);
  }

  /** Archives everything that was written. */
  async function archiveAll(): Promise<void> {
    const files = clusterFiles(env['PORTICO_DATA_DIR']!);
    const { rows } = await client.query('SELECT pg_walfile_name(pg_switch_wal()) AS name');
    await until('the server has finished the file of its log', () => existsSync(join(files.logArchive, rows[0].name)));
    await archive.run(new AbortController().signal);
    expect(measureLogArchive(files, Date.now())).toBe(0);
  }

  /** Restores to a moment. @returns tenants, with the text of their file, and what the restore says */
  async function restored(moment: Date | undefined) {
    const target = environment(await surroundings.directory());
    const said = await restoreInstallationTo({ moment, withoutKeys: false, ...quiet }, target);
    const config = readConfig(target);
    const opened = await openDatabase(config, log, 'command');
    const reader = await connect(opened.owner);
    try {
      const { rows } = await reader.query<{ name: string; key: string; generation: string }>(
        `SELECT t.name, f.storage_key AS key, s.generation FROM tenants t JOIN file_contents f ON f.tenant_id = t.id
           JOIN stream_state s ON s.tenant_id = t.id ORDER BY t.id`,
      );
      expect(new Set(rows.map(({ generation }) => Number(generation)))).toEqual(new Set([2]));
      expect((await reader.query('SELECT pg_is_in_recovery() AS still')).rows[0].still).toBe(false);
      const texts = await Promise.all(rows.map(({ key }) => readFile(join(config.filesDir, 'tenants', key), 'utf8')));
      return { names: rows.map(({ name }) => name), texts, said };
    } finally {
      await reader.end();
      await opened.close();
    }
  }

  test('restores to the moment after each write, with the files of then, and to the end of the log', async () => {
    await write('before');
    const { manifest } = await makeBackup({ kind: 'full', ...quiet }, env);
    expect(manifest.base).toMatchObject({ system: expect.stringMatching(/^\d+$/) });
    await archiveAll();
    const first = await write('first');
    await write('second');
    await archiveAll();
    await write('third');
    await archiveAll();
    const early = await restored(first);
    expect([early.names, early.texts]).toEqual([
      ['before', 'first'],
      ['before', 'first'],
    ]);
    expect(early.said).toMatchObject({ name: manifest.name, missing: [] });
    const late = await restored(undefined);
    expect(late.names).toEqual(['before', 'first', 'second', 'third']);
    expect(late.texts).toEqual(late.names);
  });

  test('refuses a moment before the base, one after the log, and a directory with a database', async () => {
    const restore = async (moment: Date) =>
      restoreInstallationTo({ moment, withoutKeys: false, ...quiet }, environment(await surroundings.directory()));
    await expect(restore(new Date('2020-01-01'))).rejects.toThrow(/no full backup from before this moment/);
    await expect(restore(new Date())).rejects.toThrow(/^The archived log ends before .*--to latest/);
    await expect(restoreInstallationTo({ moment: undefined, withoutKeys: false, ...quiet }, env)).rejects.toThrow(
      /has a database: give an empty one/,
    );
  });

  test('keeps the log while the place is away, and removes what no base needs', async () => {
    const files = clusterFiles(env['PORTICO_DATA_DIR']!);
    await write('fourth');
    const { rows } = await client.query('SELECT pg_walfile_name(pg_switch_wal()) AS name');
    await until('the server has finished the file of its log', () => existsSync(join(files.logArchive, rows[0].name)));
    await expect(awayArchive.run(new AbortController().signal)).rejects.toThrow();
    expect(measureLogArchive(files, Date.now() + 60_000)).toBeGreaterThan(50);
    await archive.run(new AbortController().signal);
    expect(measureLogArchive(files, Date.now())).toBe(0);
    const of = (work: 'before' | 'after') =>
      withPlace(undefined, readConfig(env).backup, async (opened) => {
        const { base } = (await listBases(opened)).at(-1)!;
        const names: string[] = [];
        for await (const path of opened.list(`${logFolder(base.system)}/wal/`))
          names.push(path.slice(path.lastIndexOf('/') + 1));
        const segments = names.filter((name) => /^[0-9A-F]{24}\.gz(?:\.age)?$/.test(name)).sort();
        expect(
          segments.some((name) => name.startsWith(base.start)),
          work,
        ).toBe(true);
        return segments.filter((name) => name < base.start).length;
      });
    await makeBackup({ kind: 'full', ...quiet }, env);
    await archiveAll();
    expect(await of('before')).toBeGreaterThan(0);
    await removeBackups({ retention: { count: 1 }, dryRun: false }, env);
    expect(await of('after')).toBe(0);
  });
});
