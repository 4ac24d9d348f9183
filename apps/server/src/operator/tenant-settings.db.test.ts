import { afterAll, beforeAll, expect, test } from 'vitest';
import { Surroundings } from '../process/process.fixture.ts';
import { withOperator } from './index.ts';

const surroundings = new Surroundings();
let env: Record<string, string>;

beforeAll(async () => {
  env = {
    DATABASE_URL: (await surroundings.database()).url,
    PORTICO_DATA_DIR: await surroundings.directory(),
    PORTICO_DEMO: 'false',
  };
  await withOperator(async (session) => {
    for (const name of ['acme', 'other'])
      await session.createTenant({ name, hosts: [`${name}.example`], adminEmail: 'ada@acme.example' });
  }, env);
});
afterAll(() => surroundings.clean());

test('what is named of the settings changes, of one tenant, and the rest stays', async () => {
  await withOperator(async (session) => {
    const before = await session.changeTenantSettings('acme', {});
    expect(before).toEqual({
      corsOrigins: [],
      audiences: ['portico/portal-authenticator', 'injenia/portal-authenticator'],
      providerClientIds: [],
      loginDomains: [],
      defaultLanguage: 'en',
      defaultTimezone: 'Europe/Rome',
      accessTokenSeconds: null,
      attachmentQuotaBytes: null,
    });
    const changes = {
      corsOrigins: ['https://app.acme.example', 'http://localhost:5173'],
      providerClientIds: ['client-1'],
      loginDomains: ['acme.example'],
      defaultTimezone: 'Asia/Tokyo',
      accessTokenSeconds: 600,
      attachmentQuotaBytes: 5_000_000_000,
    };
    expect(await session.changeTenantSettings('acme', changes)).toEqual({ ...before, ...changes });
    expect(await session.changeTenantSettings('acme', { corsOrigins: [], accessTokenSeconds: null })).toEqual({
      ...before,
      ...changes,
      corsOrigins: [],
      accessTokenSeconds: null,
    });
    expect(await session.changeTenantSettings('other', {})).toEqual(before);
  }, env);
});

test.each([
  [{ corsOrigins: ['https://app.acme.example/'] }, 'is not an origin'],
  [{ corsOrigins: ['app.acme.example'] }, 'is not an origin'],
  [{ audiences: [] }, 'one audience at least'],
  [{ loginDomains: ['ada@acme.example/x'] }, 'is not a domain'],
  [{ defaultLanguage: 'English' }, 'is not a language'],
  [{ defaultTimezone: 'Mars/Olympus' }, 'is not a time zone'],
  [{ accessTokenSeconds: 5 }, 'from 120 seconds'],
  [{ attachmentQuotaBytes: -1 }, 'number of bytes'],
])('refuses %j', async (changes, words) => {
  await withOperator(async (session) => {
    const before = await session.changeTenantSettings('acme', {});
    await expect(session.changeTenantSettings('acme', { defaultLanguage: 'it', ...changes })).rejects.toThrow(words);
    expect(await session.changeTenantSettings('acme', {})).toEqual(before);
  }, env);
});

test('an unknown tenant is one sentence', async () => {
  await withOperator(async (session) => {
    await expect(session.changeTenantSettings('nobody', {})).rejects.toThrow('There is no tenant "nobody"');
  }, env);
});
