/** Tenants moved to another installation: exported under writers, imported, compared by every read, damaged. */
import { createHash, randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { finished } from 'node:stream/promises';
import { isDeepStrictEqual } from 'node:util';
import { addSealingKeyId } from '@portico/platform/db/sealing-keys';
import { createSealer } from '@portico/platform/sealing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPromise } from 'yauzl';
import { ZipFile } from 'yazl';
import { tenantScope } from '../../src/modules/tenants/index.ts';
import { readChecksummed, writeManifest } from '../../src/operator/backup/index.ts';
import type { TenantManifest } from '../../src/operator/tenant-archive/index.ts';
import { type OperatorSession, withOperator } from '../../src/process/operator.ts';
import { type Attacked, CHIEF_PASSWORD, makeAttacked } from '../security/objects.fixture.ts';
import { TEST_ENCRYPTION_KEY, testSealer } from '../support/encryption.ts';
import { createTestPortal, type TestDatabase, type TestPortal } from '../support/index.ts';
import { readAll } from './every-read.fixture.ts';
import { asClient, ROOT, Surroundings, until } from './process.fixture.ts';

const NOW = Date.parse('2027-01-15T12:00:00Z');
const COMMUNICATION = '/portal/api/external/v2/communication';
const COMMAND = join(ROOT, 'packages/cli/bin/portico.mjs');

const ownKey = randomBytes(32);
const surroundings = new Surroundings();
const quiet = { tell: () => undefined };
let portal: TestPortal;
let objects: Attacked;
/** Where the tenant comes from, and another installation, whose owner is no superuser and which has tenants. */
let source: Record<string, string>;
let target: Record<string, string>;
let copy: TestPortal;
let directory: string;

beforeAll(async () => {
  directory = await surroundings.directory();
  portal = await createTestPortal({ clock: { now: () => NOW }, checkAnswers: false });
  objects = await makeAttacked(portal, 'Quagganar');
  await addSealingKeyId(portal.owner, testSealer.keyIds[0]!);
  const { host, port, user, password, database } = portal.database.owner;
  const at = `${database}?host=${encodeURIComponent(String(host))}&port=${port}`;
  source = {
    DATABASE_URL: `postgres://${user}:${encodeURIComponent(String(password))}@/${at}`,
    PORTICO_DATA_DIR: portal.services.config.dataDir,
    PORTICO_ENCRYPTION_KEYS: TEST_ENCRYPTION_KEY,
  };
  const { url, owner } = await surroundings.database();
  target = {
    DATABASE_URL: url,
    PORTICO_DATA_DIR: await surroundings.directory(),
    // A key of its own, and the one of the source for the time of the import.
    PORTICO_ENCRYPTION_KEYS: `${ownKey.toString('base64')},${TEST_ENCRYPTION_KEY}`,
  };
  await inTarget((session) => session.createTenant({ name: 'here', hosts: ['here.test'], adminEmail: 'a@here.test' }));
  const service = await asClient(owner, async (client) => {
    const { rows } = await client.query(`SELECT value FROM portico_owner_secrets WHERE name = 'service_password'`);
    return { ...owner, user: `${owner.database}_service`, password: rows[0].value as string };
  });
  const copied: TestDatabase = { name: String(owner.database), owner, service, drop: async () => undefined };
  copy = await createTestPortal({
    database: copied,
    bystander: false,
    clock: { now: () => NOW },
    checkAnswers: false,
    env: { PORTICO_FILES_DIR: join(target['PORTICO_DATA_DIR']!, 'files') },
    sealer: createSealer([ownKey]),
  });
});
afterAll(async () => {
  await copy?.close();
  await portal.close();
  await surroundings.clean();
});

const inTarget = <T>(work: (session: OperatorSession) => Promise<T>) => withOperator(work, target);

const exported = async (env: Record<string, string>, tenant: string, name: string) => {
  const out = join(directory, name);
  await withOperator((session) => session.tenantLife.export(tenant, { out, ...quiet }), env);
  return out;
};

/** Returns a function that issues tokens of a tenant in the second installation. */
function issuing(id: number, name: string, host: string) {
  return async (userId: number) => {
    const scope = await tenantScope(copy.services, { id, name, displayName: name }, `http://${host}`);
    return copy.services.tokens.issue(scope, { userId, keyId: null, sessionVersion: 1 });
  };
}

test('an imported tenant answers every read as before, and its people sign in', async () => {
  const { tenant, host, token } = objects.world.tenant;
  await objects.world.tenant.settleStream();
  const people = [objects.chief, objects.open.userId];
  // Everything was seen before, so that no read is the first one.
  await readAll({ app: portal.app, host, token }, objects.open, people);
  const path = await exported(source, tenant.name, 'first.zip');
  const imported = await inTarget((session) => session.tenantLife.import(path, { ...quiet, as: 'move' }));
  expect(imported).toMatchObject({ id: tenant.id, name: tenant.name, hosts: [host], quieted: undefined });
  // Until now every host name was answered by the tenant that was here.
  expect(imported.hostWarnings.join(' ')).toMatch(/localhost and 127\.0\.0\.1 too.*"here" answers at here\.test/);

  const before = await readAll({ app: portal.app, host, token }, objects.open, people);
  // Tokens of the first installation are valid: the keys travel.
  const after = await readAll({ app: copy.app, host, token }, objects.open, people);
  expect([...before.values()].filter((answer) => (answer as { status: number }).status === 200).length).toBeGreaterThan(
    100,
  );
  // The import itself is an entry of the log, the plan names the next id of a community, and
  // browsers that show notifications stay behind.
  const others = ['listAuditEntries', 'planCommunity', 'listPushSubscriptions'].map(
    (id) => `${id} of ${objects.chief}`,
  );
  const different = [...before.keys()].filter((name) => !isDeepStrictEqual(after.get(name), before.get(name)));
  expect(different.filter((name) => !others.includes(name))).toEqual([]);

  const signedIn = await copy.app.inject({
    method: 'POST',
    url: '/portal/api/external/v2/core/auth/start-session',
    headers: { host },
    payload: { username: `chief.${objects.chief}`, password: CHIEF_PASSWORD },
  });
  expect(signedIn.statusCode, signedIn.body).toBe(200);
  const report = await inTarget((session) => session.verifyAuditLog(tenant.name));
  expect([report.fault, report.entries]).toEqual([undefined, expect.any(Number)]);
  // Ids go on above those of the source.
  const made = await create(copy, host, await token(objects.chief), 'The first one here');
  const { rows } = await portal.owner.query('SELECT last_value::int AS last FROM posts_id_seq');
  expect(made).toBeGreaterThan(rows[0].last);
});

/** Creates a post. @returns its id */
async function create({ app }: TestPortal, host: string, token: string, title: string): Promise<number> {
  const answer = await app.inject({
    method: 'POST',
    url: `${COMMUNICATION}/posts/manage/create-post/${objects.open.communityId}`,
    headers: { host, authorization: `Bearer ${token}` },
    payload: { title, description: 'Text', descriptionFormat: 2, announcement: false },
  });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json().postId;
}

test('an export under writers holds every write acknowledged before it; imported beside the first, it is a tenant of its own', async () => {
  const { tenant, host, token } = objects.world.tenant;
  const acknowledged: number[] = [];
  let writing = true;
  const authorization = await token(objects.chief);
  const writer = async (number: number) => {
    for (let round = 0; writing; round++) {
      await storeFile(`file ${number} ${round}`);
      acknowledged.push(await create(portal, host, authorization, `Post ${number} ${round}`));
    }
  };
  const writers = [1, 2].map(writer);
  await until('posts are written', () => acknowledged.length >= 4);
  const before = [...acknowledged];
  const path = await exported(source, tenant.name, 'second.zip');
  writing = false;
  await Promise.all(writers);

  await expect(inTarget((session) => session.tenantLife.import(path, quiet))).rejects.toThrow(
    'already exists: give another name',
  );
  const named = { name: 'again', ...quiet };
  await expect(inTarget((session) => session.tenantLife.import(path, named))).rejects.toThrow('belongs to the tenant');
  const importing = surroundings.run(
    process.execPath,
    [COMMAND, 'admin', 'tenant', 'import', path, '--name', 'again', '--host', 'again.test'],
    target,
  );
  expect((await importing.exited).code, importing.stderr).toBe(0);
  // It lives beside the first one.
  expect(importing.stdout).toMatch(/It is a copy: paused webhooks: [1-9]\d*; cancelled messages of webhooks: [1-9]/);
  const [again] = (await inTarget((session) => session.listTenants())).filter(({ name }) => name === 'again');
  expect(again).toMatchObject({ hosts: ['again.test'], state: 'active' });
  expect(again!.id).not.toBe(tenant.id);

  const db = copy.services.databases.for(again!.id);
  const posts = await db.query<{ id: number }>('SELECT id FROM posts WHERE tenant_id = $1', [db.tenantId]);
  const ids = new Set(posts.map(({ id }) => id));
  expect(before.filter((id) => !ids.has(id))).toEqual([]);
  const files = await db.query<{ key: string; sha256: string }>(
    'SELECT storage_key AS key, sha256 FROM file_contents WHERE tenant_id = $1 AND storage_key IS NOT NULL',
    [db.tenantId],
  );
  expect(files.length).toBeGreaterThanOrEqual(before.length);
  for (const { key, sha256 } of files) {
    expect(key.startsWith(`${again!.id}/`)).toBe(true);
    const bytes = await buffer(await copy.services.storage.open(key));
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256);
  }
  const issue = issuing(again!.id, 'again', 'again.test');
  const answers = await readAll({ app: copy.app, host: 'again.test', token: issue }, objects.open, [objects.chief]);
  // Secrets are encrypted for the new id, and the first one's tokens do not open this tenant.
  expect([...answers.values()].filter((answer) => (answer as { status: number }).status >= 500)).toEqual([]);
  const refused = await copy.app.inject({
    url: `${COMMUNICATION}/posts/data/post-detail-by-id/${objects.open.postId}`,
    headers: { host: 'again.test', authorization: `Bearer ${authorization}` },
  });
  expect(refused.statusCode).toBe(401);
  expect((await inTarget((session) => session.verifyAuditLog('again'))).fault).toBeUndefined();
});

