/** Suggested mappings: columns, destinations, previews, and imports with them. */
import { gzipSync } from 'node:zlib';
import { FieldType, type SuggestImportMappingResponse } from '@portico/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  createTestPortal,
  createTestWorld,
  type TestPortal,
  type TestWorld,
} from '../../../../test/support/test-world.ts';
import { runImports } from '../../../jobs/run-imports.ts';
import { setCommunityRoles } from '../../communities/index.ts';
import { storeFile } from '../../files/index.ts';

const API = '/portal/api/external/v2/admin';
let portal: TestPortal;
let world: TestWorld;

beforeAll(async () => {
  portal = await createTestPortal();
});
/** A world whose administrator manages the community too. */
async function createWorld(options: Parameters<typeof createTestWorld>[1]): Promise<TestWorld> {
  const made = await createTestWorld(portal, options);
  const { admin, manager, reader } = made.people;
  await setCommunityRoles(await made.scope(admin), made.communityId, [
    { principal: admin, role: 1 },
    { principal: manager, role: 1 },
    { principal: reader, role: 3 },
  ]);
  return made;
}

beforeEach(async () => {
  world = await createWorld({
    workflow: () => ({
      title: 'Order',
      states: [
        { name: 'Open', initial: true },
        { name: 'Done', terminal: true },
      ],
    }),
    fields: [
      { label: 'Amount', type: 3, externalId: 'amount', translations: { de: 'Betrag' } },
      { label: 'Kind', type: 7, enumValues: [{ label: 'Paper' }, { label: 'Ink' }] },
      { label: 'Delivery date', type: 4 },
      { label: 'Urgent', type: 10 },
      { label: 'Colours', type: 8, enumValues: [{ label: 'Red' }, { label: 'Blue' }] },
    ],
  });
});
afterAll(() => portal?.close());

const send = (userId: number, path: string, body: unknown) =>
  world.tenant.request(userId, 'POST', `${API}/${path}`, body);
async function upload(userId: number, content: string | Buffer): Promise<string> {
  return (await storeFile(await world.scope(userId), portal.services.storage, Buffer.from(content))).contentRef;
}
const PATH = () => `data/communities/${world.communityId}/imports/suggestion`;

async function suggest(
  content: string | Buffer,
  fileName = 'orders.csv',
  more: object = {},
  userId = world.people.admin,
): Promise<SuggestImportMappingResponse & { contentRef: string }> {
  const contentRef = await upload(userId, content);
  const answer = await send(userId, PATH(), { contentRef, fileName, ...more });
  expect(answer.status, answer.text).toBe(200);
  return { ...answer.body, contentRef };
}

/** Destinations by column: the label of a field, else the part of the post. */
const targets = ({ columns = [] }: SuggestImportMappingResponse) =>
  Object.fromEntries(columns.map(({ name, target, label }) => [name, label ?? target]));
const reasons = ({ columns = [] }: SuggestImportMappingResponse) =>
  Object.fromEntries(columns.map(({ name, reason }) => [name, reason]));

/** Imports a file by its suggested mapping. */
async function start(fileName: string, { contentRef, mapping }: { contentRef: string; mapping?: string | undefined }) {
  const { admin } = world.people;
  const begun = await send(admin, `manage/communities/${world.communityId}/imports`, { contentRef, fileName, mapping });
  expect(begun.status, begun.text).toBe(200);
  await runImports(portal.services, world.tenant.tenant, { aborted: false } as AbortSignal);
  const { body } = await world.tenant.request(admin, 'GET', `${API}/data/imports/${begun.body.id}`);
  const refused = await send(admin, `data/imports/${body.id}/refusals`, { pageSize: 100 });
  return { ...body, refusals: refused.body.items };
}

const ORDERS = [
  'Order no;Subject;Status;Betrag;Kind;delivery dat;urgent;Colours;Remark',
  'A-1;Paper for May;Open;1.234,50;Paper;31.12.2026;ja;Red, Blue;x',
  'A-2;Ink;Done;12,00;Ink;05.01.2027;nein;Blue;',
  'A-3;More paper;Waiting;7,25;Glue;06.01.2027;nein;Red;y',
].join('\r\n');

