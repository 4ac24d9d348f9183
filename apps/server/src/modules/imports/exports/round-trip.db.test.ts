/** The import accepts exported files: every type of field comes back unchanged. */
import { FieldType, fieldTypes } from '@portico/contract';
import { expect, test } from 'vitest';
import { ask, community, current, type Json, posts, refusals, run, useImports } from '../import.fixture.ts';

useImports();

/** Fields of the community, one of each type, as a mapping of their columns in the file. */
const FIELDS: Readonly<Record<keyof typeof FieldType, string>> = {
  INT: 'type: INT',
  BIGINT: 'type: BIGINT',
  DECIMAL: 'type: DECIMAL, digits: 4',
  DATE: 'type: DATE',
  DATETIME: 'type: DATETIME',
  STRING: 'type: STRING',
  ENUM: 'type: ENUM, values: [=Blue, "Red, or so"]',
  ENUM_LIST: 'type: ENUM_LIST, values: [One, "Two_x0041_"], split: ", "',
  TEXT_AREA: 'type: TEXT_AREA',
  FLAG: 'type: FLAG',
  DELTA_AREA: 'type: DELTA_AREA, format: plain',
  FEEDBACK: 'type: FEEDBACK, maximum: 5',
  HIERARCHICAL_ENUM: 'type: HIERARCHICAL_ENUM, parent: ENUM',
  LINK: 'type: LINK, readonly: false',
  GENERIC_ENTITY_LIST: 'type: GENERIC_ENTITY_LIST, of: user, split: ", "',
};

/**
 * Returns a mapping for a file whose columns have the names of the fields. @param prefix of
 * external ids
 */
const mappingOf = (prefix: string) =>
  [
    `externalId: {column: Title, prefix: "${prefix}"}`,
    'title: Title',
    'fields:',
    ...Object.entries(FIELDS).map(([name, rest]) => `  ${name}: {column: ${name}, ${rest}}`),
  ].join('\n');

const LAST_MOMENT = '9999-12-31T23:59:59.999Z';
const ROWS: readonly Json[] = [
  {
    Title: 'plain',
    INT: -12,
    BIGINT: '9007199254740993',
    DECIMAL: '-1234.5678',
    DATE: '9999-12-31',
    DATETIME: LAST_MOMENT,
    STRING: '＝file_x0041_name',
    ENUM: '=Blue',
    ENUM_LIST: ['One', 'Two_x0041_'],
    TEXT_AREA: '-1\nsecond, "line"',
    FLAG: 'yes',
    DELTA_AREA: '@some text',
    FEEDBACK: 3,
    HIERARCHICAL_ENUM: 'Sky',
    LINK: 'https://example.test/?a=1,2',
    GENERIC_ENTITY_LIST: ['Ada Rossi', 'Bo Li'],
  },
  // The hour that clocks in Rome showed twice: the second time.
  { Title: 'again', DATETIME: '2026-10-25T01:30:00Z', FLAG: 'no', DATE: '0001-01-01', STRING: "'=quoted" },
  { Title: 'first', DATETIME: '2026-10-25T00:30:00.250Z', DECIMAL: '0.1', ENUM: 'Red, or so' },
  { Title: 'midnight', DATETIME: '2026-06-30T22:00:00Z' },
  // Offsets had seconds in 1850, and the beginning is before the year 1 in New York.
  { Title: 'old', DATETIME: '1850-06-01T12:00:00Z' },
  { Title: 'begin', DATETIME: '0001-01-01T00:00:00Z' },
  { Title: 'empty' },
];

/** Exports the community with the columns of the fields. */
async function exported(query: string): Promise<Buffer> {
  const { tenant, admin } = current();
  const id = await community();
  const definition = await ask('GET', `/communication/settings/communities/${id}/post-definition`);
  const columns = ['title', ...(definition.fieldDefinitions as Json[]).map((field) => `customData.${field.id}`)];
  const answer = await tenant.request(
    admin,
    'POST',
    `/portal/api/communication/posts/data/list/community/${id}/export?columns=${columns}&${query}`,
    {},
  );
  expect(answer.status, answer.text).toBe(200);
  return answer.bytes;
}

const ZONES = ['Europe/Rome', 'Pacific/Kiritimati', 'America/New_York', 'UTC'];

test('knows every type of field', () => {
  expect(Object.keys(FIELDS).sort()).toEqual(Object.keys(FieldType).sort());
  expect(Object.keys(fieldTypes)).toHaveLength(Object.keys(FIELDS).length);
});

test.each([
  ['ndjson', 'rows.ndjson'],
  ['csv&times=offset', 'rows.csv'],
  ['xlsx', 'rows.xlsx'],
])('takes its own export: %s', async (format, name) => {
  expect(refusals(await run(ROWS, mappingOf('of ')))).toEqual([]);
  const texts = new Map<string, Buffer>();
  for (const timezone of ZONES) texts.set(timezone, await exported(`format=${format}&timezone=${timezone}`));
  for (const [timezone, text] of texts) {
    if (format !== 'xlsx') expect(text.toString()).not.toMatch(/\+010000|-000/);
    const copied = await run(text, mappingOf(`${timezone} `), { name });
    expect(refusals(copied), timezone).toEqual([]);
    expect(copied.created).toBe(ROWS.length);
  }
  const all = await posts();
  expect(all.get('of plain')?.['fields']['DATETIME']).toBe(Date.parse(LAST_MOMENT));
  expect(Object.values(all.get('of plain')?.['fields'])).not.toContain(undefined);
  for (const timezone of ZONES) {
    for (const { Title } of ROWS) {
      const [copy, original] = [`${timezone} ${Title}`, `of ${Title}`].map((uid) => all.get(uid)?.['fields']);
      expect(copy, `${timezone} ${Title}`).toEqual(original);
    }
  }
});

