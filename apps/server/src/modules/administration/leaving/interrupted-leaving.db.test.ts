/** A hand-over that breaks off between its parts, runs out of time, or meets an archived community. */
import { bulkLimits, FieldType } from '@portico/contract';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  createTestPortal,
  createTestWorld,
  type TestPortal,
  type TestWorld,
} from '../../../../test/support/test-world.ts';
import { PART } from '../../../kernel/bulk.ts';

const USERS = '/portal/api/admin/manage/users';
/** Posts of a leaver: two full parts and a rest. */
const POSTS = 2 * PART + 10;

let portal: TestPortal;
let world: TestWorld;
/** Holds `manageUsers` alone. */
let clerk: number;

beforeAll(async () => {
  portal = await createTestPortal();
  const metadata = { generic_entity_list_config_id: 'core.user' };
  world = await createTestWorld(portal, {
    fields: [{ label: 'Owner', type: FieldType.GENERIC_ENTITY_LIST, metadata, searchable: false }],
  });
  const body = { firstname: 'Clara', lastname: 'Clerk', adminCapabilities: ['manageUsers'] };
  const made = await world.tenant.request(world.people.admin, 'POST', USERS, body);
  expect(made.status, made.text).toBe(200);
  clerk = made.body.userId;
});
afterEach(() => void vi.restoreAllMocks());
afterAll(() => portal?.close());

const owner = () => world.fieldIds.get('Owner')!;
const person = async () => {
  const userId = await world.tenant.createUser();
  await world.role(userId, 2);
  return userId;
};

/** A person whom {@link POSTS} posts name in a field, and who has tasks on the first and the last of them. */
async function leaver(): Promise<{ userId: number; successor: number; postIds: number[] }> {
  const [userId, successor] = [await person(), await person()];
  const { manager } = world.people;
  const first = await world.post(manager, { customData: { [owner()]: [userId] } });
  // As one statement: sixty writes by the interface are no subject of these tests.
  const others = await world.rows<{ id: number }>(
    `INSERT INTO posts (tenant_id, community_id, custom_no, type, visibility, creator_id, created_at, published_at, modifier_id,
            modified_at, operated_at, active_at, recent_at, token_by, token_at, title, title_key, custom_data)
     SELECT p.tenant_id, p.community_id, 1000000 * p.custom_no + n, p.type, p.visibility, p.creator_id, p.created_at, p.published_at,
            p.modifier_id, p.modified_at, p.operated_at, p.active_at, p.recent_at, p.token_by, p.token_at, p.title, p.title_key, p.custom_data
       FROM posts p, generate_series(2, $3::integer) AS n WHERE p.tenant_id = $1 AND p.id = $2 RETURNING id`,
    [first, POSTS],
  );
  const postIds = [first, ...others.map(({ id }) => id)].sort((one, other) => one - other);
  for (const postId of [postIds[0], postIds.at(-1)])
    await world.ok(manager, 'POST', `tasks/manage/create-task/${postId}`, {
      title: 'Task',
      expiration: { datetime: '2031-06-01T12:00:00', timezone: 'UTC' },
      assigneeUserId: userId,
    });
  return { userId, successor, postIds };
}

const leave = (userId: number, body: object, key?: string) => {
  const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key };
  return world.tenant.request(clerk, 'POST', `${USERS}/${userId}/leave`, body, headers);
};

/**
 * Sends a request, and does something while it waits for a post that a transaction of the test holds.
 * @param work gets the id of the process of PostgreSQL that waits
 */
async function whileItWaits<T>(
  postId: number,
  send: () => Promise<T>,
  work: (pid: number) => Promise<void>,
): Promise<T> {
  const { answer } = await world.db.transaction(async (tx) => {
    await tx.query('SELECT id FROM posts WHERE tenant_id = $1 AND id = $2 FOR UPDATE', [tx.tenantId, postId]);
    const [own] = await tx.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    // In an object: the transaction does not wait for it.
    const sent = { answer: send() };
    let waiting: number | undefined;
    await expect
      .poll(async () => {
        const { rows } = await portal.owner.query(
          'SELECT pid FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))',
          [own!.pid],
        );
        waiting = rows[0]?.pid;
        return waiting;
      })
      .toBeDefined();
    await work(waiting!);
    return sent;
  });
  return answer;
}

/** Posts that name a person, and events that the clerk made on the posts. */
async function standing(postIds: readonly number[], userId: number): Promise<{ named: number; events: number }> {
  const [row] = await world.rows<{ named: number; events: number }>(
    `SELECT (SELECT count(*) FROM posts p WHERE p.tenant_id = $1 AND p.id = ANY ($2::bigint[]) AND p.custom_data -> $4::text @> to_jsonb($3::bigint)) AS named,
            (SELECT count(*) FROM history_events h WHERE h.tenant_id = $1 AND h.post_id = ANY ($2::bigint[]) AND h.author_id = $5) AS events`,
    [postIds, userId, String(owner()), clerk],
  );
  return row!;
}

