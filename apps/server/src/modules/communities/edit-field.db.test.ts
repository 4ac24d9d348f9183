/** Managers create and edit custom fields while posts hold values. */
import { FieldType, ValidationType } from '@portico/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestPortal, type TestPortal, type TestTenant } from '../../../test/support/index.ts';

let portal: TestPortal;
let tenant: TestTenant;
let admin: number;
let communityId: number;
const ADMIN = '/portal/api/admin';

beforeAll(async () => {
  portal = await createTestPortal();
  tenant = await portal.createTenant();
  admin = await tenant.createUser({ admin: true });
  const { workspaceId } = await ask('POST', '/manage/workspaces', { name: 'Workspace' });
  ({ communityId } = await ask('POST', '/manage/communities', { workspaceId, name: 'Purchasing' }));
});
afterAll(() => portal?.close());

async function ask(method: string, path: string, body?: object) {
  const { status, body: answer, text } = await tenant.request(admin, method, `${ADMIN}${path}`, body);
  expect(status, text).toBe(200);
  return answer;
}
const fields = () => `/manage/communities/${communityId}/fields`;
const post = (customData: object) =>
  tenant.request(admin, 'POST', `/portal/api/communication/posts/manage/create-post/${communityId}`, {
    ...{ title: 'Order', description: 'Text', descriptionFormat: 2, announcement: false },
    customData,
  });
async function definition() {
  const path = `/portal/api/communication/settings/communities/${communityId}/post-definition`;
  const { status, body, text } = await tenant.request(admin, 'GET', path);
  expect(status, text).toBe(200);
  return body.fieldDefinitions as { id: number; label: string }[];
}

test('a field of every type can be added, read and written back as it is', async () => {
  const config = { generic_entity_list_config_id: 'core.user' };
  const made: { id: number; label: string }[] = [];
  for (const [name, type] of Object.entries(FieldType)) {
    const parent = made.find(({ label }) => label === 'ENUM');
    const { fieldId } = await ask('POST', fields(), {
      label: name,
      type,
      ...(type === FieldType.GENERIC_ENTITY_LIST && { metadata: config }),
      ...(type === FieldType.ENUM && { enumValues: [{ label: 'One' }, { label: 'Two', externalId: '2' }] }),
      ...(type === FieldType.HIERARCHICAL_ENUM && parent && { parentId: parent.id }),
    });
    made.push({ id: fieldId, label: name });
  }
  expect((await definition()).map(({ id, label }) => ({ id, label }))).toEqual(made);
  for (const { id } of made) {
    const form = await ask('GET', `${fields()}/${id}`);
    const { type, catalogId, parentId, ...same } = form;
    const { nextOccToken } = await ask('PUT', `${fields()}/${id}`, same);
    expect(await ask('GET', `${fields()}/${id}`)).toEqual({ ...form, occToken: nextOccToken });
  }
});

test('values are renamed, ordered, added and taken out of use; posts keep theirs', async () => {
  const enumValues = [{ label: 'High' }, { label: 'Low' }];
  const { fieldId, enumValueIds } = await ask('POST', fields(), {
    label: 'Priority',
    type: FieldType.ENUM,
    enumValues,
  });
  const [high, low] = enumValueIds as [number, number];
  const made = await post({ [fieldId]: low });
  expect(made.status, made.text).toBe(200);
  const { occToken } = await ask('GET', `${fields()}/${fieldId}`);
  const edit = {
    label: 'Urgency',
    position: 1,
    enumValues: [{ label: 'Critical' }, { id: high, label: 'Very high' }],
    occToken,
  };
  const refused = await tenant.request(admin, 'PUT', `${ADMIN}${fields()}/${fieldId}`, edit);
  expect(refused.body.validationErrors.list).toMatchObject([
    { field: 'onExisting', code: 'MAPPING_REQUIRED', args: [1, 1, made.body.postId] },
  ]);
  await ask('PUT', `${fields()}/${fieldId}`, { ...edit, onExisting: 'keep' });
  const [first] = (await definition()) as { id: number; label: string; enumValues?: object[] }[];
  expect(first).toMatchObject({
    id: fieldId,
    label: 'Urgency',
    enumValues: [
      { label: 'Critical', deleted: false },
      { id: high, label: 'Very high', deleted: false },
      { id: low, label: 'Low', deleted: true },
    ],
  });
  const path = `/portal/api/communication/posts/data/post-detail-by-id/${made.body.postId}`;
  const { body: shown, text } = await tenant.request(admin, 'GET', path);
  expect(shown.customData?.[fieldId], text).toBe(low);
  expect((await post({ [fieldId]: low })).status).toBe(400);
  expect((await post({ [fieldId]: high })).status).toBe(200);
});

