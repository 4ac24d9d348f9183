/** `portico doctor` on installations whose faults are made: each is named, with a remedy, and no other is. */
import { execFileSync } from 'node:child_process';
import { chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addSealingKeyId } from '@portico/platform/db/sealing-keys';
import { startTestS3 } from '@portico/platform/files/s3/s3rver.fixture';
import { startTestSmtp } from '@portico/platform/mail/smtp.fixture';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { TEST_ENCRYPTION_KEY, testSealer } from '../../../test/support/encryption.ts';
import { createTestPortal, type TestPortal } from '../../../test/support/index.ts';
import { makeBackup, makeBackupKey } from '../operator.ts';
import { examine, type Finding } from './index.ts';

const isRoot = process.getuid?.() === 0;
let portal: TestPortal;
let folder: string;
let env: Record<string, string>;
const mounted: string[] = [];

beforeAll(async () => {
  portal = await createTestPortal({});
  const { user, password, host, port, database } = portal.database.owner;
  const query = String(host).startsWith('/') ? `?host=${encodeURIComponent(String(host))}&port=${port}` : '';
  const server = query === '' ? `${host}:${port}` : 'localhost';
  folder = mkdtempSync(join(tmpdir(), 'portico-faults-'));
  env = {
    DATABASE_URL: `postgres://${user}:${encodeURIComponent(String(password))}@${server}/${database}${query}`,
    PORTICO_ENCRYPTION_KEYS: TEST_ENCRYPTION_KEY,
    PORTICO_MIN_FREE_BYTES: '0',
    PORT: '1',
  };
  await addSealingKeyId(portal.owner, testSealer.keyIds[0]!);
  await portal.createTenant();
});
afterEach(() => {
  vi.useRealTimers();
  for (const path of mounted.splice(0)) execFileSync('umount', [path]);
});
afterAll(async () => {
  await portal?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A new data directory. */
function dataDir(): string {
  return mkdtempSync(join(folder, 'data-'));
}

/** A data directory on a file system of its own. @param options as of mount */
function mountedDir(options: string): string {
  const path = dataDir();
  execFileSync('mount', ['-t', 'tmpfs', '-o', `${options},mode=0700`, 'tmpfs', path]);
  mounted.push(path);
  return path;
}

/** What is not well in an area, each with its remedy. */
async function faults(area: Finding['area'], changes: Record<string, string>): Promise<string[]> {
  const found: string[] = [];
  for await (const one of examine({ ...env, PORTICO_DATA_DIR: dataDir(), ...changes }))
    if (one.area === area && one.state !== 'ok') found.push(`${one.state}: ${one.found} ${one.remedy}`);
  return found;
}

test('a misspelt variable, with the name that is meant', async () => {
  expect(await faults('configuration', { PORTICO_BACKUP_HOUR: '24', PORTICO_XYZ: '1' })).toEqual([
    'warning: PORTICO_BACKUP_HOUR is not a variable of Portico. Rename it to PORTICO_BACKUP_HOURS.',
    'warning: PORTICO_XYZ is not a variable of Portico. Remove it.',
  ]);
});

test.runIf(isRoot)('a full disk, and one that takes no more files', async () => {
  const full = mountedDir('size=2m');
  expect(await faults('room', { PORTICO_DATA_DIR: full })).toEqual([]);
  writeFileSync(join(full, 'ballast'), Buffer.alloc(1_900_000));
  expect(await faults('room', { PORTICO_DATA_DIR: full })).toEqual([
    `warning: Only 0.2 MiB are free for files at ${join(full, 'files')}. Make room there, or enlarge the disk.`,
  ]);
  expect(await faults('room', { PORTICO_DATA_DIR: full, PORTICO_MIN_FREE_BYTES: '1000000' })).toEqual([
    expect.stringMatching(/^problem: 0\.2 MiB are free for files at .*, less than 1\.0 MiB\./),
  ]);
  expect(await faults('storage', { PORTICO_DATA_DIR: full })).toEqual([
    expect.stringMatching(/^problem: It failed to write a file\. .*would be free.* Make room/),
  ]);
  const crowded = mountedDir('size=2m,nr_inodes=50');
  expect(await faults('room', { PORTICO_DATA_DIR: crowded })).toEqual([
    expect.stringMatching(/^problem: The file system of .* takes only \d+ more files\. Make room/),
  ]);
});

test.runIf(isRoot)('a read-only disk, and directories of other users', async () => {
  const locked = mountedDir('size=2m');
  mkdirSync(join(locked, 'files'), { mode: 0o700 });
  execFileSync('mount', ['-o', 'remount,ro', locked]);
  expect(await faults('permissions', { PORTICO_DATA_DIR: locked })).toEqual(
    [locked, join(locked, 'files')].map(
      (path) => `problem: ${path} is mounted read-only. Mount it writable; after a disk error, repair it first.`,
    ),
  );
  const foreign = dataDir();
  chownSync(foreign, 65_534, 65_534);
  mkdirSync(join(foreign, 'files'));
  expect(await faults('permissions', { PORTICO_DATA_DIR: foreign })).toEqual([
    expect.stringMatching(/^warning: .* belongs to the user 65534, and this command runs as 0\. Run the command as/),
    `problem: The owner of ${foreign} does not own files in it. chown -R --reference=${foreign} ${foreign}`,
  ]);
});

test.runIf(isRoot)('no fault in a directory of root, whose database belongs to another account', async () => {
  const own = dataDir();
  mkdirSync(join(own, 'postgres'));
  chownSync(join(own, 'postgres'), 65_534, 65_534);
  expect(await faults('permissions', { PORTICO_DATA_DIR: own })).toEqual([]);
});

test('a directory of files that everybody may enter', async () => {
  const open = join(dataDir(), 'open');
  mkdirSync(open);
  expect(await faults('permissions', { PORTICO_FILES_DIR: open })).toEqual([
    `warning: Every user of this machine may enter ${open}, which holds files. chmod o= ${open}`,
  ]);
});

test('a clock that is wrong', async () => {
  expect((await faults('clock', {})).filter((one) => one.includes('differ'))).toEqual([]);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 90_000 });
  expect(await faults('clock', {})).toEqual([
    expect.stringMatching(/^problem: This machine and the database server differ by (89|90)\.\d s: .*Set the clocks/),
  ]);
});

