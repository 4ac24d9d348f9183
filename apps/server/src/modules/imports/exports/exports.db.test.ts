/**
 * Lists as files: they contain the data that the caller sees, in readable form, and are harmless in
 * spreadsheets.
 */
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { exportLimits, FieldType, operationById } from '@portico/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fromBuffer } from 'yauzl';
import {
  createTestPortal,
  createTestWorld,
  type TestPortal,
  type TestWorld,
} from '../../../../test/support/test-world.ts';
import { listPosts } from '../../posts/reading/list/list-posts.ts';
import { exportList, type ListPage } from './export-list.ts';

let portal: TestPortal;
let world: TestWorld;
let other: TestWorld;

beforeAll(async () => {
  portal = await createTestPortal();
  const open = () =>
    createTestWorld(portal, {
      fields: [
        { label: 'Colour', type: FieldType.ENUM_LIST, enumValues: [{ label: 'Red' }, { label: '=Blue' }] },
        { label: 'Number', type: FieldType.DECIMAL, metadata: { decimal_digits: '2' } },
        { label: 'Due', type: FieldType.DATETIME },
        { label: 'Day', type: FieldType.DATE },
        { label: 'Done', type: FieldType.FLAG },
        {
          label: 'Who',
          type: FieldType.GENERIC_ENTITY_LIST,
          metadata: { generic_entity_list_config_id: 'core.user' },
        },
        { label: 'Title', type: FieldType.STRING },
        { label: 'Big', type: FieldType.BIGINT },
      ],
    });
  world = await open();
  other = await open();
});
afterAll(() => portal?.close());

const id = (label: string) => world.fieldIds.get(label)!;
const exported = (
  query: string,
  body: object = {},
  as: number | null = world.people.reader,
  communityId = world.communityId,
) =>
  world.tenant.request(
    as,
    'POST',
    `/portal/api/communication/posts/data/list/community/${communityId}/export?${query}`,
    body,
  );
const lines = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

/** Creates a post with a value in every field, and a post that the reader does not see. */
async function fullPost(title: string): Promise<number> {
  const values = await world.rows<{ id: number }>(
    'SELECT id FROM field_enum_values WHERE tenant_id = $1 AND field_id = $2 ORDER BY id',
    [id('Colour')],
  );
  const customData = {
    [id('Colour')]: values.map((value) => value.id),
    [id('Number')]: -1.5,
    [id('Due')]: Date.UTC(2026, 6, 1, 22, 30),
    [id('Day')]: Date.UTC(2026, 6, 1),
    [id('Done')]: true,
    [id('Who')]: [world.people.manager],
    [id('Title')]: '@SUM(A1)',
    [id('Big')]: '9007199254740993',
  };
  await world.post(world.people.author, { title: `${title} hidden`, visibility: 1 });
  return world.post(world.people.author, { title, customData });
}

const ninth = (serial: number) => Number(serial.toFixed(9));

/** Returns a sheet without cell references, its numbers with nine digits after the point. */
const unplaced = (sheet: string) =>
  sheet.replace(/ r="[A-Z]*\d+"/g, '').replace(/<v>([\d.]+)</g, (_, serial: string) => `<v>${ninth(Number(serial))}<`);

/** Returns the text of a part of a workbook. */
async function partOf(file: Buffer, name: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  fromBuffer(file, { lazyEntries: true }, (error, zip) => {
    if (error || !zip) return reject(error);
    zip.on('entry', (entry) => {
      if (entry.fileName !== name) return zip.readEntry();
      zip.openReadStream(entry, (failure, stream) => {
        if (failure || !stream) return reject(failure);
        buffer(stream).then((bytes) => resolve(bytes.toString('utf8')), reject);
      });
    });
    zip.once('end', () => reject(new Error(`there is no ${name}`)));
    zip.once('error', reject);
    zip.readEntry();
  });
  return promise;
}

