/** People come in and read, in a real browser: sign-in, communities, posts, and what hostile texts become. */
import { readFile } from 'node:fs/promises';
import { FieldType } from '@portico/contract';
import { PorticoClient } from '@portico/sdk';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, describe, expect } from 'vitest';
import { addField } from '../../server/src/modules/communities/define-fields.ts';
import {
  createCommunity,
  createWorkflow,
  createWorkspace,
  setCommunityRole,
} from '../../server/src/modules/communities/index.ts';
import { indexNext } from '../../server/src/modules/search/index.ts';
import { addresses } from '../src/addresses.ts';
import { PICTURE } from './service-desk.fixture.ts';
import { API, mustBeAccessible, PASSWORD, startWebTest, test, type WebTest } from './support.ts';

/** Deltas and titles that would run, load or break out if they became markup. */
const HOSTILE_TITLE = `<img src=x onerror="document.title='hacked'">`;
const HOSTILE = JSON.stringify([
  { insert: '<script>document.title="hacked"</script>\n' },
  { insert: 'press me', attributes: { link: 'https://acme.example/safe' } },
  { insert: '\n' },
]);

let web: WebTest;
let page: Page;
let communityId: number;
let hostilePost: number;
let client: PorticoClient;

test.beforeAll(async ({ portal, browser }) => {
  web = await startWebTest({ portal, browser }, 'browser');
  const { tenant } = web;
  const ada = await web.createPerson('ada', 'Ada', 'Rossi');
  const system = await tenant.scope(tenant.systemUserId);
  const workspaceId = await createWorkspace(system, { name: 'Operations' });
  const workflow = await createWorkflow(system, {
    title: 'Repair',
    states: [
      { name: 'Reported', initial: true },
      { name: 'Mended', terminal: true },
    ],
    transitions: [{ name: 'Mend', from: 'Reported', to: 'Mended' }],
  });
  communityId = await createCommunity(system, {
    workspaceId,
    name: 'Service desk',
    descriptionEnabled: 1,
    attachmentEnabled: true,
    workflowId: workflow.id,
  });
  await setCommunityRole(system, communityId, [ada], 2);
  const priority = await addField(
    system,
    { communityId },
    {
      type: FieldType.ENUM,
      label: 'Priority',
      enumValues: [{ label: 'High' }, { label: 'Low' }],
      visibleInPreview: true,
    },
  );
  const costs = await addField(
    system,
    { communityId },
    { type: FieldType.INT, label: 'Costs', visibleInPreview: true, sortable: true },
  );
  const write = async (title: string, body: object = {}) => {
    const answer = await tenant.request(ada, 'POST', `${API}/communication/posts/manage/create-post/${communityId}`, {
      title,
      announcement: false,
      visibility: 2,
      ...body,
    });
    expect(answer.status, answer.text).toBe(200);
    return answer.body.postId as number;
  };
  const printers = Array.from({ length: 130 }, (_, index) => ({
    title: `Printer ${index + 1}`,
    announcement: false,
    visibility: 2,
    customData: index < 3 ? { [priority.id]: priority.enumValueIds[0], [costs.id]: (index + 1) * 10 } : {},
  }));
  const many = `${API}/communication/posts/manage/create-posts/${communityId}`;
  const printed = await tenant.request(ada, 'POST', many, { posts: printers });
  expect(printed.status, printed.text).toBe(200);
  const coffee = await write('Coffee machine');
  const said = { comment: 'The grinder squeaks', commentFormat: 2 };
  const commented = await tenant.request(
    ada,
    'POST',
    `${API}/communication/posts/manage/create-comment/${coffee}`,
    said,
  );
  expect(commented.status, commented.text).toBe(200);
  hostilePost = await write(HOSTILE_TITLE, { description: HOSTILE, descriptionFormat: 1 });
  client = new PorticoClient({ baseUrl: web.origin, credentials: { username: 'ada', password: PASSWORD } });
  ({ page } = await web.visit());
});

afterAll(() => web?.close());

afterEach(() => {
  expect(web.complaints.splice(0)).toEqual([]);
});

