/** Communities as files: templates for new posts. */
import type { CommunityFile, PlanCommunityResponse, PostTemplate } from '@portico/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestPortal, type TestPortal, type TestTenant } from '../../../../test/support/index.ts';

let portal: TestPortal;
let tenant: TestTenant;
let admin: number;

beforeAll(async () => {
  portal = await createTestPortal();
});
afterAll(() => portal?.close());

async function start(): Promise<void> {
  tenant = await portal.createTenant();
  admin = await tenant.createUser({ admin: true });
}
const send = (method: string, path: string, body?: object) => tenant.request(admin, method, `/portal/api${path}`, body);
async function ok(method: string, path: string, body?: object) {
  const { status, body: answer, text } = await send(method, path, body);
  expect(status, `${method} ${path}: ${text}`).toBe(200);
  return answer;
}
const plan = (file: CommunityFile): Promise<PlanCommunityResponse> =>
  ok('POST', '/admin/data/community-plans', { file });
const shown = async (file: CommunityFile) =>
  (await plan(file)).changes!.map(({ action, kind, key }) => `${action} ${kind} ${key}`);
const apply = async (file: CommunityFile): Promise<number> =>
  (await ok('POST', '/admin/manage/community-plans', { file })).communityId;
const exported = (id: number): Promise<CommunityFile> => ok('GET', `/admin/manage/communities/${id}/file`);
async function refused(file: CommunityFile): Promise<string[]> {
  const answers = [
    await send('POST', '/admin/data/community-plans', { file }),
    await send('POST', '/admin/manage/community-plans', { file }),
  ];
  const told = answers.map(({ status, body }) => {
    expect(status).toBe(400);
    return body.validationErrors.list.map(
      ({ field, code, defaultMessage }: Record<string, string>) => `${field} ${code} ${defaultMessage}`,
    );
  });
  expect(told[0]).toEqual(told[1]);
  return told[0];
}
const templatesOf = async (communityId: number): Promise<PostTemplate[]> => {
  await ok('PUT', `/admin/manage/communities/${communityId}/members`, { userRoles: [{ userId: admin, roleId: 1 }] });
  return (await ok('GET', `/communication/posts/data/templates/${communityId}`)).templates;
};

const rich = '[{"insert":"Where?","attributes":{"bold":true}},{"insert":"\\n"}]';

const desk = (): CommunityFile => ({
  version: 1,
  workspace: { key: 'ops', name: 'Operations' },
  catalogs: [
    {
      key: 'sites',
      name: { en: 'Sites' },
      entries: [
        { key: 'kobe', label: { en: 'Kobe' } },
        { key: 'lecco', label: { en: 'Lecco' } },
      ],
    },
  ],
  community: { key: 'desk', name: 'Desk' },
  groupRoles: [],
  hashtags: ['noise'],
  fields: [
    {
      key: 'severity',
      label: 'Severity',
      type: 'ENUM',
      values: [
        { key: 'low', label: 'Low' },
        { key: 'high', label: 'High' },
      ],
    },
    { key: 'site', label: 'Site', type: 'ENUM_LIST', catalog: 'sites' },
    { key: 'due', label: 'Due', type: 'DATE', required: true },
    { key: 'note', label: 'Note', type: 'DELTA_AREA' },
    { key: 'cost', label: 'Cost', type: 'DECIMAL', readonly: true },
    {
      key: 'owner',
      label: 'Owner',
      type: 'GENERIC_ENTITY_LIST',
      metadata: { generic_entity_list_config_id: 'core.user' },
    },
  ],
  templates: [
    {
      name: 'Noise',
      title: 'Noise in … ',
      description: 'Where and when? #noise',
      visibility: 'PRIVATE',
      values: [
        { field: 'severity', values: ['high'] },
        { field: 'site', values: ['lecco', 'kobe'] },
        { field: 'due', values: [Date.UTC(2027, 0, 1)] },
        { field: 'note', values: ['Plain'] },
        { field: 'cost', values: [1.5] },
      ],
    },
    { name: 'Rich', description: rich },
  ],
});

test('templates are exported and made again in an empty tenant, to the byte, and serve new posts', async () => {
  await start();
  const id = await apply(desk());
  expect(await shown(desk())).toEqual([]);
  const { $schema: _, ...written } = await exported(id);
  expect(written).toEqual(desk());
  const [noise, other] = await templatesOf(id);
  expect(noise).toMatchObject({ name: 'Noise', title: 'Noise in … ', visibility: 1 });
  expect(other?.description).toBe(rich);
  const { postId } = await ok('POST', `/communication/posts/manage/create-from-template/${noise!.id}`, {});
  const post = await ok('GET', `/communication/posts/data/post-detail-by-id/${postId}`);
  expect(post).toMatchObject({ title: 'Noise in …', visibility: 1, hashtags: [{ name: 'noise' }] });
  expect(Object.keys(post.customData)).toEqual(Object.keys(noise!.customData!));
  await start();
  const again = await apply({ ...written });
  expect(JSON.stringify((await exported(again)).templates)).toBe(JSON.stringify(written.templates));
});