/** Stores bytes and a row that names them. */
async function storeFile(text: string): Promise<void> {
  const { storage, databases } = portal.services;
  const db = databases.for(objects.world.tenant.tenant.id);
  const received = await storage.receive(db.tenantId, buffered(text), { maxBytes: 1_000 });
  await received.publish();
  const { storageKey, size, md5, sha256 } = received;
  await db.execute(
    `INSERT INTO file_contents (tenant_id, content_ref, storage_key, mime_type, size, md5, sha256, state, creator_id, created_at, uploaded_at, attached_at)
     VALUES ($1, $2, $3, 'text/plain', $4, $5, $6, 1, $7, now(), now(), now() + interval '1 year')`,
    [db.tenantId, randomBytes(32).toString('hex'), storageKey, size, md5, sha256, objects.chief],
  );
}

/** Copies an archive with another manifest, whose checksum is right. */
async function withManifest(path: string, to: string, change: (manifest: TenantManifest) => object): Promise<void> {
  const zip = await openPromise(path, { lazyEntries: true, autoClose: false });
  const made = new ZipFile();
  for await (const entry of zip.eachEntry()) {
    const bytes = await buffer(await zip.openReadStreamPromise(entry));
    const manifest = entry.fileName === 'manifest.json' && readChecksummed<TenantManifest>(bytes.toString(), path);
    made.addBuffer(manifest ? Buffer.from(writeManifest(change(manifest))) : bytes, entry.fileName, {
      compress: false,
    });
  }
  made.end();
  zip.close();
  await finished(made.outputStream.pipe(createWriteStream(to)));
}