describe('columns', () => {
  test('are matched by key, label in any language, usual and similar names', async () => {
    const found = await suggest(ORDERS.replace('Order no', 'Id'));
    expect(targets(found)).toEqual({
      Id: 'externalId',
      Subject: 'title',
      Status: 'state',
      Betrag: 'Amount',
      Kind: 'Kind',
      'delivery dat': 'Delivery date',
      urgent: 'Urgent',
      Colours: 'Colours',
      Remark: 'none',
    });
    expect(reasons(found)).toMatchObject({ Id: 'name', Betrag: 'label', 'delivery dat': 'near' });
    expect(found.columns?.find(({ name }) => name === 'Kind')?.missingValues).toEqual(['Glue']);
    expect(found).toMatchObject({ format: 'csv', missingStates: ['Waiting'], addsStates: false, moreRows: false });
    expect(found.rows?.[0]).toMatchObject({
      line: 2,
      problems: [],
      parts: [
        { target: 'externalId', text: 'A-1' },
        { target: 'title', text: 'Paper for May' },
        { target: 'state', text: 'Open' },
        { target: 'field', label: 'Amount', text: '1234.5' },
        { target: 'field', label: 'Kind', text: 'Paper' },
        { target: 'field', label: 'Delivery date', text: '2026-12-31' },
        { target: 'field', label: 'Urgent', text: 'true' },
        { target: 'field', label: 'Colours', text: 'Red, Blue' },
      ],
    });
    const done = await start('orders.csv', found);
    expect(done).toMatchObject({ state: 'done', report: { createdCount: 2, refusedCount: 1 } });
  });

  test('have the destinations that are chosen, and values are added where wanted', async () => {
    const first = await suggest(ORDERS);
    const columns = [
      { name: 'Order no', target: 'externalId' },
      { name: 'Subject', target: 'title' },
      { name: 'Status', target: 'state' },
      { name: 'Kind', target: 'field', fieldId: world.fieldIds.get('Kind'), addValues: true },
      { name: 'Remark', target: 'newField', label: 'Note', type: FieldType.TEXT_AREA },
    ];
    const chosen = await suggest(ORDERS, 'orders.csv', { columns, addStates: true });
    expect(targets(chosen)).toMatchObject({ Kind: 'Kind', Remark: 'Note', Betrag: 'none', Colours: 'none' });
    expect(chosen.addsStates).toBe(true);
    const done = await start('orders.csv', chosen);
    expect(done).toMatchObject({
      state: 'done',
      report: { createdCount: 3, refusedCount: 0, valuesCount: 1, fieldsCount: 1, statesCount: 1 },
    });
    const again = await send(world.people.admin, PATH(), { importId: done.id });
    expect(targets(again.body)).toMatchObject(targets(first));
  });

  test('without an id are known by their lines', async () => {
    const found = await suggest('Subject,Amount\nTea,1\nTea,2\n');
    expect(found.columns?.map(({ target }) => target)).toEqual(['title', 'field']);
    expect(await start('orders.csv', found)).toMatchObject({ report: { createdCount: 2 } });
  });

  test('show the two orders of days and months, and read the chosen one', async () => {
    const text = 'id,Subject,Delivery date\n1,One,02/03/2026\n2,Two,04/05/2026\n';
    const found = await suggest(text);
    const column = found.columns?.[2];
    expect(column?.dateForms).toEqual(['D/M/YYYY', 'M/D/YYYY']);
    const columns = [
      { name: 'id', target: 'externalId' },
      { name: 'Delivery date', target: 'field', fieldId: column?.fieldId, dateForm: 'M/D/YYYY' },
    ];
    const chosen = await suggest(text, 'orders.csv', { columns });
    expect(chosen.rows?.[0]?.parts).toMatchObject([{}, { text: '2026-02-03' }]);
    expect(found.rows?.[0]?.parts?.at(-1)).toMatchObject({ text: '2026-03-02' });
  });

  test('become new fields where the community has none', async () => {
    world = await createWorld({ fields: [] });
    const found = await suggest('Id,Subject,Cost,Paid on\n1,One,2.50,2026-05-06\n2,Two,3.10,2026-05-07\n');
    expect(found.columns).toMatchObject([
      { target: 'externalId' },
      { target: 'title' },
      { target: 'newField', type: FieldType.DECIMAL },
      { target: 'newField', type: FieldType.DATE },
    ]);
    expect(await start('orders.csv', found)).toMatchObject({
      report: { createdCount: 2, fieldsCount: 2 },
      refusals: [],
    });
  });
});

