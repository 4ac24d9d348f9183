/** Archives of communities in another portal: round trip, people, marks, undo, and hostile archives. */
import type { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ZipFile } from 'yazl';
import { createTestPortal, type TestPortal, type TestTenant } from '../../../../test/support/index.ts';
import { runImports } from '../../../jobs/run-imports.ts';
import { storeFile } from '../../files/index.ts';
import { createFieldWorld, createPost, type FieldWorld } from '../../posts/writing/writing.fixture.ts';
import { type Json, linesOf, unpack } from './archive.fixture.ts';
import { linesOf as linesOfPost } from './post-lines.ts';

const ROOT = '/portal/api/external/v2';
let portal: TestPortal;
let from: FieldWorld;
let to: TestTenant;
let admin: number;
let archive: Buffer;

beforeAll(async () => {
  portal = await createTestPortal();
  from = await createFieldWorld(portal);
  archive = await exported();
  to = await portal.createTenant();
  admin = await to.createUser({ admin: true, email: 'boss@example.org' });
});
afterAll(() => portal.close());

/** A community with posts of every part, as the archive of its manager. */
async function exported(): Promise<Buffer> {
  const { tenant, people, fields, values, communityId } = from;
  await from.rows(`UPDATE users SET contact_email = 'author@example.org' WHERE tenant_id = $1 AND id = $2`, [
    people.author,
  ]);
  const upload = async (user: number, text: string) =>
    (await storeFile(await tenant.scope(user), portal.services.storage, Buffer.from(text))).contentRef;
  const first = await createPost(from, people.author, { title: 'First', description: 'Text #budget' });
  const mention = [{ insert: { mention: { id: people.author, value: 'Author' } } }, { insert: ' look\n' }];
  const { postId, token } = await createPost(from, people.contributor, {
    title: 'Draft of the second',
    description: JSON.stringify(mention),
    descriptionFormat: 1,
    customData: {
      [fields['INT']!]: 7,
      [fields['BIGINT']!]: '9007199254740993',
      [fields['DATE']!]: Date.UTC(2024, 1, 29),
      [fields['ENUM']!]: values['ENUM']![0],
      [fields['HIERARCHICAL_ENUM']!]: values['HIERARCHICAL_ENUM']![0],
      [fields['ENUM_LIST']!]: from.entries.slice(0, 2),
      [fields['DELTA_AREA']!]: JSON.stringify([{ insert: 'rich\n', attributes: { bold: true } }]),
      [fields['PEOPLE']!]: [people.manager],
      [fields['POSTS']!]: [first.postId],
    },
    attachments: [{ contentRef: await upload(people.contributor, 'the bytes'), name: 'note.txt' }],
  });
  const send = async (user: number, method: string, path: string, body: object) => {
    const answer = await tenant.request(user, method, `${ROOT}/communication/posts/manage/${path}`, body);
    expect(answer.status, answer.text).toBe(200);
    return answer.body as Json;
  };
  const { comment } = await send(people.author, 'POST', `create-comment/${postId}`, {
    comment: 'Seen',
    commentFormat: 2,
    attachments: [{ contentRef: await upload(people.author, 'more bytes'), name: 'more.txt' }],
  });
  await send(people.contributor, 'POST', `create-comment/${postId}`, {
    comment: 'Thanks',
    commentFormat: 2,
    parentCommentId: comment.id,
  });
  await send(people.contributor, 'POST', `patch-post/${postId}`, { title: 'Second', occToken: token });
  const reason = from.workflow!.fields.get('Reason')!.id;
  await from.rows('UPDATE posts SET screen_data = $3 WHERE tenant_id = $1 AND id = $2', [
    postId,
    JSON.stringify({ [reason]: 'because' }),
  ]);
  const finish = from.workflow!.transitionIds[0];
  await send(people.manager, 'POST', `execute-post-workflow-operation/${postId}/${finish}`, { screenOccToken: 1 });
  const answer = await tenant.request(people.manager, 'GET', `${ROOT}/admin/data/communities/${communityId}/archive`);
  expect(answer.status).toBe(200);
  return answer.bytes;
}

const ask = (user: number | null, method: string, path: string, body?: unknown) =>
  to.request(user, method, `${ROOT}/${path}`, body);
async function ok(method: string, path: string, body?: unknown): Promise<Json> {
  const answer = await ask(admin, method, path, body);
  expect(answer.status, answer.text).toBe(200);
  return answer.body as Json;
}
const uploaded = async (bytes: Buffer, user = admin) =>
  (await storeFile(await to.scope(user), portal.services.storage, bytes)).contentRef;
