/** Tasks: writes, rights, tokens, grants, history and change rows. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  atOnce,
  createTestPortal,
  createTestWorld,
  faults,
  statementsOf,
  type TestPortal,
  type TestWorld,
} from '../../../../test/support/test-world.ts';
import { createTask } from './create-task.ts';

let portal: TestPortal;
let world: TestWorld;

beforeAll(async () => {
  portal = await createTestPortal();
  world = await createTestWorld(portal, { hashtags: ['budget'] });
});
afterAll(() => portal?.close());

const due = { datetime: '2031-12-31T18:00:00', timezone: 'Europe/Rome' };
const create = (postId: number) => `tasks/manage/create-task/${postId}`;
const edit = (taskId: number, token: number) => `tasks/manage/edit-task/${taskId}/${token}`;
const detail = (taskId: number) => `tasks/data/task-detail-by-id/${taskId}`;
const stateOf = (taskId: number) => `tasks/manage/set-task-state/${taskId}`;
const remove = (taskId: number) => `tasks/manage/delete-task/${taskId}`;

async function history(postId: number) {
  return world.rows<{ typeId: number; target: number | null; tasks: number[] | null }>(
    `SELECT type_id AS "typeId", target_user_id AS target, task_ids AS tasks FROM history_events
      WHERE tenant_id = $1 AND post_id = $2 AND task_ids IS NOT NULL ORDER BY id`,
    [postId],
  );
}

async function changes(postId: number) {
  return world.rows<{ kind: number; acl: boolean; before: number[] | null }>(
    `SELECT kind, acl_changed AS acl, before_principals AS before FROM changes
      WHERE tenant_id = $1 AND post_id = $2 AND kind <> 1 ORDER BY id`,
    [postId],
  );
}

async function counts(postId: number) {
  const [row] = await world.rows<{ tasks: number; standard: number; files: number }>(
    `SELECT tasks_count AS tasks, standard_tasks_count AS standard, attachments_count AS files FROM posts
      WHERE tenant_id = $1 AND id = $2`,
    [postId],
  );
  return row;
}

describe('creating', () => {
  test('a task with everything is read back whole', async () => {
    const { people, groupId } = world;
    const postId = await world.post(people.author);
    const delta = JSON.stringify([
      { insert: 'Ask ' },
      { insert: { mention: { id: people.reader, value: 'Rita' } } },
      { insert: { mention: { id: 999_999, value: 'Nobody' } } },
      { insert: ' about #budget and #unheard\n' },
    ]);
    const contentRef = await world.upload(people.contributor, 'plan.png');
    const answer = await world.ok(people.contributor, 'POST', create(postId), {
      title: 'Call the supplier',
      descriptionDelta: delta,
      expiration: due,
      priority: 3,
      subTasks: [
        { description: 'find the number', state: 2 },
        { description: 'call', state: 1 },
      ],
      assigneeUserId: people.author,
      watcherUserIds: [people.manager],
      watcherGroupIds: [groupId],
      attachments: [{ name: 'plan.png', contentRef }],
    });
    expect(answer).toMatchObject({
      nextOccToken: 1,
      taskData: {
        postId,
        title: 'Call the supplier',
        priority: 3,
        state: 1,
        type: 1,
        deleted: false,
        attachments: [{ name: 'plan.png', contentMimeType: 'image/png', capabilities: { canDelete: true } }],
        expiration: {
          zonedDatetime: '2031-12-31T18:00:00+01:00',
          localDatetime: '2031-12-31T18:00:00',
          timezone: 'Europe/Rome',
        },
      },
      capabilities: { canModify: true, canDelete: true },
    });
    expect(answer.taskData.description).toContain('"mention"');
    expect(answer.taskData.attachments[0].temporaryContentViewLink).toMatch(/^http/);
    const read = await world.ok(people.reader, 'GET', detail(answer.taskId));
    expect(read).toMatchObject({
      id: answer.taskId,
      assigneeUser: { id: people.author },
      creatorUser: { id: people.contributor },
      mentions: [{ id: people.reader }],
      hashtags: [{ name: 'budget' }],
      watcherUsers: [{ id: people.manager }],
      watcherGroups: [{ id: groupId }],
      attachmentsCount: 1,
      occToken: 1,
      capabilities: { canViewDetail: true, canModify: false, canUpdateState: false, canDelete: false },
    });
    expect(read.subTasks.map((step: { description: string; state: number }) => [step.description, step.state])).toEqual(
      [
        ['find the number', 2],
        ['call', 1],
      ],
    );
    expect(read.assigneeGroup).toBeUndefined();
    expect(await counts(postId)).toEqual({ tasks: 1, standard: 1, files: 1 });
    expect((await history(postId)).map((event) => [event.typeId, event.target])).toEqual([
      [11, null],
      [21, people.author],
      [22, people.reader],
    ]);
    expect(await changes(postId)).toEqual([{ kind: 3, acl: false, before: null }]);
  });

  test('a group can be the assignee; then nobody in particular is the target', async () => {
    const postId = await world.post(world.people.author);
    const answer = await world.ok(world.people.author, 'POST', create(postId), {
      title: 'For the group',
      expiration: due,
      assigneeGroupId: world.groupId,
    });
    expect(answer.taskData.assigneeGroup).toMatchObject({ id: world.groupId });
    expect(answer.taskData.assigneeUser).toBeUndefined();
    expect(answer.taskData.priority).toBe(2);
    expect((await history(postId)).map((event) => event.target)).toEqual([null]);
    const read = await world.ok(world.people.contributor, 'GET', detail(answer.taskId));
    expect(read.capabilities).toMatchObject({ canModify: false, canUpdateState: true });
  });

  test('every fault of a body comes at once', async () => {
    const postId = await world.post(world.people.author);
    const answer = await world.send(world.people.author, 'POST', create(postId), {
      descriptionDelta: 'not a delta',
      expiration: { datetime: '2031-02-30T00:00:00', timezone: 'Europe/Rome' },
      assigneeUserId: 424_242,
      watcherUserIds: [world.people.manager, 434_343],
      attachments: [{ name: 'x', contentRef: 'f'.repeat(64) }],
    });
    expect(answer.status).toBe(400);
    expect(faults(answer)).toEqual([
      'title: REQUIRED_FIELD',
      'descriptionDelta: INVALID_DELTA',
      'expiration.datetime: INVALID_DATE',
      'assigneeUserId: UNKNOWN_REFERENCE',
      'watcherUserIds[1]: UNKNOWN_REFERENCE',
      'attachments[0].contentRef: CONTENT_REF_INVALID',
    ]);
    expect(await counts(postId)).toEqual({ tasks: 0, standard: 0, files: 0 });
  });

  test('assignee and expiration are demanded, each by its name', async () => {
    const postId = await world.post(world.people.author);
    const answer = await world.send(world.people.author, 'POST', create(postId), { title: 'No one, never' });
    expect(faults(answer)).toEqual(['expiration: REQUIRED_FIELD', 'assignee: INVALID_VALUE']);
    const both = await world.send(world.people.author, 'POST', create(postId), {
      title: 'Two',
      expiration: { datetime: '2031-01-01T00:00:00', timezone: 'Mars/Base' },
      assigneeUserId: world.people.author,
      assigneeGroupId: world.groupId,
    });
    expect(faults(both)).toEqual(['expiration.timezone: INVALID_TIME_ZONE', 'assignee: INVALID_VALUE']);
  });

  test('ids below 1 name nobody, neither a user nor a group', async () => {
    const { people, groupId } = world;
    const postId = await world.post(people.author);
    const body = { title: 'x', expiration: due };
    for (const [given, fault] of [
      [{ assigneeUserId: -groupId }, 'assigneeUserId: UNKNOWN_REFERENCE'],
      [{ assigneeGroupId: -people.reader }, 'assigneeGroupId: UNKNOWN_REFERENCE'],
      [{ assigneeUserId: 0 }, 'assigneeUserId: UNKNOWN_REFERENCE'],
      [{ assigneeUserId: people.author, watcherUserIds: [-groupId] }, 'watcherUserIds[0]: UNKNOWN_REFERENCE'],
    ] as const) {
      expect(faults(await world.send(people.author, 'POST', create(postId), { ...body, ...given }))).toEqual([fault]);
    }
  });

  test('a step needs a state other than 0', async () => {
    const postId = await world.post(world.people.author);
    const body = { title: 'Steps', expiration: due, assigneeUserId: world.people.author };
    for (const state of [undefined, 0, 9]) {
      const answer = await world.send(world.people.author, 'POST', create(postId), {
        ...body,
        subTasks: [
          { description: 'a', state: 1 },
          { description: 'b', ...(state !== undefined && { state }) },
        ],
      });
      expect(answer.status).toBe(400);
      expect(faults(answer)[0]).toMatch(/^subTasks\[1\]\.state: /);
    }
  });

  test('a repeated clientUid answers with the task that is there; anybody else’s is a 409', async () => {
    const { people } = world;
    const postId = await world.post(people.author);
    const other = await world.post(people.author);
    const body = { title: 'Once', expiration: due, assigneeUserId: people.author, clientUid: 'task-once' };
    const first = await world.ok(people.author, 'POST', create(postId), body);
    const second = await world.ok(people.author, 'POST', create(postId), { ...body, title: 'Twice' });
    expect(second.taskId).toBe(first.taskId);
    expect(second.taskData.title).toBe('Once');
    for (const [user, post] of [
      [people.contributor, postId],
      [people.author, other],
    ] as const) {
      const answer = await world.send(user, 'POST', create(post), body);
      expect([answer.status, answer.body.code]).toEqual([409, 'DUPLICATE_CLIENT_UID']);
    }
    const statuses = await atOnce(12, () =>
      world.send(people.author, 'POST', create(postId), { ...body, clientUid: 'task-race' }),
    );
    expect(statuses).toEqual({ 200: 12 });
    expect(await counts(postId)).toMatchObject({ tasks: 2 });
  });

  test('who sees the post but may not create is refused; who does not see it finds nothing', async () => {
    const { people } = world;
    const postId = await world.post(people.author);
    const body = { title: 'x', expiration: due, assigneeUserId: people.author };
    expect((await world.send(people.reader, 'POST', create(postId), body)).status).toBe(403);
    expect((await world.send(people.outsider, 'POST', create(postId), body)).status).toBe(404);
    expect((await world.send(people.author, 'POST', create(987_654), body)).status).toBe(404);
    const secret = await world.post(people.author, { visibility: 1 });
    expect((await world.send(people.contributor, 'POST', create(secret), body)).status).toBe(404);
  });

  test('a dry run answers as the write would and leaves nothing', async () => {
    const postId = await world.post(world.people.author);
    const before = await world.rows('SELECT count(*) AS tasks FROM tasks WHERE tenant_id = $1');
    const answer = await world.ok(world.people.author, 'POST', `${create(postId)}?dryRun=true`, {
      title: 'Perhaps',
      expiration: due,
      assigneeUserId: world.people.author,
    });
    expect(answer.taskData.title).toBe('Perhaps');
    expect(await world.rows('SELECT count(*) AS tasks FROM tasks WHERE tenant_id = $1')).toEqual(before);
    expect(await counts(postId)).toEqual({ tasks: 0, standard: 0, files: 0 });
  });
});

describe('reading', () => {
  test('no query per step, watcher or mention', async () => {
    const { people } = world;
    const taken: string[][] = [];
    for (const size of [1, 20, 200]) {
      const postId = await world.post(people.author);
      const { taskId } = await world.ok(people.author, 'POST', create(postId), {
        title: 'Long',
        expiration: due,
        assigneeUserId: people.author,
        watcherUserIds: [people.manager],
        watcherGroupIds: [world.groupId],
        subTasks: Array.from({ length: size }, (_, index) => ({ description: `step ${index}`, state: 1 })),
      });
      const { statements, result: read } = await statementsOf(portal, () =>
        world.ok(people.reader, 'GET', detail(taskId)),
      );
      taken.push(statements);
      expect(read.subTasks).toHaveLength(size);
    }
    expect(taken[1]).toEqual(taken[0]);
    expect(taken[2]).toEqual(taken[0]);
  });
});

describe('private posts', () => {
  test('the assignee sees the post for as long as the task is theirs; followers can tell who saw it before', async () => {
    const { people } = world;
    const postId = await world.post(people.author, { visibility: 1 });
    const capabilities = () => world.send(people.reader, 'GET', `posts/data/post-capabilities/${postId}`);
    expect((await capabilities()).status).toBe(404);
    const made = await world.ok(people.author, 'POST', create(postId), {
      title: 'Look',
      expiration: due,
      assigneeUserId: people.reader,
    });
    expect((await capabilities()).status).toBe(200);
    await world.ok(people.author, 'PUT', edit(made.taskId, 1), {
      title: 'Look',
      expiration: due,
      assigneeGroupId: world.groupId,
    });
    expect((await capabilities()).status).toBe(404);
    expect((await world.send(people.contributor, 'GET', detail(made.taskId))).status).toBe(200);
    expect((await world.send(people.author, 'DELETE', remove(made.taskId))).status).toBe(200);
    expect((await world.send(people.contributor, 'GET', `posts/data/post-capabilities/${postId}`)).status).toBe(404);
    expect(await changes(postId)).toEqual([
      { kind: 3, acl: true, before: [people.author] },
      { kind: 3, acl: true, before: [people.author, people.reader] },
      { kind: 3, acl: true, before: [-world.groupId, people.author] },
    ]);
  });
});

describe('editing', () => {
  async function task(more: object = {}): Promise<{ taskId: number; postId: number }> {
    const postId = await world.post(world.people.author);
    const { taskId } = await world.ok(world.people.author, 'POST', create(postId), {
      title: 'Old',
      descriptionPlainText: 'old text',
      expiration: due,
      priority: 4,
      assigneeUserId: world.people.author,
      subTasks: [{ description: 'one', state: 1 }],
      watcherUserIds: [world.people.manager],
      ...more,
    });
    return { taskId, postId };
  }

  test('what is left out is emptied; watchers, attachments and reminders stay; steps get new ids', async () => {
    const { people } = world;
    const postId = await world.post(people.author);
    const { taskId } = await createTask(
      await world.scope(people.author),
      postId,
      {
        title: 'Old',
        descriptionPlainText: 'old',
        expiration: due,
        assigneeUserId: people.author,
        subTasks: [{ description: 'one', state: 1 }],
        watcherUserIds: [people.manager],
        attachments: [{ name: 'a.txt', contentRef: await world.upload(people.author) }],
      },
      { reminders: [{ value: 2, range: 3, types: [1, 2] }] },
    );
    const before = await world.ok(people.author, 'GET', detail(taskId));
    expect(before.reminders).toMatchObject([{ value: 2, range: 3, types: [1, 2] }]);
    const answer = await world.ok(people.author, 'PUT', edit(taskId, before.occToken), {
      expiration: { datetime: before.expiration.localDatetime, timezone: before.expiration.timezone },
      assigneeUserId: people.author,
      subTasks: before.subTasks,
    });
    expect(answer.taskId).toBeUndefined();
    expect(answer.nextOccToken).toBe(before.occToken + 1);
    const after = await world.ok(people.author, 'GET', detail(taskId));
    expect(after.title).toBeUndefined();
    expect(after.descriptionDelta).toBeUndefined();
    expect(after.priority).toBeUndefined();
    expect(after).toMatchObject({
      watcherUsers: [{ id: people.manager }],
      attachmentsCount: 1,
      reminders: before.reminders,
    });
    expect(after.subTasks).toMatchObject([{ description: 'one', state: 1 }]);
    expect(after.subTasks[0].id).not.toBe(before.subTasks[0].id);
    const emptied = await world.ok(people.author, 'PUT', edit(taskId, after.occToken), {
      expiration: due,
      assigneeUserId: people.author,
      removeWatcherUserIds: [people.manager],
      addWatcherGroupIds: [world.groupId],
      removeAttachmentIds: [answer.taskData.attachments[0].id],
    });
    expect(emptied.taskData).toMatchObject({
      subTasks: [],
      watcherUsers: [],
      watcherGroups: [{ id: world.groupId }],
      attachments: [],
      attachmentsCount: 0,
    });
    expect(await counts(postId)).toEqual({ tasks: 1, standard: 1, files: 0 });
  });

  test('assignee and expiration stay mandatory', async () => {
    const { taskId } = await task();
    const answer = await world.send(world.people.author, 'PUT', edit(taskId, 1), { title: 'New' });
    expect(faults(answer)).toEqual(['expiration: REQUIRED_FIELD', 'assignee: INVALID_VALUE']);
  });

  test('only a new assignee and new mentions make history', async () => {
    const { people } = world;
    const { taskId, postId } = await task();
    const mention = (id: number) => JSON.stringify([{ insert: { mention: { id, value: 'x' } } }, { insert: '\n' }]);
    const body = {
      title: 'New',
      expiration: due,
      assigneeUserId: people.author,
      descriptionDelta: mention(people.reader),
    };
    await world.ok(people.author, 'PUT', edit(taskId, 1), body);
    await world.ok(people.author, 'PUT', edit(taskId, 2), body);
    await world.ok(people.author, 'PUT', edit(taskId, 3), { ...body, assigneeUserId: people.manager });
    expect((await history(postId)).map((event) => [event.typeId, event.target])).toEqual([
      [21, people.author],
      [22, people.reader],
      [21, people.manager],
    ]);
    expect((await changes(postId)).map((change) => change.kind)).toEqual([3, 3, 3, 3]);
  });

  test('a stale token is a 409 that says who changed what is there now, and changes nothing', async () => {
    const { taskId } = await task();
    const body = { title: 'Mine', expiration: due, assigneeUserId: world.people.author };
    await world.ok(world.people.manager, 'PUT', edit(taskId, 1), body);
    const answer = await world.send(world.people.author, 'PUT', edit(taskId, 1), { ...body, title: 'Late' });
    expect(answer.status).toBe(409);
    expect(answer.body).toMatchObject({ currentOccToken: 2, changedBy: { id: world.people.manager } });
    expect(answer.body.changedAt).toBeGreaterThan(0);
    expect(await world.ok(world.people.author, 'GET', detail(taskId))).toMatchObject({ title: 'Mine', occToken: 2 });
  });

  test('of fifty edits with one token exactly one wins', async () => {
    const { taskId } = await task();
    const statuses = await atOnce(50, (index) =>
      world.send(index % 2 ? world.people.author : world.people.manager, 'PUT', edit(taskId, 1), {
        title: `Edit ${index}`,
        expiration: due,
        assigneeUserId: world.people.author,
      }),
    );
    expect(statuses).toEqual({ 200: 1, 409: 49 });
    expect((await world.ok(world.people.author, 'GET', detail(taskId))).occToken).toBe(2);
  });

  test('its creator and managers edit; others are refused, or find nothing', async () => {
    const { people } = world;
    const { taskId } = await task();
    const body = { title: 'x', expiration: due, assigneeUserId: people.author };
    expect((await world.send(people.contributor, 'PUT', edit(taskId, 1), body)).status).toBe(403);
    expect((await world.send(people.reader, 'DELETE', remove(taskId))).status).toBe(403);
    expect((await world.send(people.outsider, 'PUT', edit(taskId, 1), body)).status).toBe(404);
    expect((await world.send(people.outsider, 'GET', detail(taskId))).status).toBe(404);
    const stranger = await createTestWorld(portal);
    expect((await stranger.send(stranger.people.manager, 'GET', detail(taskId))).status).toBe(404);
    expect((await stranger.send(stranger.people.manager, 'DELETE', remove(taskId))).status).toBe(404);
    expect((await world.send(people.manager, 'PUT', edit(taskId, 1), body)).status).toBe(200);
  });

  test('a deleted task is gone with its files', async () => {
    const { people } = world;
    const contentRef = await world.upload(people.author);
    const { taskId, postId } = await task({ attachments: [{ name: 'a.txt', contentRef }] });
    expect(await counts(postId)).toEqual({ tasks: 1, standard: 1, files: 1 });
    const answer = await world.send(people.author, 'DELETE', remove(taskId));
    expect([answer.status, answer.text]).toEqual([200, JSON.stringify({ postId })]);
    expect((await world.send(people.author, 'GET', detail(taskId))).status).toBe(404);
    expect((await world.send(people.author, 'DELETE', remove(taskId))).status).toBe(404);
    expect(await counts(postId)).toEqual({ tasks: 0, standard: 0, files: 0 });
  });

  test('handing in, closing and opening again leave their times', async () => {
    const { people } = world;
    const { taskId } = await task({ assigneeUserId: people.reader });
    await world.ok(people.reader, 'POST', stateOf(taskId), { state: 2 });
    await world.ok(people.author, 'POST', stateOf(taskId), { state: 3 });
    const closed = await world.ok(people.author, 'GET', detail(taskId));
    expect(closed).toMatchObject({
      state: 3,
      occToken: 1,
      lastReviewUser: { id: people.reader },
      closingUser: { id: people.author },
    });
    expect(closed.timeToReview).toBe(closed.firstReviewTimestamp - closed.creationTimestamp);
    expect(closed.timeToClosed).toBe(closed.closingTimestamp - closed.creationTimestamp);
    await world.ok(people.reader, 'POST', stateOf(taskId), { state: 1 });
    const open = await world.ok(people.author, 'GET', detail(taskId));
    expect(open.closingTimestamp).toBeUndefined();
    expect(open.firstReviewTimestamp).toBe(closed.firstReviewTimestamp);
    expect((await world.send(people.contributor, 'POST', stateOf(taskId), { state: 3 })).status).toBe(403);
  });
});