test('every page is there at its address, as when it is loaded again', async () => {
  // The router has no address of its own but the one of unknown pages.
  const routes = await readFile(new URL('../src/routes.tsx', import.meta.url), 'utf8');
  expect([...routes.matchAll(/\bpath: '([^']+)'/g)].map(([, path]) => path)).toEqual(['$']);
  const refused: string[] = [];
  for (const address of Object.values(addresses)) {
    const path = address.replaceAll(/\$\w+/g, '1');
    const { status } = await fetch(`${web.origin}/portal${path}`, { headers: { accept: 'text/html' } });
    if (status !== 200) refused.push(`${path}: ${status}`);
  }
  expect(refused).toEqual([]);
});

async function signIn(password = PASSWORD): Promise<void> {
  await page.getByLabel('User name or e-mail').fill('ada');
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

describe('somebody who is not signed in', () => {
  test('is asked to, wherever they wanted to go, and gets there afterwards', async () => {
    await page.goto(`${web.origin}/portal/community/${communityId}?text=coffee`);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await mustBeAccessible(page);
    await signIn('something else');
    await page.getByRole('alert').getByText('User name or password is wrong.').waitFor();
    await signIn();
    await page.getByRole('link', { name: 'Coffee machine' }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/portal/community/${communityId}`);
    expect(await page.getByRole('link', { name: 'Printer 1', exact: false }).count()).toBe(0);
  });

  test('gets to the comment that the address names', async () => {
    const { context, page: theirs } = await web.visit();
    const address = `/portal/community/${communityId}?text=coffee#comment-7`;
    await theirs.goto(`${web.origin}${address}`);
    await theirs.getByLabel('User name or e-mail').fill('ada');
    await theirs.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
    await theirs.getByRole('button', { name: 'Sign in', exact: true }).click();
    await theirs.getByRole('link', { name: 'Coffee machine' }).waitFor();
    expect(theirs.url()).toBe(`${web.origin}${address}`);
    await context.close();
  });
});

describe('a fragment of the address', () => {
  const token = 'x'.repeat(43);

  test('with a one-time link asks for a password, says why one is refused, and leaves the address at once', async () => {
    const { context: visitor, page: theirs } = await web.visit();
    await theirs.goto(`${web.origin}/portal/#/invitation/${token}`);
    await theirs.getByRole('heading', { name: 'Welcome' }).waitFor();
    expect(theirs.url()).not.toContain(token);
    await theirs.getByRole('textbox', { name: 'New password' }).fill('another horse è 42');
    await theirs.getByRole('button', { name: 'Save password' }).click();
    await theirs.getByRole('alert').getByText(/link/i).waitFor();
    await visitor.close();
  });

  test('of a sign-in that a provider refused leads to the sign-in, which says so', async () => {
    const { context: visitor, page: theirs } = await web.visit({ locale: 'it-IT' });
    await theirs.goto(`${web.origin}/portal/#/sign-in?error=sign-in-refused`);
    await theirs.getByRole('heading', { name: 'Accedi' }).waitFor();
    await theirs.getByRole('alert').waitFor();
    await visitor.close();
  });
});

describe('a community', () => {
  test('is a list that loads as one scrolls, in the order that the address says', async () => {
    await page.goto(`${web.origin}/portal/community/${communityId}?order=title`);
    await page.getByRole('link', { name: 'Coffee machine' }).waitFor();
    await mustBeAccessible(page);
    await page.getByText('The first 100 of 132 posts').waitFor();
    await page.locator('.rows').evaluate((rows) => rows.scrollTo(0, rows.scrollHeight));
    await page.getByText('132 posts', { exact: true }).waitFor();
  });

  test('is filtered by words, which are then in the address', async () => {
    await page.getByRole('searchbox', { name: 'Search posts' }).fill('printer 77');
    await page.getByText('1 post', { exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.get('text')).toBe('printer 77');
    await page.getByRole('searchbox', { name: 'Search posts' }).fill('nothing like this');
    await page.getByText('No posts match these filters.').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByText('132 posts', { exact: true }).waitFor();
  });

  test('leads from its words to what the search finds in comments, and by inflections and corrections', async () => {
    const system = await web.tenant.scope(web.tenant.systemUserId);
    await web.tenant.settleStream();
    while (await indexNext(system));
    const words = page.getByRole('searchbox', { name: 'Search posts' });
    await words.fill('grinders');
    await page.getByText('The search also finds:').waitFor();
    await page.getByText('No posts match these filters.').waitFor();
    await mustBeAccessible(page);
    await words.fill('coffee machnies');
    await page.getByText('The search finds “machine”:').waitFor();
    await page.getByRole('link', { name: 'Posts 1', exact: true }).waitFor();
    await words.fill('grinders');
    await page.getByRole('link', { name: 'Comments 1', exact: true }).click();
    await page.getByText('The grinder squeaks').waitFor();
    await page.getByText('1 result', { exact: true }).waitFor();
  });

  test('is found by the search over everything, whose words and kinds the address keeps', async () => {
    await page.goto(`${web.origin}/portal/search?text=coffee`);
    await page.getByRole('link', { name: 'Coffee machine' }).waitFor();
    await page.getByText('1 result', { exact: true }).waitFor();
    await mustBeAccessible(page);
    await page.getByRole('searchbox').fill('printer 77');
    await page.getByRole('link', { name: 'Printer 77', exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.get('text')).toBe('printer 77');
    await page.getByRole('searchbox').fill('nothing like this');
    await page.getByText('Nothing contains these words.').waitFor();
  });

  test('is filtered by two fields in few clicks, as chips say in words and the address keeps', async () => {
    await page.goto(`${web.origin}/portal/community/${communityId}`);
    await page.getByText('The first 100 of 132 posts').waitFor();
    await page.getByRole('button', { name: 'Filter' }).click();
    const menu = page.getByRole('dialog', { name: 'Filter', exact: true });
    await menu.getByRole('button', { name: 'Priority' }).click();
    await page.getByRole('checkbox', { name: 'High' }).check();
    await page.getByText('3 posts', { exact: true }).waitFor();
    await mustBeAccessible(page);
    await page.getByRole('button', { name: '← Priority' }).click();
    await menu.getByRole('button', { name: 'Costs' }).click();
    await menu.getByRole('textbox', { name: 'From' }).fill('20');
    await page.getByText('2 posts', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await page.reload();
    await page.getByRole('button', { name: 'Priority: High' }).waitFor();
    await page.getByRole('button', { name: 'Costs: 20 – …' }).waitFor();
    await page.getByText('2 posts', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Remove the filter Costs' }).click();
    await page.getByText('3 posts', { exact: true }).waitFor();
  });

  test('is ordered by its columns, which are chosen', async () => {
    const titles = () => page.locator('.row-link').allInnerTexts();
    await page.getByTitle('Order by Costs').click();
    await expect.poll(titles).toEqual([/1$/, /2$/, /3$/].map((number) => expect.stringMatching(number)));
    await page.getByTitle('Order by Costs').click();
    await expect.poll(titles).toEqual([/3$/, /2$/, /1$/].map((number) => expect.stringMatching(number)));
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('checkbox', { name: 'Costs' }).uncheck();
    await page.getByTitle('Order by Costs').waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
  });

  test('that is not there, or is not seen, says so', async () => {
    await page.goto(`${web.origin}/portal/community/999999`);
    await page.getByText('This does not exist, or you do not have access to it.').waitFor();
  });
});

describe('figures', () => {
  test('are chosen by group and measure, kept in the address, and in a table beside the picture', async () => {
    await page.goto(`${web.origin}/portal/community/${communityId}`);
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('link', { name: 'Figures' }).click();
    const table = page.getByRole('table', { name: 'Number of posts' });
    await table.getByRole('row', { name: 'All posts 132' }).waitFor();
    await table.getByRole('row', { name: /^Reported \d+$/ }).waitFor();
    await mustBeAccessible(page);
    await page.getByLabel('Group by').selectOption({ label: 'Priority' });
    await table.getByRole('row', { name: 'High 3' }).waitFor();
    await page.getByRole('combobox', { name: 'Figure', exact: true }).selectOption('sum');
    await page.getByRole('combobox', { name: 'Of', exact: true }).selectOption({ label: 'Costs' });
    await page
      .getByRole('table', { name: 'Sum: Costs' })
      .getByRole('row', { name: /^High \d+$/ })
      .waitFor();
    await page.getByRole('radio', { name: 'Numbers' }).check();
    await page.reload();
    await page
      .getByRole('table', { name: 'Sum: Costs' })
      .getByRole('row', { name: /^High \d+$/ })
      .waitFor();
    expect(await page.getByRole('radio', { name: 'Numbers' }).isChecked()).toBe(true);
  });

  test('run over months as a line on a phone, and say when no post matches', async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto(`${web.origin}/portal/community/${communityId}/figures`);
    await page.getByRole('navigation', { name: 'Ready figures' }).getByRole('link', { name: 'Over months' }).click();
    await page.getByRole('columnheader', { name: 'Created, by month' }).waitFor();
    await page.locator('.figure-lines circle').first().waitFor({ state: 'attached' });
    await mustBeAccessible(page);
    const wide = await page.evaluate('document.documentElement.scrollWidth');
    expect(wide).toBe(360);
    await page.getByRole('link', { name: 'Time in the state' }).click();
    await page.getByRole('row', { name: /^Reported .* h$/ }).waitFor();
    const filters = encodeURIComponent(JSON.stringify([['title', 'has', 'nothing like this']]));
    await page.goto(`${web.origin}/portal/community/${communityId}/figures?filters=${filters}`);
    await page.getByText('No posts match.').waitFor();
    await page.setViewportSize({ width: 1280, height: 800 });
  });
});

describe('a post', () => {
  test('shows hostile texts as texts', async () => {
    await page.goto(`${web.origin}/portal/post/${hostilePost}`);
    await page.getByRole('heading', { name: HOSTILE_TITLE }).waitFor();
    await page.getByText('<script>document.title="hacked"</script>').waitFor();
    expect(await page.title()).toBe(`${HOSTILE_TITLE} · ${web.tenant.tenant.displayName}`);
    expect(await page.locator('article script, article img').count()).toBe(0);
    const link = page.getByRole('link', { name: 'press me' });
    expect(await link.getAttribute('rel')).toBe('noopener noreferrer nofollow');
    await mustBeAccessible(page);
  });

  test('shows where it stands, its pictures above the page, and what was changed', async () => {
    const picture = await client.files.upload(new File([PICTURE], 'broken <b>part.png', { type: 'image/png' }));
    const { postId } = await client.posts.create({
      communityId,
      title: 'Lift',
      announcement: false,
      visibility: 2,
      attachments: [picture],
    });
    const { workflowPermittedOperations } = await client.posts.capabilities({ postId: postId! });
    await client.workflow.execute({ postId: postId!, workflowOperationId: workflowPermittedOperations![0]!.id! });
    await page.goto(`${web.origin}/portal/post/${postId}`);
    const states = page.getByRole('list', { name: 'Workflow' });
    await states.locator('[aria-current="step"]').getByText('Mended').waitFor();
    expect((await states.getByRole('listitem').allInnerTexts()).map((text) => text.trim())).toEqual([
      'Reported',
      'Mended',
    ]);
    await page.getByRole('button', { name: 'broken <b>part.png', exact: true }).click();
    const image = page.getByRole('dialog').getByRole('img');
    await expect
      .poll(() => image.evaluate((element) => (element as unknown as { naturalWidth: number }).naturalWidth))
      .toBe(1);
    await mustBeAccessible(page);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('radio', { name: 'Changes' }).check();
    await page.getByText('took a step').waitFor();
    await page.locator('.difference ins', { hasText: 'Mended' }).waitFor();
    await mustBeAccessible(page);
  });

  test('opens with the comment in sight that the address names, though it is on a later page', async () => {
    for (let number = 1; number <= 51; number++)
      await client.comments.create({ postId: hostilePost, comment: `Note ${number}`, commentFormat: 2 });
    const { items = [] } = await client.comments.list({ postId: hostilePost, pageSize: 100 });
    const { id } = items.find(({ commentPlainText }) => commentPlainText?.trim() === 'Note 1')!;
    await page.goto(`${web.origin}/portal/post/${hostilePost}#comment-${id}`);
    const wanted = page.locator('.comment[data-wanted]');
    await wanted.getByText('Note 1', { exact: true }).waitFor();
    await expect
      .poll(() =>
        wanted.evaluate((element) =>
          Math.abs(element.getBoundingClientRect().top - element.ownerDocument.documentElement.clientHeight / 2),
        ),
      )
      .toBeLessThan(400);
    await mustBeAccessible(page);
  });

  test('shows the real end of the name of a file, and its size beside it as it is', async () => {
    const name = 'rtl\u202etxt.exe';
    const file = await client.files.upload(new File([new Uint8Array(19)], name, { type: 'application/octet-stream' }));
    const { postId } = await client.posts.create({
      communityId,
      title: 'Pump',
      announcement: false,
      visibility: 2,
      attachments: [file],
    });
    await page.goto(`${web.origin}/portal/post/${postId}`);
    const link = page.getByRole('link', { name: 'rtl\ufffdtxt.exe', exact: true });
    const row = page.locator('.file-name', { has: link });
    expect((await row.innerText()).replaceAll(/\s+/g, ' ')).toBe('rtl\ufffdtxt.exe 19 byte');
    expect(await page.locator('.files').innerHTML()).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
    // Isolated, so that letters of a name that are written from the right do not turn what follows them.
    expect(await link.locator('bdi').count()).toBe(1);
  });

  test('is found from the sidebar and read on a phone, in the dark', async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.goto(`${web.origin}/portal/`);
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('link', { name: 'Service desk' }).click();
    await page.getByRole('link', { name: /Printer 130/ }).click();
    const heading = page.getByRole('heading', { name: 'Printer 130' });
    await expect.poll(async () => (await heading.boundingBox())?.y ?? Number.POSITIVE_INFINITY).toBeLessThan(200);
    const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth');
    expect(overflow).toBeLessThanOrEqual(0);
    await mustBeAccessible(page);
    await page.setViewportSize({ width: 1280, height: 800 });
  });
});

describe('the account', () => {
  test('lists the browsers that are signed in, and signs out', async () => {
    await page.goto(`${web.origin}/portal/me/security`);
    await page.getByText('This browser').waitFor();
    await mustBeAccessible(page);
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.goto(`${web.origin}/portal/post/${hostilePost}`);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });
});

describe('the answers', () => {
  test('of pages allow nothing but what the portal itself serves', async () => {
    const headers = { accept: 'text/html', host: web.tenant.host };
    const { statusCode, headers: sent, body } = await web.portal.app.inject({ url: '/portal/', headers });
    const nonce = /name="style-nonce" content="([^"]+)"/.exec(body)?.[1];
    expect(statusCode).toBe(200);
    expect(sent['content-security-policy']).toBe(
      `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; font-src 'self'; img-src 'self' data: blob:; media-src 'self' data: blob:; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
    );
    expect(sent['cache-control']).toBe('no-store');
    const [, script] = /src="(\/portal\/assets\/[^"]+\.js)"/.exec(body)!;
    const asset = await web.portal.app.inject({
      url: script!,
      headers: { host: '127.0.0.1', 'accept-encoding': 'br' },
    });
    expect([asset.statusCode, asset.headers['content-encoding'], asset.headers['cache-control']]).toEqual([
      200,
      'br',
      'public, max-age=31536000, immutable',
    ]);
    for (const url of ['/portal/assets/none.js', '/portal/assets/..%2findex.html', '/portal/unknown'])
      expect((await web.portal.app.inject({ url, headers })).statusCode, url).toBe(404);
    const json = { host: web.tenant.host, accept: 'application/json' };
    expect((await web.portal.app.inject({ url: '/portal/', headers: json })).statusCode).toBe(404);
  });
});
