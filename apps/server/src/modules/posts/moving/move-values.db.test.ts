/**
 * A move writes no value that its mover could not write in the other community: rights to carry
 * values, by field.
 */
import { FieldType, ValidationType } from '@portico/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestAnswer } from '../../../../test/support/index.ts';
import {
  createTestPortal,
  createTestWorld,
  type TestPortal,
  type TestWorld,
} from '../../../../test/support/test-world.ts';
import { addField } from '../../communities/define-fields.ts';
import { createCommunity, createWorkflow, setCommunityRoles } from '../../communities/index.ts';

let portal: TestPortal;
let world: TestWorld;
/** The other community, and a community that shares the workflow with the first. */
let target: number;
let sibling: number;
/** Ids of fields: here, and in the other community. */
let here: Record<string, number>;
let there: Record<string, number>;

const { STRING, INT, DATE, GENERIC_ENTITY_LIST } = FieldType;
const people = { generic_entity_list_config_id: 'core.user' };
const posts = { generic_entity_list_config_id: 'communication.post' };

const WORKFLOW = {
  states: [
    { name: 'Open', initial: true },
    { name: 'Filled', initial: true, screen: 'Data', edit: { byAuthor: true } },
  ],
  transitions: [{ name: 'Fill', from: 'Open', to: 'Filled', screen: 'Data', run: { roles: [1 as const] } }],
  screenFields: [
    { type: STRING, label: 'Reason' },
    { type: STRING, label: 'Verdict', readonly: true },
    { type: GENERIC_ENTITY_LIST, label: 'Deputies', metadata: people },
  ],
  screens: [{ name: 'Data', fields: [{ label: 'Reason' }, { label: 'Verdict' }] }],
};

beforeAll(async () => {
  portal = await createTestPortal();
  world = await createTestWorld(portal, {
    workflow: () => ({ title: 'Here', ...WORKFLOW }),
    fields: [
      { type: STRING, label: 'Text' },
      { type: STRING, label: 'Approved by' },
      { type: STRING, label: 'Code' },
      { type: INT, label: 'Amount' },
      { type: DATE, label: 'Day' },
      { type: GENERIC_ENTITY_LIST, label: 'Helpers', metadata: people },
      { type: GENERIC_ENTITY_LIST, label: 'Related', metadata: posts },
    ],
  });
  const admin = await world.tenant.scope(world.people.admin);
  here = Object.fromEntries(world.fieldIds);
  const { workspaceId, groupId } = world;
  const other = await createWorkflow(admin, { title: 'There', ...WORKFLOW });
  const make = (name: string, workflowId: number) =>
    createCommunity(admin, { workspaceId, name, workspaceMemberRole: null, workflowId });
  target = await make('There', other.id);
  sibling = await make('Sibling', world.workflow!.id);
  for (const communityId of [target, sibling])
    await setCommunityRoles(admin, communityId, [
      { principal: world.people.manager, role: 1 },
      { principal: world.people.author, role: 2 },
    ]);
  there = {
    Reason: other.fields.get('Reason')!.id,
    Verdict: other.fields.get('Verdict')!.id,
    Deputies: other.fields.get('Deputies')!.id,
  };
  for (const field of [
    { type: STRING, label: 'Free' },
    { type: STRING, label: 'Approved by', readonly: true },
    { type: STRING, label: 'Unshown', visibleInCreate: false, visibleInEdit: false },
    { type: STRING, label: 'Later', visibleInCreate: false },
    { type: STRING, label: 'Code', validations: [{ typeId: ValidationType.PATTERN, parameter: '[A-Z]{3}' }] },
    { type: INT, label: 'Amount', validations: [{ typeId: ValidationType.MAX_VALUE, parameter: '10' }] },
    { type: DATE, label: 'Day', validations: [{ typeId: ValidationType.NOT_IN_THE_PAST }] },
    { type: GENERIC_ENTITY_LIST, label: 'Anyone', metadata: people },
    {
      type: GENERIC_ENTITY_LIST,
      label: 'Editors',
      metadata: { ...people, user_picker_from_group: String(groupId) },
    },
    { type: GENERIC_ENTITY_LIST, label: 'Any posts', metadata: posts },
    { type: GENERIC_ENTITY_LIST, label: 'Posts there', metadata: { ...posts, community_id: String(target) } },
  ])
    there[field.label] = (await addField(admin, { communityId: target }, field)).id;
});
afterAll(() => portal?.close());

