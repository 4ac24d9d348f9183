/** Encryption of secrets after an upgrade, with a new key, and after a key was lost. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { privateJwk, TEST_ENCRYPTION_KEY, testSealer } from '../../test/support/encryption.ts';
import { createTestPortal, type TestPortal, type TestTenant } from '../../test/support/index.ts';
import { writeTransaction } from '../kernel/access/index.ts';
import { sealRows } from '../kernel/tables/seal-rows.ts';
import { listMails } from '../modules/mail/index.ts';
import { enqueueMail } from '../modules/mail/mail.fixture.ts';
import { tables } from '../modules/tables.ts';
import { createSealer, parseSealingKeys, type Sealer, sealingKeyId } from '../platform/sealing/index.ts';
import { buildApp } from '../process/app.ts';
import { createServices, type Services } from '../process/services.ts';
import { encryptAnew, replaceLostSecrets, sealStoredSecrets } from './encryption.ts';

const ME = '/portal/api/external/v2/core/auth/current-user-data';
const [testKey] = parseSealingKeys(TEST_ENCRYPTION_KEY) as [Buffer];
let portal: TestPortal;
let tenant: TestTenant;
let userId: number;
let token: string;

beforeAll(async () => {
  portal = await createTestPortal({
    through: async (service) => ({ ...service, application_name: 'portico schema 9999' }),
  });
});
afterAll(() => portal.close());
beforeEach(async () => {
  tenant = await portal.createTenant();
  userId = await tenant.createUser();
  token = await tenant.token(userId);
});

const db = () => portal.services.databases.for(tenant.tenant.id);
/** A node with other keys, on the same database. */
async function withNode<T>(sealer: Sealer, work: (services: Services) => Promise<T>): Promise<T> {
  const { config, log } = portal.services;
  const database = { ...portal.database.service, application_name: 'portico schema 9999' };
  const services = await createServices({ config, database, sealer, log });
  try {
    return await work(services);
  } finally {
    await services.close();
  }
}

/** Returns the status with which a node with these services answers the token. */
async function statusAt(services: Services): Promise<number> {
  const app = await buildApp({ services });
  try {
    const headers = { host: tenant.host, authorization: `Bearer ${token}` };
    return (await app.inject({ url: ME, headers })).statusCode;
  } finally {
    await app.close();
  }
}

/** Puts a tenant's secrets back to how the version before kept them. */
async function decryptRows(): Promise<void> {
  const [key] = await db().query<{ kid: string }>('SELECT kid FROM signing_keys WHERE tenant_id = $1', [db().tenantId]);
  const jwk = await privateJwk(db(), key!.kid);
  await db().execute('UPDATE signing_keys SET private_jwk = $2, sealed_private_jwk = NULL WHERE tenant_id = $1', [
    db().tenantId,
    JSON.stringify(jwk),
  ]);
  const secrets = await db().query<{ id: string; sealed: Buffer }>(
    'SELECT id, sealed_secret AS sealed FROM tenant_secrets WHERE tenant_id = $1',
    [db().tenantId],
  );
  for (const { id, sealed } of secrets) {
    const place = { tenantId: db().tenantId, table: 'tenant_secrets', column: 'sealed_secret', row: id };
    const secret = testSealer.open(sealed, place);
    await db().execute('UPDATE tenant_secrets SET secret = $3, sealed_secret = NULL WHERE tenant_id = $1 AND id = $2', [
      db().tenantId,
      id,
      secret,
    ]);
    await db().execute('UPDATE tenant_settings SET opaque_secret = $2, link_secret = $2 WHERE tenant_id = $1', [
      db().tenantId,
      secret,
    ]);
  }
  await portal.owner.query(`DELETE FROM portico_owner_secrets WHERE name = 'secrets_sealed'`);
}

async function waitingMail(): Promise<number> {
  return writeTransaction(await tenant.scope(tenant.systemUserId), 'none', (write) =>
    enqueueMail(write, {
      to: 'ada@acme.example',
      template: 'invitation',
      language: 'en',
      values: { name: 'Ada', link: 'https://acme.example/invitation/one', expiry: Date.now() + 86_400_000 },
    }),
  );
}

/** How many rows hold a secret without encryption, in any column. */
async function plainRows(): Promise<number> {
  const [row] = await db().query<{ count: number }>(
    `SELECT (SELECT count(*) FROM signing_keys WHERE tenant_id = $1 AND private_jwk IS NOT NULL)
          + (SELECT count(*) FROM tenant_secrets WHERE tenant_id = $1 AND secret IS NOT NULL)
          + (SELECT count(*) FROM outgoing_mails WHERE tenant_id = $1 AND content IS NOT NULL)
          + (SELECT count(*) FROM tenant_settings WHERE tenant_id = $1 AND (opaque_secret IS NOT NULL OR link_secret IS NOT NULL)) AS count`,
    [db().tenantId],
  );
  return row!.count;
}

