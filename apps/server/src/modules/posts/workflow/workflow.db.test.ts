/** Workflow: screens, steps, tokens, comments that fields ask for. */
import { FieldType } from '@portico/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  atOnce,
  createTestPortal,
  createTestWorld,
  faults,
  type People,
  type TestPortal,
  type TestWorld,
} from '../../../../test/support/test-world.ts';
import type { NewWorkflow } from '../../communities/workflow-input.ts';

let portal: TestPortal;
let world: TestWorld;

const workflow = ({ groupId }: { groupId: number; people: People }): NewWorkflow => ({
  title: 'Review',
  states: [
    { name: 'Open', initial: true, color: '#12fea4' },
    { name: 'In review', screen: 'Verdict', edit: { roles: [1], byAuthor: true } },
    { name: 'Done', terminal: true, screen: 'Verdict', edit: { roles: [1] } },
  ],
  transitions: [
    { name: 'Hand in', from: 'Open', to: 'In review', screen: 'Verdict', run: { byAuthor: true } },
    { name: 'Withdraw', from: 'In review', to: 'Open', run: { roles: [2] } },
    { name: 'Accept', from: 'In review', to: 'Done', run: { groupIds: [groupId] } },
    { name: 'Escape', from: 'Done', to: 'Open', run: { roles: [3] } },
    { name: 'Repeat', from: 'Open', to: 'Open', run: { roles: [1] } },
  ],
  screens: [
    {
      name: 'Verdict',
      message: 'Say why',
      fields: [{ label: 'Reason', required: true }, { label: 'Reviewers' }, { label: 'Note' }, { label: 'Grade' }],
    },
  ],
  screenFields: [
    { label: 'Reason', type: FieldType.STRING, metadata: { generate_post_comment: 'true' } },
    {
      label: 'Reviewers',
      type: FieldType.GENERIC_ENTITY_LIST,
      metadata: { generic_entity_list_config_id: 'core.user', extends_post_visibility: 'true' },
    },
    { label: 'Note', type: FieldType.DELTA_AREA, metadata: { generate_post_comment: 'true' } },
    {
      label: 'Grade',
      type: FieldType.ENUM,
      enumValues: [{ label: 'good' }, { label: 'bad' }],
      metadata: { generate_post_comment: 'true' },
    },
    { label: 'Elsewhere', type: FieldType.INT },
  ],
});

beforeAll(async () => {
  portal = await createTestPortal();
  world = await createTestWorld(portal, { workflow });
});
afterAll(() => portal?.close());

const TRANSITIONS = ['Hand in', 'Withdraw', 'Accept', 'Escape', 'Repeat'];
const operation = (name: string) => world.workflow!.transitionIds[TRANSITIONS.indexOf(name)]!;
const field = (label: string) => String(world.workflow!.fields.get(label)!.id);
const state = (name: string) => world.workflow!.states.get(name)!;
const screen = (postId: number, name?: string) =>
  `posts/manage/post-workflow-screen-data-for-edit/${postId}${name ? `?workflowOperationId=${operation(name)}` : ''}`;
const run = (postId: number, name: string) =>
  `posts/manage/execute-post-workflow-operation/${postId}/${operation(name)}`;
const editScreen = (postId: number, token: number) => `posts/manage/edit-post-workflow-screen-data/${postId}/${token}`;
const capabilities = (user: number, postId: number) => world.ok(user, 'GET', `posts/data/post-capabilities/${postId}`);
const handIn = (postId: number, more: object = {}) =>
  world.ok(world.people.author, 'POST', run(postId, 'Hand in'), {
    screenData: { [field('Reason')]: 'ready' },
    screenOccToken: 1,
    ...more,
  });

async function names(user: number, postId: number): Promise<string[]> {
  const { workflowPermittedOperations } = await capabilities(user, postId);
  return workflowPermittedOperations.map((one: { name: string }) => one.name);
}

