/** Errors of the server are shown at the inputs, in the language of the page. */
import { FieldType, ValidationType } from '@portico/sdk';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, expect } from 'vitest';
import { addField } from '../../server/src/modules/communities/define-fields.ts';
import { makeServiceDesk, type ServiceDesk } from './service-desk.fixture.ts';
import { API, mustBeAccessible, startWebTest, test, type WebTest } from './support.ts';

let web: WebTest;
let desk: ServiceDesk;

/** Fields with a rule, a value that breaks it, and the sentence in both languages. */
const RULED = [
  {
    field: {
      type: FieldType.STRING,
      label: 'Codice',
      validations: [{ typeId: ValidationType.MAX_LENGTH, parameter: '3' }],
    },
    value: 'abcd',
    italian: 'Scrivi al massimo 3 caratteri.',
    english: 'Enter at most 3 characters.',
  },
  {
    field: { type: FieldType.STRING, label: 'Posta', validations: [{ typeId: ValidationType.EMAIL }] },
    value: 'ada at example',
    italian: 'Scrivi un indirizzo e-mail.',
    english: 'Enter one e-mail address.',
  },
  {
    field: {
      type: FieldType.DECIMAL,
      label: 'Peso',
      validations: [{ typeId: ValidationType.MIN_VALUE, parameter: '1250.5' }],
    },
    value: '7',
    italian: 'Scrivi almeno 1250,5.',
    english: 'Enter 1,250.5 or more.',
  },
  {
    field: {
      type: FieldType.DATE,
      label: 'Consegna',
      validations: [{ typeId: ValidationType.DATE_MIN, parameter: '2030-02-01' }],
    },
    value: '2026-01-31',
    italian: 'Scegli una data non anteriore a questa: 1 feb 2030.',
    english: 'Choose a date that is not before 1 Feb 2030.',
  },
] as const;

/** Fields of the fixture whose type refuses the value. */
const UNFIT = [
  { label: 'Count', value: '2,5', italian: 'Scrivi un numero intero.', english: 'Enter a whole number.' },
  { label: 'Price', value: '1,005', italian: 'Scrivi al massimo 2 decimali.', english: undefined },
  {
    label: 'Page',
    value: 'example.org',
    italian: 'Scrivi un indirizzo che comincia con http:// o https://.',
    english: 'Enter an address that begins with http:// or https://.',
  },
] as const;

test.beforeAll(async ({ portal, browser }) => {
  web = await startWebTest({ portal, browser }, 'refused');
  desk = await makeServiceDesk(web);
  const system = await web.tenant.scope(web.tenant.systemUserId);
  for (const { field } of RULED) await addField(system, { communityId: desk.communityId }, field);
});

afterAll(() => web?.close());

afterEach(() => {
  expect(web.complaints.splice(0)).toEqual([]);
});

async function fillIn(page: Page, addField: string, label: string, value: string): Promise<void> {
  await page.getByRole('button', { name: addField }).click();
  await page.getByRole('dialog', { name: addField }).getByRole('button', { name: label, exact: true }).click();
  await page.getByLabel(label, { exact: true }).last().fill(value);
}

test('is said in Italian to who reads the portal in Italian, in a new post and in place', async () => {
  const { context, page } = await web.open('bo');
  await page.goto(`${web.origin}/portal/me`);
  await page.getByLabel('Language').selectOption('it');
  await page.getByRole('link', { name: 'Inizio' }).waitFor();
  await page.getByRole('button', { name: 'Nuovo post' }).click();
  await page.getByRole('textbox', { name: 'Titolo' }).fill('Errori');
  await page.getByRole('combobox', { name: 'Severity' }).click();
  await page.getByRole('option', { name: 'High' }).click();
  for (const { field, value } of RULED) await fillIn(page, 'Aggiungi campo', field.label, value);
  for (const { label, value } of UNFIT) await fillIn(page, 'Aggiungi campo', label, value);
  await page.keyboard.press('Control+Enter');
  const panel = page.getByRole('dialog', { name: 'Nuovo post' });
  for (const { italian } of UNFIT) await panel.getByText(italian, { exact: true }).waitFor();
  for (const { italian } of RULED) await panel.getByText(italian, { exact: true }).waitFor();
  expect(await panel.innerText()).not.toMatch(/\b(send|allowed|Enter|must)\b/);
  await mustBeAccessible(page);
  await page.keyboard.press('Escape');

  await page.goto(`${web.origin}/portal/post/${await desk.write('Sul posto')}`);
  await page.getByRole('button', { name: 'Mostra' }).click();
  await page.getByRole('button', { name: 'Modifica Codice' }).click();
  await page.getByRole('textbox', { name: 'Codice' }).fill('abcd');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText(RULED[0].italian, { exact: true }).waitFor();
  // The typed text is still there.
  expect(await page.getByRole('textbox', { name: 'Codice' }).inputValue()).toBe('abcd');
  await context.close();
});

test('is said in English to who reads it in English', async () => {
  const { context, page } = await web.open('ada');
  await page.getByRole('button', { name: 'New post' }).click();
  await page.getByRole('textbox', { name: 'Title' }).fill('Errors');
  await page.getByRole('combobox', { name: 'Severity' }).click();
  await page.getByRole('option', { name: 'High' }).click();
  for (const { field, value } of RULED) await fillIn(page, 'Add field', field.label, value);
  for (const { label, value, english } of UNFIT) if (english) await fillIn(page, 'Add field', label, value);
  await page.keyboard.press('Control+Enter');
  const panel = page.getByRole('dialog', { name: 'New post' });
  for (const { english } of [...UNFIT, ...RULED])
    if (english) await panel.getByText(english, { exact: true }).waitFor();
  await context.close();
});

test('is said in Italian at the sign-in and of a link that is no longer good', async () => {
  const { context, page } = await web.visit({ locale: 'it-IT' });
  await page.goto(`${web.origin}/portal/#/invitation/${'x'.repeat(43)}`);
  await page.getByRole('textbox', { name: 'Nuova password' }).fill('another horse è 42');
  await page.locator('button[type=submit]').click();
  await page.getByRole('alert').getByText('Questo link è stato usato', { exact: false }).waitFor();
  await context.close();
});

test('is said in German where a request is refused as a whole', async () => {
  const { context, page } = await web.open('bo');
  await page.goto(`${web.origin}/portal/me`);
  await page.getByLabel(/Language|Lingua/).selectOption('de');
  await page.getByRole('link', { name: /^Start/ }).waitFor();
  await page.goto(`${web.origin}/portal/post/${await desk.write('Archiviert')}`);
  await page.getByRole('button', { name: 'Titel bearbeiten' }).click();
  await page.getByRole('textbox', { name: 'Titel' }).fill('Nicht mehr');
  await setArchived(true);
  await page.keyboard.press('Enter');
  await page.getByText('Die Community ist archiviert: Sie kann gelesen, aber nicht geändert werden.').waitFor();
  await setArchived(false);
  await context.close();
});

async function setArchived(archived: boolean): Promise<void> {
  const path = `${API}/admin/manage/communities/${desk.communityId}/archived`;
  const { status, text } = await web.tenant.request(web.admin, 'PUT', path, { archived });
  expect(status, text).toBe(200);
}