test('a rule that is added holds for what is written from then on', async () => {
  const { fieldId } = await ask('POST', fields(), { label: 'Amount', type: FieldType.INT, sortable: true });
  expect((await post({ [fieldId]: -1 })).status).toBe(200);
  const { occToken, ...form } = await ask('GET', `${fields()}/${fieldId}`);
  await ask('PUT', `${fields()}/${fieldId}`, {
    label: form.label,
    required: true,
    validations: [{ validationTypeId: ValidationType.MIN_VALUE, parameter: '0' }],
    occToken,
  });
  const refused = await post({ [fieldId]: -1 });
  expect(refused.body.validationErrors.list).toMatchObject([{ customFieldId: fieldId, code: 'CUSTOM_VALIDATION' }]);
  expect((await post({})).body.validationErrors.list).toMatchObject([{ code: 'REQUIRED_FIELD' }]);
  // An edit can delete the rules again.
  const { occToken: token } = await ask('GET', `${fields()}/${fieldId}`);
  await ask('PUT', `${fields()}/${fieldId}`, { label: 'Amount', required: false, validations: [], occToken: token });
  expect((await post({})).status).toBe(200);
});

test('sixteen who edit fields and write posts at once lose nothing', async () => {
  const { fieldId } = await ask('POST', fields(), { label: 'Counted', type: FieldType.INT });
  const edit = async (label: string): Promise<void> => {
    for (;;) {
      const { occToken } = await ask('GET', `${fields()}/${fieldId}`);
      const body = { label, enumValues: [], occToken };
      const { status, text } = await tenant.request(admin, 'PUT', `${ADMIN}${fields()}/${fieldId}`, body);
      if (status === 200) return;
      expect(status, text).toBe(409);
    }
  };
  const posts = Array.from({ length: 12 }, (_, n) => post({ [fieldId]: n }));
  await Promise.all([...['a', 'b', 'c', 'd'].map((label) => edit(label)), ...posts]);
  const answers = await Promise.all(posts);
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  const { db } = await tenant.scope(admin);
  const [row] = await db.query<{ values: number }>(
    'SELECT count(*) AS values FROM post_values WHERE tenant_id = $1 AND field_id = $2 AND NOT empty',
    [db.tenantId, fieldId],
  );
  expect(row?.values).toBe(12);
});