const work = () => runImports(portal.services, to.tenant, new AbortController().signal);
const rows = <T extends object>(sql: string, values: unknown[] = []) =>
  portal.services.databases.for(to.tenant.id).query<T>(sql, [to.tenant.id, ...values]);

async function imported(more: object = {}): Promise<Json> {
  const started = await ok('POST', 'admin/manage/community-archives', { contentRef: await uploaded(archive), ...more });
  expect(started).toMatchObject({ state: 'waiting', archive: true });
  await work();
  return ok('GET', `admin/data/imports/${started['id']}`);
}

test('comes back equal from another portal, with matched people and imported authors', async () => {
  const boss = await to.createUser({ email: 'Author@example.org' });
  const contentRef = await uploaded(archive);
  const plan = await ok('POST', 'admin/data/community-archives', { contentRef });
  expect(plan).toMatchObject({ postsCount: 2, commentsCount: 2, filesCount: 2, peopleCount: 3, matchedCount: 1 });
  expect(plan['people'].filter((one: Json) => one['user'])).toMatchObject([{ user: { id: boss }, matchedBy: 'email' }]);
  const done = await imported({ planToken: plan['planToken'] });
  const refusals = (await ok('POST', `admin/data/imports/${done['id']}/refusals`, {})).items;
  expect([done['state'], done['problem'], refusals]).toEqual(['done', undefined, []]);
  expect(done).toMatchObject({ rows: 2, report: { createdCount: 2, commentsCount: 2, peopleCount: 2 } });
  const { communityId } = done;
  const answer = await ask(admin, 'GET', `admin/data/communities/${communityId}/archive`);
  const [before, after] = [await unpack(archive), await unpack(answer.bytes)];
  const posts = linesOf(before, 'posts.ndjson');
  expect(posts[1]).toMatchObject({
    state: 'Done',
    screenValues: { Reason: 'because' },
    history: [
      { kind: 'modified', titleBefore: 'Draft of the second' },
      { kind: 'transition', transition: 'finish' },
    ],
  });
  expect(linesOf(after, 'posts.ndjson')).toEqual(posts);
  expect(JSON.parse(after.get('community.json')!.toString())).toEqual(
    JSON.parse(before.get('community.json')!.toString()),
  );
  for (const name of ['files/1', 'files/2']) expect(after.get(name)).toEqual(before.get(name));
  // Marks: posts, comments, history and authors, for ever; what happens now has none.
  const [second] = await rows<{ id: number }>(`SELECT id FROM posts WHERE tenant_id = $1 AND title = 'Second'`);
  const detail = await ok('GET', `communication/posts/data/post-detail-by-id/${second!.id}`);
  expect(detail['importTimestamp']).toEqual(expect.any(Number));
  expect(detail['creatorUser']).toMatchObject({ imported: true });
  await ok('POST', `communication/posts/manage/create-comment/${second!.id}`, { comment: 'Now', commentFormat: 2 });
  const comments = await ok('POST', `communication/posts/data/comments-list/${second!.id}`, { pageSize: 10 });
  expect(comments['items'].map((one: Json) => one['imported'])).toEqual([undefined, true, true]);
  const history = await ok('POST', `communication/posts/data/history-list/${second!.id}`, { pageSize: 100 });
  const now = history['items'].filter((one: Json) => !one['imported']);
  expect(now.map((one: Json) => one['typeId'])).toEqual([3]);
  // Nobody is told, and new posts get later numbers.
  expect(
    await rows(
      `SELECT FROM history_events WHERE tenant_id = $1 AND awaits_notification AND at < now() - interval '1 hour'`,
    ),
  ).toEqual([]);
  const waiting = await rows(`SELECT FROM history_events WHERE tenant_id = $1 AND awaits_notification`);
  expect(waiting).toHaveLength(1);
  const users = await rows<{ contact: string | null; rights: boolean }>(
    `SELECT contact_email AS contact, manages_users OR manages_workplace AS rights FROM users
      WHERE tenant_id = $1 AND imported_at IS NOT NULL`,
  );
  expect(users).toEqual([
    { contact: null, rights: false },
    { contact: null, rights: false },
  ]);
});

test('is written under another key, with chosen people, and is taken back by its undo', async () => {
  const chosen = await to.createUser({});
  const done = await imported({ key: 'again', name: 'Again', people: [{ key: 'p1', userId: chosen }, { key: 'p2' }] });
  expect(done).toMatchObject({ state: 'done', report: { createdCount: 2 } });
  const written = await rows<{ creator: number }>(
    'SELECT creator_id AS creator FROM posts WHERE tenant_id = $1 AND community_id = $2 ORDER BY custom_no',
    [done['communityId']],
  );
  expect(written.map(({ creator }) => creator === chosen)).toEqual([true, false]);
  const undo = await ok('POST', `admin/manage/imports/${done['id']}/undo`, {});
  await work();
  expect(await ok('GET', `admin/data/imports/${undo['id']}`)).toMatchObject({
    state: 'done',
    report: { deletedPostsCount: 2 },
  });
});

