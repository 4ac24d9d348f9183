/** Backups of a whole installation: made under writers, interrupted, damaged, restored, and compared by every read. */
import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { takeBackupLease } from '@portico/platform/db/backup-lease';
import { addSealingKeyId } from '@portico/platform/db/sealing-keys';
import { startTestS3 } from '@portico/platform/files/s3/s3rver.fixture';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPromise } from 'yauzl';
import { removeUnattachedFiles, removeUnusedFiles } from '../../src/modules/files/index.ts';
import { tables } from '../../src/modules/tables.ts';
import {
  checkBackup,
  findBackups,
  makeBackup,
  removeBackups,
  reportBackup,
  restoreInstallation,
} from '../../src/process/operator.ts';
import { migrate } from '../../src/schema/migrate.ts';
import { type Attacked, makeAttacked } from '../security/objects.fixture.ts';
import { TEST_ENCRYPTION_KEY, testSealer } from '../support/encryption.ts';
import { createTestPortal, type TestDatabase, type TestPortal } from '../support/index.ts';
import { readAll as readEvery } from './every-read.fixture.ts';
import { ROOT, Surroundings, until } from './process.fixture.ts';

const NOW = Date.parse('2027-01-15T12:00:00Z');
const DAY_MS = 86_400_000;
const COMMAND = join(ROOT, 'packages/cli/bin/portico.mjs');

const surroundings = new Surroundings();
const quiet = { tell: () => undefined };
let portal: TestPortal;
let objects: Attacked;
let env: Record<string, string>;

beforeAll(async () => {
  portal = await createTestPortal({ clock: { now: () => NOW }, checkAnswers: false });
  objects = await makeAttacked(portal, 'Quagganar');
  await storeFile('kept', { attached: true });
  await addSealingKeyId(portal.owner, testSealer.keyIds[0]!);
  env = {
    DATABASE_URL: urlOf(portal.database.owner),
    PORTICO_DATA_DIR: portal.services.config.dataDir,
    PORTICO_ENCRYPTION_KEYS: TEST_ENCRYPTION_KEY,
  };
});
afterAll(async () => {
  await portal.close();
  await surroundings.clean();
});

function urlOf({ host, port, user, password, database }: pg.ClientConfig): string {
  return `postgres://${user}:${encodeURIComponent(String(password))}@/${database}?host=${encodeURIComponent(String(host))}&port=${port}`;
}

