/** Why something cannot be done, in the language of the account. */
import { type ExplanationReason, PorticoClient } from '@portico/sdk';
import { afterAll, afterEach, expect } from 'vitest';
import { explanations as german } from '../src/texts/de/explanations.ts';
import { explanations as ITALIAN } from '../src/texts/it/explanations.ts';
import { makeServiceDesk, type ServiceDesk } from './service-desk.fixture.ts';
import { mustBeAccessible, PASSWORD, startWebTest, test, type WebTest } from './support.ts';

let web: WebTest;
let desk: ServiceDesk;

test.beforeAll(async ({ portal, browser }) => {
  web = await startWebTest({ portal, browser }, 'explanations');
  desk = await makeServiceDesk(web);
});

afterAll(() => web?.close());

afterEach(() => {
  expect(web.complaints.splice(0)).toEqual([]);
});

/** The kind of what waits. */
const ACKNOWLEDGEMENT = 2;

/** The facts that a reason is made of. */
const factsOf = ({ kind, text = '', reasons = [] }: ExplanationReason): string[] =>
  kind === 'ALL_OF' || kind === 'ANY_OF'
    ? reasons.flatMap(factsOf)
    : [reasons.length > 0 ? text.replace(/ \(.*\)$/, '') : text];

test('what the interface says of posts and tasks has a translation', async () => {
  const { client, people, write } = desk;
  const postId = await write('Explained');
  const draft = await write('A draft', { draft: true });
  const expiration = { datetime: '2030-01-02T12:00:00', timezone: 'UTC' };
  const { taskId } = await client.tasks.create({
    postId,
    title: 'Ask',
    assigneeUserId: people.get('ada')!,
    expiration,
  });
  await client.posts.requestAcknowledgements({ postId, userIds: [people.get('ada')!], expiration });
  const ada = new PorticoClient({ baseUrl: web.origin, credentials: { username: 'ada', password: PASSWORD } });
  const request = (await ada.inbox.list()).items?.find(({ kind }) => kind === ACKNOWLEDGEMENT)?.taskId;
  const said = new Set<string>();
  for (const username of ['bo', 'ada', 'rea']) {
    const their = new PorticoClient({ baseUrl: web.origin, credentials: { username, password: PASSWORD } });
    const answers = [
      await their.explain.post({ postId }),
      ...(username === 'bo' ? [await their.explain.post({ postId: draft })] : []),
      await their.explain.task({ taskId: taskId! }),
      await their.explain.task({ taskId: request! }),
    ];
    for (const { sentence = '', reason = {} } of answers.flatMap(({ items = [] }) => items)) {
      said.add(sentence.slice(0, -`, because ${reason.text}.`.length));
      for (const fact of factsOf(reason)) said.add(fact);
    }
  }
  for (const { say } of [ITALIAN, german]) expect([...said].filter((clause) => say(clause) === clause)).toEqual([]);
});

test('is said in Italian to who reads the portal in Italian', async () => {
  const postId = await desk.write('Solo lettura');
  for (const [name, viewport] of [
    ['desktop', { width: 1280, height: 800 }],
    ['phone', { width: 390, height: 844 }],
  ] as const) {
    const { context, page } = await web.open('rea', { viewport });
    if (name === 'desktop') {
      await page.goto(`${web.origin}/portal/me`);
      await page.getByLabel('Language').selectOption('it');
      await page.getByRole('link', { name: 'Inizio' }).waitFor();
    }
    await page.goto(`${web.origin}/portal/post/${postId}`);
    await page
      .getByText('Non puoi commentare il post, perché nella comunità hai il ruolo di lettore, non di collaboratore.')
      .waitFor();
    await page.getByRole('button', { name: 'Azioni' }).click();
    await page.getByRole('menuitem', { name: 'I miei permessi' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Non puoi modificare il post').waitFor();
    expect(await dialog.innerText()).not.toMatch(/\b(You|you|the|because)\b/);
    await mustBeAccessible(page);
    await context.close();
  }
});

test('is said in German, whose texts are a file of their own, on the whole page', async () => {
  const postId = await desk.write('Nur lesen');
  const { context, page } = await web.open('rea');
  await page.goto(`${web.origin}/portal/me`);
  await page.getByLabel(/Language|Lingua/).selectOption('de');
  await page.getByRole('link', { name: 'Start' }).waitFor();
  // After a reload, the first texts are German.
  await page.goto(`${web.origin}/portal/post/${postId}`);
  await page
    .getByText('Sie dürfen den Beitrag nicht kommentieren, denn Sie haben in der Community die Rolle Lesende')
    .waitFor();
  await page.getByRole('radio', { name: 'Änderungen' }).check();
  await page.getByText('hat den Beitrag erstellt').waitFor();
  expect(await page.locator('html').getAttribute('lang')).toMatch(/^de/);
  expect(await page.locator('main').innerText()).not.toMatch(/\b(You|you|the|because|post|il|non)\b/);
  await mustBeAccessible(page);
  await context.close();
});
