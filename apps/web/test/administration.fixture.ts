/** Set-up and checks of the tests of the administration. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { API, mustBeAccessible, type WebTest } from './support.ts';

const RIGHTS = ['manageUsers', 'manageDigitalWorplace'];

/** Gives both rights to a person through the interface. */
export async function appoint({ tenant, admin }: WebTest, userId: number): Promise<void> {
  const { body: form } = await tenant.request(admin, 'GET', `${API}/admin/manage/users/${userId}/edit`);
  const { firstname, lastname, occToken } = form;
  const edited = await tenant.request(admin, 'PUT', `${API}/admin/manage/users/${userId}`, {
    firstname,
    lastname,
    occToken,
    adminCapabilities: RIGHTS,
  });
  expect(edited.status, edited.text).toBe(200);
}

/** Checks the page at the width of a phone. */
export async function mustFitPhone(page: Page): Promise<void> {
  await page.setViewportSize({ width: 360, height: 740 });
  await mustBeAccessible(page);
  await page.setViewportSize({ width: 1280, height: 800 });
}
