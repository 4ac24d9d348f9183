/** Encrypted backups: nothing is read without the private key, and everything is with it. */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { addSealingKeyId } from '@portico/platform/db/sealing-keys';
import { Decrypter } from 'age-encryption';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  checkBackup,
  findBackups,
  makeBackup,
  makeBackupKey,
  restoreInstallation,
} from '../../src/process/operator.ts';
import { TEST_ENCRYPTION_KEY, testSealer } from '../support/encryption.ts';
import { createTestPortal, type TestPortal, type TestTenant } from '../support/index.ts';
import { Surroundings } from './process.fixture.ts';

const SECRET = `whisper-${randomBytes(8).toString('hex')}`;
/** More than one piece of the format. */
const CONTENT = `${SECRET} `.repeat(10_000);
const surroundings = new Surroundings();
const quiet = { tell: () => undefined };
let portal: TestPortal;
let tenant: TestTenant['tenant'];
let env: Record<string, string>;
let keyFile: string;
let recipient: string;

beforeAll(async () => {
  portal = await createTestPortal();
  ({ tenant } = await portal.createTenant(SECRET));
  await storeFile();
  await addSealingKeyId(portal.owner, testSealer.keyIds[0]!);
  keyFile = join(await surroundings.directory(), 'key.txt');
  recipient = await makeBackupKey(keyFile);
  const { host, port, user, password, database } = portal.database.owner;
  env = {
    DATABASE_URL: `postgres://${user}:${encodeURIComponent(String(password))}@/${database}?host=${encodeURIComponent(String(host))}&port=${port}`,
    PORTICO_DATA_DIR: portal.services.config.dataDir,
    PORTICO_ENCRYPTION_KEYS: TEST_ENCRYPTION_KEY,
    PORTICO_BACKUP_RECIPIENTS: recipient,
  };
});
afterAll(async () => {
  await portal.close();
  await surroundings.clean();
});

async function storeFile(): Promise<void> {
  const { storage, databases } = portal.services;
  const db = databases.for(tenant.id);
  const content = async function* () {
    yield Buffer.from(CONTENT);
  };
  const received = await storage.receive(tenant.id, content(), { maxBytes: 10_000_000 });
  await received.publish();
  await db.execute(
    `INSERT INTO file_contents (tenant_id, content_ref, storage_key, mime_type, size, md5, sha256, state, creator_id, created_at, uploaded_at)
     SELECT tenant_id, $2, $3, 'text/plain', $4, $5, $6, 1, id, now(), now() FROM users WHERE tenant_id = $1 LIMIT 1`,
    [tenant.id, randomBytes(32).toString('hex'), received.storageKey, received.size, received.md5, received.sha256],
  );
}

async function below(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** Restores into an empty database. @returns the names of tenants, and the texts of files */
async function restored(from: string, name: string, identity: string) {
  const { url, owner } = await surroundings.database();
  const dataDir = await surroundings.directory();
  const target = {
    DATABASE_URL: url,
    PORTICO_DATA_DIR: dataDir,
    PORTICO_ENCRYPTION_KEYS: TEST_ENCRYPTION_KEY,
    ...(identity !== '' && { PORTICO_BACKUP_IDENTITY_FILE: identity }),
  };
  await restoreInstallation({ from, name, withoutKeys: false, keepFiles: false, ...quiet }, target);
  const client = new pg.Client(owner);
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>('SELECT name FROM tenants');
    const texts = await Promise.all((await below(join(dataDir, 'files'))).map((path) => readFile(path, 'utf8')));
    return { names: rows.map((row) => row.name), texts };
  } finally {
    await client.end();
  }
}

test.each([
  ['rows', false],
  ['an archive of pg_dump', true],
])('encrypted backups of %s are made without the private key, and read with it alone', async (_, programs) => {
  const to = await surroundings.directory();
  const { manifest: first } = await makeBackup({ to, kind: 'full', programs, ...quiet }, env);
  const { manifest: second } = await makeBackup({ to, kind: 'incremental', programs, ...quiet }, env);
  expect([first.format, first.backupKey]).toEqual([2, recipient]);
  expect(second.files.holders).toEqual([first.name]);
  for (const path of await below(to)) expect((await readFile(path)).includes(SECRET), path).toBe(false);
  expect((await findBackups(to, env)).map(({ state }) => state)).toEqual(['whole', 'whole']);

  const other = join(await surroundings.directory(), 'other.txt');
  await makeBackupKey(other);
  for (const more of [{}, { PORTICO_BACKUP_IDENTITY_FILE: other }])
    await expect(checkBackup({ from: to }, { ...env, ...more })).rejects.toThrow(
      `is encrypted for ${recipient}. Name the file of the private key in PORTICO_BACKUP_IDENTITY_FILE`,
    );
  for (const identity of ['', other])
    await expect(restored(to, second.name, identity)).rejects.toThrow(`is encrypted for ${recipient}`);

  const reading = { ...env, PORTICO_BACKUP_IDENTITY_FILE: keyFile };
  for (const { name } of [first, second]) expect((await checkBackup({ from: to, name }, reading)).problems).toEqual([]);
  const copy = await restored(to, second.name, keyFile);
  expect(copy.names).toContain(SECRET);
  expect(copy.texts).toContain(CONTENT);
});

