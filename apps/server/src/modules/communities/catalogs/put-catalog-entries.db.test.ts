/** Many entries of a catalog in one write. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestPortal, type TestPortal } from '../../../../test/support/index.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await createTestPortal();
});
afterAll(() => portal.close());

describe('many entries at once', () => {
  test('are made where they are missing, edited where they differ, and left alone where they do not', async () => {
    const tenant = await portal.createTenant();
    const admin = await tenant.createUser({ admin: true });
    const send = async (method: string, path: string, body?: object) => {
      const answer = await tenant.request(admin, method, `/portal/api/admin/manage/catalogs${path}`, body);
      expect(answer.status, answer.text).toBe(200);
      return answer.body;
    };
    const put = (catalogId: number, entries: object[]) => send('PUT', `/${catalogId}/entries`, { entries });
    const above = (await send('POST', '', { name: { en: 'Countries' } })).catalog.id;
    const below = (await send('POST', '', { name: { en: 'Cities' }, parentId: above })).catalog.id;
    const { entryIds: parents = [] } = await put(above, [
      { label: { en: 'Italy' }, externalId: 'it' },
      { label: { en: 'Japan' }, externalId: 'jp' },
    ]);
    const first = [
      { label: { en: 'Rome' }, externalId: 'rome', parentExternalIds: ['it'] },
      { label: { en: 'Kobe' }, parentIds: [parents[1]] },
    ];
    const made = await put(below, first);
    expect(made).toMatchObject({ createdCount: 2, editedCount: 0, unchangedCount: 0 });
    expect(await put(below, first)).toEqual({ ...made, createdCount: 0, unchangedCount: 2 });
    const again = await put(below, [
      { label: { en: 'Kobe' }, externalId: 'kobe', parentExternalIds: ['jp'] },
      { label: { en: 'Roma' }, externalId: 'rome', parentExternalIds: ['it'], deleted: true },
      { label: { en: 'Turin' }, parentExternalIds: ['it'] },
    ]);
    // No entry has the external id, so it denotes another Kobe.
    expect(again).toMatchObject({ createdCount: 2, editedCount: 1, unchangedCount: 0 });
    expect(again.entryIds[1]).toBe(made.entryIds[0]);
    const form = await send('GET', `/${below}/entries/${made.entryIds[0]}/edit`);
    expect(form).toMatchObject({ label: { en: 'Roma' }, externalId: 'rome', deleted: true, occToken: 2 });
  });
});