const mine = (values: Record<string, unknown>) => ({ customData: values, visibility: 2 });
async function move(by: number, postId: number, body: object, query = '') {
  const { occToken } = await world.ok(world.people.manager, 'GET', `posts/manage/post-data-for-edit/${postId}`);
  return world.send(by, 'POST', `posts/manage/move-post/${postId}${query}`, { occToken, communityId: target, ...body });
}
/** Returns the errors of a response, or 200. */
const outcome = (answer: TestAnswer) => {
  const list: { field: string; code: string; args?: unknown[] }[] | undefined = answer.body?.validationErrors?.list;
  return (
    list?.map(({ field, code, args }) => `${field}: ${code}${code === 'MAPPING_REQUIRED' ? ` ${args}` : ''}`) ??
    answer.status
  );
};
async function screen(postId: number, values: Record<string, unknown>) {
  await world.rows('UPDATE posts SET screen_data = $3 WHERE tenant_id = $1 AND id = $2', [
    postId,
    JSON.stringify(values),
  ]);
}
const stored = async (postId: number) => {
  const [row] = await world.rows<{ custom: object; screen: object }>(
    'SELECT custom_data AS custom, screen_data AS screen FROM posts WHERE tenant_id = $1 AND id = $2',
    [postId],
  );
  return row!;
};