/** Stores bytes and a row that names them. @returns the key */
async function storeFile(text: string, { attached = false } = {}): Promise<string> {
  const { storage, databases } = portal.services;
  const db = databases.for(objects.world.tenant.tenant.id);
  const received = await storage.receive(db.tenantId, bytesOf(text), { maxBytes: 1_000 });
  await received.publish();
  await db.execute(
    `INSERT INTO file_contents (tenant_id, content_ref, storage_key, mime_type, size, md5, sha256, state, creator_id, created_at, uploaded_at, attached_at)
     VALUES ($1, $2, $3, 'text/plain', $4, $5, $6, 1, $7, $8, $8, $9)`,
    [
      db.tenantId,
      randomBytes(32).toString('hex'),
      received.storageKey,
      received.size,
      received.md5,
      received.sha256,
      objects.chief,
      attached ? new Date(NOW) : new Date(),
      attached ? new Date(NOW + 365 * DAY_MS) : null,
    ],
  );
  return received.storageKey;
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

/** An empty database of its own, and a portal on it once a backup is restored there. */
async function restored(from: string, name?: string, more: Record<string, string> = {}): Promise<TestPortal> {
  const { url, owner } = await surroundings.database();
  const dataDir = await surroundings.directory();
  const target = {
    ...more,
    DATABASE_URL: url,
    PORTICO_DATA_DIR: dataDir,
    PORTICO_ENCRYPTION_KEYS: TEST_ENCRYPTION_KEY,
  };
  await restoreInstallation({ from, name, withoutKeys: false, keepFiles: false, ...quiet }, target);
  const login = await asOwner(owner, async (client) => {
    const { rows } = await client.query(`SELECT value FROM portico_owner_secrets WHERE name = 'service_password'`);
    return { ...owner, user: `${owner.database}_service`, password: rows[0].value as string };
  });
  const database: TestDatabase = { name: String(owner.database), owner, service: login, drop: async () => undefined };
  const clock = { now: () => NOW };
  return createTestPortal({
    database,
    bystander: false,
    clock,
    checkAnswers: false,
    env: { PORTICO_FILES_DIR: join(dataDir, 'files') },
  });
}

async function asOwner<T>(config: pg.ClientConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(config);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const readAll = ({ app }: TestPortal, people: readonly number[]) => {
  const { host, token } = objects.world.tenant;
  return readEvery({ app, host, token }, objects.open, people);
};

/** Reads the global stream, from a position or afresh. */
async function follow({ app }: TestPortal, syncToken?: string) {
  const { tenant } = objects.world;
  const query = syncToken ? `?${new URLSearchParams({ syncToken })}` : '';
  return app.inject({
    method: 'POST',
    url: `/portal/api/external/v2/communication/posts/data/global-stream${query}`,
    headers: { host: tenant.host, authorization: `Bearer ${await tenant.token(objects.chief)}` },
    payload: {},
  });
}

test('a restored installation answers every read as the first one did', async () => {
  const to = await surroundings.directory();
  await objects.world.tenant.settleStream();
  const token = (await follow(portal)).json().nextSyncToken as string;
  const people = [objects.chief, objects.open.userId];
  // Everything was seen before, so that no read is the first one.
  await readAll(portal, people);
  const { manifest } = await makeBackup({ to, kind: 'full', ...quiet }, env);
  const copy = await restored(to, manifest.name);
  try {
    const [before, after] = [await readAll(portal, people), await readAll(copy, people)];
    expect(before.size).toBeGreaterThan(150);
    const successes = [...before.values()].filter((answer) => (answer as { status: number }).status === 200);
    expect(successes.length).toBeGreaterThan(100);
    for (const [name, answer] of before) expect(after.get(name), name).toEqual(answer);
    const refused = await follow(copy, token);
    expect([refused.statusCode, refused.json().code]).toEqual([400, 'SYNC_TOKEN_INVALID']);
    expect((await follow(copy)).statusCode).toBe(200);
    // Ids go on.
    const [next] = (await copy.owner.query(`SELECT nextval('posts_id_seq') AS id`)).rows;
    expect(Number(next.id)).toBeGreaterThan(objects.open.postId);
  } finally {
    await copy.close();
  }
});

test('a backup of an earlier version is restored, migrated and adopted', async () => {
  const [to, dataDir] = [await surroundings.directory(), await surroundings.directory()];
  const { url, owner } = await surroundings.database();
  // The schema of 0.2.0, and the least rows that a tenant has.
  await migrate({ owner, tables, upTo: 104 });
  await asOwner(owner, async (client) => {
    await client.query(`INSERT INTO tenants (name, display_name) VALUES ('early', 'Early')`);
    const id = '(SELECT id FROM tenants)';
    for (const table of ['tenant_settings', 'tenant_versions', 'stream_state']) {
      await client.query(`ALTER TABLE ${table} NO FORCE ROW LEVEL SECURITY`);
      await client.query(`INSERT INTO ${table} (tenant_id) VALUES (${id})`);
      await client.query(`ALTER TABLE ${table} FORCE ROW LEVEL SECURITY`);
    }
  });
  const source = {
    DATABASE_URL: url,
    PORTICO_BACKUP_DATABASE_URL: urlOf({ ...portal.database.owner, database: owner.database }),
    PORTICO_DATA_DIR: dataDir,
    PORTICO_ENCRYPTION_KEYS: TEST_ENCRYPTION_KEY,
  };
  for (const programs of [false, true]) {
    const { manifest } = await makeBackup({ to, kind: 'full', programs, ...quiet }, source);
    expect(manifest.schema).toBe(104);
    const copy = await restored(to, manifest.name);
    const rows = await copy.owner.query('SELECT t.name, count(*)::int AS n FROM tenants t GROUP BY t.name');
    const databases = copy.services.databases.for(1);
    const [state] = await databases.query('SELECT generation FROM stream_state WHERE tenant_id = $1', [1]);
    await copy.close();
    expect(rows.rows).toEqual([{ name: 'early', n: 1 }]);
    expect(state).toEqual({ generation: 2 });
  }
});

test('a backup under writers holds every write acknowledged before it, and every file that its rows name', async () => {
  const to = await surroundings.directory();
  const acknowledged: number[] = [];
  let writing = true;
  const { world } = objects;
  const author = objects.chief;
  const writer = async (number: number) => {
    for (let round = 0; writing; round++) {
      const key = await storeFile(`file ${number} ${round}`, { attached: true });
      const { status, body } = await world.tenant.request(
        author,
        'POST',
        `/portal/api/external/v2/communication/posts/manage/create-post/${objects.open.communityId}`,
        { title: `Post ${key}`, description: 'Text', descriptionFormat: 2, announcement: false },
      );
      expect(status, JSON.stringify(body)).toBe(200);
      acknowledged.push(body.postId as number);
    }
  };
  const writers = [1, 2, 3].map(writer);
  await until('posts are written', () => acknowledged.length >= 6);
  const before = [...acknowledged];
  const { manifest } = await makeBackup({ to, kind: 'full', programs: false, ...quiet }, env);
  writing = false;
  await Promise.all(writers);
  const verified = await checkBackup({ from: to }, env);
  expect([verified.problems, verified.missingKeys]).toEqual([[], []]);
  expect(manifest.files.missing).toEqual([]);
  const copy = await restored(to);
  try {
    const db = copy.services.databases.for(world.tenant.tenant.id);
    const posts = await db.query<{ id: number }>('SELECT id FROM posts WHERE tenant_id = $1', [db.tenantId]);
    const ids = new Set(posts.map(({ id }) => id));
    expect(before.filter((id) => !ids.has(id))).toEqual([]);
    const files = await db.query<{ key: string; sha256: string }>(
      'SELECT storage_key AS key, sha256 FROM file_contents WHERE tenant_id = $1 AND storage_key IS NOT NULL',
      [db.tenantId],
    );
    expect(files.length).toBe(manifest.files.count);
    for (const { key, sha256 } of files) {
      const bytes = Buffer.concat(await (await copy.services.storage.open(key)).toArray());
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256);
    }
  } finally {
    await copy.close();
  }
});

describe('the lease', () => {
  test('keeps the bytes of removed files until the backup ends', async () => {
    const { services } = portal;
    const db = services.databases.for(objects.world.tenant.tenant.id);
    const key = await storeFile('soon removed');
    const later = Date.now() + 3 * DAY_MS;
    const lease = (await takeBackupLease(portal.database.owner))!;
    try {
      const removed = await removeUnattachedFiles(db, { storage: services.storage, tables }, later);
      expect(removed.contents).toBeGreaterThan(0);
      expect(removed.files).toBe(0);
      expect(await services.storage.stat(key)).toBeDefined();
    } finally {
      await lease.release();
    }
    expect((await removeUnusedFiles(db, { storage: services.storage, tables }, later)).files).toBeGreaterThan(0);
    expect(await services.storage.stat(key)).toBeUndefined();
  });

  test('ends with the session of a backup that died', async () => {
    const lease = (await takeBackupLease(portal.database.owner))!;
    await portal.owner.query(
      `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND granted
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND mode = 'ExclusiveLock'`,
    );
    await expect(lease.check()).rejects.toThrow();
    const next = await takeBackupLease(portal.database.owner);
    expect(next).toBeDefined();
    await next!.release();
    await lease.release();
  });
});

describe('an incremental backup', () => {
  test('copies new files only, and keeps its holder', async () => {
    const to = await surroundings.directory();
    await expect(makeBackup({ to, kind: 'incremental', ...quiet }, env)).rejects.toThrow('has no full backup yet');
    const { manifest: full } = await makeBackup({ to, kind: 'full', ...quiet }, env);
    await storeFile(`new ${randomBytes(4).toString('hex')}`, { attached: true });
    const { manifest } = await makeBackup({ to, kind: 'incremental', ...quiet }, env);
    expect(manifest.files.count).toBe(full.files.count + 1);
    expect(manifest.files.ownBytes).toBeLessThan(20);
    expect(manifest.files.holders).toEqual([full.name]);
    const listed = await findBackups(to, env);
    expect(listed.filter(({ state }) => state === 'whole').map(({ name, kind }) => [name, kind])).toEqual([
      [full.name, 'full'],
      [manifest.name, 'incremental'],
    ]);
    expect(await removeBackups({ from: to, retention: { count: 1 }, dryRun: false }, env)).toEqual([]);
    expect((await checkBackup({ from: to, name: manifest.name }, env)).problems).toEqual([]);
  });
});

describe('a damaged backup', () => {
  let to: string;
  let folder: string;
  beforeAll(async () => {
    to = await surroundings.directory();
    const { manifest } = await makeBackup({ to, kind: 'full', programs: false, ...quiet }, env);
    folder = join(to, manifest.name);
  });

  const cases: readonly [string, () => Promise<string>][] = [
    ['a changed file', async () => (await below(join(folder, 'stored')))[0]!],
    ['a changed table', async () => (await below(join(folder, 'database'))).find((path) => path.includes('-users.'))!],
    ['a changed list', async () => (await below(join(folder, 'files')))[0]!],
  ];
  test.each(cases)('is found: %s', async (_, find) => {
    const path = await find();
    const whole = await readFile(path);
    const bytes = Buffer.from(whole);
    bytes[bytes.length - 1] = bytes[bytes.length - 1]! ^ 1;
    await writeFile(path, bytes);
    const { problems } = await checkBackup({ from: to }, env);
    expect(problems.join()).toContain('checksum of');
    if (path.includes('stored')) await expect(restored(to)).rejects.toThrow('checksum of');
    await writeFile(path, whole.subarray(1));
    expect((await checkBackup({ from: to }, env)).problems.join()).toContain(`${whole.length - 1} bytes`);
    await writeFile(path, whole);
    expect((await checkBackup({ from: to }, env)).problems).toEqual([]);
  });
});

async function unpack(archive: string, to: string): Promise<void> {
  const zip = await openPromise(archive, { lazyEntries: true });
  for await (const entry of zip.eachEntry()) {
    await mkdir(dirname(join(to, entry.fileName)), { recursive: true });
    await pipeline(await zip.openReadStreamPromise(entry), createWriteStream(join(to, entry.fileName)));
  }
}

async function below(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

describe('refusals', () => {
  test('a role that row security binds is refused, and the role of the documents reads all', async () => {
    const { url, owner } = await surroundings.database();
    const source = {
      DATABASE_URL: url,
      PORTICO_DATA_DIR: await surroundings.directory(),
      PORTICO_ENCRYPTION_KEYS: TEST_ENCRYPTION_KEY,
    };
    const to = await surroundings.directory();
    await expect(makeBackup({ to, kind: 'full', ...quiet }, source)).rejects.toThrow('holds no installation');
    const first = await makeBackup({ to, kind: 'full', ...quiet }, env);
    await restoreInstallation({ from: to, withoutKeys: false, keepFiles: false, ...quiet }, source);
    await expect(makeBackup({ to, kind: 'full', ...quiet }, source)).rejects.toThrow('PORTICO_BACKUP_DATABASE_URL');
    const role = `${owner.database}_backup`;
    await portal.owner.query(`CREATE ROLE ${role} LOGIN BYPASSRLS PASSWORD 'of the backup'`);
    try {
      await portal.owner.query(`GRANT pg_read_all_data TO ${role}`);
      const reader = urlOf({ ...owner, user: role, password: 'of the backup' });
      const second = await makeBackup(
        { to, kind: 'full', ...quiet },
        { ...source, PORTICO_BACKUP_DATABASE_URL: reader },
      );
      expect(second.manifest.tenants).toBe(first.manifest.tenants);
      expect(second.manifest.files.count).toBe(first.manifest.files.count);
    } finally {
      await portal.owner.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
    }
    await expect(
      restoreInstallation({ from: to, withoutKeys: false, keepFiles: false, ...quiet }, source),
    ).rejects.toThrow('not empty');
  });

  test('a restore without the keys is refused and names them', async () => {
    const to = await surroundings.directory();
    const { manifest } = await makeBackup({ to, kind: 'full', ...quiet }, env);
    const { url } = await surroundings.database();
    const other = {
      DATABASE_URL: url,
      PORTICO_DATA_DIR: await surroundings.directory(),
      PORTICO_ENCRYPTION_KEYS: randomBytes(32).toString('base64'),
    };
    await expect(
      restoreInstallation({ from: to, withoutKeys: false, keepFiles: false, ...quiet }, other),
    ).rejects.toThrow(manifest.encryptionKeys[0]);
    expect((await checkBackup({ from: to }, other)).missingKeys).toEqual(manifest.encryptionKeys);
    for (const path of await below(to)) {
      const bytes = await readFile(path);
      expect(bytes.includes(TEST_ENCRYPTION_KEY), path).toBe(false);
      expect(bytes.includes(Buffer.from(TEST_ENCRYPTION_KEY, 'base64')), path).toBe(false);
    }
  });
});

test('a backup of another tool counts as the newest', async () => {
  const moment = new Date(Date.now() - 60_000);
  await reportBackup({ tool: 'pgbackrest', name: 'daily', place: 'elsewhere', moment }, env);
  await reportBackup({ tool: 'pgbackrest', name: 'daily', place: 'elsewhere', moment }, env);
  const { rows } = await portal.owner.query(`SELECT moment FROM portico_backups WHERE tool = 'pgbackrest'`);
  expect(rows).toEqual([{ moment }]);
});

test('a backup in a bucket is listed, verified, restored and pruned', async () => {
  const s3 = await startTestS3('x/');
  try {
    const to = `s3://${s3.options.bucket}/backups`;
    const of = {
      ...env,
      PORTICO_BACKUP_S3_ENDPOINT: s3.options.endpoint,
      PORTICO_BACKUP_S3_ACCESS_KEY_ID: s3.options.accessKeyId,
      PORTICO_BACKUP_S3_SECRET_ACCESS_KEY: s3.options.secretAccessKey,
    };
    const { manifest: first } = await makeBackup({ to, kind: 'full', ...quiet }, of);
    const { manifest: second } = await makeBackup({ to, kind: 'incremental', ...quiet }, of);
    const listed = await findBackups(to, of);
    expect(listed.map(({ state }) => state)).toEqual(['whole', 'whole']);
    expect((await checkBackup({ from: to, name: second.name }, of)).problems).toEqual([]);
    const copy = await restored(to, second.name, of);
    await copy.close();
    const { manifest: third } = await makeBackup({ to, kind: 'full', ...quiet }, of);
    expect(await removeBackups({ from: to, retention: { count: 1 }, dryRun: false }, of)).toEqual(
      [first.name, second.name].sort(),
    );
    expect((await findBackups(to, of)).map(({ name }) => name)).toEqual([third.name]);
  } finally {
    await s3.close();
  }
});

describe('the command', () => {
  const run = (words: readonly string[], more: Record<string, string>) =>
    surroundings.run(process.execPath, [COMMAND, 'backup', ...words], more);

  test('killed in each phase, leaves a backup that does not count; the next one is whole', async () => {
    const to = await surroundings.directory();
    const of = { ...env, PORTICO_BACKUP_TO: to };
    // A file that never ends: the backup gets to it, and not past it.
    const key = await storeFile(`endless ${randomBytes(4).toString('hex')}`, { attached: true });
    const path = join(portal.services.config.filesDir, 'tenants', key);
    await rename(path, `${path}.aside`);
    execFileSync('mkfifo', [path]);
    for (const phase of ['begun.json', 'database', 'stored']) {
      const known = await readdir(to);
      const command = run(['create'], of);
      await until(`the backup comes to ${phase}`, async () => {
        const [name] = (await readdir(to)).filter((entry) => !known.includes(entry));
        return name !== undefined && existsSync(join(to, name, phase));
      });
      await command.end('SIGKILL');
    }
    await rm(path);
    await rename(`${path}.aside`, path);
    const killed = await findBackups(to, of);
    expect(killed.map(({ state }) => state)).toEqual(['unfinished', 'unfinished', 'unfinished']);
    await expect(checkBackup({ from: to, name: killed[0]!.name }, of)).rejects.toThrow('unfinished');
    const last = run(['create'], of);
    expect((await last.exited).code, last.stderr).toBe(0);
    expect(last.stdout).toContain('It needs the encryption keys');
    const verify = run(['verify'], of);
    expect((await verify.exited).code, verify.stderr).toBe(0);
    expect(verify.stdout).toContain('all are configured here');
  });

  test('writes one archive, from which an embedded database is restored', async () => {
    const to = await surroundings.directory();
    const archive = join(to, 'portico.zip');
    const shell = surroundings.run(
      'sh',
      ['-c', `"$0" "$1" backup create --rows --to - > "$2"`, process.execPath, COMMAND, archive],
      env,
    );
    expect((await shell.exited).code, shell.stderr).toBe(0);
    await unpack(archive, join(to, 'unpacked'));
    const fresh = { PORTICO_DATA_DIR: await surroundings.directory(), PORTICO_ENCRYPTION_KEYS: TEST_ENCRYPTION_KEY };
    const restore = run(['restore', '--from', join(to, 'unpacked')], fresh);
    expect((await restore.exited).code, restore.stderr).toBe(0);
    const server = surroundings.start(fresh);
    await server.ready();
    await server.end('SIGTERM');
    const twice = run(['restore', '--from', join(to, 'unpacked')], fresh);
    expect([(await twice.exited).code, twice.stderr]).toEqual([1, expect.stringContaining('not empty')]);
  });
});
