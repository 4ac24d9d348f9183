/** Plans of changes: one validation with their application, losses, findings, rights, rollbacks. */
import type { CommunityFile, PlanCommunityResponse } from '@portico/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestPortal, type TestPortal, type TestTenant } from '../../../../test/support/index.ts';

const ADMIN = '/portal/api/admin';
const POSTS = '/portal/api/communication/posts';

let portal: TestPortal;
let tenant: TestTenant;
let admin: number;

beforeAll(async () => {
  portal = await createTestPortal();
  tenant = await portal.createTenant();
  admin = await tenant.createUser({ admin: true });
});
afterAll(() => portal?.close());

async function ok(method: string, path: string, body?: object, actor = admin) {
  const { status, body: answer, text } = await tenant.request(actor, method, path, body);
  expect(status, text).toBe(200);
  return answer;
}
const plan = (request: object, actor = admin): Promise<PlanCommunityResponse> =>
  ok('POST', `${ADMIN}/data/community-plans`, request, actor);
const apply = (request: object, actor = admin) =>
  tenant.request(actor, 'POST', `${ADMIN}/manage/community-plans`, request);
async function applied(request: object) {
  const { status, body, text } = await apply(request);
  expect(status, text).toBe(200);
  return body;
}
const exported = (id: number): Promise<CommunityFile> => ok('GET', `${ADMIN}/manage/communities/${id}/file`);

type Field = NonNullable<CommunityFile['fields']>[number];
type Workflow = NonNullable<CommunityFile['workflow']>;

/** A community with a choice, a text and a workflow of three states. */
function desk(key: string): CommunityFile & { fields: Field[]; workflow: Workflow } {
  return {
    version: 1,
    workspace: { key: 'ops', name: 'Operations' },
    community: { key, name: key },
    groupRoles: [],
    hashtags: [],
    fields: [
      {
        key: 'size',
        label: 'Size',
        type: 'ENUM',
        values: [
          { key: 'standard', label: 'Standard' },
          { key: 'large', label: 'Large' },
        ],
      },
      { key: 'note', label: 'Note', type: 'STRING' },
      { key: 'urgent', label: 'Urgent', type: 'FLAG' },
    ],
    workflow: {
      title: 'Desk',
      states: [
        { key: 'new', name: 'New', initial: true },
        { key: 'work', name: 'In work' },
        { key: 'done', name: 'Done', terminal: true },
      ],
      transitions: [
        { key: 'start', name: 'Start', from: 'new', to: 'work' },
        { key: 'end', name: 'End', from: 'work', to: 'done' },
      ],
      screens: [],
      screenFields: [],
    },
  };
}

interface Part {
  id: number;
  label?: string;
  name?: string;
  enumValues?: { id: number; label: string }[];
}

/** Applies a file, and returns functions that write and read posts of the community. */
async function build(file: CommunityFile) {
  const { communityId: id } = await applied({ file });
  const path = `/portal/api/communication/settings/communities/${id}/post-definition`;
  const definition = async (): Promise<{ fieldDefinitions: Part[]; workflowDefinition: { states: Part[] } }> =>
    ok('GET', path);
  const { fieldDefinitions } = await definition();
  const field = (label: string) => fieldDefinitions.find((one) => one.label === label)!;
  const value = (of: string, label: string) => field(of).enumValues!.find((one) => one.label === label)!.id;
  return {
    id,
    definition,
    field,
    value,
    post: async (title: string, customData: object = {}): Promise<number> => {
      const body = { title, description: 'Text', descriptionFormat: 2, announcement: false, customData };
      return (await ok('POST', `${POSTS}/manage/create-post/${id}`, body)).postId;
    },
    /** Returns state and custom values of a post. */
    read: async (postId: number) => {
      const { customData = {}, currentWorkflowState } = await ok('GET', `${POSTS}/data/post-detail-by-id/${postId}`);
      return { customData, state: currentWorkflowState?.name as string | undefined };
    },
  };
}

const withFields = (file: ReturnType<typeof desk>, change: (fields: Field[]) => Field[]): CommunityFile => ({
  ...file,
  fields: change(structuredClone(file.fields)),
});
const edited = (index: number, more: object) => (fields: Field[]) =>
  fields.map((field, place) => (place === index ? { ...field, ...more } : field));

const conditions = (field: string, value: unknown) => ({
  conditions: [{ field, operator: 'in', values: [value] }],
});