describe('a value that a move sends to a field', () => {
  const to = (label: string) => [`fieldMapping[0].toId: ${label}`];
  test.each([
    // From, value, to, and the outcomes for the author and for a manager of the other community.
    ['Text', 'free', 'Free', 200, 200],
    ['Text', 'forged', 'Approved by', to('READ_ONLY_FIELD'), 200],
    ['Text', 'forged', 'Unshown', to('READ_ONLY_FIELD'), 200],
    ['Text', 'mine', 'Later', 200, 200],
    ['Code', 'abc', 'Code', to('CUSTOM_VALIDATION'), to('CUSTOM_VALIDATION')],
    ['Code', 'ABC', 'Code', 200, 200],
    ['Amount', 11, 'Amount', to('CUSTOM_VALIDATION'), to('CUSTOM_VALIDATION')],
    ['Amount', 10, 'Amount', 200, 200],
    ['Day', '2020-01-02', 'Day', to('CUSTOM_VALIDATION'), to('CUSTOM_VALIDATION')],
    ['Helpers', 'author', 'Anyone', 200, 200],
    ['Helpers', 'author', 'Editors', to('UNKNOWN_REFERENCE'), to('UNKNOWN_REFERENCE')],
    ['Helpers', 'contributor', 'Editors', 200, 200],
    ['Related', 'post', 'Any posts', 200, 200],
    ['Related', 'post', 'Posts there', to('UNKNOWN_REFERENCE'), to('UNKNOWN_REFERENCE')],
  ])('%s %s → %s', async (from, given, label, author, manager) => {
    const { people: who } = world;
    let value: unknown = given;
    if (given === 'post') value = [await world.post(who.author)];
    else if (from === 'Helpers') value = [who[given as 'author']];
    const postId = await world.post(who.author, mine({ [here[from]!]: value }));
    const fieldMapping = [{ fromId: here[from], toId: there[label] }];
    expect(outcome(await move(who.author, postId, { fieldMapping }, '?dryRun=true'))).toEqual(author);
    const before = (await stored(postId)).custom;
    const answer = await move(who.manager, postId, { fieldMapping });
    expect(outcome(answer)).toEqual(manager);
    const { custom, screen: onScreen } = await stored(postId);
    expect(onScreen).toEqual({});
    expect(custom).toEqual(manager === 200 ? { [there[label]!]: Object.values(before)[0] } : before);
  });

  test('goes from a post to no screen, nor from a screen to a post, whoever moves', async () => {
    const { people: who } = world;
    const [text, reason] = [here.Text!, world.workflow!.fields.get('Reason')!.id];
    const postId = await world.post(who.author, mine({ [text]: 'forged' }));
    await screen(postId, { [reason]: 'Because' });
    const fieldMapping = [
      { fromId: text, toId: there.Reason },
      { fromId: reason, toId: there.Free },
    ];
    for (const by of [who.author, who.manager])
      expect(outcome(await move(by, postId, { fieldMapping }))).toEqual(
        expect.arrayContaining(['fieldMapping[0].toId: INVALID_VALUE', 'fieldMapping[1].toId: INVALID_VALUE']),
      );
    expect(await stored(postId)).toEqual({ custom: { [text]: 'forged' }, screen: { [reason]: 'Because' } });
  });

  test('is no id of something else, and says nothing of what the mover does not see', async () => {
    const { people: who } = world;
    const secret = await world.post(who.manager, { visibility: 1 });
    const postId = await world.post(who.author, mine({ [here.Helpers!]: [who.reader] }));
    const answer = await move(who.author, postId, {
      fieldMapping: [{ fromId: here.Helpers, toId: there['Any posts'] }],
    });
    expect(outcome(answer)).toEqual([`fieldMapping: MAPPING_REQUIRED ${here.Helpers}`]);
    const shared = await world.post(who.author, { visibility: 2 });
    const { occToken } = await world.ok(who.manager, 'GET', `posts/manage/post-data-for-edit/${shared}`);
    await world.ok(who.manager, 'POST', `posts/manage/patch-post/${shared}`, {
      customData: { [here.Related!]: [secret] },
      occToken,
    });
    const refused = await move(who.author, shared, {
      fieldMapping: [{ fromId: here.Related, toId: there['Posts there'] }],
    });
    expect(outcome(refused)).toEqual(to('UNKNOWN_REFERENCE'));
    // The error names the field only, neither the post nor its title.
    const defaultMessage = 'Posts there: the value refers to what this field does not take.';
    expect(refused.body).toMatchObject({ detail: `fieldMapping[0].toId: ${defaultMessage}` });
    expect(refused.body.validationErrors.list).toEqual([
      {
        code: 'UNKNOWN_REFERENCE',
        args: [],
        defaultMessage,
        field: 'fieldMapping[0].toId',
        customFieldId: there['Posts there'],
      },
    ]);
    // The reference goes along where the field accepts any post.
    const moved = await move(who.author, shared, {
      fieldMapping: [{ fromId: here.Related, toId: there['Any posts'] }],
    });
    expect(outcome(moved)).toBe(200);
    expect((await stored(shared)).custom).toEqual({ [there['Any posts']!]: [secret] });
  });
});

describe('a value whose field is alike', () => {
  test.each([
    ['Approved by', 'forged', false, true],
    ['Code', 'abc', false, false],
    ['Code', 'ABC', true, true],
    ['Amount', 11, false, false],
  ])('%s %s', async (label, value, author, manager) => {
    const { people: who } = world;
    const postId = await world.post(who.author, mine({ [here[label]!]: value }));
    const asked = [`fieldMapping: MAPPING_REQUIRED ${here[label]}`];
    expect(outcome(await move(who.author, postId, {}, '?dryRun=true'))).toEqual(author ? 200 : asked);
    expect(outcome(await move(who.manager, postId, {}))).toEqual(manager ? 200 : asked);
  });

  test('comes back to a field that only managers fill, if nobody wrote meanwhile', async () => {
    const { people: who, communityId } = world;
    const postId = await world.post(who.author, mine({ [here['Approved by']!]: 'Boss' }));
    expect(outcome(await move(who.manager, postId, {}))).toBe(200);
    const goes = { communityId, fieldMapping: [{ fromId: there['Approved by'], toId: here.Text }] };
    expect(outcome(await move(who.author, postId, goes))).toBe(200);
    const back = { fieldMapping: [{ fromId: here.Text, toId: there['Approved by'] }] };
    expect(outcome(await move(who.author, postId, back))).toBe(200);
    expect((await stored(postId)).custom).toEqual({ [there['Approved by']!]: 'Boss' });
    await move(who.author, postId, goes);
    const { occToken } = await world.ok(who.author, 'GET', `posts/manage/post-data-for-edit/${postId}`);
    await world.ok(who.author, 'POST', `posts/manage/patch-post/${postId}`, { title: 'Otherwise', occToken });
    expect(outcome(await move(who.author, postId, back))).toEqual(['fieldMapping[0].toId: READ_ONLY_FIELD']);
  });
});

