/** What `portico doctor` finds in installations that are sound, or not. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addSealingKeyId } from '@portico/platform/db/sealing-keys';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TEST_ENCRYPTION_KEY, testSealer } from '../../../test/support/encryption.ts';
import { createTestPortal, type TestPortal } from '../../../test/support/index.ts';
import { readConfig } from '../config/config.ts';
import { reportBackup } from '../operator.ts';
import { checkVersions } from './database.ts';
import { examine, type Finding } from './index.ts';
import { checkClock, checkConfiguration } from './machine.ts';

const DAY_MS = 86_400_000;
let portal: TestPortal;
let folder: string;
let env: Record<string, string>;

beforeAll(async () => {
  portal = await createTestPortal({});
  folder = mkdtempSync(join(tmpdir(), 'portico-doctor-'));
  const { user, password, host, port, database } = portal.database.owner;
  const query = String(host).startsWith('/') ? `?host=${encodeURIComponent(String(host))}&port=${port}` : '';
  const server = query === '' ? `${host}:${port}` : 'localhost';
  env = {
    DATABASE_URL: `postgres://${user}:${encodeURIComponent(String(password))}@${server}/${database}${query}`,
    PORTICO_DATA_DIR: folder,
    PORTICO_ENCRYPTION_KEYS: TEST_ENCRYPTION_KEY,
    PORTICO_MIN_FREE_BYTES: '0',
    PORT: '1',
  };
  await addSealingKeyId(portal.owner, testSealer.keyIds[0]!);
  await portal.createTenant();
});
afterAll(async () => {
  await portal?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The findings of some areas, as state and text. */
async function findings(areas: readonly Finding['area'][], changes: Record<string, string> = {}): Promise<string[]> {
  const found: string[] = [];
  for await (const { area, state, found: said } of examine({ ...env, ...changes }))
    if (areas.includes(area)) found.push(`${state}: ${said}`);
  return found;
}

test('finds nothing wrong with a database of this version, but the missing backup', async () => {
  const found = await findings(['database', 'versions', 'indexes', 'tenants', 'clock', 'storage', 'backups']);
  expect(found.filter((one) => !one.startsWith('ok'))).toEqual(['problem: There has been no backup.']);
  expect(found).toHaveLength(7);
  const report = (days: number) =>
    reportBackup(
      { tool: 'test', name: `${days}`, place: 'a shelf', moment: new Date(Date.now() - days * DAY_MS) },
      env,
    );
  await report(3);
  expect(await findings(['backups'])).toEqual([expect.stringMatching(/^warning: .* 72 hours ago\.$/)]);
  const schedule = { PORTICO_BACKUP_TO: folder, PORTICO_BACKUP_HOURS: '24' };
  const [old] = await findings(['backups'], schedule);
  expect(old).toMatch(/^problem: .* every 24 hours\.$/);
  await report(1);
  const [good] = await findings(['backups'], schedule);
  expect(good).toMatch(/^ok: .*\(test, a shelf\)/);
});

test('names a missing index and a tenant without a host', async () => {
  const { tenant } = await portal.createTenant();
  await portal.owner.query('DELETE FROM tenant_hosts WHERE tenant_id = $1', [tenant.id]);
  const { rows } = await portal.owner.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_class t ON t.oid = i.indrelid
      WHERE t.relname = 'outgoing_mails' AND NOT i.indisprimary ORDER BY c.relname LIMIT 1`,
  );
  const { name } = rows[0]!;
  await portal.owner.query(`ALTER INDEX ${name} RENAME TO ${name}_moved`);
  const found = await findings(['indexes', 'tenants']);
  await portal.owner.query(`ALTER INDEX ${name}_moved RENAME TO ${name}`);
  expect(found).toContainEqual(`problem: Indexes are missing: ${name}.`);
  expect(found).toContainEqual(`warning: The tenant ${tenant.name} has no host, and answers nowhere.`);
});

test('says which key and which server is missing', async () => {
  const key = Buffer.alloc(32, 7).toString('base64');
  expect(await findings(['configuration'], { PORTICO_ENCRYPTION_KEYS: key })).toContainEqual(
    `problem: Secrets in the database need the encryption key ${testSealer.keyIds[0]}, which is not configured.`,
  );
  const away = { DATABASE_URL: 'postgres://nobody:x@127.0.0.1:1/nothing' };
  expect(await findings(['database'], away)).toEqual([
    expect.stringMatching(/^problem: the database "nothing" at 127\.0\.0\.1:1 cannot be reached/),
  ]);
});

test('ends with a configuration that cannot be used', async () => {
  const all: Finding[] = [];
  for await (const finding of examine({ ...env, PORT: 'eighty' })) all.push(finding);
  expect(all).toEqual([
    expect.objectContaining({
      area: 'configuration',
      state: 'problem',
      found: expect.stringContaining('PORT must be'),
    }),
  ]);
});

test('names misspelt variables, an open address, secrets that anybody reads, and little room', async () => {
  const secret = join(folder, 'database-url');
  writeFileSync(secret, env['DATABASE_URL']!);
  chmodSync(secret, 0o644);
  const { DATABASE_URL: _, ...others } = env;
  const found: Finding[] = [];
  const changed = { HOST: '0.0.0.0', PORTICO_DEMOO: 'true', DATABASE_URL_FILE: secret };
  for await (const one of examine({ ...others, ...changed, PORTICO_MIN_FREE_BYTES: '9000000000000000' }))
    found.push(one);
  const of = (area: Finding['area']) => found.filter((one) => one.area === area).map((one) => one.found);
  expect(of('configuration')).toEqual(
    expect.arrayContaining([
      'PORTICO_DEMOO is not a variable of Portico.',
      'The service listens on 0.0.0.0 without TLS, and trusts no proxy.',
    ]),
  );
  expect(of('permissions')).toContainEqual(`Every user of this machine may use ${secret}, which holds a secret.`);
  expect(found).toContainEqual(expect.objectContaining({ area: 'room', state: 'problem' }));
  expect(of('service')).toEqual(['No service answers on port 1 of this machine.']);
});

test('tells how long the certificate is valid', () => {
  const files = { PORTICO_TLS_CERT_FILE: join(folder, 'c.pem'), PORTICO_TLS_KEY_FILE: join(folder, 'k.pem') };
  const [certificate, key] = [files.PORTICO_TLS_CERT_FILE, files.PORTICO_TLS_KEY_FILE];
  const names = ['-subj', '/CN=localhost', '-days', '30', '-keyout', key, '-out', certificate];
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', ...names],
    {
      stdio: 'ignore',
    },
  );
  const after = (days: number) =>
    [...checkConfiguration(readConfig({ ...env, ...files }), files, Date.now() + days * DAY_MS)].map(
      (one) => one.state,
    );
  expect(after(0)).toEqual(['ok']);
  expect(after(20)).toEqual(['warning', 'ok']);
  expect(after(31)).toEqual(['problem', 'ok']);
});

test.each([
  [undefined, 'ok'],
  [104, 'ok'],
  [103, 'warning'],
  [105, 'problem'],
])('rates the schema %s of a program that brings 104', (applied, state) => {
  expect([...checkVersions({ applied, known: 104 }, '0.2.0')].map((one) => one.state)).toEqual([state]);
});

test('rates a clock that differs from that of the database', async () => {
  const states: string[] = [];
  for await (const { state } of checkClock(-5_000)) states.push(state);
  expect(states).toEqual(['problem']);
});