test('a wrong archive is refused, and nothing of it stays', async () => {
  const path = await exported(source, objects.world.tenant.tenant.name, 'third.zip');
  await expect(exported(source, objects.world.tenant.tenant.name, 'third.zip')).rejects.toThrow('exists already');
  const whole = await readFile(path);
  const wrong = join(directory, 'wrong.zip');
  const named = { name: 'wrong', hosts: ['wrong.test'], ...quiet };
  const attempt = () => inTarget((session) => session.tenantLife.import(wrong, named));
  const state = async () => ({
    tenants: (await inTarget((session) => session.listTenants())).map(({ name }) => name),
    files: (
      await readdir(join(target['PORTICO_DATA_DIR']!, 'files', 'tenants'), { recursive: true, withFileTypes: true })
    ).filter((entry) => entry.isFile()).length,
    rows: (await copy.owner.query('SELECT FROM portico_deleted_tenants')).rowCount,
  });
  const before = await state();

  const cases: readonly [string, () => Promise<void>, string][] = [
    ['no archive', () => writeFile(wrong, 'Text'), 'damaged or cut off'],
    ['cut off', () => writeFile(wrong, whole).then(() => truncate(wrong, whole.length - 200)), 'damaged or cut off'],
    ['a changed table', () => changed('database/'), 'checksum of'],
    ['a changed file', () => changed('stored/'), 'checksum of'],
    ['a changed manifest', () => changed('manifest.json'), 'manifest of'],
    [
      'another schema',
      () => withManifest(path, wrong, (of) => ({ ...of, schema: 1 })),
      'Upgrade the installation that exported',
    ],
    [
      'a later schema',
      () => withManifest(path, wrong, (of) => ({ ...of, schema: 9_999 })),
      'Upgrade this installation',
    ],
    ['another layout', () => withManifest(path, wrong, (of) => ({ ...of, format: 2 })), 'has the layout 2'],
    ['other columns', () => withManifest(path, wrong, (of) => ({ ...of, tables: of.tables.slice(1) })), 'other tables'],
    [
      'a key',
      () => withManifest(path, wrong, (of) => ({ ...of, encryptionKeys: ['0123456789abcdef'] })),
      'key 0123456789abcdef',
    ],
    // Found when files and rows are there already.
    ['too few rows', () => withManifest(path, wrong, fewerPosts), 'rows of "posts" instead of'],
  ];
  for (const [name, make, message] of cases) {
    await make();
    await expect(attempt(), name).rejects.toThrow(message);
    expect(await state(), name).toEqual(before);
  }

  /** Changes the last byte of the first entry below a path. */
  async function changed(below: string): Promise<void> {
    const zip = await openPromise(path, { lazyEntries: true, autoClose: false });
    for await (const entry of zip.eachEntry()) {
      if (!entry.fileName.startsWith(below)) continue;
      const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true });
      const bytes = Buffer.from(whole);
      const at = fileDataStart + entry.compressedSize - 3;
      bytes[at] = bytes[at]! ^ 1;
      await writeFile(wrong, bytes);
      break;
    }
    zip.close();
  }
});