describe('capabilities', () => {
  test('say who may what, with the screens of the permitted transitions', async () => {
    const { people } = world;
    const postId = await world.post(people.author);
    expect(await names(people.author, postId)).toEqual(['Hand in']);
    expect(await names(people.manager, postId)).toEqual(['Repeat']);
    expect(await names(people.contributor, postId)).toEqual([]);
    const own = await capabilities(people.author, postId);
    expect(own.workflowPermittedOperations[0]).toMatchObject({
      fromState: { id: state('Open'), initState: true },
      toState: { id: state('In review') },
      screen: { name: 'Verdict', message: 'Say why' },
    });
    expect(own.workflowPermittedOperations[0].screen.fieldMetadatas).toMatchObject([
      { label: 'Reason', required: true },
      { label: 'Reviewers', required: false },
      { label: 'Note' },
      { label: 'Grade', enumValues: [{ label: 'good' }, { label: 'bad' }] },
    ]);
    expect(own).toMatchObject({
      canViewDetail: true,
      canModify: true,
      canDelete: true,
      canCopy: true,
      canViewComment: true,
      canAddComment: true,
      canEditComment: 1,
      canDeleteComment: 1,
      canEditLike: true,
      canEditFollow: true,
      canEditAttachments: true,
      canEditVisibility: true,
      canCreateTask: true,
      canEditWorkflowScreenData: false,
    });
    expect(await capabilities(people.reader, postId)).toMatchObject({
      canViewDetail: true,
      canModify: false,
      canDelete: false,
      canCopy: false,
      canAddComment: false,
      canEditComment: 0,
      canDeleteComment: 0,
      canEditLike: true,
      canEditFollow: true,
      canEditAttachments: false,
      canCreateTask: false,
    });
    expect(await capabilities(people.manager, postId)).toMatchObject({
      canModify: true,
      canEditComment: 2,
      canDeleteComment: 2,
    });
    const outsider = await world.send(people.outsider, 'GET', `posts/data/post-capabilities/${postId}`);
    const unknown = await world.send(people.outsider, 'GET', 'posts/data/post-capabilities/888888');
    expect([outsider.status, unknown.status]).toEqual([404, 404]);
    expect({ ...outsider.body, requestId: 0 }).toEqual({ ...unknown.body, requestId: 0 });
  });
});

