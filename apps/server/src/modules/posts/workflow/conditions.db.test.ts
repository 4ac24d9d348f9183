/** Conditions of fields and of transitions, and screens that are built after their workflow exists. */
import { FieldType, ValidationType } from '@portico/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { createTestPortal, createTestWorld, type TestWorld } from '../../../../test/support/test-world.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came
type Json = any;
const ADMIN = '/portal/api/external/v2/admin';

let world: TestWorld;
let fields: Record<'kind' | 'amount' | 'reason' | 'detail' | 'approver', number>;
let values: { small: number; large: number };
let states: Record<'open' | 'done', number>;
let screen: Record<'decision' | 'decidedBy' | 'decidedOn', number>;

async function admin(method: string, path: string, body?: Json): Promise<Json> {
  const answer = await world.tenant.request(world.people.admin, method, `${ADMIN}/${path}`, body);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}
const refused = async (method: string, path: string, body: Json): Promise<string[]> => {
  const answer = await world.tenant.request(world.people.admin, method, `${ADMIN}/${path}`, body);
  expect(answer.status, answer.text).toBe(400);
  return answer.body.validationErrors.list.map(({ field, code }: Json) => `${field} ${code}`).sort();
};
const token = async () => (await admin('GET', `manage/communities/${world.communityId}/workflow`)).occToken as number;
const at = (path: string) => `manage/communities/${world.communityId}/${path}`;

async function createField(path: string, body: Json): Promise<Json> {
  return admin('POST', at(path), body);
}

/** Creates a post of the author with these values. @returns its id, or the errors */
async function create(customData: Json, userId = world.people.author): Promise<number | string[]> {
  const answer = await world.send(userId, 'POST', `posts/manage/create-post/${world.communityId}`, {
    title: 'Order',
    announcement: false,
    customData,
  });
  expect([200, 400], answer.text).toContain(answer.status);
  return answer.status === 200
    ? answer.body.postId
    : answer.body.validationErrors.list.map(({ field, code }: Json) => `${field} ${code}`);
}
const customData = async (postId: number) =>
  (await world.ok(world.people.author, 'GET', `posts/data/post-detail-by-id/${postId}`)).customData;
async function edit(postId: number, data: Json): Promise<Json> {
  const { occToken } = await world.ok(world.people.author, 'GET', `posts/manage/post-data-for-edit/${postId}`);
  return world.send(world.people.author, 'PUT', `posts/manage/edit-post/${postId}/${occToken}`, {
    title: 'Order',
    customData: data,
  });
}