/** Files that apply refuses: the change, the place and words of the error. */
const BAD: readonly [string, (file: ReturnType<typeof desk>) => CommunityFile, string, RegExp][] = [
  [
    'a colour',
    (file) => ({ ...file, community: { ...file.community, color: 'blue' } }),
    'file.community.color',
    /"blue"/,
  ],
  [
    'digits in words',
    (file) =>
      withFields(file, (fields) => [
        ...fields,
        { key: 'cost', label: 'Cost', type: 'DECIMAL', metadata: { decimal_digits: 'two' } },
      ]),
    'file.fields[3].metadata.decimal_digits',
    /"two"/,
  ],
  [
    'a word for yes',
    (file) => withFields(file, edited(1, conditions('urgent', 'yes'))),
    'file.fields[1].conditions[0].values[0]',
    /"yes"/,
  ],
  [
    'neither yes nor no',
    (file) => withFields(file, edited(1, conditions('urgent', 'maybe'))),
    'file.fields[1].conditions[0].values[0]',
    /"maybe"/,
  ],
  [
    'a misspelt value',
    (file) => withFields(file, edited(1, conditions('size', 'standrd'))),
    'file.fields[1].conditions[0].values[0]',
    /"standrd"; the nearest is "standard"/,
  ],
  [
    'no initial state',
    (file) => ({
      ...file,
      workflow: { ...file.workflow, states: file.workflow.states!.map(({ initial: _, ...state }) => state) },
    }),
    'file.workflow.states',
    /initial/,
  ],
  [
    'a bound in words',
    (file) =>
      withFields(file, (fields) => [
        ...fields,
        { key: 'count', label: 'Count', type: 'INT', rules: [{ rule: 'MIN_VALUE', parameter: 'zero' }] },
      ]),
    'file.fields[3].rules[0]',
    /"zero"/,
  ],
  [
    'a rule of texts on a number',
    (file) =>
      withFields(file, (fields) => [
        ...fields,
        { key: 'count', label: 'Count', type: 'INT', rules: [{ rule: 'MAX_LENGTH', parameter: '3' }] },
      ]),
    'file.fields[3].rules[0]',
    /MAX_LENGTH/,
  ],
  [
    'a language in words',
    (file) => withFields(file, edited(1, { translations: { english: 'Note' } })),
    'file.fields[1].translations.english',
    /english/,
  ],
  [
    'a default that is neither yes nor no',
    (file) => withFields(file, edited(2, { default: 'maybe' })),
    'file.fields[2].default',
    /"maybe"/,
  ],
  [
    'a misspelt key of the metadata',
    (file) =>
      withFields(file, (fields) => [
        ...fields,
        { key: 'cost', label: 'Cost', type: 'DECIMAL', metadata: { decimal_digit: '2' } },
      ]),
    'file.fields[3].metadata.decimal_digit',
    /"decimal_digit"; the nearest is "decimal_digits"/,
  ],
  [
    'a misspelt field',
    (file) => withFields(file, edited(1, conditions('sise', 'large'))),
    'file.fields[1].conditions[0].field',
    /"sise"; the nearest is "size"/,
  ],
];

test.for(BAD)(
  'plan and apply refuse %s in the same words, for a new and a present community',
  async ([, change, field, words]) => {
    const file = desk('bad');
    for (const present of [false, true]) {
      if (present) await applied({ file });
      const answers = [];
      for (const path of ['/data/community-plans', '/manage/community-plans']) {
        const { status, body } = await tenant.request(admin, 'POST', `${ADMIN}${path}`, { file: change(file) });
        answers.push([status, body.validationErrors?.list]);
      }
      expect(answers[0]).toEqual(answers[1]);
      expect(answers[0]).toMatchObject([400, [{ field, defaultMessage: expect.stringMatching(words) }]]);
    }
  },
);

