/** Communities as files: export, plan, apply. */
import type { CommunityFile, PlanCommunityResponse } from '@portico/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestPortal, type TestPortal, type TestTenant } from '../../../../test/support/index.ts';
import { purchasing } from './purchasing.fixture.ts';

const ADMIN = '/portal/api/admin';

let portal: TestPortal;
let tenant: TestTenant;
let admin: number;

beforeAll(async () => {
  portal = await createTestPortal();
  tenant = await portal.createTenant();
  admin = await tenant.createUser({ admin: true });
});
afterAll(() => portal?.close());

async function send(actor: number, method: string, path: string, body?: object, of = tenant) {
  const { status, body: answer, text } = await of.request(actor, method, `${ADMIN}${path}`, body);
  return { status, answer, text };
}
async function ok(actor: number, method: string, path: string, body?: object, of = tenant) {
  const { status, answer, text } = await send(actor, method, path, body, of);
  expect(status, text).toBe(200);
  return answer;
}
const plan = (file: CommunityFile, actor = admin, of = tenant): Promise<PlanCommunityResponse> =>
  ok(actor, 'POST', '/data/community-plans', { file }, of);
const apply = (
  file: CommunityFile,
  { planToken }: PlanCommunityResponse,
  more: object = {},
  actor = admin,
  of = tenant,
) => send(actor, 'POST', '/manage/community-plans', { file, planToken, ...more }, of);
/** Sends a file to plan and to apply, without a plan. @returns what both answer */
async function refused(file: CommunityFile, actor = admin) {
  const [planned, applied] = [
    await send(actor, 'POST', '/data/community-plans', { file }),
    await send(actor, 'POST', '/manage/community-plans', { file }),
  ];
  expect({ ...planned.answer, requestId: '' }).toEqual({ ...applied.answer, requestId: '' });
  return planned;
}
const exported = (id: number, actor = admin, of = tenant): Promise<CommunityFile> =>
  ok(actor, 'GET', `/manage/communities/${id}/file`, undefined, of);
const kinds = ({ changes = [] }: PlanCommunityResponse) =>
  changes.map(({ action, kind, key }) => `${action} ${kind} ${key}`);

async function build(file = purchasing(), of = tenant, actor = admin): Promise<number> {
  const { status, answer, text } = await apply(file, await plan(file, actor, of), {}, actor, of);
  expect(status, text).toBe(200);
  return answer.communityId;
}

