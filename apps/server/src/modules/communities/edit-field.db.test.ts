/** Custom fields as those make and change them who run a community, while posts hold values. */
import { FieldType, ValidationType } from '@portico/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
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
  // The rules can be taken away again.
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
  // A state in which posts are is taken out of use only when it is said what becomes of them.
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
    { field: 'states', code: 'MAPPING_REQUIRED', args: [1, 'Approved'] },
  ]);
  await ask('PUT', path, { ...changed, onExisting: 'keep' });
  expect(await shown()).toBe(approved!.id);
  const after = await ask('GET', path);
  expect(after.states.map(({ name }: { name: string }) => name)).toEqual(['Asked for', 'Refused']);
  expect(after.states[0].id).toBe(requested!.id);
  // What the form gives can be sent back as it is; the state that was left out can be brought back by its id.
  const { screenFields: _fields, ...same } = after;
  const { nextOccToken } = await ask('PUT', path, same);
  const { occToken: _old, ...again } = same;
  await ask('PUT', path, { ...again, states: [...again.states, approved], occToken: nextOccToken });
  expect((await ask('GET', path)).states).toHaveLength(3);
});

test('a community with many posts is given one of two workflows that are made at once', async () => {
  const { workspaceId } = await ask('POST', '/manage/workspaces', { name: 'Third' });
  const made = await ask('POST', '/manage/communities', { workspaceId, name: 'Large' });
  const text = { title: 'Chair', description: 'Text', descriptionFormat: 2, announcement: false };
  const path = `/portal/api/communication/posts/manage/create-post/${made.communityId}`;
  for (let n = 0; n < 3; n++) expect((await tenant.request(admin, 'POST', path, text)).status).toBe(200);
  // So many fields that the value rows of the posts take more than one transaction.
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