describe('a value of a screen', () => {
  const STATE = { closed: 'Open', open: 'Filled' };
  test.each([
    // The field, the state there, and whether the author and a manager may carry the value.
    ['Reason', 'open', true, true],
    ['Reason', 'closed', false, true],
    ['Verdict', 'open', false, true],
    ['Deputies', 'open', false, true],
  ] as const)('%s, %s', async (label, state, author, manager) => {
    const { people: who } = world;
    const own = world.workflow!.fields.get(label)!.id;
    const states = await world.rows<{ id: number; community_id: number }>(
      `SELECT s.id, c.id AS community_id FROM workflow_states s JOIN communities c ON c.tenant_id = s.tenant_id AND c.workflow_id = s.workflow_id
        WHERE s.tenant_id = $1 AND s.name = $2`,
      [STATE[state]],
    );
    for (const communityId of [target, sibling]) {
      const postId = await world.post(who.author, { visibility: 2 });
      await screen(postId, { [own]: label === 'Deputies' ? [who.author] : 'Because' });
      const before = Object.values((await stored(postId)).screen);
      const stateId = states.find((one) => one.community_id === communityId)!.id;
      const fieldMapping = communityId === target ? [{ fromId: own, toId: there[label] }] : [];
      const asked =
        communityId === target ? ['fieldMapping[0].toId: READ_ONLY_FIELD'] : [`fieldMapping: MAPPING_REQUIRED ${own}`];
      const send = (by: number, query: string) => move(by, postId, { communityId, stateId, fieldMapping }, query);
      expect(outcome(await send(who.author, '?dryRun=true'))).toEqual(author ? 200 : asked);
      expect(outcome(await send(who.manager, ''))).toEqual(manager ? 200 : asked);
      const found = (await stored(postId)).screen;
      expect(found).toEqual({ [communityId === target ? there[label]! : own]: before[0] });
      const rows = await world.rows('SELECT FROM post_values WHERE tenant_id = $1 AND post_id = $2 AND field_id = $3', [
        postId,
        own,
      ]);
      expect(rows.length > 0).toBe(communityId === sibling);
    }
  });

  test('of a shared workflow comes back if nobody wrote meanwhile, and to no other field', async () => {
    const { people: who, communityId } = world;
    const [reason, verdict] = ['Reason', 'Verdict'].map((label) => world.workflow!.fields.get(label)!.id);
    const postId = await world.post(who.author, { visibility: 2 });
    await screen(postId, { [verdict!]: 'Fine' });
    expect(outcome(await move(who.manager, postId, { communityId: sibling }))).toBe(200);
    const swapped = { communityId, fieldMapping: [{ fromId: verdict, toId: reason }] };
    expect(outcome(await move(who.author, postId, swapped))).toEqual(['fieldMapping[0].toId: READ_ONLY_FIELD']);
    expect(outcome(await move(who.author, postId, { communityId }, '?dryRun=true'))).toBe(200);
    await world.rows('UPDATE posts SET screen_version = screen_version + 1 WHERE tenant_id = $1 AND id = $2', [postId]);
    expect(outcome(await move(who.author, postId, { communityId }))).toEqual([
      `fieldMapping: MAPPING_REQUIRED ${verdict}`,
    ]);
  });
});