test('a plan tells what becomes of templates; without a list they stay, and keep people whom no file holds', async () => {
  await start();
  const id = await apply(desk());
  const { templates: _, ...without } = desk();
  expect(await shown(without)).toEqual([]);
  const [noise] = await templatesOf(id);
  const definition = await ok('GET', `/communication/settings/communities/${id}/post-definition`);
  const ownerId = definition.fieldDefinitions.find(({ label }: { label: string }) => label === 'Owner').id;
  await ok('PUT', `/communication/posts/manage/template/${noise!.id}`, {
    name: 'Noise',
    title: noise!.title,
    customData: { ...noise!.customData, [ownerId]: [admin] },
    occToken: noise!.occToken,
  });
  const [first] = desk().templates!;
  const changed: CommunityFile = {
    ...desk(),
    templates: [{ ...first!, values: [{ field: 'severity', values: ['low'] }] }, { name: 'New' }],
  };
  expect(await shown(changed)).toEqual(['change template Noise', 'create template New', 'remove template Rich']);
  await apply(changed);
  expect(await shown(changed)).toEqual([]);
  const after = await templatesOf(id);
  expect(after.map(({ name }) => name)).toEqual(['Noise', 'New']);
  expect(after[0]?.customData?.[ownerId]).toEqual([admin]);
  expect(await shown({ ...changed, templates: [] })).toEqual(['remove template Noise', 'remove template New']);
});

test('renamed fields and values keep the values of templates; values out of use are not exported', async () => {
  await start();
  const id = await apply(desk());
  const file = desk();
  const [severity, ...fields] = file.fields!;
  const [first, second] = file.templates!;
  const [, ...values] = first!.values!;
  const renamed: CommunityFile = {
    ...file,
    fields: [
      {
        ...severity!,
        key: 'urgency',
        values: [
          { key: 'low', label: 'Low' },
          { key: 'urgent', label: 'High' },
        ],
      },
      ...fields,
    ],
    templates: [{ ...first!, values: [{ field: 'urgency', values: ['urgent'] }, ...values] }, second!],
    moved: [
      { field: 'severity', to: 'urgency' },
      { field: 'severity', value: 'high', to: 'urgent' },
    ],
  };
  expect((await shown(renamed)).filter((change) => change.includes('template'))).toEqual([]);
  await apply(renamed);
  expect((await exported(id)).templates).toEqual(renamed.templates);
  const { templates: _, moved: __, ...shorter } = renamed;
  await apply({
    ...shorter,
    fields: [{ ...severity!, key: 'urgency', values: [{ key: 'low', label: 'Low' }] }, ...fields],
  });
  expect((await exported(id)).templates![0]!.values!.map(({ field }) => field)).toEqual([
    'site',
    'due',
    'note',
    'cost',
  ]);
  await apply(await exported(id));
});

test('errors name the place in the file, the wrong word and the nearest right one', async () => {
  await start();
  const templates = (...list: NonNullable<CommunityFile['templates']>) => ({ ...desk(), templates: list });
  const faults = await refused(
    templates(
      {
        name: 'A',
        values: [
          { field: 'sevrity', values: ['low'] },
          { field: 'owner', values: [1] },
        ],
      },
      { name: 'A', values: [{ field: 'due' }, { field: 'due', values: [1] }] },
      {},
    ),
  );
  expect(faults.map((fault) => fault.split(' ').slice(0, 2).join(' '))).toEqual([
    'file.templates[1].name DUPLICATE_VALUE',
    'file.templates[2].name REQUIRED_FIELD',
    'file.templates[0].values[0].field UNKNOWN_REFERENCE',
    'file.templates[0].values[1].field INVALID_VALUE',
    'file.templates[1].values[1].field DUPLICATE_VALUE',
  ]);
  expect(faults[2]).toMatch(/sevrity.*severity/);
  expect(await refused(templates({ name: 'A', values: [{ field: 'severity', values: ['hihg'] }] }))).toEqual([
    expect.stringMatching(/^file\.templates\[0\]\.values\[0\]\.values\[0\] UNKNOWN_REFERENCE .*hihg.*high/),
  ]);
  expect(await refused(templates({ name: 'A' }, { name: 'B', values: [{ field: 'cost', values: ['much'] }] }))).toEqual(
    [expect.stringMatching(/^file\.templates\[1\]\.values\[0\]\.values INVALID_VALUE/)],
  );
  const off = {
    ...templates({ name: 'A', title: 'T' }),
    community: { ...desk().community, titleEnabled: 'DISABLED' as const },
  };
  expect(await refused(off)).toEqual([expect.stringMatching(/^file\.templates\[0\]\.title INVALID_VALUE/)]);
});