function fewerPosts(manifest: TenantManifest): TenantManifest {
  const tables = manifest.tables.map((table) =>
    table.name === '"posts"' ? { ...table, rows: table.rows - 1 } : table,
  );
  return { ...manifest, tables };
}

test('an import beside the first tenant, or of an archive of an enabled one, sends nothing by itself', async () => {
  const { tenant } = objects.world.tenant;
  const db = portal.services.databases.for(tenant.id);
  const messageId = `waiting-${tenant.id}`;
  const sealed = testSealer.seal(Buffer.from('{}'), {
    tenantId: tenant.id,
    table: 'outgoing_mails',
    column: 'sealed_content',
    row: messageId,
  });
  await db.execute(
    `INSERT INTO outgoing_mails (tenant_id, user_id, message_id, recipient, template, language, sealed_content, expires_at, created_at, due_at)
     VALUES ($1, $2, $3, 'chief@example.org', 'invitation', 'en', $4, now() + interval '10 years', now(), now())`,
    [tenant.id, objects.chief, messageId, sealed],
  );
  await db.execute(
    `INSERT INTO notification_mails (tenant_id, user_id, message_id, created_at, due_at) VALUES ($1, $2, $3, now(), now())`,
    [tenant.id, objects.chief, messageId],
  );
  await withOperator((session) => session.changeTenantSettings(tenant.name, { notificationMails: true }), source);
  await withOperator((session) => session.tenantLife.disable(tenant.name), source);
  const disabled = await exported(source, tenant.name, 'disabled.zip');
  await withOperator((session) => session.tenantLife.enable(tenant.name), source);
  const enabled = await exported(source, tenant.name, 'enabled.zip');

  // The tenant is in the second installation already.
  const beside = await importedAs(disabled, 'beside');
  expect(beside.quieted).toEqual({
    pausedWebhooks: expect.any(Number),
    cancelledMessages: expect.any(Number),
    cancelledMails: 1,
    cancelledNotificationMails: 1,
    switchedOffMails: true,
  });
  expect(beside.quieted!.pausedWebhooks * beside.quieted!.cancelledMessages).toBeGreaterThan(0);
  expect(await sending(beside.id)).toEqual({ webhooks: 0, messages: 0, mails: 0, planned: 0, notifications: 0 });
  const entries = await copy.services.databases
    .for(beside.id)
    .query<{ object: string; after: object }>(
      `SELECT object, after FROM audit_entries WHERE tenant_id = $1 AND operator IS NOT NULL ORDER BY id DESC LIMIT $2`,
      [beside.id, beside.quieted!.pausedWebhooks + 2],
    );
  expect(entries.map(({ object, after }) => [object, after]).slice(0, 3)).toEqual([
    ['tenant', expect.objectContaining({ as: 'copy', name: 'beside' })],
    ['tenant', { notificationMails: false }],
    ['webhook', { enabled: false }],
  ]);
  expect((await inTarget((session) => session.verifyAuditLog('beside'))).fault).toBeUndefined();

  const first = await inTarget((session) => session.listTenants());
  for (const { name } of first.filter((one) => one.name !== 'here'))
    await inTarget((session) => session.tenantLife.delete(name, { settleMs: 0 }));
  expect((await importedAs(enabled, 'of-enabled')).quieted).toBeDefined();
  await inTarget((session) => session.tenantLife.delete('of-enabled', { settleMs: 0 }));
  const moved = await importedAs(disabled, 'moved');
  expect(moved.quieted).toBeUndefined();
  expect(await sending(moved.id)).toEqual({
    webhooks: beside.quieted!.pausedWebhooks,
    messages: beside.quieted!.cancelledMessages,
    mails: 1,
    planned: 1,
    notifications: expect.any(Number),
  });
});