describe('running a transition', () => {
  test('stores the screen, moves the post and tells what comes next', async () => {
    const { people } = world;
    const postId = await world.post(people.author);
    const form = await world.ok(people.author, 'GET', screen(postId, 'Hand in'));
    expect(form).toMatchObject({ screenData: {}, screenOccToken: 1, currentWorkflowState: { id: state('Open') } });
    const answer = await handIn(postId, {
      screenData: { [field('Reason')]: 'ready', [field('Reviewers')]: [people.contributor], [field('Note')]: 'please' },
      deltaAreaFormat: 2,
    });
    expect(answer).toMatchObject({
      newCurrentState: { id: state('In review'), name: 'In review' },
      newCanEditWorkflowScreenData: true,
      postDataHasChanged: true,
      newScreenData: {
        [field('Reason')]: 'ready',
        [field('Reviewers')]: [{ id: people.contributor, firstName: 'Carl' }],
      },
    });
    expect(answer.newCurrentWorkflowPermittedOperations.map((one: { name: string }) => one.name)).toEqual(['Withdraw']);
    const post = await world.ok(people.reader, 'GET', `posts/data/post-detail-by-id/${postId}`);
    expect(post).toMatchObject({
      currentWorkflowState: { id: state('In review') },
      currentWorkflowScreenData: answer.newScreenData,
      lastModifyTimestamp: answer.newLastModifyTimestamp,
      commentsCount: 2,
    });
    const own = await world.ok(people.author, 'GET', screen(postId));
    expect(own).toMatchObject({ screenOccToken: 2, screenData: answer.newScreenData, screen: { name: 'Verdict' } });
    const events = await world.rows<{ typeId: number; transition: number | null; details: object }>(
      `SELECT type_id AS "typeId", transition_id AS transition, details FROM history_events
        WHERE tenant_id = $1 AND post_id = $2 AND type_id IN (6, 17) ORDER BY id`,
      [postId],
    );
    expect(events).toEqual([
      {
        typeId: 6,
        transition: operation('Hand in'),
        details: {
          screenData: expect.objectContaining({
            [field('Reason')]: 'ready',
            [field('Reviewers')]: [people.contributor],
          }),
          screenFieldIds: ['Reason', 'Reviewers', 'Note'].map((label) => Number(field(label))),
        },
      },
    ]);
    const kinds = await world.rows<{ kind: number }>(
      'SELECT kind FROM changes WHERE tenant_id = $1 AND post_id = $2 ORDER BY id',
      [postId],
    );
    expect(kinds.map((row) => row.kind)).toEqual([1, 3]);
    const occToken = (await world.ok(people.author, 'GET', `posts/manage/post-data-for-edit/${postId}`)).occToken;
    expect(occToken).toBe(1);
  });

  test('fields that ask for it become comments that say where they come from', async () => {
    const { people } = world;
    const postId = await world.post(people.author);
    const [good] = world.workflow!.fields.get('Grade')!.enumValueIds;
    const note = JSON.stringify([
      { insert: 'dear ' },
      { insert: { mention: { id: people.reader, value: 'Rita' } } },
      { insert: '\n' },
    ]);
    await handIn(postId, { screenData: { [field('Reason')]: 'ready', [field('Note')]: note, [field('Grade')]: good } });
    const { items } = await world.ok(people.reader, 'POST', `posts/data/comments-list/${postId}`, {});
    expect(items.map((item: { commentPlainText: string }) => item.commentPlainText)).toEqual([
      'Grade: good',
      'dear @Rita',
      'ready',
    ]);
    expect(items[2].customFieldInfo).toMatchObject({
      workflowScreenFieldId: Number(field('Reason')),
      activityHistoryEvent: { typeId: 6, postId, authorUser: { id: people.author } },
    });
    expect(items[1].mentions).toMatchObject([{ id: people.reader }]);
    expect(items[0].capabilities).toMatchObject({ canEdit: false });
  });

  test('a transition without a screen accepts {}; values for it are refused', async () => {
    const { people } = world;
    const postId = await world.post(people.author);
    await handIn(postId);
    const refused = await world.send(people.contributor, 'POST', run(postId, 'Withdraw'), {
      screenData: { [field('Reason')]: 'x' },
    });
    expect(faults(refused)).toEqual(['screenData: INVALID_VALUE']);
    const answer = await world.ok(people.contributor, 'POST', run(postId, 'Withdraw'), {});
    expect(answer).toMatchObject({ newCurrentState: { id: state('Open') }, newCurrentWorkflowPermittedOperations: [] });
    expect(answer.newScreenData).toMatchObject({ [field('Reason')]: 'ready' });
  });

  test('a screen needs its token and what it requires; all faults at once', async () => {
    const { people } = world;
    const postId = await world.post(people.author);
    const none = await world.send(people.author, 'POST', run(postId, 'Hand in'), {});
    expect(faults(none)).toEqual(['screenOccToken: REQUIRED_FIELD']);
    const answer = await world.send(people.author, 'POST', run(postId, 'Hand in'), {
      screenOccToken: 1,
      screenData: {
        [field('Reviewers')]: [{ id: people.reader }],
        [field('Grade')]: 123_456,
        [field('Elsewhere')]: 3,
        [field('Note')]: 'plain',
      },
    });
    expect(answer.status).toBe(400);
    expect(faults(answer).sort()).toEqual(
      [
        `screenData.${field('Reason')}: REQUIRED_FIELD`,
        `screenData.${field('Reviewers')}: INVALID_VALUE`,
        `screenData.${field('Note')}: INVALID_DELTA`,
        `screenData.${field('Grade')}: INVALID_VALUE`,
        `screenData.${field('Elsewhere')}: UNKNOWN_FIELD`,
      ].sort(),
    );
    expect(answer.body.validationErrors.list.every((one: { customFieldId: number }) => one.customFieldId > 0)).toBe(
      true,
    );
    expect((await capabilities(people.author, postId)).workflowPermittedOperations).toHaveLength(1);
  });

  test('without screenData the screen stays, and must hold what it requires', async () => {
    const postId = await world.post(world.people.author);
    const empty = await world.send(world.people.author, 'POST', run(postId, 'Hand in'), { screenOccToken: 1 });
    expect(faults(empty)).toEqual([`screenData.${field('Reason')}: REQUIRED_FIELD`]);
    await handIn(postId);
    await world.ok(world.people.contributor, 'POST', run(postId, 'Withdraw'), {});
    const kept = await world.ok(world.people.author, 'POST', run(postId, 'Hand in'), { screenOccToken: 3 });
    expect(kept.newScreenData).toMatchObject({ [field('Reason')]: 'ready' });
  });

  test('values given replace the screen', async () => {
    const postId = await world.post(world.people.author);
    await handIn(postId, { screenData: { [field('Reason')]: 'a', [field('Note')]: 'b' }, deltaAreaFormat: 2 });
    await world.ok(world.people.contributor, 'POST', run(postId, 'Withdraw'), {});
    const answer = await handIn(postId, { screenData: { [field('Reason')]: 'c' }, screenOccToken: 3 });
    expect(answer.newScreenData).toEqual({ [field('Reason')]: 'c' });
  });

  test('a stale token is a 409 that names the present one', async () => {
    const { people } = world;
    const postId = await world.post(people.author);
    await world.ok(people.manager, 'POST', run(postId, 'Repeat'), {});
    const answer = await world.send(people.author, 'POST', run(postId, 'Hand in'), {
      screenData: { [field('Reason')]: 'x' },
      screenOccToken: 1,
    });
    expect(answer.status).toBe(409);
    expect(answer.body).toMatchObject({
      currentOccToken: 2,
      changedBy: { id: people.manager, name: expect.stringContaining('Maria') },
    });
    expect((await capabilities(people.author, postId)).workflowPermittedOperations[0].name).toBe('Hand in');
  });

  test('of fifty with one token exactly one wins', async () => {
    const postId = await world.post(world.people.author);
    const statuses = await atOnce(50, (index) =>
      world.send(world.people.author, 'POST', run(postId, 'Hand in'), {
        screenData: { [field('Reason')]: `try ${index}` },
        screenOccToken: 1,
      }),
    );
    expect(statuses).toEqual({ 200: 1, 409: 49 });
    const loops = await world.post(world.people.author);
    const repeated = await atOnce(50, () =>
      world.send(world.people.manager, 'POST', run(loops, 'Repeat'), { screenOccToken: 1 }),
    );
    expect(repeated).toEqual({ 200: 1, 409: 49 });
  });

  test('not open to the caller, not from this state, not of this workflow, not visible', async () => {
    const { people } = world;
    const postId = await world.post(people.author);
    const other = await createTestWorld(portal, { workflow });
    expect((await world.send(people.contributor, 'POST', run(postId, 'Hand in'), {})).body.code).toBe('FORBIDDEN');
    expect((await world.send(people.contributor, 'POST', run(postId, 'Accept'), {})).body).toMatchObject({
      code: 'WORKFLOW_OPERATION_NOT_PERMITTED',
      status: 403,
    });
    const unknown = `posts/manage/execute-post-workflow-operation/${postId}/999999`;
    expect((await world.send(people.author, 'POST', unknown, {})).status).toBe(404);
    expect((await world.send(people.outsider, 'POST', run(postId, 'Hand in'), {})).status).toBe(404);
    expect((await other.send(other.people.manager, 'POST', run(postId, 'Hand in'), {})).status).toBe(404);
    expect((await world.send(people.contributor, 'GET', screen(postId, 'Hand in'))).status).toBe(403);
    expect((await world.send(people.contributor, 'GET', screen(postId))).status).toBe(403);
    const draft = await world.post(people.author, { draft: true });
    expect(await names(people.author, draft)).toEqual([]);
    expect((await world.send(people.author, 'POST', run(draft, 'Hand in'), {})).status).toBe(403);
  });

  test('nothing leads out of a terminal state, whatever is defined', async () => {
    const { people } = world;
    const postId = await world.post(people.author);
    await handIn(postId);
    const done = await world.ok(people.contributor, 'POST', run(postId, 'Accept'), {});
    expect(done).toMatchObject({ newCurrentState: { terminal: true }, newCurrentWorkflowPermittedOperations: [] });
    expect(await names(people.manager, postId)).toEqual([]);
    expect((await world.send(people.manager, 'POST', run(postId, 'Escape'), {})).status).toBe(403);
    expect((await capabilities(people.manager, postId)).canEditWorkflowScreenData).toBe(true);
  });

  test('a dry run leaves everything as it was', async () => {
    const postId = await world.post(world.people.author);
    const answer = await world.ok(world.people.author, 'POST', `${run(postId, 'Hand in')}?dryRun=true`, {
      screenData: { [field('Reason')]: 'maybe' },
      screenOccToken: 1,
    });
    expect(answer.newCurrentState.name).toBe('In review');
    const post = await world.ok(world.people.author, 'GET', `posts/data/post-detail-by-id/${postId}`);
    expect(post).toMatchObject({ currentWorkflowState: { name: 'Open' }, commentsCount: 0 });
  });
});