test('damage of an encrypted backup is found', async () => {
  const to = await surroundings.directory();
  await makeBackup({ to, kind: 'full', programs: false, ...quiet }, env);
  const reading = { ...env, PORTICO_BACKUP_IDENTITY_FILE: keyFile };
  const paths = await below(to);
  const stored = paths.find((path) => path.includes('/stored/'))!;
  const table = paths.find((path) => path.includes('-users.'))!;
  for (const path of [stored, table]) {
    const whole = await readFile(path);
    const bytes = Buffer.from(whole);
    bytes[bytes.length - 1]! ^= 1;
    await writeFile(path, bytes);
    expect((await checkBackup({ from: to }, reading)).problems.join(), path).toMatch(/checksum of|decrypted/);
    await rm(path);
    expect((await checkBackup({ from: to }, reading)).problems.join(), path).toContain('is missing');
    await writeFile(path, whole);
  }
  expect((await checkBackup({ from: to }, reading)).problems).toEqual([]);
});

test('keys change with a full backup, and every reader of several opens it', async () => {
  const to = await surroundings.directory();
  await makeBackup({ to, kind: 'full', ...quiet }, { ...env, PORTICO_BACKUP_RECIPIENTS: '' });
  await expect(makeBackup({ to, kind: 'incremental', ...quiet }, env)).rejects.toThrow('no full backup for these keys');
  const second = join(await surroundings.directory(), 'second.txt');
  const both = { ...env, PORTICO_BACKUP_RECIPIENTS: `${recipient}, ${await makeBackupKey(second)}` };
  const { manifest } = await makeBackup({ to, kind: 'full', programs: false, ...quiet }, both);
  for (const identity of [keyFile, second]) {
    const reading = { ...env, PORTICO_BACKUP_IDENTITY_FILE: identity };
    expect((await checkBackup({ from: to, name: manifest.name }, reading)).problems).toEqual([]);
  }
  // As any tool of the format reads it.
  const decrypter = new Decrypter();
  decrypter.addIdentity((await readFile(second, 'utf8')).trim().split('\n').at(-1)!);
  const stored = (await below(join(to, manifest.name))).filter(
    (one) => one.includes('/stored/') && one.endsWith('.age'),
  );
  const texts = stored.map(async (path) => Buffer.from(await decrypter.decrypt(await readFile(path))).toString());
  expect(await Promise.all(texts)).toContain(CONTENT);
});

test('a key file is private and never replaced, and keys that are none are refused', async () => {
  expect((await stat(keyFile)).mode & 0o777).toBe(0o600);
  await expect(makeBackupKey(keyFile)).rejects.toThrow(/cannot be written .*EEXIST/);
  const to = await surroundings.directory();
  const wrong = { ...env, PORTICO_BACKUP_RECIPIENTS: `${recipient.slice(0, -1)}!` };
  await expect(makeBackup({ to, kind: 'full', ...quiet }, wrong)).rejects.toThrow('no public key of age in');
  const secret = (await readFile(keyFile, 'utf8')).replace('AGE-SECRET-KEY-1', 'AGE-SECRET-KEY-1X');
  const broken = { ...env, PORTICO_BACKUP_IDENTITY: secret };
  await expect(checkBackup({ from: to }, broken)).rejects.toThrow(
    /PORTICO_BACKUP_IDENTITY has a line that is no private/,
  );
  await expect(checkBackup({ from: to }, broken)).rejects.not.toThrow(/AGE-SECRET/);
});

test('the command makes a key', async () => {
  const out = join(await surroundings.directory(), 'key.txt');
  const command = new URL('../../../../packages/cli/bin/portico.mjs', import.meta.url).pathname;
  const printed = execFileSync(process.execPath, [command, 'backup', 'key', '--out', out], { encoding: 'utf8' });
  expect(printed).toMatch(/^age1[0-9a-z]{58}\n$/);
  expect(await readFile(out, 'utf8')).toContain(`# public key: ${printed}AGE-SECRET-KEY-1`);
});