test('a key of the metadata that is stored is accepted unchanged, also in a form', async () => {
  const made = await build(desk('stored'));
  const { db } = await tenant.scope(admin);
  await db.execute(`UPDATE fields SET metadata = '{"tool": "x"}' WHERE tenant_id = $1 AND id = $2`, [
    db.tenantId,
    made.field('Note').id,
  ]);
  await db.execute('UPDATE tenant_versions SET definitions_version = definitions_version + 1 WHERE tenant_id = $1', [
    db.tenantId,
  ]);
  const file = await exported(made.id);
  expect(file.fields![1]!.metadata).toEqual({ tool: 'x' });
  expect((await plan({ file })).changes).toEqual([]);
  const path = `${ADMIN}/manage/communities/${made.id}/fields/${made.field('Note').id}`;
  const { occToken, type: _type, ...form } = await ok('GET', path);
  await ok('PUT', path, { ...form, label: 'Notes', occToken });
  const { status, body } = await tenant.request(admin, 'PUT', path, {
    ...form,
    metadata: { tool: 'y' },
    occToken: (await ok('GET', path)).occToken,
  });
  expect([status, body.validationErrors.list[0].field]).toEqual([400, 'metadata.tool']);
});

test('a plan tells losses, choices and new faults; apply demands the choices and does what was told', async () => {
  const file = desk('losses');
  const made = await build(file);
  const one = await made.post('One', { [made.field('Size').id]: made.value('Size', 'Large') });
  const two = await made.post('Two', { [made.field('Note').id]: 'Hello' });
  const smaller: CommunityFile = {
    ...file,
    fields: [{ ...file.fields[0]!, values: [file.fields[0]!.values![0]!] }, file.fields[2]!],
    workflow: {
      ...file.workflow,
      states: [{ key: 'work', name: 'In work', initial: true }, file.workflow.states![2]!],
      transitions: [],
    },
  };
  const shown = await plan({ file: smaller });
  expect(shown.losses).toMatchObject([
    { kind: 'values', field: 'size', postsCount: 1, valuesCount: 1, examples: [{ postId: one, title: 'One' }] },
    { kind: 'state', state: 'new', postsCount: 2, choices: ['keep', 'map'] },
    { kind: 'field', field: 'note', postsCount: 1, examples: [{ postId: two, title: 'Two' }] },
  ]);
  expect(shown.findings?.map(({ kind, new: fresh, stateName }) => [kind, fresh, stateName])).toEqual([
    ['UNREACHABLE_STATE', true, 'Done'],
    ['DEAD_END', true, 'In work'],
    ['POSTS_IN_UNUSED_STATE', true, 'New'],
  ]);
  const { planToken } = shown;
  const open = await apply({ file: smaller, planToken });
  expect([open.status, open.body.validationErrors.list.map(({ code }: { code: string }) => code)]).toEqual([
    400,
    ['MAPPING_REQUIRED', 'MAPPING_REQUIRED', 'MAPPING_REQUIRED'],
  ]);
  const keeping = { onExisting: 'keep', fieldChanges: [{ field: 'note', onExisting: 'keep' }] };
  const kept = (await plan({ file: smaller, ...keeping })).losses;
  expect(kept?.map(({ chosen }) => chosen)).toEqual(['keep', 'keep', 'keep']);
  const choices = {
    stateChanges: [
      {
        state: 'new',
        onExisting: 'map',
        into: 'done',
        conditions: [{ field: 'size', operator: 'in', values: ['standard'] }],
      },
      { state: 'new', onExisting: 'map', into: 'work' },
    ],
    fieldChanges: [
      { field: 'size', onExisting: 'map', values: [{ value: 'large', into: 'standard' }] },
      { field: 'note', onExisting: 'clear' },
    ],
  };
  const decided = await plan({ file: smaller, ...choices });
  expect(decided.losses?.map(({ chosen }) => chosen)).toEqual(['map', 'map', 'clear']);
  expect(decided.findings?.map(({ kind }) => kind)).not.toContain('POSTS_IN_UNUSED_STATE');
  const done = await applied({ file: smaller, planToken: decided.planToken, ...choices });
  expect(done.losses).toEqual(decided.losses);
  const size = made.field('Size').id;
  expect(await made.read(one)).toEqual({
    customData: { [size]: made.value('Size', 'Standard') },
    state: 'Done',
  });
  expect(await made.read(two)).toEqual({ customData: {}, state: 'In work' });
});