describe('editing a screen', () => {
  test('replaces its values, raises its token, leaves the state', async () => {
    const { people } = world;
    const postId = await world.post(people.author);
    await handIn(postId);
    const answer = await world.ok(people.author, 'PUT', editScreen(postId, 2), {
      screenData: { [field('Reason')]: 'better', [field('Reviewers')]: [people.reader] },
    });
    expect(answer).toMatchObject({
      nextScreenOccToken: 3,
      newScreenData: { [field('Reason')]: 'better', [field('Reviewers')]: [{ id: people.reader }] },
      postDataHasChanged: true,
    });
    const same = await world.ok(people.author, 'PUT', editScreen(postId, 3), {
      screenData: { [field('Reason')]: 'better', [field('Reviewers')]: [people.reader] },
    });
    expect(same).toMatchObject({ nextScreenOccToken: 4, postDataHasChanged: false });
    const events = await world.rows<{ ids: number[] }>(
      `SELECT details -> 'screenFieldIds' AS ids FROM history_events
        WHERE tenant_id = $1 AND post_id = $2 AND type_id = 17 ORDER BY id`,
      [postId],
    );
    expect(events.map((event) => event.ids)).toEqual([[Number(field('Reason')), Number(field('Reviewers'))], []]);
    expect((await world.send(people.contributor, 'PUT', editScreen(postId, 4), { screenData: {} })).status).toBe(403);
    const required = await world.send(people.author, 'PUT', editScreen(postId, 4), { screenData: {} });
    expect(faults(required)).toEqual([`screenData.${field('Reason')}: REQUIRED_FIELD`]);
    // A required field that is empty from before may stay empty: only changes are validated. A step
    // requires it.
    await world.rows(`UPDATE posts SET screen_data = screen_data - $3 WHERE tenant_id = $1 AND id = $2`, [
      postId,
      field('Reason'),
    ]);
    const partly = await world.ok(people.author, 'PUT', editScreen(postId, 4), {
      screenData: { [field('Grade')]: world.workflow!.fields.get('Grade')!.enumValueIds[0] },
    });
    expect(Object.keys(partly.newScreenData)).toEqual([field('Grade')]);
  });

  test('people held in a field that extends visibility see the post, and no longer when taken out', async () => {
    const { people } = world;
    const postId = await world.post(people.author, { visibility: 1 });
    const sees = async () =>
      (await world.send(people.reader, 'GET', `posts/data/post-capabilities/${postId}`)).status === 200;
    await handIn(postId, { screenData: { [field('Reason')]: 'r', [field('Reviewers')]: [people.reader] } });
    expect(await sees()).toBe(true);
    await world.ok(people.author, 'PUT', editScreen(postId, 2), { screenData: { [field('Reason')]: 'r' } });
    expect(await sees()).toBe(false);
    const rows = await world.rows<{ before: number[] | null }>(
      `SELECT before_principals AS before FROM changes WHERE tenant_id = $1 AND post_id = $2 AND kind = 3 ORDER BY id`,
      [postId],
    );
    expect(rows.map((row) => row.before)).toEqual([[people.author], [people.author, people.reader]]);
  });

  test('of fifty with one token exactly one wins', async () => {
    const postId = await world.post(world.people.author);
    await handIn(postId);
    const statuses = await atOnce(50, (index) =>
      world.send(index % 2 ? world.people.author : world.people.manager, 'PUT', editScreen(postId, 2), {
        screenData: { [field('Reason')]: `edit ${index}` },
      }),
    );
    expect(statuses).toEqual({ 200: 1, 409: 49 });
    expect((await world.ok(world.people.author, 'GET', screen(postId))).screenOccToken).toBe(3);
  });

  test('a step by somebody else makes the token stale before it closes the screen', async () => {
    const { people } = world;
    const postId = await world.post(people.author);
    await handIn(postId);
    await world.ok(people.contributor, 'POST', run(postId, 'Withdraw'), {});
    const late = await world.send(people.author, 'PUT', editScreen(postId, 2), {
      screenData: { [field('Reason')]: 'late' },
    });
    expect([late.status, late.body.currentOccToken]).toEqual([409, 3]);
    const fresh = await world.send(people.author, 'PUT', editScreen(postId, 3), {
      screenData: { [field('Reason')]: 'late' },
    });
    expect(fresh.status).toBe(403);
  });
});