test('what an earlier version left is read as it is, and encrypted by one of several nodes that start at once', async () => {
  const links = (await portal.services.tenants.settings(tenant.tenant)).links.sign('file', { id: 1 });
  await waitingMail();
  await decryptRows();
  await db().execute(
    `UPDATE outgoing_mails SET content = '{"name":"Ada","link":"https://acme.example/x","expiry":1}', sealed_content = NULL WHERE tenant_id = $1`,
    [db().tenantId],
  );
  expect(await plainRows()).toBe(5);
  expect(await withNode(testSealer, statusAt)).toBe(200);

  const owners = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const owner = new pg.Client(portal.database.owner);
      await owner.connect();
      return owner;
    }),
  );
  const counts = await Promise.all(owners.map((owner) => sealStoredSecrets(portal.services, owner)));
  await Promise.all(owners.map((owner) => owner.end()));
  expect(counts.toSorted()).toEqual([0, 0, 0, 4]);
  expect(await plainRows()).toBe(0);
  await withNode(testSealer, async (services) => {
    expect(await statusAt(services)).toBe(200);
    expect((await services.tenants.settings(tenant.tenant)).links.verify('file', links)).toEqual({ id: 1 });
  });
});

test('nothing is changed while a node of an earlier version is connected', async () => {
  await decryptRows();
  const earlier = new pg.Client({ ...portal.database.service, application_name: 'named by the operator' });
  await earlier.connect();
  try {
    expect(await sealStoredSecrets(portal.services, portal.owner)).toBeUndefined();
    expect(await plainRows()).toBe(4);
    expect((await encryptAnew(portal.services, portal.owner)).plain).toBe(3);
  } finally {
    await earlier.end();
  }
  await expect.poll(() => sealStoredSecrets(portal.services, portal.owner)).toBe(3);
  expect(await plainRows()).toBe(0);
});

test('rotation: a node with both keys encrypts everything anew, and the old key is needed no more', async () => {
  const id = await waitingMail();
  const key = randomBytes(32);
  const both = createSealer([key, testKey]);
  const report = await withNode(both, (services) => encryptAnew(services, portal.owner));
  expect(report.changed).toBeGreaterThanOrEqual(4);
  expect(report.keys).toEqual([
    { id: sealingKeyId(key), secrets: report.changed },
    { id: sealingKeyId(testKey), secrets: 0 },
  ]);
  expect(report.plain).toBe(0);
  await withNode(createSealer([key]), async (services) => {
    expect(await statusAt(services)).toBe(200);
    expect((await encryptAnew(services, portal.owner)).changed).toBe(0);
  });
  expect(await listMails(db(), { now: Date.now(), state: 'waiting', limit: 10 })).toMatchObject([{ id }]);
  // Back, for the tests that follow.
  const back = await withNode(createSealer([testKey, key]), (services) => encryptAnew(services, portal.owner));
  expect(back.changed).toBe(report.changed);
});

test('a lost key costs what it encrypted: its tenants get new keys, and a mail that waits is given up', async () => {
  const id = await waitingMail();
  const untouched = await portal.createTenant();
  const theirs = await untouched.token(await untouched.createUser());
  const lost = randomBytes(32);
  // The node still has the key of the other tenants.
  const before = await portal.owner.query<{ id: string }>('SELECT id FROM tenants WHERE id <> $1', [tenant.tenant.id]);
  await withNode(createSealer([lost, testKey]), (services) => encryptAnew(services, portal.owner));
  await withNode(createSealer([testKey, lost]), async (services) => {
    for (const row of before.rows) {
      await sealRows(services.databases.for(Number(row.id)), tables, services.sealer, 'outdated');
    }
  });
  await withNode(testSealer, async (services) => {
    expect(await statusAt(services)).toBe(500);
    expect(await replaceLostSecrets(services, portal.owner)).toEqual({
      tenants: [tenant.tenant.name],
      mails: 1,
      authenticatorApps: 0,
      identityProviders: 0,
    });
    expect(await replaceLostSecrets(services, portal.owner)).toEqual({
      tenants: [],
      mails: 0,
      authenticatorApps: 0,
      identityProviders: 0,
    });
  });
  expect(await withNode(testSealer, statusAt)).toBe(401);
  token = await tenant.token(userId);
  expect(await withNode(testSealer, statusAt)).toBe(200);
  const others = await untouched.request(null, 'GET', ME, undefined, { Authorization: `Bearer ${theirs}` });
  expect(others.status).toBe(200);
  expect(await listMails(db(), { now: Date.now(), state: undefined, limit: 10 })).toMatchObject([
    { id, state: 'failed', retryable: false, error: 'The key that encrypted the link is lost.' },
  ]);
});