const importedAs = (path: string, name: string) =>
  inTarget((session) => session.tenantLife.import(path, { name, hosts: [`${name}.test`], ...quiet }));

/** Counts what a tenant of the second installation sends by itself. */
async function sending(id: number) {
  const db = copy.services.databases.for(id);
  const [counts] = await db.query(
    `SELECT (SELECT count(*) FROM webhooks WHERE tenant_id = $1 AND enabled) AS webhooks,
            (SELECT count(*) FROM webhook_deliveries WHERE tenant_id = $1 AND state = 'waiting') AS messages,
            (SELECT count(*) FROM outgoing_mails WHERE tenant_id = $1 AND state = 'waiting') AS mails,
            (SELECT count(*) FROM notification_mails WHERE tenant_id = $1 AND state = 'waiting') AS planned,
            (SELECT count(*) FROM notifications WHERE tenant_id = $1 AND mail_state IN ('new', 'bundled')) AS notifications`,
    [id],
  );
  return counts;
}

test('a secret that no key opens is named, with what to do', async () => {
  const { tenant } = objects.world.tenant;
  const path = await exported(source, tenant.name, 'keyless.zip');
  const keyless = join(directory, 'keyless-manifest.zip');
  await withManifest(path, keyless, (of) => ({ ...of, encryptionKeys: [] }));
  const without = { ...target, PORTICO_ENCRYPTION_KEYS: ownKey.toString('base64') };
  const attempt = (archive: string, env: Record<string, string>) =>
    withOperator(
      (session) => session.tenantLife.import(archive, { name: 'lost', hosts: ['lost.test'], ...quiet }),
      env,
    );
  const [keyId] = testSealer.keyIds;
  await expect(attempt(keyless, without)).rejects.toThrow(
    new RegExp(`\\(\\w+\\.sealed_\\w+, row .*key ${keyId}, which is not configured.*replace-lost --yes`),
  );
  const spoil = (value: number) =>
    portal.services.databases
      .for(tenant.id)
      .execute(
        `UPDATE webhooks SET sealed_address = set_byte(sealed_address, 30, get_byte(sealed_address, 30) # $2) WHERE tenant_id = $1`,
        [tenant.id, value],
      );
  expect(await spoil(1)).toBeGreaterThan(0);
  const spoiled = await exported(source, tenant.name, 'spoiled.zip');
  await spoil(1);
  await expect(attempt(spoiled, target)).rejects.toThrow(
    /the address of a webhook \(webhooks\.sealed_address, row \d+\) is damaged.*Nothing was imported/,
  );
  expect((await inTarget((session) => session.listTenants())).map(({ name }) => name)).not.toContain('lost');
});

