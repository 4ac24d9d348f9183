/**
 * `npm run screenshots`: the main pages of the portal as pictures in `docs/screenshots`, in light on a desktop and in the dark on a
 * phone, from a portal of the demo tenant that is made for them.
 */
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { startBrowser } from './browser.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const target = join(root, 'docs/screenshots');
const PORT = Number(process.env['PORT'] ?? 8097);
const origin = `http://localhost:${PORT}`;
/** Quality of the pictures, from 0 to 1. */
const QUALITY = 0.85;
/** Time in which the data that a page reads after it has appeared arrives. Milliseconds. */
const SETTLE = 1500;

/** Pages by the name of their picture, with the actions after they have opened. */
const PAGES: readonly (readonly [name: string, path: string, run?: (page: Page) => Promise<unknown>])[] = [
  ['home', '/'],
  ['table', '/community/1'],
  ['board', '/community/1?layout=board'],
  ['calendar', '/community/1?layout=calendar&date=created'],
  [
    'post',
    '/community/1',
    async (page) => page.goto(new URL((await page.locator('.row-link').nth(2).getAttribute('href'))!, origin).href),
  ],
  [
    'beside',
    '/community/1',
    (page) =>
      page
        .locator('.row-link')
        .nth(1)
        .focus()
        .then(() => page.keyboard.press('Space')),
  ],
  ['palette', '/', (page) => page.keyboard.press('Control+k')],
  ['tasks', '/tasks?relation=created'],
  ['people', '/people'],
  ['notifications', '/me/notifications'],
];

const FORMS: Readonly<Record<string, BrowserContextOptions>> = {
  desktop: { viewport: { width: 1280, height: 800 }, colorScheme: 'light' },
  phone: { viewport: { width: 360, height: 740 }, colorScheme: 'dark', hasTouch: true, isMobile: true },
};

/**
 * Starts a portal with its own demo tenant.
 * @returns a user and password for the first sign-in, and a function that stops the portal
 */
async function startPortal(): Promise<{ username: string; password: string; stop: () => Promise<void> }> {
  const data = await mkdtemp(join(tmpdir(), 'portico-screenshots-'));
  const service = spawn(process.execPath, ['apps/server/start.mjs'], {
    cwd: root,
    env: { ...process.env, PORT: String(PORT), PORTICO_DATA_DIR: data },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const stop = async () => {
    const ended = new Promise((resolve) => service.once('exit', resolve));
    service.kill('SIGINT');
    await ended;
    await rm(data, { recursive: true, force: true });
  };
  let said = '';
  for await (const chunk of service.stdout) {
    said += String(chunk);
    const people = [...said.matchAll(/Sign in once as: +(\S+) with password (\S+)\n/g)];
    if (people.length < 3) continue;
    service.stdout.resume();
    const [, username, password] = people[1]!;
    return { username: username!, password: password!, stop };
  }
  await stop();
  throw new Error(`The portal did not start:\n${said}`);
}

const portal = await startPortal();
const browser = await startBrowser();
try {
  await mkdir(target, { recursive: true });
  let own = portal.password;
  for (const [form, options] of Object.entries(FORMS)) {
    const context = await browser.browser.newContext({ locale: 'en-GB', ...options });
    const page = await context.newPage();
    await page.goto(`${origin}/portal/`);
    await page.getByLabel('User name or e-mail').fill(portal.username);
    await page.getByRole('textbox', { name: 'Password' }).fill(own);
    await page.locator('button[type=submit]').click();
    if (own === portal.password) {
      own = `${portal.password} and more`;
      await page.getByRole('textbox', { name: 'New password' }).fill(own);
      await page.locator('button[type=submit]').click();
    }
    await page.locator('#content').waitFor();
    for (const [name, path, run] of PAGES) {
      await page.goto(`${origin}/portal${path}`);
      await page.locator('#content > *').first().waitFor();
      await page.waitForTimeout(SETTLE);
      await run?.(page);
      await page.waitForTimeout(run ? SETTLE : 0);
      const picture = await page.screenshot();
      await writeFile(join(target, `${name}-${form}.webp`), await toWebp(page, picture));
      process.stdout.write(`${name}-${form}.webp\n`);
    }
    await context.close();
  }
} finally {
  await browser.close();
  await portal.stop();
}

/** Converts a picture to a smaller format. The browser does this, on a separate page. */
async function toWebp(page: Page, png: Buffer): Promise<Buffer> {
  const other = await page.context().newPage();
  const script = `(async () => {
    const image = new Image();
    image.src = 'data:image/png;base64,${png.toString('base64')}';
    await image.decode();
    const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height });
    canvas.getContext('2d').drawImage(image, 0, 0);
    return canvas.toDataURL('image/webp', ${QUALITY});
  })()`;
  const address = await other.evaluate<string>(script);
  await other.close();
  return Buffer.from(address.slice(address.indexOf(',') + 1), 'base64');
}