beforeAll(async () => {
  world = await createTestWorld(await createTestPortal(), {
    workflow: () => ({
      title: 'Order',
      states: [
        { name: 'Open', initial: true },
        { name: 'Done', terminal: true },
      ],
      transitions: [{ name: 'Accept', from: 'Open', to: 'Done' }],
    }),
  });
  const kind = await createField('fields', {
    label: 'Kind',
    type: FieldType.ENUM,
    enumValues: [{ label: 'Small' }, { label: 'Large' }],
  });
  const amount = await createField('fields', { label: 'Amount', type: FieldType.DECIMAL });
  values = { small: kind.enumValueIds[0], large: kind.enumValueIds[1] };
  const reason = await createField('fields', {
    label: 'Reason',
    type: FieldType.STRING,
    required: true,
    conditions: [{ fieldId: kind.fieldId, operator: 'in', values: [values.large] }],
  });
  const detail = await createField('fields', {
    label: 'Detail',
    type: FieldType.STRING,
    required: true,
    conditions: [{ fieldId: reason.fieldId, operator: 'in', values: ['other'] }],
  });
  const approver = await createField('fields', {
    label: 'Approver',
    type: FieldType.GENERIC_ENTITY_LIST,
    metadata: { generic_entity_list_config_id: 'core.user' },
  });
  fields = {
    kind: kind.fieldId,
    amount: amount.fieldId,
    reason: reason.fieldId,
    detail: detail.fieldId,
    approver: approver.fieldId,
  };
  const decision = await createField('workflow/fields', {
    label: 'Decision',
    type: FieldType.ENUM,
    enumValues: [{ label: 'Yes' }, { label: 'No' }],
  });
  const decidedBy = await createField('workflow/fields', {
    label: 'Decided by',
    type: FieldType.GENERIC_ENTITY_LIST,
    metadata: { generic_entity_list_config_id: 'core.user' },
  });
  const decidedOn = await createField('workflow/fields', { label: 'Decided on', type: FieldType.DATE });
  screen = { decision: decision.fieldId, decidedBy: decidedBy.fieldId, decidedOn: decidedOn.fieldId };
  const form = await admin('GET', at('workflow'));
  states = { open: form.states[0].id, done: form.states[1].id };
  const [open, done] = form.states;
  const [accept] = form.transitions;
  await admin('PUT', at('workflow'), {
    occToken: form.occToken,
    states: [open, done],
    screens: [{ name: 'Decide', message: 'Why?', fields: [{ fieldId: screen.decision, required: true }] }],
    transitions: [
      {
        ...accept,
        screen: 'Decide',
        run: { fieldIds: [fields.approver] },
        conditions: [
          { fieldId: fields.amount, operator: 'atLeast', values: [100] },
          { fieldId: fields.kind, operator: 'in', values: [values.large] },
        ],
        sets: [
          { fieldId: screen.decidedBy, source: 'actor' },
          { fieldId: screen.decidedOn, source: 'now' },
        ],
      },
    ],
  });
});

describe('conditions of fields', () => {
  test('a field that is not shown is not demanded; one that is shown is, through a chain', async () => {
    const { kind, reason, detail } = fields;
    expect(await create({ [kind]: values.small })).toEqual(expect.any(Number));
    expect(await create({ [kind]: values.large })).toEqual([`customData.${reason} REQUIRED_FIELD`]);
    expect(await create({ [kind]: values.large, [reason]: 'other' })).toEqual([`customData.${detail} REQUIRED_FIELD`]);
    expect(await create({ [kind]: values.large, [reason]: 'price' })).toEqual(expect.any(Number));
    // The condition hides the reason, and so the detail.
    expect(await create({ [kind]: values.small, [reason]: 'other' })).toEqual(expect.any(Number));
  });

  test('a value sent for a field that is not shown is stored, and kept by edits that leave it out', async () => {
    const { kind, reason } = fields;
    const postId = (await create({ [kind]: values.small, [reason]: 'kept' })) as number;
    expect(await customData(postId)).toMatchObject({ [reason]: 'kept' });
    expect((await edit(postId, { [kind]: values.small })).status).toBe(200);
    expect(await customData(postId)).toMatchObject({ [reason]: 'kept' });
    expect((await edit(postId, { [kind]: values.large, [reason]: 'price' })).status).toBe(200);
    const emptied = await edit(postId, { [kind]: values.large });
    expect(emptied.body.validationErrors.list).toMatchObject([
      { field: `customData.${reason}`, code: 'REQUIRED_FIELD' },
    ]);
  });

  test('an edit that shows a field demands it, in a part of the post too', async () => {
    const { kind, reason } = fields;
    const postId = (await create({ [kind]: values.small })) as number;
    const shown = await edit(postId, { [kind]: values.large });
    expect(shown.body.validationErrors.list).toMatchObject([{ field: `customData.${reason}`, code: 'REQUIRED_FIELD' }]);
    const { occToken } = await world.ok(world.people.author, 'GET', `posts/manage/post-data-for-edit/${postId}`);
    const part = (data: Json) =>
      world.send(world.people.author, 'POST', `posts/manage/patch-post/${postId}`, { occToken, customData: data });
    expect((await part({ [kind]: values.large })).status).toBe(400);
    expect((await part({ [kind]: values.large, [reason]: 'price' })).status).toBe(200);
  });

  test('definitions carry the condition, and the rule that older clients know', async () => {
    const { fieldDefinitions } = await world.ok(
      world.people.reader,
      'GET',
      `settings/communities/${world.communityId}/post-definition`,
    );
    const reason = fieldDefinitions.find(({ id }: Json) => id === fields.reason);
    expect(reason).toMatchObject({
      required: false,
      conditions: [{ fieldId: fields.kind, operator: 'in', values: [values.large] }],
      validations: [{ validationTypeId: ValidationType.REQUIRED }, { validationTypeId: ValidationType.CONDITIONAL }],
    });
    expect(fieldDefinitions.find(({ id }: Json) => id === fields.kind).conditions).toBeUndefined();
  });

  test('circles, unknown fields and operators that do not fit are refused', async () => {
    const occToken = await token();
    const change = (conditions: Json) =>
      refused('PUT', at(`fields/${fields.kind}`), { label: 'Kind', occToken, conditions });
    expect(await change([{ fieldId: fields.detail, operator: 'notEmpty' }])).toEqual(['conditions INVALID_VALUE']);
    expect(await change([{ fieldId: fields.kind, operator: 'empty' }])).toEqual(['conditions INVALID_VALUE']);
    expect(
      await change([
        { fieldId: screen.decision, operator: 'empty' },
        { fieldId: fields.approver, operator: 'in', values: [1] },
        { fieldId: fields.amount, operator: 'atLeast', values: [1, 2] },
        { fieldId: fields.amount, operator: 'in', values: ['much'] },
        { fieldId: fields.amount, operator: 'empty', values: [1] },
        { operator: 'empty' },
      ]),
    ).toEqual([
      'conditions[0].fieldId UNKNOWN_REFERENCE',
      'conditions[1].operator INVALID_VALUE',
      'conditions[2].values INVALID_VALUE',
      'conditions[3].values[0] INVALID_VALUE',
      'conditions[4].values INVALID_VALUE',
      'conditions[5].fieldId REQUIRED_FIELD',
    ]);
  });
});