test('an import that is killed halfway is invisible, and the next one completes', async () => {
  const path = await exported(source, objects.world.tenant.tenant.name, 'killed.zip');
  const temporary = await surroundings.directory();
  const importing = ['admin', 'tenant', 'import', path, '--name', 'killed', '--host', 'killed.test'];
  const files = join(target['PORTICO_DATA_DIR']!, 'files', 'tenants');
  const folders = await readdir(files);
  await copy.owner.query('BEGIN');
  await copy.owner.query('LOCK TABLE posts IN SHARE MODE');
  try {
    const killed = surroundings.run(process.execPath, [COMMAND, ...importing], { ...target, TMPDIR: temporary });
    await until('the import writes posts', async () => {
      const { rowCount } = await copy.owner.query(
        `SELECT FROM pg_locks WHERE relation = 'posts'::regclass AND NOT granted`,
      );
      return rowCount === 1;
    });
    expect(await killed.end('SIGKILL')).toEqual({ code: null, signal: 'SIGKILL' });

    const states = (await inTarget((session) => session.listTenants())).map(({ name, state }) => `${name} ${state}`);
    expect(states.filter((state) => state.endsWith(' unfinished'))).toHaveLength(1);
    expect(states.join()).not.toContain('killed');
    const asked = await copy.app.inject({
      url: `${COMMUNICATION}/posts/data/post-detail-by-id/1`,
      headers: { host: 'killed.test' },
    });
    expect([asked.statusCode, asked.json().code]).toEqual([404, 'UNKNOWN_TENANT']);
    // PostgreSQL has not noticed yet.
    await expect(importedAs(path, 'killed')).rejects.toThrow('PostgreSQL ends a killed one');
  } finally {
    await copy.owner.query('ROLLBACK');
  }
  const refusals: string[] = [];
  await until('the next import completes', async () => {
    const again = surroundings.run(process.execPath, [COMMAND, ...importing], target);
    const { code } = await again.exited;
    if (code !== 0) refusals.push(again.stderr);
    return code === 0;
  });
  expect(refusals.filter((text) => !text.includes('Another import of a tenant runs'))).toEqual([]);
  const tenants = await inTarget((session) => session.listTenants());
  expect(tenants.filter(({ state }) => state === 'unfinished')).toEqual([]);
  expect(await readdir(temporary)).toEqual([]);
  const made = tenants.find(({ name }) => name === 'killed')!;
  const stored = await readdir(files, { recursive: true, withFileTypes: true });
  const owners = stored
    .filter((entry) => entry.isFile())
    .map((entry) => relative(files, entry.parentPath).split('/')[0]!);
  expect(new Set(owners.filter((owner) => !folders.includes(owner)))).toEqual(new Set([String(made.id)]));
  const { rowCount } = await copy.owner.query('SELECT FROM tenants WHERE unfinished');
  expect(rowCount).toBe(0);
});

test('the next import removes the remains of a killed one', async () => {
  const { rows } = await copy.owner.query(
    `INSERT INTO tenants (name, display_name, disabled_at, unfinished) VALUES ('unfinished-import-0f', 'Left', now(), true) RETURNING id`,
  );
  const { storage } = copy.services;
  const id = Number(rows[0].id);
  const left = await storage.receive(id, buffered('left'), { maxBytes: 10 });
  await left.publish();
  const path = await exported(target, 'here', 'here.zip');
  await inTarget((session) => session.tenantLife.import(path, { name: 'there', hosts: ['there.test'], ...quiet }));
  expect((await copy.owner.query('SELECT FROM tenants WHERE id = $1', [id])).rowCount).toBe(0);
  expect(await storage.stat(left.storageKey)).toBeUndefined();
});

async function* buffered(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
