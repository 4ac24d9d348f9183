/** The order of the entries of catalogs, from files to forms and back. */
import type { CommunityFile, CommunityFileEntry, PlanCommunityResponse } from '@portico/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestPortal, type TestPortal, type TestTenant } from '../../../../test/support/index.ts';

let portal: TestPortal;
let tenant: TestTenant;
let admin: number;

beforeAll(async () => {
  portal = await createTestPortal();
});
afterAll(() => portal?.close());

/** A tenant for each test: catalogs are shared by the communities of a tenant. */
async function start(): Promise<void> {
  tenant = await portal.createTenant();
  admin = await tenant.createUser({ admin: true });
}

async function ok(method: string, path: string, body?: object) {
  const { status, body: answer, text } = await tenant.request(admin, method, `/portal/api${path}`, body);
  expect(status, `${method} ${path}: ${text}`).toBe(200);
  return answer;
}
const plan = (file: CommunityFile): Promise<PlanCommunityResponse> =>
  ok('POST', '/admin/data/community-plans', { file });
const apply = async (file: CommunityFile): Promise<number> =>
  (await ok('POST', '/admin/manage/community-plans', { file })).communityId;
const exported = (id: number): Promise<CommunityFile> => ok('GET', `/admin/manage/communities/${id}/file`);
const keysOf = ({ catalogs = [] }: CommunityFile) => catalogs[0]?.entries?.map(({ key }) => key);
const entry = (key: string, label = key): CommunityFileEntry => ({ key, label: { en: label } });

const fileOf = (entries: CommunityFileEntry[], key = 'desk'): CommunityFile => ({
  version: 1,
  workspace: { key: 'ops', name: 'Operations' },
  catalogs: [{ key: 'levels', name: { en: 'Levels' }, entries }],
  community: { key, name: key },
  groupRoles: [],
  hashtags: [],
  fields: [{ key: 'level', label: 'Level', type: 'ENUM', catalog: 'levels' }],
});

/** Labels in the form of posts, in pages by place and by label, and in the list of catalogs. */
async function shown(communityId: number) {
  const { fieldDefinitions } = await ok('GET', `/communication/settings/communities/${communityId}/post-definition`);
  const [{ enumValues, metadata }] = fieldDefinitions;
  const labels = (items: { label: string }[]) => items.map(({ label }) => label);
  const path = `/communication/settings/post-definition/catalogs/${metadata.catalog_id}/entries`;
  const page = async (body: object) => labels((await ok('POST', path, { orderDesc: false, ...body })).items);
  const first = await ok('POST', path, { orderBy: 'position', orderDesc: false, pageSize: 2 });
  const rest = await ok('POST', path, { orderBy: 'position', orderDesc: false, pageToken: first.nextPageToken });
  const { catalogs } = await ok('POST', '/communication/settings/post-definition/catalogs?loadEntries=true', {
    catalogIds: [Number(metadata.catalog_id)],
  });
  return {
    form: labels(enumValues),
    pages: [...labels(first.items), ...labels(rest.items)],
    byLabel: await page({}),
    list: labels(catalogs[0].entries ?? []),
  };
}

test('a file gives the entries of its catalog their order, in forms and in the export', async () => {
  await start();
  const file = fileOf([entry('low'), entry('medium'), entry('high')]);
  const id = await apply(file);
  expect(await plan(file)).toMatchObject({ changes: [] });
  const { $schema: _, ...written } = await exported(id);
  expect(JSON.stringify(written.catalogs)).toBe(JSON.stringify(file.catalogs));
  expect(await shown(id)).toMatchObject({
    form: ['low', 'medium', 'high'],
    pages: ['low', 'medium', 'high'],
    byLabel: ['high', 'low', 'medium'],
  });
});

test('a plan tells a new order; entries that another file leaves out stay behind the ones that they follow', async () => {
  await start();
  const id = await apply(fileOf([entry('a'), entry('d'), entry('b'), entry('c')]));
  const other = fileOf([entry('c'), entry('new'), entry('a')], 'other');
  const { changes = [] } = await plan(other);
  expect(changes.filter(({ kind }) => kind === 'catalog')).toEqual([
    {
      action: 'change',
      kind: 'catalog',
      key: 'levels',
      properties: [{ name: 'entryOrder', before: '["a","c"]', after: '["c","a"]' }],
    },
  ]);
  await apply(other);
  const order = ['c', 'new', 'a', 'd', 'b'];
  expect(keysOf(await exported(id))).toEqual(order);
  expect((await shown(id)).form).toEqual(order);
  expect((await plan(other)).changes).toEqual([]);
  const again = await exported(id);
  expect((await plan(again)).changes).toEqual([]);
  await apply(again);
  expect(JSON.stringify(await exported(id))).toBe(JSON.stringify(again));
});

test('a catalog without places keeps the order of labels until a file gives another', async () => {
  await start();
  const { catalog } = await ok('POST', '/admin/manage/catalogs', { name: { en: 'Levels' } });
  await ok('PUT', `/admin/manage/catalogs/${catalog.id}/entries`, {
    entries: [
      { label: { en: 'Zebra' }, externalId: 'a' },
      { label: { en: 'Apple' }, externalId: 'b' },
    ],
  });
  const files = (entries: CommunityFileEntry[]): CommunityFile => {
    const file = fileOf(entries);
    return {
      ...file,
      catalogs: [{ ...file.catalogs![0]!, key: 'Levels' }],
      fields: [{ ...file.fields![0]!, catalog: 'Levels' }],
    };
  };
  const id = await apply(files([entry('a', 'Zebra'), entry('b', 'Apple')]));
  expect(keysOf(await exported(id))).toEqual(['a', 'b']);
  expect((await shown(id)).form).toEqual(['Apple', 'Zebra']);
  await apply(files([entry('b', 'Apple'), entry('a', 'Zebra')]));
  expect(keysOf(await exported(id))).toEqual(['b', 'a']);
  await ok('PUT', `/admin/manage/catalogs/${catalog.id}/entries`, { entries: [{ label: { en: 'Ant' } }] });
  expect(await shown(id)).toEqual({
    form: ['Apple', 'Zebra', 'Ant'],
    pages: ['Apple', 'Zebra', 'Ant'],
    byLabel: ['Ant', 'Apple', 'Zebra'],
    list: ['Ant', 'Apple', 'Zebra'],
  });
});