describe('files', () => {
  test('in other encodings, compressed and with other delimiters are read', async () => {
    const latin = await suggest(Buffer.from('Id;Subject;Größe\n1;Käse für später;2\n2;Öl\u00fcbung;3\n', 'latin1'));
    expect(latin.columns?.map(({ name }) => name)).toEqual(['Id', 'Subject', 'Größe']);
    expect(latin.rows?.[0]?.parts).toContainEqual({ target: 'title', text: 'Käse für später' });
    expect(await start('orders.csv', latin)).toMatchObject({ report: { createdCount: 2 } });
    const packed = await suggest(gzipSync('Id|Subject\n1|One\n'), 'orders.txt.gz');
    expect(packed.columns?.map(({ name }) => name)).toEqual(['Id', 'Subject']);
  });

  test('that are large are read at their beginning', async () => {
    const rows = Array.from({ length: 60_000 }, (_, index) => `${index},Row number ${index} of the file,"a\nb"`);
    const text = `Id,Subject,Text\n${rows.join('\n')}\n`;
    for (const [content, name] of [
      [text, 'orders.csv'],
      [gzipSync(text, { level: 0 }), 'orders.csv.gz'],
    ] as const) {
      const found = await suggest(content, name);
      expect(found).toMatchObject({ sampledRows: 200, moreRows: true });
      expect(found.rows).toHaveLength(10);
    }
    const wide = Array.from({ length: 400 }, (_, index) => `c${index}`).join(',');
    expect(await suggest(`${wide}\n${wide}\n`)).toMatchObject({ moreColumns: true, sampledRows: 1 });
  });

  test('that cannot be read are refused with the reason', async () => {
    const { admin } = world.people;
    const refused = async (content: string | Buffer, fileName: string) => {
      const answer = await send(admin, PATH(), { contentRef: await upload(admin, content), fileName });
      expect(answer.status, answer.text).toBe(400);
      return answer.body.validationErrors.list[0];
    };
    expect(await refused('', 'orders.csv')).toMatchObject({ field: 'contentRef' });
    expect(await refused('[{', 'orders.json')).toMatchObject({ field: 'contentRef' });
    expect(await refused('PK nothing', 'orders.xlsx')).toMatchObject({ field: 'contentRef' });
    expect(await refused('a,b\n', 'orders.pdf')).toMatchObject({ field: 'fileName' });
  });
});

