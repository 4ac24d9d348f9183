/** The keys that encrypt secrets, as an operator meets them: configured, missing, replaced and lost. */
import { randomBytes } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseSealingKeys, sealingKeyId } from '@portico/platform/sealing';
import { afterAll, expect, it } from 'vitest';
import { withOperator } from '../../src/process/operator.ts';
import { asClient, ROOT, type Running, Surroundings } from './process.fixture.ts';

const surroundings = new Surroundings();
afterAll(() => surroundings.clean());

const newKey = () => randomBytes(32).toString('base64');
const idOf = (key: string) => sealingKeyId(parseSealingKeys(key)[0]!);

/** Returns the message of a refused start on standard error. */
async function refusal(running: Running): Promise<string> {
  expect((await running.exited).code).toBe(1);
  expect(running.stderr.trim().split('\n')).toHaveLength(1);
  return running.stderr;
}

async function portico(words: readonly string[], env: Record<string, string>): Promise<string> {
  const running = surroundings.run(process.execPath, [join(ROOT, 'packages/cli/bin/portico.mjs'), ...words], env);
  expect((await running.exited).code, running.stderr).toBe(0);
  return running.stdout;
}

it('an external database needs a key, and the start says how to make one before it touches the database', async () => {
  const { url, owner } = await surroundings.database();
  const env = { DATABASE_URL: url, PORTICO_DATA_DIR: await surroundings.directory() };
  const without = surroundings.start({ ...env, PORTICO_ENCRYPTION_KEYS: undefined });
  expect(await refusal(without)).toMatch(
    /PORTICO_ENCRYPTION_KEYS is missing; DATABASE_URL needs it: make a key with "openssl rand -base64 32 > FILE"/,
  );
  const { rows } = await asClient(owner, (client) =>
    client.query(`SELECT FROM pg_class WHERE relname = 'portico_migrations'`),
  );
  expect(rows).toEqual([]);
});

it('a node without the key that the database needs names it; a key is replaced, and a lost one made up for, by commands', async () => {
  const [first, second, other] = [newKey(), newKey(), newKey()] as const;
  const base = { DATABASE_URL: (await surroundings.database()).url, PORTICO_DATA_DIR: await surroundings.directory() };
  const environment = (...keys: string[]) => ({ ...base, PORTICO_ENCRYPTION_KEYS: keys.join(',') });
  await withOperator(
    (session) => session.createTenant({ name: 'acme', hosts: ['acme.example'], adminEmail: 'ada@acme.example' }),
    environment(first),
  );
  const refused = await refusal(surroundings.start(environment(second)));
  expect(refused).toContain(`encrypted with the key ${idOf(first)}, which is not in PORTICO_ENCRYPTION_KEYS`);
  expect(refused).not.toContain(second);
  await expect(withOperator(async () => undefined, environment(second))).rejects.toThrow(idOf(first));

  const rotated = await portico(['admin', 'encryption', 'rotate'], environment(second, first));
  expect(rotated).toBe(
    `Encrypted 3 secrets with the newest key.\n3 secrets need the key ${idOf(second)}, the newest.\n0 secrets need the key ${idOf(first)}: remove it from the configuration.\n`,
  );
  const running = surroundings.start(environment(second));
  await running.ready();
  expect((await running.end()).code).toBe(0);
  expect(await refusal(surroundings.start(environment(first)))).toContain(idOf(second));

  expect(await portico(['admin', 'encryption', 'replace-lost', '--yes'], environment(other))).toBe(
    'Replaced the keys of 1 tenant (acme), gave up 0 mails, removed 0 authenticator apps, disabled 0 identity providers, stopped 0 webhooks, ended notifications of 0 browsers.\n',
  );
  const after = surroundings.start(environment(other));
  await after.ready();
  expect((await after.end()).code).toBe(0);
});

it('the embedded database has its key in a file beside it, which only the service reads', async () => {
  const dataDir = await surroundings.dataDirectory();
  const file = join(dataDir, 'encryption-keys');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const key = readFileSync(file, 'utf8').trim();
  const other = surroundings.start({ PORTICO_DATA_DIR: dataDir, PORTICO_ENCRYPTION_KEYS: newKey() });
  expect(await refusal(other)).toContain(idOf(key));
});
