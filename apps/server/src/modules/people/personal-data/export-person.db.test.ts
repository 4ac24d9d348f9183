/** Archive about one person: its content, and the rights that it requires. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fromBuffer } from 'yauzl';
import { createTestPortal, type TestPortal } from '../../../../test/support/index.ts';
import { storeFile } from '../../files/index.ts';
import { createFieldWorld, createPost, type FieldWorld } from '../../posts/writing/writing.fixture.ts';
import { tables } from '../../tables.ts';
import { attachmentSection, sections } from './sections.ts';

const ROOT = '/portal/api/external/v2';
let portal: TestPortal;
let world: FieldWorld;
let admin: number;
let author: number;

beforeAll(async () => {
  portal = await createTestPortal();
  world = await createFieldWorld(portal);
  admin = await world.tenant.createUser({ admin: true });
  author = world.people.author;
});
afterAll(() => portal.close());

const ask = (actor: number | null, path: string, headers: Record<string, string> = {}) =>
  world.tenant.request(actor, 'GET', `${ROOT}${path}`, undefined, headers);
const ofUser = (userId: number) => `/admin/data/users/${userId}/export`;
const OWN = '/core/user-profile/export';

/** The files of an archive. */
function unpack(bytes: Buffer): Promise<Map<string, string>> {
  return new Promise((resolve, reject) => {
    const files = new Map<string, string>();
    fromBuffer(bytes, { lazyEntries: true }, (error, zip) => {
      if (error) return reject(error);
      zip.on('entry', (entry) =>
        zip.openReadStream(entry, async (failed, stream) => {
          if (failed) return reject(failed);
          files.set(entry.fileName, Buffer.concat(await stream.toArray()).toString('latin1'));
          zip.readEntry();
        }),
      );
      zip.on('end', () => resolve(files));
      zip.readEntry();
    });
  });
}

test('holds what the person wrote and uploaded, what is known of them, and no secrets', async () => {
  const picture = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const { contentRef } = await storeFile(await world.tenant.scope(author), portal.services.storage, picture);
  const { postId } = await createPost(world, author, {
    title: 'Of the author',
    description: 'Their text',
    attachments: [{ contentRef, name: '../a:b.png' }],
  });
  await createPost(world, world.people.contributor, { title: 'Of somebody else', description: 'Another text' });
  const write = async (path: string, body: object, method = 'POST') => {
    const answer = await world.tenant.request(author, method, `${ROOT}/communication${path}`, body);
    expect(answer.status, answer.text).toBe(200);
  };
  await write(`/posts/manage/create-comment/${postId}`, { comment: 'Own comment', commentFormat: 2 });
  await write(`/posts/manage/like/${postId}`, { liked: true }, 'PUT');
  await write(`/tasks/manage/create-task/${postId}`, {
    title: 'Own task',
    expiration: { datetime: '2031-05-01T10:00', timezone: 'Europe/Rome' },
    assigneeUserId: author,
  });
  await write(`/posts/manage/following/${postId}`, { following: 1 }, 'PUT');
  await write(`/communities/manage/favourite/${world.communityId}`, { favourite: true }, 'PUT');
  await world.rows(
    `UPDATE users SET custom_username = 'author', custom_active = true, password_hash = '$argon2id$secret' WHERE tenant_id = $1 AND id = $2`,
    [author],
  );
  const answer = await ask(admin, ofUser(author));
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/zip']);
  const files = await unpack(answer.bytes);
  const lines = (name: string) =>
    files
      .get(name)!
      .trim()
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  expect(JSON.parse(files.get('about.json')!)).toMatchObject({ userId: author });
  expect(JSON.parse(files.get('credentials.json')!)).toMatchObject({
    userCredentialsConfiguration: { custom: { username: 'author' } },
  });
  expect(lines('posts.ndjson')).toMatchObject([{ id: postId, title: 'Of the author' }]);
  expect(lines('comments.ndjson')).toMatchObject([{ postId, commentPlainText: 'Own comment' }]);
  expect(lines('tasks.ndjson')).toMatchObject([{ title: 'Own task', assignee: author }]);
  expect(lines('likes-of-posts.ndjson')).toMatchObject([{ postId }]);
  expect(lines('following.ndjson')).toEqual([{ communityId: world.communityId, postId, following: 1 }]);
  expect(lines('favourite-communities.ndjson')).toMatchObject([{ communityId: world.communityId }]);
  expect(lines('roles.ndjson')).toMatchObject([{ communityId: world.communityId }]);
  const [{ file, name }] = lines('files.ndjson');
  expect(name).toBe('a:b.png');
  expect(file).toMatch(/^files\/\d+-a_b.png$/);
  expect(files.get(file)).toMatch(/^.PNG/);
  const all = [...files.values()].join('\n');
  for (const secret of ['argon2id', 'secret_hash', 'Of somebody else']) expect(all).not.toContain(secret);
  // The audit log records it, and the next archive holds that entry.
  const own = await ask(author, OWN);
  expect((await unpack(own.bytes)).get('audit-log-about-the-person.ndjson')).toContain('"action":"exported"');
});

