/** How requests may be written: encodings of bodies, spellings of integers, names of compressions. */
import { gzipSync } from 'node:zlib';
import { FieldType, FilterType } from '@portico/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestPortal, createTestWorld, type TestPortal, type TestWorld } from '../../test/support/test-world.ts';

let portal: TestPortal;
let world: TestWorld;

beforeAll(async () => {
  portal = await createTestPortal();
  world = await createTestWorld(portal, { fields: [{ type: FieldType.DECIMAL, label: 'Price', searchable: true }] });
});
afterAll(() => portal?.close());

const POSTS = '/portal/api/communication/posts';
const ask = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
  world.tenant.request(world.people.author, method, `${POSTS}/${path}`, body, headers);
const post = (title: string, more: object = {}) =>
  JSON.stringify({ announcement: false, title, description: 'd', descriptionFormat: 2, ...more });
const create = (body: Buffer | string, headers?: Record<string, string>) =>
  ask('POST', `manage/create-post/${world.communityId}`, body, headers);
const titles = async () =>
  (await world.rows<{ title: string }>('SELECT title FROM posts WHERE tenant_id = $1')).map(({ title }) => title);
const MARK = Buffer.from([0xef, 0xbb, 0xbf]);

test('a body that is not UTF-8 is refused, and nothing of it is kept', async () => {
  const latin = Buffer.from(post('Z\u00fcrich'), 'latin1');
  const refused = await create(latin);
  expect([refused.status, refused.body.code]).toEqual([400, 'MALFORMED_JSON']);
  expect(refused.body.message).toContain('The body is not UTF-8');
  expect(await titles()).not.toContain('Z\ufffdrich');
  const lines = Buffer.concat([latin, Buffer.from(`\n${post('Bern')}`)]);
  const made = await ask('POST', `manage/create-posts/${world.communityId}`, lines, {
    'Content-Type': 'application/x-ndjson',
  });
  expect(made.body.items.map(({ error }: { error?: { message: string } }) => error?.message)).toEqual([
    expect.stringContaining('The line is not UTF-8'),
    undefined,
  ]);
});

test('a charset changes nothing: JSON is in UTF-8', async () => {
  for (const charset of ['utf-8', 'UTF-8', '"Utf-8"', 'US-ASCII', 'iso-8859-1']) {
    const answer = await create(post(`Zürich ${charset.replaceAll('"', '')}`), {
      'Content-Type': `application/json; Charset=${charset}`,
    });
    expect(answer.status, charset).toBe(200);
  }
  expect(await titles()).toContain('Zürich iso-8859-1');
  const latin1 = await create(Buffer.from(post('Zürich'), 'latin1'), {
    'Content-Type': 'application/json; charset=iso-8859-1',
  });
  expect([latin1.status, latin1.body.code]).toEqual([400, 'MALFORMED_JSON']);
});

test('a byte order mark may stand before a body', async () => {
  expect((await create(Buffer.concat([MARK, Buffer.from(post('Marked'))]))).status).toBe(200);
  expect(await titles()).toContain('Marked');
});

test('integers in paths and queries are digits', async () => {
  const id = await world.post(world.people.author);
  const detail = (text: string) => ask('GET', `data/post-detail-by-id/${text}`);
  const word = await detail('abc');
  expect(word.status).toBe(400);
  const spellings = [`0x${id.toString(16)}`, `${id}e0`, `${id}.0`, `+${id}`, `%20${id}`, `${id}%20`];
  for (const spelling of spellings) {
    const answer = await detail(spelling);
    expect([answer.status, answer.body.validationErrors], spelling).toEqual([400, word.body.validationErrors]);
  }
  for (const spelling of [String(id), `0${id}`]) expect((await detail(spelling)).status, spelling).toBe(200);
  const list = (size: string) => ask('POST', `data/list/community/${world.communityId}?pageSize=${size}`, {});
  for (const size of ['0x5', '1e1', '5.0', '%2B5', '+5'])
    expect((await list(size)).body.validationErrors?.list, size).toMatchObject([
      { field: 'pageSize', code: 'INVALID_TYPE' },
    ]);
  for (const size of ['5', '']) expect((await list(size)).status, size).toBe(200);
});