describe('exports of other programs', () => {
  const JIRA = [
    'Summary,Issue key,Issue Type,Status,Priority,Reporter,Created,Labels,Labels,Custom field (Rank),Comment',
    'One,OPS-1,Bug,To Do,High,anna.kern,28/Jun/16 9:27 AM,a,b,0|1:,29/Jun/16 9:27 AM;bo.li;Seen',
    'Two,OPS-2,Story,Done,Low,bo.li,29/Jun/16 1:27 PM,c,,0|2:,',
  ].join('\n');

  test('of Jira have authors, states, labels and comments', async () => {
    world = await createWorld({ fields: [] });
    const found = await suggest(JIRA, 'jira.csv', { timezone: 'Europe/Rome' });
    expect(found.preset).toBe('jira');
    expect(targets(found)).toEqual({
      Summary: 'title',
      'Issue key': 'externalId',
      'Issue Type': 'Issue type',
      Status: 'state',
      Priority: 'Priority',
      Reporter: 'author',
      Created: 'created',
      Labels: 'Labels',
      'Custom field (Rank)': 'none',
      Comment: 'comments',
    });
    expect(found.rows?.[0]?.parts).toContainEqual({ target: 'created', time: Date.UTC(2016, 5, 28, 7, 27) });
    const done = await start('jira.csv', found);
    expect(done.refusals).toEqual([]);
    expect(done.report).toMatchObject({ createdCount: 2, commentsCount: 1, fieldsCount: 3, statesCount: 2 });
  });

  test('of Jira are read without authors and times for managers', async () => {
    const found = await suggest(JIRA, 'jira.csv', {}, world.people.manager);
    expect(targets(found)).toMatchObject({ Reporter: 'none', Created: 'none', Comment: 'comments' });
    expect(found.mapping).not.toContain('"author":');
    const refused = await send(world.people.manager, PATH(), {
      contentRef: await upload(world.people.manager, JIRA),
      fileName: 'jira.csv',
      columns: [{ name: 'Reporter', target: 'author' }],
    });
    expect(refused.body.validationErrors.list).toMatchObject([{ field: 'columns[0].target' }]);
  });

  test('of Trello, GitHub, Asana and the portal are recognised', async () => {
    const board = {
      lists: [{ id: 'l', name: 'Doing' }],
      members: [],
      cards: [{ id: 'c', name: 'Card', idList: 'l', labels: [{ name: 'urgent' }], idMembers: [], closed: false }],
      actions: [{ type: 'commentCard', data: { card: { id: 'c' }, text: 'Well' }, date: '2026-01-02T03:04:05Z' }],
    };
    const trello = await suggest(JSON.stringify(board), 'board.json', { addStates: true });
    expect(trello.preset).toBe('trello');
    expect(targets(trello)).toMatchObject({ id: 'externalId', name: 'title', list: 'state', labelNames: 'Labels' });
    expect(await start('board.json', trello)).toMatchObject({
      report: { createdCount: 1, commentsCount: 1, statesCount: 1 },
    });
    const issue = {
      number: 1,
      title: 'Issue',
      state: 'open',
      created_at: '2026-01-02T03:04:05Z',
      user: { login: 'bo' },
      id: 7,
    };
    expect(await suggest(JSON.stringify({ data: { items: [issue] } }), 'issues.json')).toMatchObject({
      preset: 'github-issues',
      mapping: expect.stringContaining('"rows":"data.items"'),
    });
    const asana = 'Task ID,Created At,Completed At,Name,Section/Column,Tags\n12,2026-01-02,,Task,Doing,"a,b"\n';
    expect(await suggest(asana, 'asana.csv')).toMatchObject({ preset: 'asana' });
  });

  test('of this portal go back into the community', async () => {
    await start('orders.csv', await suggest(ORDERS.replace('Waiting', 'Open').replace('Glue', 'Ink')));
    const list = await world.tenant.request(
      world.people.admin,
      'POST',
      `/portal/api/communication/posts/data/list/community/${world.communityId}/export?format=csv&timezone=Europe/Rome`,
      {},
    );
    expect(list.status).toBe(200);
    const found = await suggest(list.bytes, 'posts.csv', { timezone: 'Europe/Rome' });
    expect(found.preset).toBe('portico');
    expect(targets(found)).toMatchObject({
      Number: 'externalId',
      State: 'state',
      Amount: 'Amount',
      Colours: 'Colours',
    });
    const done = await start('posts.csv', found);
    expect(done).toMatchObject({ report: { createdCount: 3 }, refusals: [] });
  });
});

test('only who may import gets suggestions, of uploads of their own', async () => {
  const { admin, manager, reader } = world.people;
  const contentRef = await upload(admin, ORDERS);
  const form = { contentRef, fileName: 'orders.csv' };
  expect((await send(reader, PATH(), form)).status).toBe(403);
  expect((await send(manager, PATH(), form)).body.validationErrors.list).toMatchObject([
    { field: 'contentRef', code: 'CONTENT_REF_INVALID' },
  ]);
  expect((await send(admin, PATH(), {})).body.validationErrors.list).toMatchObject([
    { field: 'contentRef', code: 'REQUIRED_FIELD' },
  ]);
  expect((await send(admin, PATH(), { importId: 1 })).body.validationErrors.list).toMatchObject([
    { field: 'importId' },
  ]);
  const bad = { ...form, timezone: 'Nowhere/There', columns: [] };
  expect((await send(admin, PATH(), bad)).body.validationErrors.list).toMatchObject([{ field: 'timezone' }]);
  const columns = [
    { name: 'none of these', target: 'title' },
    { name: 'Subject', target: 'field', fieldId: 1 },
    { name: 'Kind', target: 'newField', dateForm: 'auto' },
  ];
  expect((await send(admin, PATH(), { ...form, columns })).body.validationErrors.list).toMatchObject([
    { field: 'columns[0].name' },
    { field: 'columns[1].fieldId' },
    { field: 'columns[2].dateForm' },
  ]);
});
