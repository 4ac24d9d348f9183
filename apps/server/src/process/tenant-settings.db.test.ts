import { join } from 'node:path';
import { Readable } from 'node:stream';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROOT, Surroundings } from '../../test/process/process.fixture.ts';
import { TEST_ENCRYPTION_KEY } from '../../test/support/encryption.ts';
import { tables } from '../modules/tables.ts';
import { deleteTenant } from '../modules/tenants/index.ts';
import { type OperatorSession, withOperator } from './operator.ts';

const tenantTables = [...tables.values()].filter(({ columns }) => 'tenant_id' in columns).map(({ name }) => name);
const surroundings = new Surroundings();
let env: Record<string, string>;

beforeAll(async () => {
  env = {
    DATABASE_URL: (await surroundings.database()).url,
    PORTICO_DATA_DIR: await surroundings.directory(),
    PORTICO_DEMO: 'false',
    PORTICO_ENCRYPTION_KEYS: TEST_ENCRYPTION_KEY,
  };
  await withOperator(async (session) => {
    for (const name of ['acme', 'other'])
      await session.createTenant({ name, hosts: [`${name}.example`], adminEmail: 'ada@acme.example' });
  }, env);
});
afterAll(() => surroundings.clean());

test('a new tenant has the time zone, language and audiences that are named, and an administrator without a password', async () => {
  await withOperator(async (session) => {
    const settings = { audiences: ['acme/portal-authenticator'], defaultLanguage: 'ja', defaultTimezone: 'Asia/Tokyo' };
    const wanted = { name: 'named', hosts: ['named.example'], adminEmail: 'ada@acme.example' };
    const wrong: [Partial<typeof settings>, string][] = [
      [{ defaultTimezone: 'Mars/Olympus' }, 'is not a time zone'],
      [{ defaultLanguage: 'Klingon' }, 'is not a language'],
      [{ audiences: ['*'] }, 'is not an audience'],
      [{ audiences: ['a*/portal-authenticator'] }, 'is not an audience'],
      [{ audiences: [] }, 'accepts one audience'],
    ];
    for (const [change, message] of wrong) {
      await expect(session.createTenant({ ...wanted, settings: { ...settings, ...change } })).rejects.toThrow(message);
    }
    const made = await session.createTenant({ ...wanted, settings });
    expect(made.settings).toMatchObject(settings);
    expect(await session.changeTenantSettings('named', {})).toEqual(made.settings);
    const db = session.services.databases.for(made.id);
    expect(
      await db.query(
        'SELECT id, custom_username AS username, password_hash AS hash FROM users WHERE tenant_id = $1 AND id = $2',
        [db.tenantId, made.adminUserId],
      ),
    ).toEqual([{ id: made.adminUserId, username: null, hash: null }]);
    expect(await session.findUsers('named', ['ADA@acme.example', String(made.adminUserId)])).toEqual([
      made.adminUserId,
      made.adminUserId,
    ]);
    await expect(session.findUsers('named', ['nobody@acme.example'])).rejects.toThrow('has no account');
  }, env);
});

test('a service account gets its role in the communities there are, or in all communities', async () => {
  await withOperator(async (session) => {
    const out = (name: string) => join(env['PORTICO_DATA_DIR']!, `${name}.json`);
    const make = (name: string, more: object) =>
      session.createServiceAccount({ tenant: 'acme', name, out: out(name), admin: false, ...more });
    const { userId } = await make('all', { role: 3, allCommunities: true });
    const { db } = await session.systemScope('acme');
    const standing = () =>
      db.query('SELECT user_id AS "userId", role_id AS role FROM standing_roles WHERE tenant_id = $1', [db.tenantId]);
    expect(await standing()).toEqual([{ userId, role: 3 }]);
    await make('present', { role: 3 });
    expect(await standing()).toHaveLength(1);
    await expect(make('none', { allCommunities: true })).rejects.toThrow('name the role with --role');
    await session.setStandingRole('acme', String(userId), 2);
    expect(await standing()).toEqual([{ userId, role: 2 }]);
    await session.setStandingRole('acme', String(userId), null);
    expect(await standing()).toEqual([]);
    await expect(session.setStandingRole('acme', 'ada@acme.example', 3)).rejects.toThrow('is not a service account');
  }, env);
});