describe('a hand-over that breaks off between two parts', () => {
  test.each([
    ['without a key tells the rest', false],
    ['with a key tells the sum', true],
  ])('ends when it is asked again, and nothing is doubled: %s', async (_, keyed) => {
    const { userId, successor, postIds } = await leaver();
    const body = { account: 'block', successorUserId: successor, fieldIds: [owner()] };
    const key = keyed ? `leave ${userId}` : undefined;
    const broken = await whileItWaits(
      postIds[2 * PART + 5]!,
      () => leave(userId, body, key),
      async (pid) => {
        await portal.owner.query('SELECT pg_terminate_backend($1)', [pid]);
      },
    );
    expect(broken.status).not.toBe(200);
    // The account ended first, and whole parts were written.
    const state = async () => (await world.tenant.request(clerk, 'GET', `${USERS}/${userId}/leaving`)).body;
    expect(await state()).toMatchObject({ state: 'blocked', openTasksCount: 1 });
    expect((await standing(postIds, successor)).named).toBe(2 * PART);
    const again = await leave(userId, body, key);
    expect(again.body, again.text).toMatchObject({
      state: 'blocked',
      fieldPostsCount: keyed ? POSTS : POSTS - 2 * PART,
      tasksCount: keyed ? 2 : 1,
      notRunCount: 0,
    });
    // One event for each post, and one for each task.
    expect(await standing(postIds, successor)).toEqual({ named: POSTS, events: POSTS + 2 });
    expect(await state()).toMatchObject({ openTasksCount: 0, fields: [] });
    const third = await leave(userId, body, key);
    expect(third.body).toEqual(keyed ? again.body : { ...again.body, fieldPostsCount: 0, tasksCount: 0 });
    expect(await standing(postIds, successor)).toEqual({ named: POSTS, events: POSTS + 2 });
  });
});

describe('a hand-over that takes too long', () => {
  test('stops after a part, tells what it did not run, and goes on when it is asked again', async () => {
    const { userId, successor, postIds } = await leaver();
    const body = { account: 'keep', successorUserId: successor, fieldIds: [owner()] };
    const key = `leave ${userId}`;
    const now = performance.now.bind(performance);
    let skipped = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => now() + skipped);
    const stopped = await whileItWaits(
      postIds[PART + 5]!,
      () => leave(userId, body, key),
      async () => {
        skipped = (bulkLimits.seconds + 1) * 1000;
      },
    );
    expect(stopped.body, stopped.text).toMatchObject({ fieldPostsCount: 2 * PART, tasksCount: 1, notRunCount: 10 });
    expect((await standing(postIds, successor)).named).toBe(2 * PART);
    const rest = await leave(userId, body, key);
    expect(rest.body, rest.text).toMatchObject({ fieldPostsCount: POSTS, tasksCount: 2, notRunCount: 0 });
    expect(await standing(postIds, successor)).toEqual({ named: POSTS, events: POSTS + 2 });
    expect((await leave(userId, body, key)).body).toEqual(rest.body);
  });
});

describe('an archived community', () => {
  test('keeps tasks and fields of the leaver, which the answer counts; its roles go over', async () => {
    const { userId, successor, postIds } = await leaver();
    const { admin } = world.people;
    const path = `/portal/api/admin/manage/communities/${world.communityId}/archived`;
    const archive = async (archived: boolean) => {
      const answer = await world.tenant.request(admin, 'PUT', path, { archived });
      expect(answer.status, answer.text).toBe(200);
    };
    const body = { account: 'delete', successorUserId: successor, fieldIds: [owner()] };
    await archive(true);
    const kept = await world.tenant.request(admin, 'POST', `${USERS}/${userId}/leave`, {
      ...body,
      communityIds: [world.communityId],
    });
    await archive(false);
    expect(kept.body, kept.text).toMatchObject({
      state: 'deleted',
      rolesCount: 1,
      tasksCount: 0,
      fieldPostsCount: 0,
      leftTasksCount: 2,
      leftFieldPostsCount: POSTS,
      notRunCount: 0,
    });
    expect(await standing(postIds, userId)).toEqual({ named: POSTS, events: 0 });
    // In use again, the rest goes over.
    const rest = await leave(userId, body);
    expect(rest.body).toMatchObject({
      tasksCount: 2,
      fieldPostsCount: POSTS,
      leftTasksCount: 0,
      leftFieldPostsCount: 0,
    });
  });
});