test('examples are posts that the planner sees, names are those that they may know', async () => {
  const file = desk('hidden');
  const made = await build(file);
  await made.post('Secret', { [made.field('Note').id]: 'Hello' });
  const members = [await tenant.createUser(), await tenant.createUser(), await tenant.createUser()];
  await ok('POST', `${ADMIN}/manage/groups`, { name: 'Readers', visible: true, memberIds: members });
  // An administrator without a role reads no posts.
  const outsider = await tenant.createUser({ admin: true });
  const less = {
    ...withFields(file, (fields) => [fields[0]!, fields[2]!]),
    groupRoles: [{ group: 'Readers', role: 'READER' }],
  };
  const shown = await plan({ file: less }, outsider);
  expect(shown.losses).toMatchObject([{ postsCount: 1, examples: [] }]);
  expect(shown.accessChanges).toMatchObject([
    { permission: 'seeCommunity', gainingCount: 3, losingCount: 0 },
    { permission: 'readPublicPosts', gainingCount: 3 },
  ]);
  expect(shown.accessChanges![0]!.gaining?.map(({ id }) => id).sort()).toEqual(members.toSorted());
  const manager = await tenant.createUser();
  await ok('PUT', `${ADMIN}/manage/communities/${made.id}/members`, { userRoles: [{ userId: manager, roleId: 1 }] });
  const seen = await plan({ file: less }, manager);
  expect(seen.losses).toMatchObject([{ postsCount: 1, examples: [{ title: 'Secret' }] }]);
  expect(seen.accessChanges![0]).toMatchObject({ gaining: [], gainingCount: 3 });
});

test('a rollback is a plan: its losses need a choice, and its posts find a way out', async () => {
  const file = desk('back');
  const made = await build(file);
  const { occToken: version } = await ok('GET', `${ADMIN}/manage/communities/${made.id}`);
  const wider = structuredClone(file);
  wider.workflow.states = [{ key: 'check', name: 'Check', initial: true }, ...wider.workflow.states!];
  wider.workflow.states[1]!.initial = false;
  wider.workflow.transitions!.push({ key: 'checked', name: 'Checked', from: 'check', to: 'new' });
  await applied({ file: wider });
  const post = await made.post('Waiting');
  const back = { communityId: made.id, version };
  const shown = await plan(back);
  expect(shown.losses).toMatchObject([{ kind: 'state', state: 'check', postsCount: 1, choices: ['keep', 'map'] }]);
  expect(shown.findings).toMatchObject([{ kind: 'POSTS_IN_UNUSED_STATE', new: true, stateName: 'Check' }]);
  expect(shown.changes?.map(({ action, kind, key }) => `${action} ${kind} ${key}`)).toEqual([
    'change state new',
    'remove state check',
    'remove transition checked',
  ]);
  expect((await apply(back)).status).toBe(400);
  const choices = { stateChanges: [{ state: 'check', onExisting: 'map', into: 'new' }] };
  const { planToken, findings } = await plan({ ...back, ...choices });
  expect(findings).toEqual([]);
  await applied({ ...back, ...choices, planToken });
  expect((await made.read(post)).state).toBe('New');
  const { $schema: _, ...now } = await exported(made.id);
  expect(now).toEqual(file);
});

test('moved keys keep objects and data; moves of values and posts need no further choice', async () => {
  const file = desk('moved');
  const made = await build(file);
  const post = await made.post('One', {
    [made.field('Size').id]: made.value('Size', 'Large'),
    [made.field('Note').id]: 'Hello',
  });
  const renamed: CommunityFile = {
    ...file,
    moved: [
      { field: 'note', to: 'remark' },
      { field: 'size', value: 'standard', to: 'usual' },
      { field: 'size', value: 'large', to: 'usual' },
      { state: 'new', to: 'open' },
      { transition: 'start', to: 'begin' },
    ],
    fields: [
      { ...file.fields[0]!, values: [{ key: 'usual', label: 'Usual' }] },
      { ...file.fields[1]!, key: 'remark', label: 'Remark' },
      file.fields[2]!,
    ],
    workflow: {
      ...file.workflow,
      states: [{ key: 'open', name: 'Open', initial: true }, ...file.workflow.states!.slice(1)],
      transitions: [{ key: 'begin', name: 'Begin', from: 'open', to: 'work' }, file.workflow.transitions![1]!],
    },
  };
  const shown = await plan({ file: renamed });
  expect(shown.changes?.map(({ action, kind, key }) => `${action} ${kind} ${key}`)).toEqual([
    'change field size',
    'change field remark',
    'change state open',
    'change transition begin',
  ]);
  await applied({ file: renamed, planToken: shown.planToken });
  const size = made.field('Size').id;
  expect(await made.read(post)).toEqual({
    customData: { [size]: made.value('Size', 'Standard'), [made.field('Note').id]: 'Hello' },
    state: 'Open',
  });
  const { $schema: _, ...now } = await exported(made.id);
  const { moved: _moved, ...wanted } = renamed;
  expect(now).toEqual(wanted);
  // Entries whose objects are gone have no effect.
  expect((await plan({ file: renamed })).changes).toEqual([]);
});