test('writes what the caller sees, with labels, names and times in a zone', async () => {
  await fullPost('Seen');
  const answer = await exported('format=ndjson&timezone=Europe/Rome', {
    title: 'Seen',
    orderBy: 'postTitle',
    orderDesc: false,
  });
  expect(answer.status, answer.text).toBe(200);
  const [row, ...more] = lines(answer.text);
  expect(more).toEqual([]);
  expect(row).toMatchObject({
    [`Title (title)`]: 'Seen',
    Author: expect.stringContaining('Ada'),
    Visibility: 'Public',
    Text: 'Some text',
    Colour: ['Red', '=Blue'],
    [`Number (${id('Number')})`]: -1.5,
    Due: '2026-07-02T00:30:00+02:00',
    Day: '2026-07-01',
    Done: true,
    Who: [expect.stringContaining('Maria')],
    [`Title (${id('Title')})`]: '@SUM(A1)',
    Big: '9007199254740993',
  });
  expect(lines((await exported('format=ndjson', { title: 'Seen' }, world.people.manager)).text)).toHaveLength(2);
});

test('keeps texts from being calculated, in CSV and in workbooks', async () => {
  await fullPost('=1+1,"<a>&\u0007.');
  const columns = `columns=title,customData.${id('Colour')},customData.${id('Number')},customData.${id('Due')},customData.${id('Title')}`;
  const body = { title: '=1+1' };
  const csv = await exported(`format=csv&timezone=UTC&${columns}`, body);
  expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(csv.headers.get('content-disposition')).toMatch(/^attachment; filename="posts-\d{4}-\d\d-\d\d\.csv"$/);
  expect(csv.text.replace('\uFEFF', '').split('\r\n')).toEqual([
    `Title (title),Colour,Number,Due,Title (${id('Title')})`,
    `"'=1+1,""<a>&\u0007.",Red, =Blue,-1.5,2026-07-01 22:30:00,'@SUM(A1)`.replace('Red, =Blue', '"Red, =Blue"'),
    '',
  ]);
  const { bytes: file } = await exported(`format=xlsx&timezone=UTC&${columns}`, body);
  const placed = await partOf(file, 'xl/worksheets/sheet1.xml');
  expect(placed.match(/ r="\w+"/g)?.slice(0, 3)).toEqual([' r="1"', ' r="A1"', ' r="B1"']);
  const sheet = unplaced(placed);
  expect(sheet).toContain(
    '<c s="3" t="inlineStr"><is><t xml:space="preserve">=1+1,"&lt;a&gt;&amp;\ufffd.</t></is></c>',
  );
  expect(sheet).toContain('<c><v>-1.5</v></c>');
  expect(sheet).toContain(
    `<c s="1"><v>${ninth((Date.UTC(2026, 6, 1, 22, 30) - Date.UTC(1899, 11, 30)) / 86_400_000)}</v></c>`,
  );
  expect(sheet).not.toContain('<f>');
  expect(await partOf(file, '[Content_Types].xml')).toContain('spreadsheetml.sheet.main+xml');
});

