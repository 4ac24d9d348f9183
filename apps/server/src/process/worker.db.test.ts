/**
 * Background work waits until it is due: no statement goes to tenants without work, and no work is
 * late for the others.
 */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createTestPortal, createTestWorld, type TestPortal, type TestWorld } from '../../test/support/test-world.ts';
import { nextDue } from '../jobs/next-due.ts';
import { storeFile } from '../modules/files/index.ts';
import { startWorker, tasks } from './worker.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const TENANTS = 12;

let portal: TestPortal;
/** How far the clock is ahead. Milliseconds. */
let ahead = 0;
let worker: ReturnType<typeof startWorker> | undefined;

beforeAll(async () => {
  portal = await createTestPortal({ clock: { now: () => Date.now() + ahead } });
});
afterAll(async () => {
  await worker?.stop();
  await portal?.close();
});

/** When tenants are due next, by id. Epoch milliseconds. */
async function dueTimes(): Promise<Map<number, number>> {
  const { rows } = await portal.owner.query<{ tenant: string; at: Date }>(
    'SELECT tenant, due_at AS at FROM tenant_work',
  );
  return new Map(rows.map(({ tenant, at }) => [Number(tenant), at.getTime()]));
}

/** Waits until all tenants are left alone. The clock moves on, as it does while nobody writes. */
async function rested(): Promise<void> {
  const { length } = (await portal.owner.query('SELECT FROM tenants')).rows;
  await expect
    .poll(
      async () => {
        ahead += MINUTE_MS + 1;
        const now = Date.now() + ahead;
        return [...(await dueTimes()).values()].filter((at) => at > now).length;
      },
      { interval: 3_000, timeout: 60_000 },
    )
    .toBe(length);
}

/** Counts how often a connection is asked for while the worker looks for work a number of times. */
async function useDuring(looks: number): Promise<number> {
  const { pool, work } = portal.services;
  const look = vi.spyOn(work, 'readDue');
  const use = vi.spyOn(pool.connections, 'acquire');
  // From the begin of a look to that of another one.
  await expect.poll(() => look.mock.calls.length, { interval: 20, timeout: 30_000 }).toBeGreaterThanOrEqual(1);
  const before = look.mock.calls.length;
  use.mockClear();
  await expect
    .poll(() => look.mock.calls.length, { interval: 20, timeout: 30_000 })
    .toBeGreaterThanOrEqual(before + looks);
  const count = use.mock.calls.length;
  vi.restoreAllMocks();
  return count;
}

it('sends one statement in each look while no tenant has work', async () => {
  for (let count = 0; count < TENANTS; count++) await portal.createTenant();
  worker = startWorker(portal.services, 'all');
  await rested();
  // Jobs may still be at a tenant that was left alone a moment ago.
  await expect.poll(() => useDuring(4), { timeout: 120_000 }).toBeLessThanOrEqual(5);
});

it('looks after a tenant when a write marks it, in this process or another, and at the time that the write names', async () => {
  const world = await createTestWorld(portal);
  const scheduledAt = Math.ceil((Date.now() + ahead + 5 * HOUR_MS) / 1_000) * 1_000;
  const postId = await world.post(world.people.author, {
    scheduledPublication: { datetime: new Date(scheduledAt).toISOString() },
  });
  const isDraft = async () =>
    (await world.rows<{ draft: boolean }>('SELECT draft FROM posts WHERE tenant_id = $1 AND id = $2', [postId]))[0]!
      .draft;
  expect(await isDraft()).toBe(true);
  await rested();
  expect((await dueTimes()).get(world.db.tenantId)).toBeLessThanOrEqual(scheduledAt);
  ahead += scheduledAt - (Date.now() + ahead);
  await expect.poll(isDraft).toBe(false);
  // Its event is work of another job.
  await expect
    .poll(() => world.rows('SELECT FROM history_events WHERE tenant_id = $1 AND awaits_notification'))
    .toEqual([]);
});

/** Writes a day's work of an installation. */
async function writeAll(world: TestWorld): Promise<void> {
  const { people } = world;
  const postId = await world.post(people.author);
  const ok = (user: number, method: string, path: string, body?: object) => world.ok(user, method, path, body);
  const { comment } = await ok(people.contributor, 'POST', `posts/manage/create-comment/${postId}`, {
    comment: 'said',
    commentFormat: 2,
  });
  await ok(people.contributor, 'DELETE', `comments/manage/comment/${comment.id}`);
  await storeFile(await world.scope(people.author), portal.services.storage, Buffer.from('not attached'));
}

it('knows when each kind of work is due: all of it is done at that time, and none is left', async () => {
  await worker?.stop();
  worker = undefined;
  const world = await createTestWorld(portal);
  const { tenant } = world.tenant;
  await writeAll(world);
  const services = { ...portal.services, databases: portal.services.unmarkedDatabases };
  const stop = new AbortController().signal;
  const moments: number[] = [];
  for (;;) {
    for (let more = true; more; ) {
      more = false;
      for (const task of tasks) if ((await task.run(services, tenant, stop)) === true) more = true;
    }
    const { waiting, at } = await nextDue(services, tenant);
    expect(waiting).toBe(false);
    if (at === undefined) break;
    const now = Date.now() + ahead;
    // The due work is done: the next moment lies ahead.
    expect(at).toBeGreaterThan(now - 1_000);
    expect(moments.length).toBeLessThan(60);
    moments.push(at);
    ahead += Math.max(at - now, 0) + 1;
  }
  expect(moments.length).toBeGreaterThan(3);
  for (const table of ['changes', 'notifications', 'deleted_comments', 'idempotency_keys', 'sign_in_failures'])
    expect(await world.rows(`SELECT FROM ${table} WHERE tenant_id = $1`), table).toEqual([]);
  expect(await world.rows('SELECT FROM file_contents WHERE tenant_id = $1 AND attached_at IS NULL')).toEqual([]);
  expect(DAY_MS).toBeLessThan(moments.at(-1)! - moments[0]!);
});