test('a plan names a community that it would create', async () => {
  await ok('POST', `${ADMIN}/manage/groups`, { name: 'Newcomers', memberIds: [await tenant.createUser()] });
  const file = { ...desk('fresh'), groupRoles: [{ group: 'Newcomers', role: 'READER' }] };
  const { accessChanges = [] } = await plan({ file });
  expect(accessChanges).toContainEqual(expect.objectContaining({ permission: 'seeCommunity', gainingCount: 2 }));
  expect(accessChanges.map(({ communityName }) => communityName)).toEqual(accessChanges.map(() => 'fresh'));
});

test('dry runs of roles and groups tell who gains and loses rights', async () => {
  const made = await build(desk('rights'));
  const [reader, member] = [await tenant.createUser(), await tenant.createUser()];
  const { id: group } = await ok('POST', `${ADMIN}/manage/groups`, { name: 'Rights', memberIds: [member] });
  const members = `${ADMIN}/manage/communities/${made.id}/members`;
  const giving = { userRoles: [{ userId: reader, roleId: 3 }], groupRoles: [{ groupId: group, roleId: 3 }] };
  const told = (answer: { dryRun: { accessChanges?: object[] } }) => answer.dryRun.accessChanges;
  expect(told(await ok('PUT', `${members}?dryRun=true`, giving))).toMatchObject([
    { communityId: made.id, communityName: 'rights', permission: 'seeCommunity', gainingCount: 2, losingCount: 0 },
    { permission: 'readPublicPosts', gainingCount: 2 },
  ]);
  await ok('PUT', members, giving);
  expect(told(await ok('DELETE', `${ADMIN}/manage/groups/${group}?dryRun=true`))).toMatchObject([
    { communityId: made.id, permission: 'seeCommunity', losing: [{ id: member }], losingCount: 1 },
    { permission: 'readPublicPosts', losingCount: 1 },
  ]);
  const everywhere = { groupRoles: [{ groupId: group, roleId: 2 }] };
  const gained = told(await ok('PUT', `${ADMIN}/manage/members-everywhere?dryRun=true`, everywhere));
  expect(gained).toContainEqual(
    expect.objectContaining({ communityId: made.id, permission: 'createPosts', gaining: [expect.anything()] }),
  );
  const role = { name: 'Auditor', permissions: ['readAllPosts'] };
  const { id: roleId, nextOccToken } = await ok('POST', `${ADMIN}/manage/roles`, role);
  await ok('PUT', members, { groupRoles: [{ groupId: group, roleId }] });
  const edit = { name: 'Auditor', permissions: ['readPublicPosts'], occToken: nextOccToken };
  expect(told(await ok('PUT', `${ADMIN}/manage/roles/${roleId}?dryRun=true`, edit))).toMatchObject([
    { permission: 'readAllPosts', losing: [{ id: member }], losingCount: 1, gainingCount: 0 },
  ]);
});

test('dry runs that create people with rights tell their names', async () => {
  const told = (answer: { dryRun: { accessChanges?: object[] } }) => answer.dryRun.accessChanges;
  const person = { firstname: 'Nora', lastname: 'Neu', adminCapabilities: ['manageUsers'] };
  const expected = [
    { permission: 'manageUsers', gaining: [{ name: 'Nora Neu' }], gainingCount: 1, losing: [], losingCount: 0 },
  ];
  expect(told(await ok('POST', `${ADMIN}/manage/users?dryRun=true`, person))).toMatchObject(expected);
  const csv = 'firstname;lastname;contactEmail;adminCapabilities\nNora;Neu;nora@x.test;manageUsers\n';
  const imported = await ok('POST', `${ADMIN}/manage/users/import?dryRun=true`, { csv, invite: false });
  expect(told(imported)).toMatchObject(expected);
  const account = { name: 'Robot', adminCapabilities: ['manageUsers'] };
  expect(told(await ok('POST', `${ADMIN}/manage/service-accounts?dryRun=true`, account))).toMatchObject([
    { permission: 'manageUsers', gaining: [{ name: 'Robot' }] },
  ]);
});