describe('a file', () => {
  test('makes a community; what is exported makes the same one in an empty tenant, and is the same to the byte', async () => {
    const id = await build();
    const file = await exported(id);
    const { $schema, ...said } = file;
    expect($schema).toBe('./community.schema.json');
    expect(said).toEqual(purchasing());
    expect(kinds(await plan(file))).toEqual([]);

    const other = await portal.createTenant();
    const person = await other.createUser({ admin: true });
    const copy = await build(file, other, person);
    expect(JSON.stringify(await exported(copy, person, other))).toBe(JSON.stringify(file));
  });

  test('changes what it says otherwise, after a plan that shows each property; posts keep their values', async () => {
    const file = { ...purchasing(), community: { key: 'second', name: 'Second' } };
    const id = await build(file);
    const [amount, kind, model, supplier, ...others] = file.fields!;
    const changed: CommunityFile = {
      ...file,
      community: { key: 'second', name: 'Second', likeEnabled: false },
      catalogs: [file.catalogs![0]!, { ...file.catalogs![1]!, entries: [{ key: 's2', label: { en: 'Verdi' } }] }],
      groupRoles: [{ group: 'Auditors', role: 'READER' }],
      fields: [
        {
          ...kind,
          values: [
            { key: 'sw', label: 'Programs' },
            { key: 'cloud', label: 'Cloud' },
          ],
        },
        amount!,
        { ...model, values: [{ key: 'vm', label: 'Machine', parents: ['cloud'] }] },
        supplier!,
        ...others,
        { key: 'due', label: 'Due', type: 'DATE' },
      ],
      workflow: {
        ...file.workflow!,
        states: [...file.workflow!.states!, { key: 'refused', name: 'Refused', terminal: true }],
        transitions: [
          ...file.workflow!.transitions!,
          { key: 'refuse', name: 'Refuse', from: 'requested', to: 'refused' },
        ],
      },
    };
    const shown = await plan(changed);
    expect(kinds(shown)).toEqual([
      'create group Auditors',
      'change entry s2',
      'change community second',
      'create groupRole Auditors',
      'remove groupRole Buyers',
      'change field kind',
      'change field model',
      'create field due',
      'create state refused',
      'create transition refuse',
    ]);
    expect(shown.changes?.find((change) => change.kind === 'community')?.properties).toEqual([
      { name: 'likeEnabled', before: 'true', after: 'false' },
      {
        name: 'fieldOrder',
        before: '["amount","kind","model","supplier","buyer","margin"]',
        after: '["kind","amount","model","supplier","buyer","margin"]',
      },
    ]);
    const { status, text } = await apply(changed, shown);
    expect(status, text).toBe(200);
    const { $schema: _, ...now } = await exported(id);
    // Omitted entries stay: other communities may use them.
    expect(now).toEqual({
      ...changed,
      catalogs: [
        file.catalogs![0]!,
        { ...file.catalogs![1]!, entries: [file.catalogs![1]!.entries![0]!, { key: 's2', label: { en: 'Verdi' } }] },
      ],
    });
    expect(kinds(await plan(changed))).toEqual([]);
    // Defaults are compared in their stored form, whatever form the file uses.
    const due = { key: 'due', label: 'Due', type: 'DATE' as const, default: '2026-03-01' };
    const dated = { ...changed, fields: [...changed.fields!.slice(0, -1), due] };
    expect(kinds(await plan(dated))).toEqual(['change field due']);
    expect((await apply(dated, await plan(dated))).status).toBe(200);
    expect(kinds(await plan(dated))).toEqual([]);
  });

  test('names the communities and groups that fields name, by key', async () => {
    const linked = (key: string, community: string): CommunityFile => ({
      version: 1,
      workspace: purchasing().workspace!,
      community: { key, name: key },
      groupRoles: [],
      hashtags: [],
      fields: [
        {
          key: 'posts',
          label: 'Posts',
          type: 'GENERIC_ENTITY_LIST',
          metadata: { generic_entity_list_config_id: 'communication.post', community_id: community },
        },
        {
          key: 'people',
          label: 'People',
          type: 'GENERIC_ENTITY_LIST',
          metadata: { generic_entity_list_config_id: 'core.user', user_picker_from_group: 'Pickers' },
        },
      ],
    });
    const own = linked('linked', 'linked');
    const id = await build(own);
    expect(kinds(await plan(own))).toEqual([]);
    const { $schema: _, ...now } = await exported(id);
    expect(now).toEqual(own);
    const other = linked('linking', 'linked');
    const otherId = await build(other);
    expect((await exported(otherId)).fields).toEqual(other.fields);
    // A caller who does not see the other community does not learn its key.
    const manager = await tenant.createUser();
    await ok(admin, 'PUT', `/manage/communities/${otherId}/members`, { userRoles: [{ userId: manager, roleId: 1 }] });
    const [posts] = (await exported(otherId, manager)).fields!;
    expect(posts!.metadata!['community_id']).toBe(String(id));
    expect((await refused(other, manager)).status).toBe(400);
    const unknown = linked('lost', 'nowhere');
    const { status, answer } = await refused(unknown);
    expect(status).toBe(400);
    expect(answer.validationErrors.list).toMatchObject([
      { field: 'file.fields[0].metadata.community_id', code: 'UNKNOWN_REFERENCE' },
    ]);
  });

  test('names roles of the tenant, and makes and changes them for those who may', async () => {
    const file: CommunityFile = {
      ...purchasing(),
      community: { key: 'roles', name: 'Roles' },
      roles: [{ key: 'referee', name: 'Referee', permissions: ['readPublicPosts'] }, ...purchasing().roles!],
      groupRoles: [{ group: 'Referees', role: 'referee' }],
    };
    const shown = await plan(file);
    expect(kinds(shown)).toContain('create role referee');
    const id = await build(file);
    const { $schema: _, ...now } = await exported(id);
    expect({ ...now, roles: now.roles?.toReversed() }).toEqual(file);
    const manager = await tenant.createUser();
    await ok(admin, 'PUT', `/manage/communities/${id}/members`, { userRoles: [{ userId: manager, roleId: 1 }] });
    const changed = {
      ...file,
      roles: [{ ...file.roles![0]!, permissions: ['readAllPosts' as const] }, file.roles![1]!],
    };
    const change = await plan(changed);
    // A permission includes the permissions that it implies.
    expect(change.changes).toMatchObject([
      {
        action: 'change',
        kind: 'role',
        key: 'referee',
        properties: [{ name: 'permissions', after: '["readPublicPosts","readAllPosts"]' }],
      },
    ]);
    expect((await refused(changed, manager)).status).toBe(403);
    expect((await apply(file, await plan(file, manager), {}, manager)).status).toBe(200);
    expect((await apply(changed, change)).status).toBe(200);
    expect(kinds(await plan(changed))).toEqual([]);
    const unknown = { ...file, roles: [], groupRoles: [{ group: 'Referees', role: 'referee' }] };
    expect(
      (await refused(unknown)).answer.validationErrors.list.map(({ field }: { field: string }) => field).sort(),
    ).toEqual([
      'file.groupRoles[0].role',
      'file.workflow.screenFields[0].visibleToRoles[1]',
      'file.workflow.transitions[0].run.roles[0]',
    ]);
  });

  test('changes conditions, who sees a field, and screens, in whatever order the fields need it', async () => {
    const file = { ...purchasing(), community: { key: 'rules', name: 'Rules' } };
    const id = await build(file);
    const field = (key: string) => file.fields!.find((one) => one.key === key)!;
    const [approve] = file.workflow!.transitions!;
    const { conditions: _, ...model } = field('model');
    const { conditions: _before, ...margin } = field('margin');
    const [reason, ...screenFields] = file.workflow!.screenFields!;
    const changed: CommunityFile = {
      ...file,
      fields: [
        // Fewer roles see the amount and the fields that depend on it. The supplier now depends on
        // the kind; before, it was the reverse.
        { ...field('amount'), visibleToRoles: ['MANAGER'] },
        { ...field('kind'), conditions: [{ field: 'buyer', operator: 'notEmpty' }], visibleToRoles: ['CONTRIBUTOR'] },
        { ...model, visibleToRoles: ['CONTRIBUTOR'] },
        { ...field('supplier'), conditions: [{ field: 'kind', operator: 'notEmpty' }], visibleToRoles: ['MANAGER'] },
        field('buyer'),
        { ...margin, conditions: [{ field: 'later', operator: 'empty' }] },
        { key: 'later', label: 'Later', type: 'STRING', visibleToRoles: ['MANAGER'] },
      ],
      workflow: {
        ...file.workflow!,
        transitions: [{ ...approve!, conditions: [{ field: 'amount', operator: 'atMost', values: [50] }], sets: [] }],
        screens: [
          { name: 'Decision', fields: [{ field: 'note' }, { field: 'reason' }] },
          { name: 'Refusal', fields: [{ field: 'level', required: true }] },
        ],
        screenFields: [{ ...reason!, conditions: [] }, ...screenFields, { key: 'note', label: 'Note', type: 'STRING' }],
      },
    };
    const shown = await plan(changed);
    expect(kinds(shown)).toEqual([
      'change field amount',
      'change field kind',
      'change field model',
      'change field supplier',
      'change field margin',
      'create field later',
      'change screenField reason',
      'create screenField note',
      'change screen Decision',
      'create screen Refusal',
      'change transition approve',
    ]);
    const { status, text } = await apply(changed, shown);
    expect(status, text).toBe(200);
    expect(kinds(await plan(changed))).toEqual([]);
    expect(kinds(await plan(await exported(id)))).toEqual([]);

    const circle = {
      ...changed,
      fields: changed.fields!.map((one) =>
        one.key === 'kind' ? { ...one, conditions: [{ field: 'supplier', operator: 'notEmpty' as const }] } : one,
      ),
    };
    const round = await refused(circle);
    expect([round.status, round.answer.validationErrors.list[0].field]).toEqual([400, 'file.fields[1].conditions']);
    const wrong = {
      ...changed,
      workflow: {
        ...changed.workflow!,
        transitions: [
          {
            ...changed.workflow!.transitions![0]!,
            conditions: [
              { field: 'kind', operator: 'in' as const, values: ['none'] },
              { field: 'kind', operator: 'in' as const, values: ['hw'] },
            ],
          },
        ],
      },
    };
    const unknown = await refused(wrong);
    expect(unknown.answer.validationErrors.list).toMatchObject([
      {
        field: 'file.workflow.transitions[0].conditions[0].values[0]',
        defaultMessage: 'The field has no value "none".',
      },
    ]);
    const nowhere = {
      ...changed,
      fields: [{ ...field('amount'), conditions: [{ field: 'reason', operator: 'empty' as const }] }],
    };
    const { answer } = await refused(nowhere);
    expect(answer.validationErrors.list[0]).toMatchObject({
      field: 'file.fields[0].conditions[0].field',
      code: 'UNKNOWN_REFERENCE',
    });
  });

  test('is applied as planned or not at all', async () => {
    const file = { ...purchasing(), community: { key: 'third', name: 'Third' } };
    const first = await plan(file);
    const id = (await apply(file, first)).answer.communityId as number;
    expect((await apply(file, first)).status).toBe(409);
    const wider = { ...file, fields: [...file.fields!, { key: 'note', label: 'Note', type: 'STRING' as const }] };
    const shown = await plan(wider);
    const { occToken } = await ok(admin, 'GET', `/manage/communities/${id}`);
    await ok(admin, 'PUT', `/manage/communities/${id}`, { name: 'Renamed', externalId: 'third', occToken });
    const late = await apply(wider, shown);
    expect([late.status, late.answer.code]).toEqual([409, 'CONFLICT']);
    expect((await exported(id)).fields).toHaveLength(6);
    // The plan of one file does not apply to another file.
    expect((await apply({ ...wider, hashtags: ['x'] }, await plan(wider))).status).toBe(409);
  });

  test('names what is wrong where the file has it, and changes nothing then', async () => {
    const file = purchasing();
    const simple: CommunityFile['workflow'] = { title: 'Simple', states: [{ key: 'new', name: 'New', initial: true }] };
    const broken: CommunityFile = {
      ...file,
      community: { key: 'broken', name: 'Broken' },
      workflow: simple,
      fields: [
        { key: 'a', label: 'A', type: 'STRING' },
        { key: 'a', label: '', type: 'STRING' },
        { key: 'c', label: 'C', type: 'ENUM', catalog: 'none' },
      ],
    };
    expect(
      (await refused(broken)).answer.validationErrors.list.map(({ field, code }: { field: string; code: string }) => [
        field,
        code,
      ]),
    ).toEqual([
      ['file.fields[1].key', 'DUPLICATE_VALUE'],
      ['file.fields[2].catalog', 'UNKNOWN_REFERENCE'],
    ]);
    const empty = {
      ...file,
      community: { key: 'broken', name: 'Broken' },
      workflow: simple,
      fields: [{ key: 'a', label: ' ', type: 'STRING' as const }],
    };
    const { status, answer } = await refused(empty);
    expect([status, answer.validationErrors.list[0].field]).toEqual([400, 'file.fields[0].label']);
    const missing = await send(admin, 'POST', '/manage/community-plans', {});
    expect(missing.answer.validationErrors.list.map(({ field }: { field: string }) => field)).toContain('file');
    expect((await plan(file)).communityId).toBeDefined();
  });

  test('is for managers of the community and administrators of the workplace; others learn nothing', async () => {
    const file = { ...purchasing(), community: { key: 'fourth', name: 'Fourth' } };
    const id = await build(file);
    const [manager, stranger] = [await tenant.createUser(), await tenant.createUser()];
    await ok(admin, 'PUT', `/manage/communities/${id}/members`, { userRoles: [{ userId: manager, roleId: 1 }] });
    expect((await exported(id, manager)).community).toEqual(file.community);
    const changed = { ...file, community: { key: 'fourth', name: 'Fourth', draft: true } };
    expect((await apply(changed, await plan(changed, manager), {}, manager)).status).toBe(200);
    expect((await send(stranger, 'GET', `/manage/communities/${id}/file`)).status).toBe(404);
    const known = await send(stranger, 'POST', '/data/community-plans', { file });
    const unknown = await send(stranger, 'POST', '/data/community-plans', {
      file: { ...file, community: { key: 'nothing', name: 'Nothing' } },
    });
    expect([known.status, unknown.status]).toEqual([403, 403]);
    expect({ ...known.answer, requestId: '' }).toEqual({ ...unknown.answer, requestId: '' });
    // Managers of a single community may not change catalogs.
    const catalogs = [{ ...file.catalogs![0]!, name: { en: 'Lands' } }, file.catalogs![1]!];
    const shared = { ...changed, catalogs };
    expect((await refused(shared, manager)).status).toBe(403);
  });

  test('removes fields and changes their types, and says first what posts hold of them', async () => {
    const field = (key: string, type: 'STRING' | 'INT' | 'ENUM', more: object = {}) => ({
      key,
      label: key,
      type,
      ...more,
    });
    const values = [{ key: 'red', label: 'Red' }];
    const file: CommunityFile = {
      version: 1,
      workspace: { key: 'ops', name: 'Operations', translations: { it: 'Operazioni' } },
      community: { key: 'sixth', name: 'Sixth' },
      groupRoles: [],
      hashtags: [],
      fields: [
        field('note', 'STRING'),
        field('size', 'STRING'),
        field('colour', 'STRING'),
        field('kind', 'ENUM', { values }),
        field('model', 'ENUM', { parent: 'kind', values: [{ key: 'm', label: 'M', parents: ['red'] }] }),
      ],
    };
    const id = await build(file);
    const path = '/portal/api/communication';
    const definition = async () =>
      (await tenant.request(admin, 'GET', `${path}/settings/communities/${id}/post-definition`)).body
        .fieldDefinitions as { id: number; label: string; type: number; enumValues: { id: number }[] }[];
    const before = await definition();
    const idOf = (label: string) => before.find((one) => one.label === label)!.id;
    const post = {
      title: 'First',
      announcement: false,
      customData: { [idOf('note')]: 'Hello', [idOf('size')]: '12', [idOf('colour')]: 'Red' },
    };
    const { body: made } = await tenant.request(admin, 'POST', `${path}/posts/manage/create-post/${id}`, post);
    const after: CommunityFile = {
      ...file,
      fields: [field('colour', 'ENUM', { values }), field('size', 'INT'), field('remark', 'STRING')],
    };
    const shown = await plan(after);
    expect(shown.changes?.map(({ action, kind, key, postsCount }) => [action, kind, key, postsCount])).toEqual([
      ['change', 'community', 'sixth', undefined],
      ['change', 'field', 'colour', undefined],
      ['change', 'field', 'size', undefined],
      ['create', 'field', 'remark', undefined],
      ['remove', 'field', 'note', 1],
      ['remove', 'field', 'kind', undefined],
      ['remove', 'field', 'model', undefined],
    ]);
    const faults = async (...fieldChanges: object[]) => {
      const { answer, status } = await apply(after, shown, { fieldChanges });
      expect(status).toBe(400);
      return answer.validationErrors.list.map(({ field: at, code }: { field: string; code: string }) => [at, code]);
    };
    expect(await faults()).toEqual([['fieldChanges', 'MAPPING_REQUIRED']]);
    const into = { field: 'note', onExisting: 'map' };
    expect(await faults({ ...into, into: 'none' })).toEqual([['fieldChanges[0].into', 'UNKNOWN_REFERENCE']]);
    expect(await faults({ field: 'remark', onExisting: 'keep' }, { onExisting: 'keep' })).toEqual([
      ['fieldChanges[0].field', 'UNKNOWN_REFERENCE'],
      ['fieldChanges[1].field', 'INVALID_VALUE'],
      ['fieldChanges[1].field', 'UNKNOWN_REFERENCE'],
    ]);
    const done = await apply(after, shown, { fieldChanges: [{ ...into, into: 'remark' }] });
    expect(done.status, done.text).toBe(200);
    expect(kinds(await plan(after))).toEqual([]);
    const { $schema: _, ...now } = await exported(id);
    expect(now).toEqual(after);
    const [colour, size, remark] = await definition();
    const detail = await tenant.request(admin, 'GET', `${path}/posts/data/post-detail-by-id/${made.postId}`);
    expect(detail.body.customData).toEqual({
      [colour!.id]: colour!.enumValues[0]!.id,
      [size!.id]: 12,
      [remark!.id]: 'Hello',
    });
  });
});