test('a number with more digits than are kept is refused, in values and in filters', async () => {
  const field = String(world.fieldIds.get('Price'));
  const written = async (value: string) => create(`${post('Priced').slice(0, -1)},"customData":{"${field}":${value}}}`);
  const kept = await written('"0.30000000000000004"');
  expect(kept.body.postData.customData[field]).toBe(0.1 + 0.2);
  for (const value of ['"123456789012345678901234567890.123"', '"1.00000000000000000001"', '12345678901234567891']) {
    const answer = await written(value);
    expect(answer.status, value).toBe(400);
    expect(answer.body.validationErrors.list, value).toMatchObject([
      {
        field: `customData.${field}`,
        code: 'INVALID_VALUE',
        args: [15],
        defaultMessage: expect.stringContaining('15 significant digits'),
      },
    ]);
  }
  expect((await written(`"${'9'.repeat(400)}"`)).body.validationErrors.list[0].defaultMessage).toContain('too large');
  const filtered = (parameter: string) =>
    ask('POST', `data/list/community/${world.communityId}`, {
      communityPostFilters: {
        postFieldFilters: [{ columnId: Number(field), typeId: FilterType.EQUAL, parameters: [parameter] }],
      },
    });
  expect((await filtered('0.30000000000000004')).status).toBe(200);
  expect((await filtered('0.300000000000000040001')).body.validationErrors?.list[0]).toMatchObject({
    defaultMessage: expect.stringContaining('15 significant digits'),
  });
});

test('names of compressions have no case, and x-gzip is gzip', async () => {
  for (const name of ['gzip', 'GZIP', 'x-gzip', 'X-GZip']) {
    const answer = await create(gzipSync(post(`In ${name}`)), { 'Content-Encoding': name });
    expect(answer.status, name).toBe(200);
  }
});

test('answers that would be compressed when longer say so to caches', async () => {
  const asked: Record<string, string>[] = [{}, { 'Accept-Encoding': 'gzip' }, { Origin: 'https://a.example' }];
  for (const headers of asked) {
    const answer = await ask(
      'GET',
      `data/post-detail-by-id/${await world.post(world.people.author)}`,
      undefined,
      headers,
    );
    const vary = answer.headers.get('vary') ?? '';
    expect(vary.split(', ')).toEqual('Origin' in headers ? ['Origin', 'accept-encoding'] : ['accept-encoding']);
  }
});

test('a path that has other methods names them, whatever kind of route it is', async () => {
  const { communityId } = world;
  for (const [method, path, allowed] of [
    ['GET', `${POSTS}/data/list/community/${communityId}/export`, 'POST'],
    ['DELETE', `${POSTS}/data/list/community/${communityId}`, 'POST'],
    ['OPTIONS', '/portal/files/x', 'GET, HEAD'],
    ['POST', '/portal/files/x', 'GET, HEAD'],
    ['OPTIONS', '/portal/storage/upload', 'POST'],
    ['POST', '/portal/api/openapi.json', 'GET, HEAD'],
    ['POST', '/readyz', 'GET, HEAD'],
  ] as const) {
    const answer = await world.tenant.request(world.people.author, method, path);
    expect([answer.status, answer.body.code, answer.headers.get('allow')], `${method} ${path}`).toEqual([
      405,
      'METHOD_NOT_ALLOWED',
      allowed,
    ]);
  }
  const unknown = await world.tenant.request(world.people.author, 'POST', '/portal/files');
  expect([unknown.status, unknown.body.code]).toEqual([404, 'UNKNOWN_ROUTE']);
});

test('an export has all rows, whatever page its body names', async () => {
  const path = `data/list/community/${world.communityId}/export?columns=title`;
  const [whole, placed] = [await ask('POST', path, {}), await ask('POST', path, { pageToken: 'x' })];
  expect(placed.status, placed.text).toBe(200);
  expect(placed.text).toBe(whole.text);
});
