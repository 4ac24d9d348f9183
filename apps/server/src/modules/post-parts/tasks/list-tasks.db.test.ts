/** Lists of tasks and changes of their states: filters, orders and rights. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  atOnce,
  createTestPortal,
  createTestWorld,
  faults,
  type TestPortal,
  type TestWorld,
} from '../../../../test/support/test-world.ts';

let portal: TestPortal;
let world: TestWorld;

beforeAll(async () => {
  portal = await createTestPortal();
  world = await createTestWorld(portal);
});
afterAll(() => portal?.close());

const at = (datetime: string) => ({ datetime, timezone: 'UTC' });
const PAST = at('2020-01-01T00:00:00');

async function task(by: number, postId: number, body: object): Promise<number> {
  const answer = await world.ok(by, 'POST', `tasks/manage/create-task/${postId}`, {
    title: 'Task',
    expiration: at('2031-06-01T12:00:00'),
    ...body,
  });
  return answer.taskId;
}

const list = (by: number, body: object) => world.ok(by, 'POST', 'tasks/data/tasks', body);
const idsOf = (page: { items: { id: number }[] }) => page.items.map(({ id }) => id);

async function pages(by: number, body: object): Promise<number[]> {
  const found: number[] = [];
  let pageToken: string | undefined;
  do {
    const page = await list(by, { ...body, pageSize: 2, ...(pageToken && { pageToken }) });
    found.push(...idsOf(page));
    pageToken = page.nextPageToken;
  } while (pageToken);
  return found;
}

describe('lists of tasks', () => {
  test('hold what is assigned to the caller or a group of theirs, the first due first, closed ones as asked', async () => {
    const { people, groupId } = world;
    const postId = await world.post(people.author);
    const later = await task(people.author, postId, {
      assigneeUserId: people.reader,
      expiration: at('2032-01-01T00:00:00'),
    });
    const late = await task(people.author, postId, { assigneeUserId: people.reader, expiration: PAST, priority: 4 });
    const mine = await task(people.contributor, postId, {
      assigneeUserId: people.reader,
      watcherUserIds: [people.manager],
    });
    const closed = await task(people.author, postId, { assigneeUserId: people.reader, expiration: PAST });
    await world.ok(people.reader, 'POST', `tasks/manage/set-task-state/${closed}`, { state: 3 });
    const ofGroup = await task(people.author, postId, { assigneeGroupId: groupId });

    expect(idsOf(await list(people.reader, { postId: undefined, open: true }))).toEqual([late, mine, later]);
    expect(await pages(people.reader, {})).toEqual([late, closed, mine, later]);
    expect(await pages(people.reader, { orderDesc: true })).toEqual([later, mine, closed, late]);
    expect(idsOf(await list(people.reader, { orderBy: 'priority', orderDesc: true }))[0]).toBe(late);
    expect(idsOf(await list(people.reader, { overdue: true }))).toEqual([late]);
    expect(idsOf(await list(people.reader, { overdue: false, open: true }))).toEqual([mine, later]);
    expect(idsOf(await list(people.reader, { open: false }))).toEqual([closed]);
    expect(idsOf(await list(people.reader, { states: [3] }))).toEqual([closed]);
    expect(idsOf(await list(people.contributor, { relation: 'created' }))).toEqual([mine]);
    expect(idsOf(await list(people.manager, { relation: 'watched' }))).toContain(mine);
    expect(idsOf(await list(people.author, { postId, assigneeGroupIds: [groupId] }))).toEqual([ofGroup]);
    expect(await pages(people.author, { postId })).toEqual([late, closed, mine, ofGroup, later]);
    const page = await list(people.reader, { postId, calculateTotalItemsCount: true, pageSize: 1 });
    expect(page.totalItemsCount).toBe(5);
    expect(page.items[0]).toMatchObject({
      id: late,
      postId,
      communityId: world.communityId,
      overdue: true,
      assigneeUser: { id: people.reader },
      capabilities: { canViewDetail: true, canModify: false, canUpdateState: true },
    });
    const due = new Date('2031-06-01T12:00:00Z').getTime();
    expect(idsOf(await list(people.author, { postId, expirationFrom: due, expirationTo: due + 1 }))).toEqual([
      mine,
      ofGroup,
    ]);
  });

  test('leave out what is on posts that the caller does not see, and refuse posts and communities that they do not', async () => {
    const { people } = world;
    const hidden = await world.post(people.author, { visibility: 1 });
    const taskId = await task(people.author, hidden, { assigneeUserId: people.author });
    const community = { communityId: world.communityId };
    expect(await pages(people.author, community)).toContain(taskId);
    expect(await pages(people.reader, community)).not.toContain(taskId);
    expect((await world.send(people.reader, 'POST', 'tasks/data/tasks', { postId: hidden })).status).toBe(404);
    expect((await world.send(people.reader, 'POST', 'tasks/data/tasks', { communityId: 999_999 })).status).toBe(404);
    const everywhere = { relation: 'any', calculateTotalItemsCount: true };
    expect(await pages(people.author, everywhere)).toContain(taskId);
    expect(await pages(people.reader, everywhere)).not.toContain(taskId);
    const stranger = await createTestWorld(portal);
    const elsewhere = await stranger.ok(stranger.people.manager, 'POST', 'tasks/data/tasks', everywhere);
    expect(elsewhere).toMatchObject({ items: [], totalItemsCount: 0 });
    expect((await stranger.send(stranger.people.manager, 'POST', 'tasks/data/tasks', { postId: hidden })).status).toBe(
      404,
    );
  });
});

describe('tasks of another person', () => {
  test('are found in all communities by their assignee alone, as far as the caller sees the posts', async () => {
    const { people, groupId } = world;
    const leaver = await world.tenant.createUser();
    await world.role(leaver, 2);
    const seen = await world.post(people.author);
    const hidden = await world.post(people.author, { visibility: 1 });
    const open = await task(people.author, seen, { assigneeUserId: leaver });
    const unseen = await task(people.author, hidden, { assigneeUserId: leaver });
    const ofGroup = await task(people.author, seen, { assigneeGroupId: groupId });
    const named = { assigneeUserIds: [leaver] };
    expect(await pages(people.author, named)).toEqual([open, unseen]);
    expect(await pages(people.reader, named)).toEqual([open]);
    expect(await pages(people.reader, { ...named, relation: 'assigned' })).toEqual([]);
    expect(await pages(people.contributor, { assigneeGroupIds: [groupId] })).toContain(ofGroup);
    expect(await pages(people.contributor, { assigneeUserIds: [] })).not.toContain(open);
  });

  test('are reassigned in bulk, each with an outcome, history and sight of its post of its own', async () => {
    const { people } = world;
    const [leaver, successor] = [await world.tenant.createUser(), await world.tenant.createUser()];
    for (const id of [leaver, successor]) await world.role(id, 3);
    const hidden = await world.post(people.author, { visibility: 1 });
    const other = await world.post(people.manager);
    const mine = await task(people.author, hidden, { assigneeUserId: leaver });
    const foreign = await task(people.manager, other, { assigneeUserId: leaver });
    const done = await task(people.author, other, { assigneeUserId: successor });
    const send = (assignee: object) =>
      world.ok(people.author, 'POST', 'tasks/manage/reassign-tasks', {
        taskIds: [foreign, 999_999, done, mine],
        ...assignee,
      });
    expect((await world.send(successor, 'GET', `posts/data/post-detail-by-id/${hidden}`)).status).toBe(404);
    const answer = await send({ assigneeUserId: successor });
    expect(answer).toMatchObject({
      items: [
        { taskId: foreign, outcome: 'ERROR', error: { status: 403 } },
        { taskId: 999_999, outcome: 'ERROR', error: { status: 404 } },
        { taskId: done, outcome: 'UNCHANGED', nextOccToken: 1 },
        { taskId: mine, outcome: 'OK', nextOccToken: 2 },
      ],
      okCount: 1,
      unchangedCount: 1,
      errorCount: 2,
      notRunCount: 0,
    });
    const after = await world.ok(successor, 'GET', `tasks/data/task-detail-by-id/${mine}`);
    expect(after).toMatchObject({ title: 'Task', occToken: 2, assigneeUser: { id: successor } });
    expect((await world.send(leaver, 'GET', `posts/data/post-detail-by-id/${hidden}`)).status).toBe(404);
    expect((await send({ assigneeUserId: 999_999 })).items.at(-1)).toMatchObject({
      outcome: 'ERROR',
      error: { status: 400, field: 'assigneeUserId' },
    });
  });

  test('an edit that names both kinds of assignee changes to the one that is new', async () => {
    const { people, groupId } = world;
    const postId = await world.post(people.author);
    const taskId = await task(people.author, postId, { assigneeUserId: people.reader });
    const edit = (occToken: number, assignees: object) =>
      world.send(people.author, 'PUT', `tasks/manage/edit-task/${taskId}/${occToken}`, {
        title: 'Task',
        expiration: PAST,
        ...assignees,
      });
    const both = { assigneeUserId: people.reader, assigneeGroupId: groupId };
    const toGroup = await edit(1, both);
    expect(toGroup.body.taskData, toGroup.text).toMatchObject({ assigneeGroup: { id: groupId } });
    expect(faults(await edit(2, { ...both, assigneeGroupId: -people.reader }))).toEqual(['assignee: INVALID_VALUE']);
    const toPerson = await edit(2, both);
    expect(toPerson.body.taskData, toPerson.text).toMatchObject({ assigneeUser: { id: people.reader } });
    const other = { assigneeUserId: people.contributor, assigneeGroupId: groupId };
    expect(faults(await edit(3, other))).toEqual(['assignee: INVALID_VALUE']);
  });

  test('a refused edit names what is missing', async () => {
    const { people } = world;
    const postId = await world.post(people.author);
    await world.ok(people.author, 'POST', `posts/manage/request-acknowledgements/${postId}`, {
      userIds: [people.reader],
    });
    const page = await list(people.manager, { postId, types: [2] });
    const [asked] = page.items;
    const edit = (by: number, taskId: number) =>
      world.send(by, 'PUT', `tasks/manage/edit-task/${taskId}/1`, {
        title: 'Task',
        expiration: PAST,
        assigneeUserId: people.reader,
      });
    const refused = await edit(people.manager, asked.id);
    expect([refused.status, refused.body.message]).toEqual([
      403,
      expect.stringContaining('The task is a request to acknowledge the post.'),
    ]);
    const plain = await task(people.author, postId, { assigneeUserId: people.reader });
    const stranger = await edit(people.contributor, plain);
    expect([stranger.status, stranger.body.message]).toEqual([
      403,
      expect.stringContaining('you did not create the task'),
    ]);
  });
});

describe('states of tasks', () => {
  test('a change of steps raises the token, so that an older edit does not undo it', async () => {
    const { people } = world;
    const postId = await world.post(people.author);
    const taskId = await task(people.author, postId, {
      assigneeUserId: people.reader,
      subTasks: [
        { description: 'one', state: 1 },
        { description: 'two', state: 1 },
      ],
    });
    const before = await world.ok(people.reader, 'GET', `tasks/data/task-detail-by-id/${taskId}`);
    const subTasks = [{ id: before.subTasks[1].id, state: 2 }];
    const answer = await world.ok(people.reader, 'POST', `tasks/manage/set-task-state/${taskId}`, { subTasks });
    expect(answer).toMatchObject({
      nextOccToken: before.occToken + 1,
      taskData: { state: 1, subTasks: [{ state: 1 }, { id: subTasks[0]!.id, state: 2 }] },
    });
    const again = await world.ok(people.reader, 'POST', `tasks/manage/set-task-state/${taskId}`, { subTasks });
    expect(again.nextOccToken).toBe(answer.nextOccToken);
    const stale = await world.send(people.author, 'PUT', `tasks/manage/edit-task/${taskId}/${before.occToken}`, {
      title: 'Task',
      expiration: PAST,
      assigneeUserId: people.reader,
    });
    expect(stale.status).toBe(409);
  });

  test('16 people who mark different steps at once lose none', async () => {
    const { people } = world;
    const postId = await world.post(people.author);
    const steps = Array.from({ length: 16 }, (_, index) => ({ description: `step ${index}`, state: 1 }));
    const taskId = await task(people.author, postId, { assigneeUserId: people.reader, subTasks: steps });
    const { subTasks } = await world.ok(people.reader, 'GET', `tasks/data/task-detail-by-id/${taskId}`);
    const answers = await atOnce(16, (index) =>
      world.send(index % 2 ? people.reader : people.author, 'POST', `tasks/manage/set-task-state/${taskId}`, {
        subTasks: [{ id: subTasks[index].id, state: 2 }],
      }),
    );
    expect(answers).toEqual({ 200: 16 });
    const after = await world.ok(people.reader, 'GET', `tasks/data/task-detail-by-id/${taskId}`);
    expect(after.subTasks.map(({ state }: { state: number }) => state)).toEqual(Array(16).fill(2));
    expect(after.occToken).toBe(17);
  });
});
