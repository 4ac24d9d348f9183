/** Creating and inviting people by a CSV file. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestPortal, type TestPortal, type TestTenant } from '../../../../test/support/index.ts';
import { faults } from '../../../../test/support/test-world.ts';

const API = '/portal/api/admin';
let portal: TestPortal;
let tenant: TestTenant;
let admin: number;

beforeAll(async () => {
  portal = await createTestPortal();
  tenant = await portal.createTenant();
  admin = await tenant.createUser({ admin: true });
  await tenant.request(admin, 'POST', `${API}/manage/areas`, { name: 'Sales', externalId: 'S-1' });
});
afterAll(() => portal.close());

const send = (csv: string, body: object = {}, dryRun = false) =>
  tenant.request(admin, 'POST', `${API}/manage/users/import${dryRun ? '?dryRun=true' : ''}`, { csv, ...body });
const usersLike = async (fullTextFilter: string) =>
  (await tenant.request(admin, 'POST', `${API}/data/users`, { fullTextFilter })).body.items;

const FILE = `\uFEFFLastname;Firstname;contactEmail;externalId;area;manager;language;role
Rossi;Ada;ada@acme.example;E1;sàles;;it;"Head of ""sales"""

"Bian
chi";Ben;ben@acme.example;E2;S-1;E1;;
Verdi;Cleo;;E3;;ben@acme.example;;
`;

test('makes and invites who is not there yet, and the same file again changes nothing', async () => {
  const tried = await send(FILE, {}, true);
  expect(tried.status, tried.text).toBe(200);
  expect(await usersLike('acme')).toEqual([]);
  const { status, text, body } = await send(FILE);
  expect(status, text).toBe(200);
  const without = (rows: { userId: number }[]) => rows.map(({ userId: _id, ...row }) => row);
  expect(without(body.rows)).toEqual(without(tried.body.rows));
  expect(body.rows).toMatchObject([
    { line: 2, outcome: 'created', username: 'ada@acme.example', invited: true },
    { line: 4, outcome: 'created', contactEmail: 'ben@acme.example', invited: true },
    { line: 6, outcome: 'created', invited: false },
  ]);
  const [ada, ben, cleo] = body.rows.map(({ userId }: { userId: number }) => userId);
  const form = async (id: number) => (await tenant.request(admin, 'GET', `${API}/manage/users/${id}/edit`)).body;
  expect(await form(ben)).toMatchObject({
    lastname: 'Bian chi',
    userInfo: { area: { name: 'Sales' }, manager: { id: ada } },
  });
  expect(await form(ada)).toMatchObject({
    userInfo: { role: 'Head of "sales"', area: { name: 'Sales' } },
    userPreferences: { defaultLanguageId: 'it' },
  });
  expect((await form(cleo)).userInfo.manager.id).toBe(ben);
  const mails = await tenant.request(admin, 'POST', `${API}/data/mails`, { userIds: [ada, ben, cleo] });
  expect(mails.body.items.map(({ recipient }: { recipient: string }) => recipient).sort()).toEqual([
    'ada@acme.example',
    'ben@acme.example',
  ]);
  const again = (await send(FILE)).body;
  expect(again).toMatchObject({ createdCount: 0, presentCount: 3, sentEmailNotify: false });
  expect(again.rows.map(({ userId }: { userId: number }) => userId)).toEqual([ada, ben, cleo]);
});

test('names line and column of everything that is wrong, and makes nobody', async () => {
  const answer = await send(
    `firstname,lastname,contactEmail,username,externalId,area,manager
Dan,,dan,,,Nowhere,nobody@acme.example
Eva,Neri,eva@acme.example,,X1,,
Eve,Neri,EVA@acme.example,,X1,,eve@acme.example
Ada,Other,other@acme.example,ada@acme.example,,,
`,
  );
  expect(answer.status).toBe(400);
  expect(faults(answer).sort()).toEqual([
    'lines[2].contactEmail: INVALID_VALUE',
    'lines[2].lastname: REQUIRED_FIELD',
    'lines[4].contactEmail: DUPLICATE_VALUE',
    'lines[4].externalId: DUPLICATE_VALUE',
    'lines[4].username: DUPLICATE_VALUE',
  ]);
  const known = await send(`firstname,lastname,contactEmail,username,externalId,area,manager
Dan,Neri,,,,Nowhere,nobody@acme.example
Ada,Other,other@acme.example,ada@acme.example,,,
Ada,Third,ada@acme.example,ada.third,E9,,
`);
  expect(faults(known).sort()).toEqual([
    'lines[2].area: UNKNOWN_REFERENCE',
    'lines[2].manager: UNKNOWN_REFERENCE',
    'lines[3].username: DUPLICATE_VALUE',
    'lines[4].externalId: DUPLICATE_VALUE',
  ]);
  expect(await usersLike('Neri')).toEqual([]);
});

test.each([
  ['firstname,colour\nAda,red\n', ['lines[1].colour: INVALID_VALUE', 'lines[1].lastname: REQUIRED_FIELD']],
  ['firstname,lastname\n', ['csv: REQUIRED_FIELD']],
  ['firstname,lastname\nAda,Rossi,7\n', ['csv: INVALID_VALUE']],
  ['firstname,lastname\nAda,"Rossi\n', ['csv: INVALID_VALUE']],
  ['firstname,lastname\nAda,"Rossi\nEva,Neri\nIda,Bo,7\n', ['csv: INVALID_VALUE', 'csv: INVALID_VALUE']],
  [`firstname,lastname\n${'Ada,Rossi\n'.repeat(501)}`, ['csv: TOO_MANY_ITEMS']],
  [`firstname,lastname\n${'x'.repeat(400_000)}`, ['csv: TEXT_TOO_LONG']],
])('refuses %j', async (csv, expected) => {
  const answer = await send(csv);
  expect(answer.status).toBe(400);
  expect(faults(answer)).toEqual(expected);
});

test('makes each person once of files that come at the same time', async () => {
  const csv = 'firstname,lastname,contactEmail\nFay,Twice,fay@acme.example\n';
  const answers = await Promise.all([send(csv), send(csv), send(csv)]);
  for (const { status, text } of answers) expect([200, 400], text).toContain(status);
  expect(await usersLike('Twice')).toHaveLength(1);
});