test('a schema that is older or newer than this version', async () => {
  const { rows } = await portal.owner.query<{ version: number }>(
    'SELECT max(version) AS version FROM portico_migrations',
  );
  const { version } = rows[0]!;
  const change = (to: number) =>
    portal.owner.query(
      'UPDATE portico_migrations SET version = $2 WHERE version = (SELECT max(version) FROM portico_migrations WHERE version >= $1)',
      [version - 1, to],
    );
  await portal.owner.query(
    'CREATE TEMPORARY TABLE last_migration AS SELECT * FROM portico_migrations WHERE version = $1',
    [version],
  );
  await change(version + 1);
  const newer = await faults('versions', {});
  await portal.owner.query('DELETE FROM portico_migrations WHERE version > $1', [version]);
  const older = await faults('versions', {});
  await portal.owner.query('INSERT INTO portico_migrations SELECT * FROM last_migration');
  expect(newer).toEqual([
    expect.stringMatching(/^problem: The schema \d+ is of a newer version .* Install that version/),
  ]);
  expect(older).toEqual([expect.stringMatching(/^warning: The schema is \d+; .* Make a backup; the next start/)]);
});

test('an index that was left incomplete', async () => {
  // As after an interrupted CREATE INDEX CONCURRENTLY: here two rows are equal.
  await portal.owner.query('CREATE TABLE twice AS SELECT 1 AS number FROM generate_series(1, 2)');
  await expect(portal.owner.query('CREATE UNIQUE INDEX CONCURRENTLY twice_number ON twice (number)')).rejects.toThrow();
  const found = await faults('indexes', {});
  await portal.owner.query('DROP TABLE twice');
  expect(found).toEqual([
    'problem: Indexes are incomplete, so that no read uses them: twice_number. Build them again: REINDEX INDEX CONCURRENTLY twice_number;',
  ]);
});

test('a mail server that refuses', async () => {
  const smtp = await startTestSmtp();
  try {
    expect(await faults('mail', smtp.env)).toEqual([]);
    const wrong = smtp.env.PORTICO_SMTP_URL.replace('%2Fd@', 'x@');
    expect(await faults('mail', { ...smtp.env, PORTICO_SMTP_URL: wrong })).toEqual([
      expect.stringMatching(/^problem: It failed to connect .* The server refuses user and password/),
    ]);
    const away = smtp.env.PORTICO_SMTP_URL.replace(String(smtp.port), '9');
    expect(await faults('mail', { ...smtp.env, PORTICO_SMTP_URL: away })).toEqual([
      expect.stringMatching(/^problem: .* The server cannot be reached/),
    ]);
  } finally {
    await smtp.close();
  }
});