test('a community without a workflow is given one, by which posts then move; it is not given a second one', async () => {
  const { workspaceId } = await ask('POST', '/manage/workspaces', { name: 'Second' });
  const made = await ask('POST', '/manage/communities', { workspaceId, name: 'Requests' });
  const path = `/manage/communities/${made.communityId}/workflow`;
  const workflow = {
    title: 'Approval',
    states: [
      { name: 'Requested', initial: true },
      { name: 'Approved', terminal: true },
    ],
    transitions: [{ name: 'Approve', from: 'Requested', to: 'Approved', screen: 'Decision', run: { roles: [1] } }],
    screens: [{ name: 'Decision', fields: [{ label: 'Reason', required: true }] }],
    screenFields: [{ label: 'Reason', type: FieldType.TEXT_AREA }],
  };
  const { stateIds, transitionIds } = await ask('POST', path, workflow);
  expect((await tenant.request(admin, 'POST', `${ADMIN}${path}`, workflow)).status).toBe(409);
  const posts = '/portal/api/communication/posts';
  const text = { title: 'Chair', description: 'Text', descriptionFormat: 2, announcement: false };
  const { body } = await tenant.request(admin, 'POST', `${posts}/manage/create-post/${made.communityId}`, text);
  const shown = async () =>
    (await tenant.request(admin, 'GET', `${posts}/data/post-detail-by-id/${body.postId}`)).body.currentWorkflowState
      ?.id;
  expect(await shown()).toBe(stateIds[0]);
  const definition = await tenant.request(
    admin,
    'GET',
    `/portal/api/communication/settings/communities/${made.communityId}/post-definition`,
  );
  const [reason] = definition.body.workflowDefinition.screenFieldMetadatas as { id: number }[];
  const run = (screenData: object) =>
    tenant.request(
      admin,
      'POST',
      `${posts}/manage/execute-post-workflow-operation/${body.postId}/${transitionIds[0]}`,
      { screenData, screenOccToken: 1 },
    );
  expect((await run({})).status).toBe(400);
  const moved = await run({ [reason!.id]: 'Needed' });
  expect(moved.status, moved.text).toBe(200);
  expect(await shown()).toBe(stateIds[1]);
  // A state with posts is taken out of use only if the request says where the posts go.
  const form = await ask('GET', path);
  const [requested, approved] = form.states as { id: number; name: string }[];
  const changed = {
    states: [
      { ...requested, name: 'Asked for' },
      { name: 'Refused', terminal: true, color: '#aa0000' },
    ],
    transitions: [{ name: 'Refuse', from: 'Asked for', to: 'Refused' }],
    occToken: form.occToken,
  };
  const refused = await tenant.request(admin, 'PUT', `${ADMIN}${path}`, changed);
  expect(refused.status).toBe(400);
  expect(refused.body.validationErrors.list).toMatchObject([
    { field: 'states', code: 'MAPPING_REQUIRED', args: [1, 0, body.postId] },
  ]);
  expect(refused.body.message).toContain(
    `(for example ${body.postId} "Chair"). Send onExisting: keep, map with stateMapping.`,
  );
  await ask('PUT', path, { ...changed, onExisting: 'keep' });
  expect(await shown()).toBe(approved!.id);
  const after = await ask('GET', path);
  expect(after.states.map(({ name }: { name: string }) => name)).toEqual(['Asked for', 'Refused']);
  expect(after.states[0].id).toBe(requested!.id);
  // The edit accepts the form unchanged; the id of an omitted state brings it back.
  const { screenFields: _fields, ...same } = after;
  const { nextOccToken } = await ask('PUT', path, same);
  const { occToken: _old, ...again } = same;
  await ask('PUT', path, { ...again, states: [...again.states, approved], occToken: nextOccToken });
  expect((await ask('GET', path)).states).toHaveLength(3);
});

test('fields of a new workflow are shown to the roles that the form says', async () => {
  const { workspaceId } = await ask('POST', '/manage/workspaces', { name: 'Hidden' });
  const { communityId } = await ask('POST', '/manage/communities', { workspaceId, name: 'Hidden' });
  const path = `/manage/communities/${communityId}/workflow`;
  const workflow = (...screenFields: object[]) => ({
    title: 'Approval',
    states: [{ name: 'Open', initial: true }],
    screenFields: screenFields.map((field, n) => ({ label: `Field ${n}`, type: FieldType.ENUM, ...field })),
  });
  const below = { parent: 'Field 0', visibleToRoles: [2] };
  const refused = await tenant.request(admin, 'POST', `${ADMIN}${path}`, workflow({ visibleToRoles: [1] }, below));
  expect(refused.body.validationErrors.list).toMatchObject([
    { field: 'screenFields[1].visibleToRoles', code: 'INVALID_VALUE' },
  ]);
  await ask('POST', path, workflow({ visibleToRoles: [2] }, below, { visibleToRoles: [] }));
  const { screenFields } = await ask('GET', path);
  const shown = await Promise.all(
    screenFields.map(({ fieldId }: { fieldId: number }) => ask('GET', `${path}/fields/${fieldId}`)),
  );
  expect(shown.map(({ visibleToRoles }) => visibleToRoles)).toEqual([[2], [2], []]);
});