test('what is named of the settings changes, of one tenant, and the rest stays', async () => {
  await withOperator(async (session) => {
    const before = await session.changeTenantSettings('acme', {});
    expect(before).toEqual({
      corsOrigins: [],
      audiences: ['*/portal-authenticator'],
      providerClientIds: [],
      loginDomains: [],
      defaultLanguage: 'en',
      defaultTimezone: 'UTC',
      name: null,
      accentColor: null,
      logoContentRef: null,
      signInNotice: null,
      imprintUrl: null,
      privacyUrl: null,
      notificationMails: true,
      notificationPush: false,
      requireSecondFactor: 'nobody',
      requireProvider: false,
      accessTokenSeconds: null,
      sessionIdleSeconds: null,
      sessionSeconds: null,
      notificationRetentionDays: null,
      auditRetentionDays: null,
      attachmentQuotaBytes: 53_687_091_200,
      requestsPerMinute: null,
      accountRequestsPerMinute: null,
    });
    const changes = {
      corsOrigins: ['https://app.acme.example', 'http://localhost:5173'],
      providerClientIds: ['client-1'],
      loginDomains: ['acme.example'],
      defaultTimezone: 'Asia/Tokyo',
      accessTokenSeconds: 600,
      attachmentQuotaBytes: 5_000_000_000,
      requestsPerMinute: 60_000,
      accountRequestsPerMinute: 600,
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

describe('a change', () => {
  /** One session for all of them. */
  let session: OperatorSession;
  const done = Promise.withResolvers<void>();
  let ended: Promise<void>;

  beforeAll(async () => {
    const opened = Promise.withResolvers<OperatorSession>();
    ended = withOperator(async (held) => {
      opened.resolve(held);
      await done.promise;
    }, env);
    ended.catch(opened.reject);
    session = await opened.promise;
  });
  afterAll(async () => {
    done.resolve();
    await ended;
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
    [{ requestsPerMinute: 0 }, 'from 1 to'],
    [{ requireProvider: true }, 'Enable an identity provider first'],
    [{ accountRequestsPerMinute: 1.5 }, 'from 1 to'],
  ])('refuses %j', async (changes, words) => {
    const before = await session.changeTenantSettings('acme', {});
    await expect(session.changeTenantSettings('acme', { defaultLanguage: 'it', ...changes })).rejects.toThrow(words);
    expect(await session.changeTenantSettings('acme', {})).toEqual(before);
  });
});

/** Runs the command line. @returns its output */
async function portico(...words: string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const running = surroundings.run(process.execPath, [join(ROOT, 'packages/cli/bin/portico.mjs'), ...words], env);
  const { code } = await running.exited;
  return { code, stdout: running.stdout, stderr: running.stderr };
}

test('the words "default" and "none" empty a setting on the command line', async () => {
  const set = await portico(
    'admin',
    'tenant',
    'settings',
    'other',
    '--token-seconds',
    '900',
    '--file-quota',
    '1000',
    '-o',
    'json',
  );
  expect([set.code, set.stderr]).toEqual([0, '']);
  expect(JSON.parse(set.stdout)).toMatchObject({ accessTokenSeconds: 900, attachmentQuotaBytes: 1000 });
  const words = ['--token-seconds', 'default', '--file-quota', 'none'];
  const emptied = await portico('admin', 'tenant', 'settings', 'other', ...words, '-o', 'json');
  expect([emptied.code, emptied.stderr]).toEqual([0, '']);
  expect(JSON.parse(emptied.stdout)).toMatchObject({ accessTokenSeconds: null, attachmentQuotaBytes: null });
  const wrong = await portico('admin', 'tenant', 'settings', 'other', '--file-quota', 'default');
  expect(wrong.code).not.toBe(0);
});

test('host names are added, removed and made the primary one, and it is recorded who did so', async () => {
  const changed = await portico(
    'admin',
    'tenant',
    'hosts',
    'acme',
    '--add',
    'Portal.Acme.example',
    '--primary',
    'portal.acme.example',
  );
  expect([changed.code, changed.stderr]).toEqual([0, '']);
  await withOperator(async (session) => {
    expect(await session.changeHosts('acme', {})).toEqual(['portal.acme.example', 'acme.example']);
    const wrong: [Parameters<typeof session.changeHosts>[1], string][] = [
      [{ add: ['other.example'] }, 'belongs to another tenant'],
      [{ add: ['https://acme.example/'] }, 'is not a host name'],
      [{ remove: ['nowhere.example'] }, 'has no host nowhere.example'],
      [{ primary: 'nowhere.example' }, 'has no host nowhere.example'],
      [{ remove: ['portal.acme.example', 'acme.example'] }, 'keeps one host at least'],
    ];
    for (const [changes, message] of wrong) await expect(session.changeHosts('acme', changes)).rejects.toThrow(message);
    // Nothing of a change that was refused is there.
    expect(await session.changeHosts('acme', {})).toEqual(['portal.acme.example', 'acme.example']);
    expect(await session.changeHosts('acme', { remove: ['portal.acme.example'] })).toEqual(['acme.example']);
    const { db } = await session.systemScope('acme');
    const entries = await db.query<{ before: object; after: object }>(
      `SELECT before, after FROM audit_entries
        WHERE tenant_id = $1 AND object = 'tenant' AND after ? 'hosts' AND operator IS NOT NULL ORDER BY id`,
      [db.tenantId],
    );
    expect(entries).toEqual([
      { before: { hosts: ['acme.example'] }, after: { hosts: ['portal.acme.example', 'acme.example'] } },
      { before: { hosts: ['portal.acme.example', 'acme.example'] }, after: { hosts: ['acme.example'] } },
    ]);
  }, env);
});

test('a tenant is disabled, renamed, enabled and deleted; nothing of it stays but the certificate', async () => {
  await withOperator(async (session) => {
    const { tenants, databases, storage } = session.services;
    const life = session.tenantLife;
    const { id } = await session.createTenant({ name: 'demo', hosts: ['gone.example'], adminEmail: 'a@gone.example' });
    const stateOf = async (name: string) => (await session.listTenants()).find((one) => one.name === name)?.state;
    const disabled = () => expect.poll(async () => (await tenants.find('gone.example'))?.disabled);

    await life.disable('demo');
    await disabled().toBe(true);
    expect([await stateOf('demo'), await tenants.byId(id)]).toEqual(['disabled', undefined]);
    // The start replaces a demo whose creation did not end, and no other tenant of that name.
    expect((await databases.for(id).query('SELECT unfinished FROM tenants WHERE id = $1', [id]))[0]).toEqual({
      unfinished: false,
    });
    await expect(life.disable('demo')).rejects.toThrow('is disabled already');
    await expect(life.rename('demo', { name: 'other' })).rejects.toThrow('already exists');
    await expect(life.rename('demo', { name: 'No name' })).rejects.toThrow('must be lower-case letters');
    await life.rename('demo', { name: 'gone', displayName: 'Gone' });
    await life.enable('gone');
    await disabled().toBe(false);

    const db = databases.for(id);
    const changes = await db.query<{ after: object }>(
      `SELECT after FROM audit_entries WHERE tenant_id = $1 AND object = 'tenant' AND operator IS NOT NULL ORDER BY id`,
      [id],
    );
    expect(changes.map(({ after }) => after)).toEqual([
      { disabled: true },
      { name: 'gone', displayName: 'Gone' },
      { disabled: false },
    ]);

    await life.schedule('gone', 30);
    expect(await stateOf('gone')).toMatch(/^to be deleted 2/);
    await expect(life.enable('gone')).rejects.toThrow('has no host');
    // The host is free at once, and the deletion can be cancelled.
    expect(await session.changeHosts('acme', { add: ['gone.example'] })).toContain('gone.example');
    await session.changeHosts('gone', { add: ['back.example'] });
    await life.enable('gone');
    expect(await stateOf('gone')).toBe('active');

    const file = await storage.receive(id, Readable.from([Buffer.from('of a tenant')]), { maxBytes: 100 });
    await file.publish();
    const users = await db.query('SELECT FROM users WHERE tenant_id = $1', [id]);
    const certificate = await life.delete('gone', { settleMs: 0 });
    expect(certificate).toMatchObject({
      tenant: id,
      name: 'gone',
      displayName: 'Gone',
      files: 1,
      bytes: 11,
      rows: { tenant_settings: 1, users: users.length },
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(await life.certificates('gone')).toEqual([certificate]);
    expect(await storage.stat(file.storageKey)).toBeUndefined();
    await expect(session.systemScope('gone')).rejects.toThrow('There is no tenant "gone"');
    for (const table of tenantTables)
      expect(await db.query(`SELECT FROM ${table} WHERE tenant_id = $1`, [id]), table).toEqual([]);
    expect((await session.listTenants()).map(({ name }) => name)).toEqual(expect.arrayContaining(['acme', 'other']));
  }, env);
});

test('a deletion begins only when it is due, and an operator who enables the tenant at that moment comes first', async () => {
  await withOperator(async (session) => {
    const { storage } = session.services;
    const make = (name: string) =>
      session.createTenant({ name, hosts: [`${name}.example`], adminEmail: 'ada@acme.example' });
    const [life, owner, enabling] = [
      session.tenantLife,
      new pg.Client(env['DATABASE_URL']),
      new pg.Client(env['DATABASE_URL']),
    ];
    await Promise.all([owner.connect(), enabling.connect()]);
    const { id } = await make('kept');
    const later = { storage, now: () => new Date(Date.now() + 400 * 86_400_000) };
    try {
      await life.disable('kept');
      expect(await deleteTenant(owner, id, later)).toBeUndefined();
      await life.schedule('kept', 30);
      expect(await deleteTenant(owner, id, { storage, now: () => new Date() })).toBeUndefined();
      await session.changeHosts('kept', { add: ['kept.example'] });
      await enabling.query('BEGIN');
      await enabling.query('UPDATE tenants SET disabled_at = NULL, delete_after = NULL WHERE id = $1', [id]);
      const deletion = deleteTenant(owner, id, later);
      await expect
        .poll(async () => (await enabling.query('SELECT FROM pg_locks WHERE NOT granted')).rowCount)
        .toBeGreaterThan(0);
      await enabling.query('COMMIT');
      expect(await deletion).toBeUndefined();
      expect((await session.listTenants()).find(({ name }) => name === 'kept')?.state).toBe('active');

      const { id: gone } = await make('first');
      const asked = life.delete('first', { settleMs: 1_000 });
      await expect.poll(() => deleteTenant(owner, gone, later)).toBeDefined();
      expect(await asked).toEqual((await life.certificates('first'))[0]);
    } finally {
      await Promise.all([owner.end(), enabling.end()]);
    }
  }, env);
});

test('a new tenant gets the quota of files that the environment says; others keep theirs', async () => {
  const quotaOf = (variable: string | undefined, name: string) =>
    withOperator(
      async (session) => {
        await session.createTenant({ name, hosts: [`${name}.example`], adminEmail: 'ada@acme.example' });
        return (await session.changeTenantSettings(name, {})).attachmentQuotaBytes;
      },
      { ...env, PORTICO_TENANT_FILE_QUOTA: variable },
    );
  expect(await quotaOf(undefined, 'usual')).toBe(53_687_091_200);
  expect(await quotaOf('7000', 'narrow')).toBe(7_000);
  expect(await quotaOf('none', 'unbounded')).toBeNull();
  await withOperator(async (session) => {
    expect(await session.changeTenantSettings('usual', {})).toMatchObject({ attachmentQuotaBytes: 53_687_091_200 });
  }, env);
  await expect(quotaOf('much', 'other-words')).rejects.toThrow('PORTICO_TENANT_FILE_QUOTA must be a whole number');
});

test('keys are replaced, listed and withdrawn on the command line', async () => {
  const rotated = await portico('admin', 'keys', 'rotate', '--tenant', 'acme');
  expect([rotated.code, rotated.stderr]).toEqual([0, '']);
  expect(rotated.stdout.match(/^Created the (signing|link|page) key /gm)).toHaveLength(3);
  const listed = await portico('admin', 'keys', 'list', '--tenant', 'acme', '--output', 'json');
  const keys = JSON.parse(listed.stdout) as { id: string; kind: string; state: string }[];
  expect(keys.map(({ kind }) => kind).sort()).toEqual(['link', 'link', 'page', 'page', 'signing', 'signing']);
  const retired = keys.find(({ kind, state }) => kind === 'signing' && state === 'verifies')!;
  expect((await portico('admin', 'keys', 'withdraw', '--tenant', 'acme', retired.id)).code).toBe(0);
  const again = await portico('admin', 'keys', 'withdraw', '--tenant', 'acme', retired.id);
  expect(again.code).not.toBe(0);
  expect(again.stderr).toContain('has no key');
});

test('making tenants tells which host names answer from now on', async () => {
  const fresh = { ...env, DATABASE_URL: (await surroundings.database()).url };
  await withOperator(async (session) => {
    const make = (name: string, ...hosts: string[]) =>
      session.createTenant({ name, hosts, adminEmail: 'ada@acme.example' }).then((made) => made.hostWarnings.join(' '));
    const first = await make('acme', 'portal.acme.example', 'acme.example');
    expect(first).toContain('every host name');
    expect(first).toContain('portal.acme.example');
    const second = await make('lab', 'lab.example');
    expect(second).toContain('UNKNOWN_TENANT');
    expect(second).toContain('"acme" answers at portal.acme.example');
    expect(second).toContain('lab.example');
    expect(await make('third', 'third.example')).toBe('');
  }, fresh);
  const told = await portico(
    'admin',
    'tenant',
    'create',
    'fourth',
    '--host',
    'fourth.example',
    '--admin-email',
    'a@b.example',
  );
  expect([told.code, told.stderr]).toEqual([0, '']);
});

test('an unknown tenant is one sentence', async () => {
  await withOperator(async (session) => {
    await expect(session.changeTenantSettings('nobody', {})).rejects.toThrow('There is no tenant "nobody"');
  }, env);
});
