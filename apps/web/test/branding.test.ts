/** An administrator changes the looks of the portal in a real browser, and everybody sees them. */
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, afterEach, expect } from 'vitest';
import { appoint, mustFitPhone } from './administration.fixture.ts';
import { mustBeAccessible, startWebTest, test, type WebTest } from './support.ts';

let web: WebTest;
let page: Page;

test.beforeAll(async ({ portal, browser }) => {
  web = await startWebTest({ portal, browser }, 'branding');
  await appoint(web, await web.createPerson('ada', 'Ada', 'Rossi'));
  ({ page } = await web.open('ada'));
});
afterAll(() => web?.close());
afterEach(() => {
  expect(web.complaints.splice(0)).toEqual([]);
});

const shot = (of: Page, name: string) =>
  process.env['SCREENSHOTS'] ? of.screenshot({ path: `${process.env['SCREENSHOTS']}/${name}.png` }) : undefined;
const open = () => page.goto(`${web.origin}/portal/admin/branding`);

test('a colour that cannot be read is replaced by the nearest one before anything is saved', async () => {
  await open();
  const colour = page.getByRole('textbox', { name: 'Accent colour', exact: true });
  await colour.fill('#ffcc00');
  await page.getByText(/^This colour is too light/).waitFor();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  expect(await colour.getAttribute('aria-invalid')).toBe('true');
  await page.getByRole('button', { name: /^Use #/ }).click();
  expect(await colour.inputValue()).toMatch(/^#[0-9a-f]{6}$/);
  await page.getByText(/^This colour is too light/).waitFor({ state: 'detached' });
  await mustBeAccessible(page);
});

test('the preview shows the looks, and after saving so do the menu, the title and the sign-in page', async () => {
  await open();
  const preview = page.getByRole('region', { name: 'Preview' });
  await page.getByRole('textbox', { name: 'Name of the portal' }).fill('Acme & Sons');
  await page.getByRole('textbox', { name: 'Accent colour', exact: true }).fill('#0b6e4f');
  await page.getByRole('textbox', { name: 'Notice at the sign-in' }).fill('For employees.\n<b>Help</b>: 100');
  await page.getByRole('textbox', { name: 'Address of the imprint' }).fill('https://acme.example/imprint');
  const logo = { create: { width: 240, height: 80, channels: 3, background: '#0b6e4f' } } as const;
  const chosen = page.locator('input[type=file]');
  await chosen.setInputFiles({ name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') });
  await page.getByText('Choose a PNG, JPEG or WebP picture.').waitFor();
  await chosen.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: await sharp(logo).png().toBuffer() });
  await preview.getByText('Acme & Sons').first().waitFor();
  await preview.locator('img').first().waitFor();
  await preview.getByText('Imprint').first().waitFor();
  await mustBeAccessible(page);
  await shot(page, 'branding');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText(/^Saved\./).waitFor();
  await mustFitPhone(page);
  // Servers follow within a second.
  await expect
    .poll(async () => {
      await page.goto(`${web.origin}/portal/`);
      return page.evaluate('getComputedStyle(document.body).getPropertyValue("--mantine-primary-color-filled")');
    })
    .toBe('#0b6e4f');
  const menu = page.getByRole('navigation', { name: 'Navigation' });
  await menu.getByText('Acme & Sons').waitFor();
  await expect.poll(() => page.evaluate(`document.querySelector('.portal-part img')?.naturalWidth`)).toBe(240);
  expect(await menu.getByRole('link', { name: 'Imprint' }).getAttribute('href')).toBe('https://acme.example/imprint');
  expect(await page.title()).toContain('Acme & Sons');
  await mustBeAccessible(page);
  await shot(page, 'branding-home');
  const context = await page
    .context()
    .browser()!
    .newContext({ viewport: { width: 360, height: 740 } });
  const stranger = await context.newPage();
  await stranger.goto(`${web.origin}/portal/sign-in`);
  await stranger.getByText('<b>Help</b>: 100').waitFor();
  await stranger.locator('.portal-logo').waitFor();
  await stranger.getByRole('link', { name: 'Imprint' }).waitFor();
  await mustBeAccessible(stranger);
  await shot(stranger, 'branding-sign-in');
  await context.close();
});

test('the logo is removed when that is saved', async () => {
  await open();
  await page.getByRole('button', { name: 'Remove the logo' }).click();
  await page.getByText('The logo is removed when you save.').waitFor();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect
    .poll(async () => (await fetch(`${web.origin}/portal/api/core/branding`)).json())
    .not.toHaveProperty('logoUrl');
});