test('shows each moment as its clocks did, and with the offset what clocks cannot tell', async () => {
  const LAST = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
  const moments: [title: string, at: number][] = [
    ['1 summer', Date.UTC(2026, 6, 1, 22, 30)],
    ['2 first', Date.UTC(2026, 9, 25, 0, 30)],
    ['3 second', Date.UTC(2026, 9, 25, 1, 30)],
    ['4 after', Date.UTC(2026, 9, 25, 2, 0)],
    ['5 last', LAST],
    ['6 nearly', LAST - 3_600_000],
  ];
  const prefix = '＝clock_x0041_';
  for (const [title, at] of moments)
    await world.post(world.people.author, { title: `${prefix} ${title}`, customData: { [id('Due')]: at } });
  const body = { title: prefix, orderBy: 'postTitle', orderDesc: false };
  const columns = `columns=title,customData.${id('Due')}`;
  const csvOf = async (query: string) =>
    (await exported(`format=csv&${columns}&${query}`, body)).text.split('\r\n').slice(1, -1);
  const rome = await csvOf('timezone=Europe/Rome');
  expect(rome.map((line) => line.slice(0, 3))).toEqual(Array(6).fill("'＝c"));
  expect(rome.map((line) => line.split(',')[1])).toEqual([
    '2026-07-02 00:30:00',
    '2026-10-25 02:30:00',
    '2026-10-25 02:30:00',
    '2026-10-25 03:00:00',
    '9999-12-31T23:59:59.999Z',
    '9999-12-31 23:59:59.999',
  ]);
  expect((await csvOf('timezone=Europe/Rome&times=offset')).map((line) => line.split(',')[1])).toEqual([
    '2026-07-02T00:30:00+02:00',
    '2026-10-25T02:30:00+02:00',
    '2026-10-25T02:30:00+01:00',
    '2026-10-25T03:00:00+01:00',
    '9999-12-31T23:59:59.999Z',
    '9999-12-31T23:59:59.999+01:00',
  ]);
  const { bytes: file } = await exported(`format=xlsx&timezone=Europe/Rome&${columns}`, body);
  expect(await partOf(file, 'docProps/custom.xml')).toContain(
    'name="PorticoTimeZone"><vt:lpwstr>Europe/Rome</vt:lpwstr>',
  );
  const sheet = unplaced(await partOf(file, 'xl/worksheets/sheet1.xml'));
  expect(sheet).toContain('＝clock_x005F_x0041_ 1 summer');
  const cells = [...sheet.matchAll(/<\/c>(<c[^>]*>.*?<\/c>)<\/row>/g)].slice(1).map(([, cell]) => cell);
  const text = (value: string) => `<c t="inlineStr"><is><t xml:space="preserve">${value}</t></is></c>`;
  const serial = (at: number) => `<c s="1"><v>${ninth((at - Date.UTC(1899, 11, 30)) / 86_400_000)}</v></c>`;
  expect(cells).toEqual([
    serial(Date.UTC(2026, 6, 2, 0, 30)),
    text('2026-10-25T02:30:00+02:00'),
    text('2026-10-25T02:30:00+01:00'),
    serial(Date.UTC(2026, 9, 25, 3)),
    text('9999-12-31T23:59:59.999Z'),
    text('9999-12-31T23:59:59.999+01:00'),
  ]);
});

test('goes over all pages, each post once, in the order of the list', async () => {
  const posts = Array.from({ length: 450 }, (_, index) => ({
    title: `Many ${index}`,
    description: 'd',
    descriptionFormat: 2,
    announcement: false,
  }));
  await world.ok(world.people.author, 'POST', `posts/manage/create-posts/${world.communityId}`, { posts });
  const body = { title: 'Many', orderBy: 'postCustomId', orderDesc: false };
  const rows = lines((await exported('format=ndjson&columns=title', body)).text);
  expect(rows.map((row: { Title: string }) => row.Title)).toEqual(posts.map(({ title }) => title));
});

/** Starts an export of all posts. @returns its connection, which the caller ends */
async function begin(format: string, body: object = {}) {
  const path = `/portal/api/communication/posts/data/list/community/${world.communityId}/export?format=${format}`;
  const request = httpRequest(`${portal.origin}${path}`, {
    method: 'POST',
    headers: {
      Host: world.tenant.host,
      Authorization: `Bearer ${await world.tenant.token(world.people.reader)}`,
      'Content-Type': 'application/json',
    },
  });
  request.on('error', () => undefined);
  request.end(JSON.stringify(body));
  return request;
}

test('ends with its client, who leaves no query, connection or place behind', async () => {
  const { owner } = portal;
  const waiting = async () =>
    (await owner.query(`SELECT FROM pg_locks WHERE NOT granted AND relation = 'posts'::regclass`)).rowCount;
  await owner.query('BEGIN; LOCK TABLE posts IN ACCESS EXCLUSIVE MODE');
  try {
    for (let index = 0; index < exportLimits.ofTenant; index++) {
      const request = await begin('csv');
      await expect.poll(waiting).toBe(1);
      request.destroy();
      // The table is still locked, so the query was cancelled.
      await expect.poll(waiting).toBe(0);
    }
  } finally {
    await owner.query('ROLLBACK');
  }
  for (let index = 0; index < exportLimits.ofTenant; index++) {
    const request = await begin('xlsx');
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    await once(answer, 'data');
    answer.destroy();
  }
  // All places are free again.
  await expect.poll(async () => (await exported('format=csv&columns=id')).status).toBe(200);
});