/** Returns the number of accounts in the tenant. */
async function accounts(): Promise<number> {
  const db = current().portal.services.databases.for(current().tenant.tenant.id);
  return (await db.query('SELECT FROM users WHERE tenant_id = $1', [db.tenantId])).length;
}

test('keeps deleted people as whom an export names them, and makes nobody for them', async () => {
  const { tenant, admin } = current();
  const field = FIELDS.GENERIC_ENTITY_LIST;
  const mapping = (prefix: string) =>
    `externalId: {column: Title, prefix: "${prefix}"}\ntitle: Title\nauthor: {column: Author, optional: true}\n` +
    `watchers: {column: Watcher, optional: true}\nfields:\n  Who: {column: Who, ${field}}\n`;
  const rows = [
    { Title: 'one', Who: ['Lea Ver', 'Bo Li'], Author: 'Lea Ver' },
    { Title: 'two', Who: ['Ida Two'] },
  ];
  expect(refusals(await run(rows, mapping('of ')))).toEqual([]);
  const named = await posts();
  const idOf = (post: string, place: number): number => named.get(post)?.['fields'].Who[place].id;
  const [lea, ida] = [idOf('of one', 0), idOf('of two', 0)];
  const twin = await tenant.createUser({ firstName: 'Ida', lastName: 'Two' });
  for (const id of [lea, ida, twin])
    expect((await tenant.request(admin, 'DELETE', `/portal/api/admin/manage/users/${id}`)).status).toBe(200);

  const before = await accounts();
  const file = await exported('format=ndjson');
  expect(file.toString()).toContain('Lea Ver (deleted)');
  const copied = await run(file, mapping('copy '), { name: 'rows.ndjson' });
  expect(copied).toMatchObject({ created: 1, refused: 1 });
  expect(copied.refusals[0]).toMatchObject({ column: 'Who', lost: 'row' });
  expect(copied.refusals[0]?.reason).toContain('2 deleted people are called "Ida Two"');
  const found = await posts();
  expect(found.get('copy one')?.['fields'].Who).toEqual(found.get('of one')?.['fields'].Who);
  expect(found.get('copy one')?.['fields'].Who[0]).toMatchObject({ id: lea, deleted: true });

  const edited = await run([{ Title: 'one', Who: ['Lea Ver (deleted)', 'Bo Li', 'Boss (deleted)'] }], mapping('copy '));
  expect(edited.refusals[0]?.reason).toContain('no deleted person is called "Boss"');
  const authored = { Title: 'three', Who: ['lea ver (deleted)', 'Bo Li'], Author: 'Lea Ver (deleted)' };
  const more = await run([authored, { ...authored, Title: 'four', Watcher: 'Lea Ver (deleted)' }], mapping('copy '));
  expect(more).toMatchObject({ created: 1, refused: 1 });
  expect(more.refusals[0]?.reason).toContain('a deleted person watches no post');
  const three = (await posts()).get('copy three');
  expect(three?.['fields'].Who[0].id).toBe(lea);
  expect(three?.['creatorUser']).toMatchObject({ id: lea });
  expect(await accounts()).toBe(before);
});

test('takes groups by their names, deleted ones too, and makes none', async () => {
  const { tenant, admin } = current();
  const group = async (name: string): Promise<number> => {
    const made = await tenant.request(admin, 'POST', '/portal/api/admin/manage/groups', { name, visible: true });
    expect(made.status, made.text).toBe(200);
    return made.body.groupId;
  };
  await group('Crew');
  const gone = await group('Former crew');
  const mapping = (prefix: string) =>
    `externalId: {column: Title, prefix: "${prefix}"}\ntitle: Title\nfields:\n` +
    '  Team: {column: Team, type: GENERIC_ENTITY_LIST, of: group, split: ", "}\n';
  expect(refusals(await run([{ Title: 'one', Team: ['crew', 'Former crew'] }], mapping('of ')))).toEqual([]);
  expect((await tenant.request(admin, 'DELETE', `/portal/api/admin/manage/groups/${gone}`)).status).toBe(200);
  const file = await exported('format=csv&times=offset');
  expect(file.toString()).toContain('Former crew (deleted)');
  expect(refusals(await run(file, mapping('copy '), { name: 'rows.csv' }))).toEqual([]);
  const found = await posts();
  expect(found.get('copy one')?.['fields'].Team).toEqual(found.get('of one')?.['fields'].Team);
  expect(found.get('copy one')?.['fields'].Team).toHaveLength(2);
  const refused = await run([{ Title: 'two', Team: 'Former crew' }], mapping('copy '));
  expect(refused).toMatchObject({ created: 0, refused: 1 });
  expect(refused.refusals[0]?.reason).toContain('no group is called "Former crew"');
});