test('a store that refuses, for files and for backups', async () => {
  const s3 = await startTestS3();
  try {
    expect(await faults('storage', { ...s3.env, PORTICO_S3_ACCESS_KEY_ID: 'wrong' })).toEqual([
      expect.stringMatching(/^problem: It failed to write a file\. The keys are invalid/),
    ]);
    expect(await faults('storage', { ...s3.env, PORTICO_S3_BUCKET: 'none-of-this-name' })).toEqual([
      expect.stringMatching(/^problem: It failed to write a file\. The bucket does not exist/),
    ]);
    const backups = {
      PORTICO_BACKUP_TO: `s3://${s3.options.bucket}/backups/`,
      PORTICO_BACKUP_S3_ENDPOINT: s3.options.endpoint,
      PORTICO_BACKUP_S3_ACCESS_KEY_ID: s3.options.accessKeyId,
      PORTICO_BACKUP_S3_SECRET_ACCESS_KEY: s3.options.secretAccessKey,
    };
    const missing = 'problem: There has been no backup.';
    expect(await faults('backups', backups)).toEqual([expect.stringContaining(missing)]);
    expect(await faults('backups', { ...backups, PORTICO_BACKUP_S3_ACCESS_KEY_ID: 'wrong' })).toEqual([
      expect.stringContaining(missing),
      expect.stringMatching(/^problem: The place of backups s3:.* cannot be read: .* Correct PORTICO_BACKUP_TO/),
    ]);
  } finally {
    await s3.close();
  }
});

test('a newest backup that is gone or damaged, and a place on the disk of the data', async () => {
  const place = join(dataDir(), 'backups');
  const data = { PORTICO_DATA_DIR: dataDir(), PORTICO_BACKUP_TO: place };
  await makeBackup({ to: place, kind: 'full', tell: () => undefined }, { ...env, ...data });
  const shared = `warning: Backups go to the disk of the data (${place}): who loses one loses both.`;
  expect(await faults('backups', data)).toEqual([expect.stringContaining(shared)]);
  const [name] = readdirSync(place);
  writeFileSync(join(place, name!, 'manifest.json'), '{}');
  expect((await faults('backups', data)).slice(1)).toEqual([
    `problem: The newest backup ${name} in ${place} is damaged. Run "portico backup create", then "portico backup verify".`,
  ]);
  rmSync(join(place, name!), { recursive: true });
  expect((await faults('backups', data)).slice(1)).toEqual([
    `problem: The newest backup ${name} is no longer in ${place}. Run "portico backup create", then "portico backup verify".`,
  ]);
});

test('a service of another version, and one that refuses writes', async () => {
  let ready = '{"status":"ok"}';
  const service = createServer((request, answer) =>
    answer.end(request.url === '/healthz' ? '{"status":"ok","version":"0.0.1"}' : ready),
  );
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  const PORT = String((service.address() as AddressInfo).port);
  const stale = expect.stringMatching(/^warning: The service that runs is version 0\.0\.1; .* Restart the service\.$/);
  expect(await faults('service', { PORT })).toEqual([stale]);
  ready = '{"status":"ok","uploads":"refused","writes":"refused"}';
  expect(await faults('service', { PORT })).toEqual([stale, expect.stringMatching(/^problem: .*refused.* Make room/)]);
  service.close();
});

test('a private key of backups where they are made, and a public key that is none', async () => {
  const key = join(dataDir(), 'key');
  const keys = { PORTICO_BACKUP_RECIPIENTS: await makeBackupKey(key), PORTICO_BACKUP_IDENTITY_FILE: key };
  expect(await faults('configuration', keys)).toEqual([
    expect.stringMatching(/^warning: The private key of encrypted backups .* Remove PORTICO_BACKUP_IDENTITY/),
  ]);
  const wrong = { PORTICO_BACKUP_TO: dataDir(), PORTICO_BACKUP_RECIPIENTS: 'age1no' };
  await makeBackup({ kind: 'full', tell: () => undefined }, { ...env, ...wrong, PORTICO_BACKUP_RECIPIENTS: '' });
  expect((await faults('backups', wrong)).join()).toContain('PORTICO_BACKUP_RECIPIENTS has no public key of age');
});