test('reads no further than its client takes', async () => {
  const scope = await world.scope(world.people.reader);
  const { communityId } = world;
  const posts = Array.from({ length: 1_000 }, (_, index) => ({
    title: `Row ${index}`,
    description: 'd',
    descriptionFormat: 2,
    announcement: false,
  }));
  await world.ok(world.people.author, 'POST', `posts/manage/create-posts/${communityId}`, { posts });
  await world.db.execute(
    `UPDATE posts SET description_text = (SELECT string_agg(md5(title || n), '') FROM generate_series(1, 100) n)
      WHERE tenant_id = $1 AND title LIKE 'Row %'`,
    [world.db.tenantId],
  );
  const start = (format: 'csv' | 'ndjson' | 'xlsx', onPage: () => void) =>
    exportList(scope, {
      operation: operationById('listCommunityPostsFiltered'),
      communityId,
      format,
      page: async (paging, fields) => {
        onPage();
        const query = { ...(fields && { fields }) };
        const page = await listPosts(
          scope,
          'listCommunityPostsFiltered',
          communityId,
          { title: 'Row', ...paging },
          query,
        );
        return page as ListPage;
      },
    });
  for (const format of ['csv', 'ndjson', 'xlsx'] as const) {
    /** Reads a whole export, which lasts longer than reading ahead does. */
    const takeWhole = async () => {
      let pages = 0;
      await buffer(await start(format, () => pages++));
      expect(pages, format).toBe(5);
    };
    let pages = 0;
    const file = await start(format, () => pages++);
    const chunks = file[Symbol.asyncIterator]();
    await chunks.next();
    await takeWhole();
    // Some of the five pages are read ahead.
    const ahead = pages;
    expect(ahead, format).toBeLessThan(5);
    await chunks.return?.();
    await takeWhole();
    expect(pages, format).toBe(ahead);
  }
});

test('exports other lists by the columns that they show', async () => {
  const postId = await world.post(world.people.author);
  await world.ok(world.people.author, 'POST', `tasks/manage/create-task/${postId}`, {
    title: 'To do',
    assigneeUserId: world.people.reader,
    expiration: { datetime: '2031-12-31T18:00:00', timezone: 'Europe/Rome' },
  });
  const tasks = await world.tenant.request(
    world.people.reader,
    'POST',
    '/portal/api/communication/tasks/data/tasks/export?format=ndjson',
    {},
  );
  expect(lines(tasks.text)).toMatchObject([{ Title: 'To do', State: 'To do', 'Post title': 'A post' }]);
  const users = (as: number) =>
    world.tenant.request(as, 'POST', '/portal/api/admin/data/users/export', { pageSize: 1 });
  expect((await users(world.people.reader)).status).toBe(403);
  expect((await users(world.people.admin)).text).toContain('Rita');
});

test('is refused before the first byte', async () => {
  const faults = async (query: string, body: object = {}) =>
    (await exported(query, body)).body.validationErrors.list.map(
      ({ field, code }: { field: string; code: string }) => `${field} ${code}`,
    );
  expect(await faults('format=pdf&columns=title&columns=id')).toEqual([
    'format INVALID_VALUE',
    'columns INVALID_VALUE',
  ]);
  expect(await faults(`columns=titel,customData.${NEVER}`)).toEqual([
    'columns UNRECOGNIZED_FIELD',
    'columns UNRECOGNIZED_FIELD',
  ]);
  expect(await faults('timezone=Nowhere')).toEqual(['timezone INVALID_TIME_ZONE']);
  expect(await faults('times=zoned')).toEqual(['times INVALID_VALUE']);
  expect(await faults('', { title: 1, colour: 'x' })).toEqual(
    ['colour UNRECOGNIZED_FIELD', 'title INVALID_TYPE'].sort(),
  );
  expect(await faults('', { orderBy: 'colour' })).toEqual(['orderBy UNKNOWN_ORDER']);
  expect((await exported('', {}, world.people.outsider)).status).toBe(404);
  expect((await exported('', {}, world.people.reader, other.communityId)).status).toBe(404);
  expect((await exported('', {}, null)).status).toBe(401);
});

const NEVER = 987_654_321;