describe('transitions', () => {
  const offered = async (userId: number, postId: number): Promise<string[]> =>
    (await world.ok(userId, 'GET', `posts/data/post-capabilities/${postId}`)).workflowPermittedOperations.map(
      ({ name }: Json) => name,
    );
  const listed = async (userId: number): Promise<number[]> =>
    (
      await world.ok(userId, 'POST', `posts/data/list/community/${world.communityId}`, { toManageProcesses: true })
    ).items.map(({ id }: Json) => id);

  test('are offered to whom the post holds, while the conditions hold; lists agree', async () => {
    const { kind, reason, amount, approver } = fields;
    const { reader, author } = world.people;
    const order = (more: Json) => create({ [kind]: values.large, [reason]: 'price', ...more }) as Promise<number>;
    const open = await order({ [amount]: 100, [approver]: [reader] });
    const cheap = await order({ [amount]: 99.5, [approver]: [reader] });
    const others = await order({ [amount]: 500, [approver]: [author] });
    const none = await order({ [approver]: [reader] });
    expect(await offered(reader, open)).toEqual(['Accept']);
    for (const postId of [cheap, others, none]) expect(await offered(reader, postId)).toEqual([]);
    expect(await listed(reader)).toEqual([open]);
    expect(await listed(author)).toEqual([others]);
    const waiting = await world.ok(reader, 'POST', 'posts/data/waiting', {});
    expect(waiting.items.map(({ postId, transitions }: Json) => [postId, transitions[0].name])).toEqual([
      [open, 'Accept'],
    ]);
  });

  test('are explained by the conditions that fail, without fields that the reader does not see', async () => {
    const { kind, amount, approver } = fields;
    const { reader } = world.people;
    const sentence = async (postId: number) => {
      const { items } = await world.ok(reader, 'GET', `posts/data/explain/${postId}?capability=workflowOperation`);
      return items[0].sentence;
    };
    const cheap = (await create({ [kind]: values.small, [amount]: 99.5, [approver]: [reader] })) as number;
    const refused = 'You may not run the transition “Accept”, because ';
    expect(await sentence(cheap)).toBe(
      `${refused}the field “Amount” is not at least 100 and the field “Kind” holds none of “Large”.`,
    );
    const show = async (visibleToRoles: number[]) => {
      const { occToken } = await admin('GET', at(`fields/${amount}`));
      await admin('PUT', at(`fields/${amount}`), { label: 'Amount', visibleToRoles, occToken });
    };
    await show([1]);
    expect(await sentence(cheap)).toBe(
      `${refused}a condition on a field that you cannot see is not fulfilled and the field “Kind” holds none of “Large”.`,
    );
    await show([]);
  });

  test('ask for their screen, and set what they set', async () => {
    const { kind, reason, amount, approver } = fields;
    const { reader } = world.people;
    const postId = (await create({
      [kind]: values.large,
      [reason]: 'price',
      [amount]: 100,
      [approver]: [reader],
    })) as number;
    const form = await admin('GET', at('workflow'));
    const run = `posts/manage/execute-post-workflow-operation/${postId}/${form.transitions[0].id}`;
    const missing = await world.send(reader, 'POST', run, { screenOccToken: 1, screenData: {} });
    expect(missing.body.validationErrors.list).toMatchObject([{ field: `screenData.${screen.decision}` }]);
    const { enumValues } = await admin('GET', at(`workflow/fields/${screen.decision}`));
    const done = await world.ok(reader, 'POST', run, {
      screenOccToken: 1,
      screenData: { [screen.decision]: enumValues[0].id },
    });
    expect(done).toMatchObject({
      newCurrentState: { id: states.done },
      newScreenData: {
        [screen.decidedBy]: [{ id: reader }],
        [screen.decidedOn]: expect.any(Number),
      },
    });
    expect(done.newScreenData[screen.decidedOn] % 86_400_000).toBe(0);
  });

  test('screens are renamed, reordered and deleted by id; what they hold must be there', async () => {
    const form = await admin('GET', at('workflow'));
    const [decide] = form.screens;
    expect(decide).toMatchObject({ name: 'Decide', fields: [{ fieldId: screen.decision, label: 'Decision' }] });
    const { screenFields: _fields, ...workflow } = form;
    expect(
      await refused('PUT', at('workflow'), {
        ...workflow,
        screens: [{ ...decide, fields: [{ fieldId: fields.kind }, { label: 'Nothing' }] }],
      }),
    ).toEqual(['screens[0].fields[0].fieldId UNKNOWN_REFERENCE', 'screens[0].fields[1].label UNKNOWN_REFERENCE']);
    expect(await refused('PUT', at('workflow'), { ...workflow, screens: [] })).toEqual([
      'transitions[0].screen UNKNOWN_REFERENCE',
    ]);
    const renamed = await admin('PUT', at('workflow'), {
      ...workflow,
      transitions: [{ ...workflow.transitions[0], screen: 'Verdict' }],
      screens: [
        { name: 'Verdict', fields: [{ label: 'Decided on' }, { fieldId: screen.decision, required: true }] },
        { ...decide, name: 'Old' },
      ],
    });
    const after = await admin('GET', at('workflow'));
    expect(after.screens.map(({ id, name }: Json) => [id, name]).sort()).toEqual(
      [
        [renamed.screenIds[0], 'Verdict'],
        [decide.id, 'Old'],
      ].sort(),
    );
    expect(after.transitions[0].screen).toBe('Verdict');
    await admin('PUT', at('workflow'), {
      ...workflow,
      occToken: after.occToken,
      transitions: [{ ...workflow.transitions[0], screen: 'Decide' }],
      screens: [{ ...decide }],
    });
    expect((await admin('GET', at('workflow'))).screens).toEqual([decide]);
  });
});