test('needs both administrative rights, an own upload, and a new key', async () => {
  const body = { contentRef: await uploaded(archive) };
  const path = 'admin/manage/community-archives';
  const one = await to.createUser({});
  await rows('UPDATE users SET manages_workplace = true WHERE tenant_id = $1 AND id = $2', [one]);
  for (const way of [path, 'admin/data/community-archives']) {
    expect((await ask(one, 'POST', way, body)).status).toBe(403);
    expect((await ask(null, 'POST', way, body)).status).toBe(401);
    const foreign = await from.tenant.request(from.people.admin, 'POST', `${ROOT}/${way}`, body);
    expect([400, 403]).toContain(foreign.status);
  }
  const taken = await ask(admin, 'POST', path, body);
  expect([taken.status, taken.text]).toEqual([400, expect.stringContaining('another key')]);
});

/** Writes a ZIP archive. */
async function zipped(entries: Readonly<Record<string, string | Buffer>>, mode?: number): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(entries))
    zip.addBuffer(Buffer.from(content), name, { ...(mode !== undefined && name.startsWith('files/') && { mode }) });
  zip.end();
  return Buffer.concat(await (zip.outputStream as unknown as Readable).toArray());
}

const whole = async (): Promise<Record<string, Buffer>> => Object.fromEntries(await unpack(archive));

test.each<[string, (entries: Record<string, Buffer>) => Promise<Buffer> | Buffer, string]>([
  ['no archive', () => Buffer.from('no archive'), 'no ZIP archive'],
  ['cut off', () => archive.subarray(0, archive.length - 60), 'no ZIP archive'],
  [
    'a path out of it',
    async (entries) =>
      Buffer.from(
        (await zipped({ ...entries, 'files/77777': 'x' })).toString('latin1').replaceAll('files/77777', '../../../etc'),
        'latin1',
      ),
    'list of entries',
  ],
  [
    'another entry',
    (entries) => zipped({ ...entries, 'run.sh': 'x' }),
    'run.sh: an archive of a community has no such entry',
  ],
  ['a link', (entries) => zipped(entries, 0o120777), 'files/1: it is a link'],
  ['a missing entry', ({ 'people.ndjson': _, ...entries }) => zipped(entries), 'people.ndjson: the entry is missing'],
  [
    'sizes that are wrong',
    async (entries) => {
      const bomb = await zipped({ ...entries, 'posts.ndjson': Buffer.alloc(4_000_000, 'a') });
      // The size that the directory tells is that of a small entry.
      const at = bomb.lastIndexOf('posts.ndjson') - 46;
      bomb.writeUInt32LE(100, at + 24);
      return bomb;
    },
    'posts.ndjson: ',
  ],
  [
    'another format',
    (entries) => zipped({ ...entries, 'archive.json': '{"kind":"community","format":9}' }),
    'archive.json: ',
  ],
  [
    'no JSON',
    (entries) => zipped({ ...entries, 'posts.ndjson': '{"number":1\n' }),
    'posts.ndjson, line 1: it is no JSON',
  ],
  ['deep JSON', (entries) => zipped({ ...entries, 'posts.ndjson': `{"text":${'['.repeat(5_000)}` }), 'nested deeper'],
  [
    'very many lists',
    (entries) => zipped({ ...entries, 'posts.ndjson': `{"text":[${'[],'.repeat(50_000)}0]}` }),
    'posts.ndjson, line 1: it has more than 50000 lists and objects',
  ],
  [
    'a further line with more than comments and history',
    ({ 'posts.ndjson': posts, ...entries }) =>
      zipped({
        ...entries,
        'posts.ndjson': posts!.toString().replace('\n', '\n{"number":1,"comments":[],"state":"Done"}\n'),
      }),
    'posts.ndjson, line 2: there is no member "state"',
  ],
  [
    'a time to come',
    ({ 'posts.ndjson': posts, ...entries }) =>
      zipped({
        ...entries,
        'posts.ndjson': posts!.toString().replace(/"modifiedAt":\d+/, '"modifiedAt":9000000000000'),
      }),
    'posts.ndjson, line 1: "modifiedAt" is later than the import',
  ],
  [
    'an unknown person',
    ({ 'posts.ndjson': posts, ...entries }) =>
      zipped({ ...entries, 'posts.ndjson': posts!.toString().replace('"by":"p1"', '"by":"p99"') }),
    'posts.ndjson, line 1: "by" names nobody',
  ],
  [
    'an unknown member',
    ({ 'posts.ndjson': posts, ...entries }) =>
      zipped({ ...entries, 'posts.ndjson': posts!.toString().replace('{', '{"id":4,') }),
    'line 1: there is no member "id"',
  ],
  ['a file that is not there', ({ 'files/2': _, ...entries }) => zipped(entries), 'names no entry'],
])('a hostile archive is refused by name: %s', async (_, make, message) => {
  const contentRef = await uploaded(await make(await whole()));
  for (const path of ['admin/data/community-archives', 'admin/manage/community-archives']) {
    const answer = await ask(admin, 'POST', path, { contentRef, key: 'hostile' });
    const { message: told } = answer.body as { message: string };
    expect([answer.status, told]).toEqual([400, expect.stringContaining(`contentRef: `)]);
    expect(told).toContain(message);
  }
});

