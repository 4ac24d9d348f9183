/** Encryption of secrets with a new key, and after a key was lost. */
import { randomBytes } from 'node:crypto';
import { createSealer, parseSealingKeys, type Sealer, sealingKeyId } from '@portico/platform/sealing';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { TEST_ENCRYPTION_KEY, testSealer } from '../../test/support/encryption.ts';
import { createTestPortal, type TestPortal, type TestTenant } from '../../test/support/index.ts';
import { writeTransaction } from '../kernel/access/index.ts';
import { sealRows } from '../kernel/tables/seal-rows.ts';
import { listMails } from '../modules/people/index.ts';
import { enqueueMail } from '../modules/people/mails/mail.fixture.ts';
import { tables } from '../modules/tables.ts';
import { buildApp } from '../process/app.ts';
import { createServices, type Services } from '../process/services.ts';
import { encryptAnew, replaceLostSecrets } from './encryption.ts';

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
      await sealRows(services.databases.for(Number(row.id)), tables, services.sealer);
    }
  });
  await withNode(testSealer, async (services) => {
    expect(await statusAt(services)).toBe(500);
    expect(await replaceLostSecrets(services, portal.owner)).toEqual({
      tenants: [tenant.tenant.name],
      mails: 1,
      authenticatorApps: 0,
      identityProviders: 0,
      webhooks: 0,
      browsers: 0,
    });
    expect(await replaceLostSecrets(services, portal.owner)).toEqual({
      tenants: [],
      mails: 0,
      authenticatorApps: 0,
      identityProviders: 0,
      webhooks: 0,
      browsers: 0,
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