test('a community with many posts is given one of two workflows that are made at once', async () => {
  const { workspaceId } = await ask('POST', '/manage/workspaces', { name: 'Third' });
  const made = await ask('POST', '/manage/communities', { workspaceId, name: 'Large' });
  const text = { title: 'Chair', description: 'Text', descriptionFormat: 2, announcement: false };
  const path = `/portal/api/communication/posts/manage/create-post/${made.communityId}`;
  for (let n = 0; n < 3; n++) expect((await tenant.request(admin, 'POST', path, text)).status).toBe(200);
  // Enough fields that the value rows of the posts take more than one transaction.
  const screenFields = Array.from({ length: 230 }, (_, n) => ({ label: `Field ${n}`, type: FieldType.FLAG }));
  const workflow = { title: 'Approval', states: [{ name: 'Open', initial: true }], screenFields };
  const answers = await Promise.all(
    [1, 2].map(() =>
      tenant.request(admin, 'POST', `${ADMIN}/manage/communities/${made.communityId}/workflow`, workflow),
    ),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  const { db } = await tenant.scope(admin);
  const [row] = await db.query<{ rows: number }>(
    `SELECT count(*) AS rows FROM post_values v JOIN fields f ON f.tenant_id = v.tenant_id AND f.id = v.field_id
      WHERE v.tenant_id = $1 AND f.workflow_id = $2`,
    [db.tenantId, answers.find(({ status }) => status === 200)!.body.workflowId],
  );
  expect(row?.rows).toBe(3 * screenFields.length);
});

describe('labels by language, sections and defaults', () => {
  let id: number;
  const own = () => `/manage/communities/${id}/fields`;
  const add = async (field: object) => (await ask('POST', own(), field)) as { fieldId: number; enumValueIds: number[] };
  const edit = async (fieldId: number, changes: object) => {
    const { label, occToken } = await ask('GET', `${own()}/${fieldId}`);
    return tenant.request(admin, 'PUT', `${ADMIN}${own()}/${fieldId}`, { label, ...changes, occToken });
  };
  const settings = () => `/portal/api/communication/settings/communities/${id}/post-definition`;
  const shown = async (fieldId: number) => {
    const { body } = await tenant.request(admin, 'GET', settings());
    return (body.fieldDefinitions as Record<string, unknown>[]).find((field) => field['id'] === fieldId)!;
  };
  const write = async (body: object) => {
    const text = { title: 'Order', description: 'Text', descriptionFormat: 2, announcement: false };
    const path = `/portal/api/communication/posts/manage/create-post/${id}`;
    const made = await tenant.request(admin, 'POST', path, { ...text, ...body });
    expect(made.status, made.text).toBe(200);
    const read = `/portal/api/communication/posts/data/post-detail-by-id/${made.body.postId}`;
    return (await tenant.request(admin, 'GET', read)).body.customData ?? {};
  };
  beforeEach(async () => {
    const { workspaceId } = await ask('POST', '/manage/workspaces', { name: 'Additions' });
    ({ communityId: id } = await ask('POST', '/manage/communities', { workspaceId, name: 'Additions' }));
  });

  test('are kept by edits that leave them out, taken away by empty ones, and absent where there are none', async () => {
    const plain = await add({ label: 'Plain', type: FieldType.INT });
    for (const name of ['translations', 'section', 'defaultValue'])
      expect(await shown(plain.fieldId)).not.toHaveProperty(name);
    const additions = { translations: { it: 'Giorni', 'pt-BR': 'Dias' }, section: 'Delivery', defaultValue: 30 };
    const { fieldId } = await add({ label: 'Days', type: FieldType.INT, ...additions });
    expect(await shown(fieldId)).toMatchObject({ label: 'Days', ...additions });
    expect((await edit(fieldId, { required: true })).status).toBe(200);
    expect(await ask('GET', `${own()}/${fieldId}`)).toMatchObject(additions);
    expect((await edit(fieldId, { translations: {}, section: ' ', defaultValue: '' })).status).toBe(200);
    for (const name of ['translations', 'section', 'defaultValue'])
      expect(await shown(fieldId)).not.toHaveProperty(name);
  });

  test('values and sections have names in further languages, which stay until an edit sends others', async () => {
    const names = { section: 'Urgency', sectionTranslations: { it: 'Urgenza' } };
    const high = { label: 'High', translations: { it: ' Alta ', de: ' ' } };
    const { fieldId, enumValueIds } = await add({
      label: 'Priority',
      type: FieldType.ENUM,
      ...names,
      enumValues: [high, { label: 'Low' }],
    });
    const [highId, lowId] = enumValueIds;
    const field = await shown(fieldId);
    expect(field).toMatchObject(names);
    expect(field.enumValues).toEqual([
      { id: highId, label: 'High', translations: { it: 'Alta' }, externalId: '', parentIds: [], deleted: false },
      { id: lowId, label: 'Low', externalId: '', parentIds: [], deleted: false },
    ]);
    const kept = [
      { id: lowId, label: 'Low', translations: { it: 'Bassa' } },
      { id: highId, label: 'Highest' },
    ];
    expect((await edit(fieldId, { enumValues: kept })).status).toBe(200);
    expect(await ask('GET', `${own()}/${fieldId}`)).toMatchObject({
      ...names,
      enumValues: [
        { label: 'Low', translations: { it: 'Bassa' } },
        { label: 'Highest', translations: { it: 'Alta' } },
      ],
    });
    const away = [
      { id: lowId, label: 'Low', translations: {} },
      { id: highId, label: 'High' },
    ];
    expect((await edit(fieldId, { enumValues: away, section: '' })).status).toBe(200);
    const after = await shown(fieldId);
    expect(after).not.toHaveProperty('sectionTranslations');
    expect((after['enumValues'] as object[])[0]).not.toHaveProperty('translations');
    const wrong = { translations: { '?': 'x' }, sectionTranslations: { it: 'x'.repeat(201) }, section: 'A' };
    const refused = await edit(fieldId, { ...wrong, enumValues: [{ label: 'New', translations: { '?': 'x' } }] });
    expect(refused.body.validationErrors.list.map(({ field: at }: { field: string }) => at)).toEqual([
      'enumValues[0].translations.?',
      'translations.?',
      'sectionTranslations.it',
    ]);
  });

  test.each([
    ['a value of another type', { type: FieldType.INT, defaultValue: 'many' }, 'INVALID_VALUE'],
    [
      'a value that breaks a rule',
      {
        type: FieldType.INT,
        defaultValue: 5,
        validations: [{ validationTypeId: ValidationType.MIN_VALUE, parameter: '10' }],
      },
      'INVALID_VALUE',
    ],
    [
      'a person',
      {
        type: FieldType.GENERIC_ENTITY_LIST,
        metadata: { generic_entity_list_config_id: 'core.user' },
        defaultValue: [1],
      },
      'INVALID_VALUE',
    ],
    ['values without ids', { type: FieldType.ENUM, enumValues: [{ label: 'High' }], defaultValue: 1 }, 'INVALID_VALUE'],
  ])('a default that is %s is refused', async (_what, field, code) => {
    const { status, body } = await tenant.request(admin, 'POST', `${ADMIN}${own()}`, { label: 'Field', ...field });
    expect(status).toBe(400);
    expect(body.validationErrors.list).toMatchObject([{ field: 'defaultValue', code }]);
  });

  test('texts in no language are refused', async () => {
    const field = { label: 'Field', type: FieldType.INT, translations: { 'not a language': 'Campo' } };
    const { body } = await tenant.request(admin, 'POST', `${ADMIN}${own()}`, field);
    expect(body.validationErrors.list).toMatchObject([{ field: 'translations.not a language', code: 'INVALID_VALUE' }]);
  });

  test('new posts get defaults where they ask for them: what is sent empty stays so, and other clients see no difference', async () => {
    const { fieldId: days } = await add({ label: 'Days', type: FieldType.INT, defaultValue: 30 });
    const { fieldId: fixed } = await add({
      label: 'Origin',
      type: FieldType.STRING,
      defaultValue: 'form',
      readonly: true,
    });
    expect(await write({})).toEqual({});
    expect(await write({ applyDefaults: true })).toEqual({ [days]: 30, [fixed]: 'form' });
    expect(await write({ applyDefaults: true, customData: { [days]: '' } })).toEqual({ [fixed]: 'form' });
    expect(await write({ applyDefaults: true, customData: { [days]: 7 } })).toEqual({ [days]: 7, [fixed]: 'form' });
  });

  test('screens get defaults where a transition asks for them, for fields that hold nothing and are not named', async () => {
    const path = `/manage/communities/${id}/workflow`;
    const { transitionIds } = await ask('POST', path, {
      title: 'Orders',
      states: [{ name: 'Open', initial: true }, { name: 'Asked' }],
      transitions: [
        { name: 'Ask', from: 'Open', to: 'Asked', screen: 'Form' },
        { name: 'Back', from: 'Asked', to: 'Open', screen: 'Form' },
      ],
      screenFields: [
        { label: 'Days', type: FieldType.INT },
        { label: 'Note', type: FieldType.STRING },
      ],
      screens: [{ name: 'Form', fields: [{ label: 'Days', required: true }, { label: 'Note' }] }],
    });
    const { screenFields } = await ask('GET', path);
    const [days, note] = screenFields.map(({ fieldId }: { fieldId: number }) => fieldId) as [number, number];
    for (const [fieldId, label, defaultValue] of [
      [days, 'Days', 30],
      [note, 'Note', 'soon'],
    ] as const) {
      const { occToken } = await ask('GET', `${path}/fields/${fieldId}`);
      await ask('PUT', `${path}/fields/${fieldId}`, { label, defaultValue, occToken });
    }
    const posts = '/portal/api/communication/posts/manage';
    const text = { title: 'Order', description: 'Text', descriptionFormat: 2, announcement: false };
    const make = async () =>
      (await tenant.request(admin, 'POST', `${posts}/create-post/${id}`, text)).body.postId as number;
    const postId = await make();
    const run = async (transition: number, body: object, screenOccToken: number) => {
      const to = `${posts}/execute-post-workflow-operation/${postId}/${transition}`;
      const answer = await tenant.request(admin, 'POST', to, { ...body, screenOccToken });
      return answer.status === 200 ? answer.body.newScreenData : answer.status;
    };
    expect(await run(transitionIds[0], {}, 1)).toBe(400);
    const asked = { applyDefaults: true };
    expect(await run(transitionIds[0], { ...asked, screenData: { [note]: '' } }, 1)).toEqual({ [days]: 30 });
    expect(await run(transitionIds[1], { ...asked, screenData: { [days]: 7 } }, 2)).toEqual({
      [days]: 7,
      [note]: 'soon',
    });
    // As with every transition, an omitted field that holds a value is emptied.
    expect(await run(transitionIds[0], { ...asked, screenData: { [days]: 8 } }, 3)).toEqual({ [days]: 8 });
    const many = { workflowOperationId: transitionIds[0], postIds: [await make()], applyDefaults: true };
    const { body } = await tenant.request(admin, 'POST', `${posts}/transition-posts`, many);
    expect(body.okCount, JSON.stringify(body)).toBe(1);
  });

  test('a default is written only where the form shows the field, and where it belongs to the value above', async () => {
    const kind = await add({ label: 'Kind', type: FieldType.ENUM, enumValues: [{ label: 'Soft' }, { label: 'Hard' }] });
    const [soft, hard] = kind.enumValueIds as [number, number];
    const model = await add({
      label: 'Model',
      type: FieldType.HIERARCHICAL_ENUM,
      parentId: kind.fieldId,
      enumValues: [{ label: 'Laptop', parentIds: [hard] }],
    });
    const [laptop] = model.enumValueIds as [number];
    expect((await edit(model.fieldId, { defaultValue: [laptop] })).status).toBe(200);
    const conditions = [{ fieldId: kind.fieldId, operator: 'in', values: [soft] }];
    const seats = await add({ label: 'Seats', type: FieldType.INT, defaultValue: 1, conditions });
    const made = async (value?: number) =>
      Object.keys(
        await write({ applyDefaults: true, customData: value === undefined ? {} : { [kind.fieldId]: value } }),
      );
    expect(await made()).toEqual([]);
    expect(await made(soft)).toEqual([kind.fieldId, seats.fieldId].map(String));
    expect(await made(hard)).toEqual([kind.fieldId, model.fieldId].map(String));
  });

  test('a default that no longer keeps the rules on past and future is neither shown nor written', async () => {
    const validations = [{ validationTypeId: ValidationType.NOT_IN_THE_PAST }];
    const due = { label: 'Due', type: FieldType.DATE, defaultValue: '2020-01-01', validations };
    const { fieldId } = await add(due);
    expect(await shown(fieldId)).not.toHaveProperty('defaultValue');
    expect(await ask('GET', `${own()}/${fieldId}`)).toMatchObject({ defaultValue: Date.UTC(2020, 0, 1) });
    expect(await write({ applyDefaults: true })).toEqual({});
  });

  test('a default follows the values of its list, and the field to another type and to a former version', async () => {
    const { fieldId, enumValueIds } = await add({
      label: 'Urgency',
      type: FieldType.ENUM,
      enumValues: [{ label: 'Low' }, { label: 'Mid' }, { label: 'High' }],
    });
    const [low, mid, high] = enumValueIds as [number, number, number];
    expect((await edit(fieldId, { defaultValue: 999_999_999 })).body.validationErrors.list).toMatchObject([
      { field: 'defaultValue', code: 'UNKNOWN_REFERENCE' },
    ]);
    expect((await edit(fieldId, { defaultValue: low, section: 'Triage' })).status).toBe(200);
    const without = (...left: number[]) =>
      [low, mid, high].filter((one) => !left.includes(one)).map((one) => ({ id: one, label: `Value ${one}` }));
    const mapped = { enumValues: without(low), onExisting: 'map', valueMapping: [{ fromId: low, toId: mid }] };
    expect((await edit(fieldId, mapped)).status).toBe(200);
    expect(await shown(fieldId)).toMatchObject({ defaultValue: mid });
    const { versions } = await ask('GET', `/manage/communities/${id}/definition-versions`);
    expect((await edit(fieldId, { enumValues: without(low, mid), section: '' })).status).toBe(200);
    expect(await shown(fieldId)).not.toHaveProperty('defaultValue');
    const { occToken } = await ask('GET', `${own()}/${fieldId}`);
    const back = `/manage/communities/${id}/definition-versions/${versions[0].version}/restore`;
    await ask('POST', back, { onExisting: 'keep', occToken });
    expect(await shown(fieldId)).toMatchObject({ defaultValue: mid, section: 'Triage' });
    const { occToken: token } = await ask('GET', `${own()}/${fieldId}`);
    const path = `/manage/communities/${id}/definition-fields/${fieldId}/type`;
    const retyped = await ask('POST', path, { type: FieldType.ENUM_LIST, occToken: token });
    expect(await shown(retyped.fieldId)).toMatchObject({ defaultValue: [mid], section: 'Triage' });
  });
});