test('a post with many comments takes several lines, and comes back equal', async () => {
  const { 'posts.ndjson': _, 'files/1': _one, 'files/2': _two, ...entries } = await whole();
  const at = Date.UTC(2024, 1, 29);
  const post = {
    number: 7,
    by: 'p1',
    at,
    modifiedBy: 'p1',
    modifiedAt: at,
    title: 'Much said',
    text: [{ insert: 'Text\n' }],
    visibility: 'public' as const,
    comments: Array.from({ length: 2_100 }, (_comment, index) => ({
      by: 'p2',
      at: at + index,
      text: [{ insert: `Comment ${index}\n` }],
      ...(index === 2_050 && { answers: 3 }),
    })),
    history: [{ kind: 'modified' as const, by: 'p1', at, titleBefore: 'Little said' }],
  };
  const lines = [...linesOfPost(post)];
  expect(lines).toHaveLength(2);
  const contentRef = await uploaded(await zipped({ ...entries, 'posts.ndjson': lines.join('') }));
  const { id, communityId } = await ok('POST', 'admin/manage/community-archives', { contentRef, key: 'much' });
  await work();
  expect((await ok('POST', `admin/data/imports/${id}/refusals`, {})).items).toEqual([]);
  expect(await ok('GET', `admin/data/imports/${id}`)).toMatchObject({
    state: 'done',
    rows: 1,
    report: { createdCount: 1, commentsCount: 2_100 },
  });
  const answer = await ask(admin, 'GET', `admin/data/communities/${communityId}/archive`);
  const [first, more] = linesOf(await unpack(answer.bytes), 'posts.ndjson');
  expect(first).toMatchObject({ number: 7, title: 'Much said' });
  const comments = [...first!['comments'], ...more!['comments']] as Json[];
  expect(comments.map(({ text, answers }) => [text, answers])).toEqual(
    post.comments.map(({ text, answers }) => [text, answers]),
  );
  expect(more!['history']).toMatchObject([{ titleBefore: 'Little said' }]);
});

test('an import that was interrupted goes on, and makes nothing twice', async () => {
  const { 'posts.ndjson': _, 'files/1': _one, 'files/2': _two, ...entries } = await whole();
  const at = Date.UTC(2024, 1, 29);
  const lines = Array.from({ length: 100 }, (_line, index) => ({
    number: index + 1,
    by: 'p1',
    at,
    modifiedBy: 'p2',
    modifiedAt: at,
    title: `Post ${index}`,
    text: [{ insert: 'Text\n' }],
    visibility: 'public',
  }));
  const many = await zipped({ ...entries, 'posts.ndjson': lines.map((line) => JSON.stringify(line)).join('\n') });
  const body = { contentRef: await uploaded(many), key: 'many' };
  const { id, communityId } = await ok('POST', 'admin/manage/community-archives', body);
  let asked = 0;
  // Stops before its second batch.
  const stop = {
    get aborted() {
      asked += 1;
      return asked > 2;
    },
  };
  await runImports(portal.services, to.tenant, stop as AbortSignal);
  const count = async () =>
    (await rows('SELECT FROM posts WHERE tenant_id = $1 AND community_id = $2', [communityId])).length;
  const people = async () => (await rows('SELECT FROM users WHERE tenant_id = $1 AND imported_at IS NOT NULL')).length;
  const before = [await count(), await people()] as const;
  expect(before[0]).toBeGreaterThan(0);
  expect(before[0]).toBeLessThan(100);
  await work();
  expect(await ok('GET', `admin/data/imports/${id}`)).toMatchObject({ state: 'done', report: { createdCount: 100 } });
  expect([await count(), await people()]).toEqual([100, before[1]]);
});