/** Tables that name people and have no file in the archive. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  access_snapshots: 'derived from roles',
  idempotency_keys: 'answers of repeated requests, kept for two days',
  notification_mails: 'the notifications are listed, with what became of their mails',
  one_time_links: 'hashes; the mails with the links are listed',
  post_grants: 'derived from roles, watchers and tasks',
  recovery_codes: 'hashes',
  service_account_keys: 'of programs',
  sign_in_failures: 'become entries of the audit log within minutes',
  standing_roles: 'of programs',
  user_search: 'derived from the profile',
};

test('has a file for every table that names people', async () => {
  const statements = [...sections, attachmentSection].map(({ ids = '', rows }) => `${ids} ${rows}`).join(' ');
  const about = [...tables].filter(([, { people }]) => people !== undefined).map(([name]) => name);
  const missing = about.filter((name) => !new RegExp(`\\b${name}\\b`).test(statements));
  expect(missing.sort()).toEqual(Object.keys(LEFT_OUT).sort());
});

test('is for the person and for administrators who hold their rights', async () => {
  const { reader, contributor } = world.people;
  expect((await ask(reader, ofUser(contributor))).status).toBe(403);
  expect((await ask(null, OWN)).status).toBe(401);
  expect((await ask(admin, ofUser(world.tenant.systemUserId))).status).toBe(403);
  expect((await ask(admin, ofUser(987_654_321))).status).toBe(404);
  expect((await ask(admin, '/admin/data/users/x/export')).status).toBe(400);
  const elsewhere = await portal.createTenant();
  const theirs = await elsewhere.createUser();
  expect((await ask(admin, ofUser(theirs))).status).toBe(404);
  const clerk = await world.tenant.createUser();
  await world.rows('UPDATE users SET manages_users = true WHERE tenant_id = $1 AND id = $2', [clerk]);
  await world.rows('UPDATE tenant_versions SET access_version = access_version + 1 WHERE tenant_id = $1');
  expect((await ask(clerk, ofUser(contributor))).status).toBe(200);
  expect((await ask(clerk, ofUser(admin))).status).toBe(403);
  const token = await world.tenant.request(admin, 'POST', `${ROOT}/core/auth/manage/personal-tokens`, {
    name: 'Report',
    access: 'read',
    validDays: 1,
  });
  expect(token.status, token.text).toBe(200);
  for (const path of [OWN, ofUser(contributor)]) {
    const refused = await ask(null, path, { Authorization: `Bearer ${token.body.secret}` });
    expect([refused.status, refused.body.code]).toEqual([403, 'PERSONAL_TOKEN_NOT_ACCEPTED']);
  }
});

test('is made twice at once by an account, and a client that goes away makes room', async () => {
  const answers = await Promise.all(Array.from({ length: 8 }, () => ask(author, OWN)));
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(2);
  for (const status of statuses) expect([200, 429]).toContain(status);
  await expect.poll(async () => (await ask(author, OWN)).status).toBe(200);
});
