/**
 * Time zones of plans and tasks over HTTP: the IANA rules where clocks are turned; plans that come
 * true exactly once, also after downtime and with several nodes at work.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { publishDuePosts } from '../../src/jobs/publish-due-posts.ts';
import { tidy } from '../../src/jobs/tidy.ts';
import type { Clock } from '../../src/kernel/scope.ts';
import { createTestPortal, type TestPortal } from '../support/index.ts';
import { createTestWorld, type TestWorld } from '../support/test-world.ts';

let portal: TestPortal;
let world: TestWorld;
/** The time of the portal: some day in winter, until a test moves it. */
const START = Date.parse('2027-01-10T12:00:00Z');
const clock: Clock & { at: number } = { at: START, now: () => clock.at };

beforeAll(async () => {
  portal = await createTestPortal({ clock });
  world = await createTestWorld(portal);
});
afterAll(() => portal?.close());

const planned = async (datetime: string, timezone: string): Promise<number> =>
  world.post(world.people.author, { scheduledPublication: { datetime, timezone } });
const form = (postId: number) => world.ok(world.people.author, 'GET', `posts/manage/post-data-for-edit/${postId}`);
const detail = (user: number, postId: number) => world.send(user, 'GET', `posts/data/post-detail-by-id/${postId}`);

/** Local time and zone as sent; as read: with offset, and local. */
const CASES = [
  // Rome springs forward on 28 March 2027 from 02:00 to 03:00: a missing time is read with the
  // former offset.
  ['2027-03-28T01:59:59', 'Europe/Rome', '2027-03-28T01:59:59+01:00', '2027-03-28T01:59:59'],
  ['2027-03-28T02:30:00', 'Europe/Rome', '2027-03-28T03:30:00+02:00', '2027-03-28T03:30:00'],
  ['2027-03-28T03:00:00', 'Europe/Rome', '2027-03-28T03:00:00+02:00', '2027-03-28T03:00:00'],
  // It falls back on 31 October from 03:00 to 02:00: a time that exists twice is the first of the
  // two.
  ['2027-10-31T01:59:59', 'Europe/Rome', '2027-10-31T01:59:59+02:00', '2027-10-31T01:59:59'],
  ['2027-10-31T02:30:00', 'Europe/Rome', '2027-10-31T02:30:00+02:00', '2027-10-31T02:30:00'],
  ['2027-10-31T03:00:00', 'Europe/Rome', '2027-10-31T03:00:00+01:00', '2027-10-31T03:00:00'],
  ['2027-03-14T02:15:00', 'America/New_York', '2027-03-14T03:15:00-04:00', '2027-03-14T03:15:00'],
  ['2027-11-07T01:15:00', 'America/New_York', '2027-11-07T01:15:00-04:00', '2027-11-07T01:15:00'],
  // Half an hour only, and in the other half of the year.
  ['2027-10-03T02:10:00', 'Australia/Lord_Howe', '2027-10-03T02:40:00+11:00', '2027-10-03T02:40:00'],
  ['2027-04-04T01:45:00', 'Australia/Lord_Howe', '2027-04-04T01:45:00+11:00', '2027-04-04T01:45:00'],
  ['2027-07-01T09:00:00', 'Asia/Kathmandu', '2027-07-01T09:00:00+05:45', '2027-07-01T09:00:00'],
  ['2027-07-01T09:00:00', 'UTC', '2027-07-01T09:00:00Z', '2027-07-01T09:00:00'],
] as const;

describe.each(CASES)('%s in %s', (datetime, timezone, zonedDatetime, localDatetime) => {
  const same = (read: { zonedDatetime: string; localDatetime: string; timezone: string }) => {
    expect(Date.parse(read.zonedDatetime)).toBe(Date.parse(zonedDatetime));
    expect(read.zonedDatetime.replace('+00:00', 'Z')).toBe(zonedDatetime);
    expect(read).toMatchObject({ localDatetime, timezone });
  };

  test('as the plan of a post', async () => {
    const postId = await planned(datetime, timezone);
    const { contentData, occToken } = await form(postId);
    same(contentData.scheduledPublication);
    // A read value may be sent back.
    const { localDatetime: read, timezone: zone } = contentData.scheduledPublication;
    await world.ok(world.people.author, 'PUT', `posts/manage/edit-post/${postId}/${occToken}`, {
      title: 'A post',
      description: 'Some text',
      descriptionFormat: 2,
      scheduledPublication: { datetime: read, timezone: zone },
    });
    same((await form(postId)).contentData.scheduledPublication);
  });

  test('as the expiration of a task', async () => {
    const postId = await world.post(world.people.author);
    const { taskId } = await world.ok(world.people.author, 'POST', `tasks/manage/create-task/${postId}`, {
      title: 'Then',
      assigneeUserId: world.people.reader,
      expiration: { datetime, timezone },
    });
    same((await world.ok(world.people.reader, 'GET', `tasks/data/task-detail-by-id/${taskId}`)).expiration);
  });
});

describe('plans', () => {
  test('come true in the instant that the zone makes of them', async () => {
    const gap = await planned('2027-03-28T02:30:00', 'Europe/Rome');
    const overlap = await planned('2027-10-31T02:30:00', 'Europe/Rome');
    const at = async (instant: string) => {
      clock.at = Date.parse(instant);
      await publishDuePosts(portal.services, world.tenant.tenant);
      const statuses = await Promise.all([gap, overlap].map((id) => detail(world.people.reader, id)));
      return statuses.map(({ status }) => status);
    };
    try {
      expect(await at('2027-03-28T01:29:59.999Z')).toEqual([404, 404]);
      expect(await at('2027-03-28T01:30:00Z')).toEqual([200, 404]);
      expect(await at('2027-10-31T00:29:59.999Z')).toEqual([200, 404]);
      expect(await at('2027-10-31T00:30:00Z')).toEqual([200, 200]);
    } finally {
      clock.at = START;
    }
  });

  test('come true exactly once with several nodes at work, also long after their time', async () => {
    const ids = await Promise.all(
      Array.from({ length: 30 }, (_, index) => planned(`2027-01-11T10:00:${String(index).padStart(2, '0')}`, 'UTC')),
    );
    expect(await publishDuePosts(portal.services, world.tenant.tenant)).toBe(0);
    const stream = await world.ok(world.people.reader, 'POST', 'posts/data/global-stream', {});
    try {
      // Nothing ran for a week.
      clock.at = Date.parse('2027-01-18T10:00:00Z');
      const counts = await Promise.all(
        Array.from({ length: 4 }, () => publishDuePosts(portal.services, world.tenant.tenant)),
      );
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(ids.length);
      expect(await publishDuePosts(portal.services, world.tenant.tenant)).toBe(0);
      const rows = await world.rows<{ modified: number; changes: number }>(
        `SELECT (SELECT count(*) FROM history_events h WHERE h.tenant_id = $1 AND h.post_id = p.id AND h.type_id = 2) AS modified,
                (SELECT count(*) FROM changes c WHERE c.tenant_id = $1 AND c.post_id = p.id AND c.kind = 1) AS changes
           FROM posts p WHERE p.tenant_id = $1 AND p.id = ANY ($2::bigint[])`,
        [ids],
      );
      expect(rows).toHaveLength(ids.length);
      // An entry for the draft, seen by its author alone, and one for the publication.
      for (const row of rows) expect(row).toEqual({ modified: 1, changes: 2 });
      for (const id of ids) {
        expect((await detail(world.people.reader, id)).status).toBe(200);
        expect((await form(id)).contentData).toMatchObject({ draft: false, scheduledPublicationResult: 1 });
      }
      await world.tenant.settleStream();
      const found = new Map<number, string>();
      let path = `posts/data/global-stream?syncToken=${stream.nextSyncToken}`;
      for (;;) {
        const page = await world.ok(world.people.reader, 'POST', path, {});
        for (const item of page.items) found.set(item.id, item.status);
        if (!page.nextPageToken) break;
        path = `posts/data/global-stream?syncToken=${stream.nextSyncToken}&pageToken=${page.nextPageToken}`;
      }
      for (const id of ids) expect(found.get(id)).toBe('CREATED');
    } finally {
      clock.at = START;
    }
  });

  test('come to nothing when their author is gone, which is said by the result', async () => {
    const author = await world.tenant.createUser();
    await world.role(author, 2);
    const made = await world.ok(author, 'POST', `posts/manage/create-post/${world.communityId}`, {
      title: 'Later',
      description: 'Text',
      descriptionFormat: 2,
      announcement: false,
      scheduledPublication: { datetime: '2027-01-12T10:00:00', timezone: 'UTC' },
    });
    await world.role(author, 3);
    try {
      clock.at = Date.parse('2027-01-13T10:00:00Z');
      await Promise.all([1, 2].map(() => publishDuePosts(portal.services, world.tenant.tenant)));
      expect((await detail(world.people.manager, made.postId)).status).toBe(404);
      const [row] = await world.rows<{ draft: boolean; result: number }>(
        'SELECT draft, scheduled_result AS result FROM posts WHERE tenant_id = $1 AND id = $2',
        [made.postId],
      );
      expect(row).toEqual({ draft: true, result: 2 });
      // Their draft is theirs again, with the code to read.
      await world.role(author, 2);
      const own = await world.ok(author, 'GET', `posts/manage/post-data-for-edit/${made.postId}`);
      expect(own.contentData).toMatchObject({ draft: true, scheduledPublicationResult: 2 });
      expect(await publishDuePosts(portal.services, world.tenant.tenant)).toBe(0);
    } finally {
      clock.at = START;
    }
  });

  test.each([
    [{ datetime: '2027-02-30T10:00:00', timezone: 'UTC' }, 'INVALID_DATE'],
    [{ datetime: '2027-02-28T24:30:00', timezone: 'UTC' }, 'INVALID_DATE'],
    [{ datetime: 'soon', timezone: 'UTC' }, 'INVALID_DATE'],
    [{ datetime: '2027-02-28T10:00:00', timezone: 'Mars/Olympus' }, 'INVALID_TIME_ZONE'],
    [{ datetime: '2026-12-31T10:00:00', timezone: 'UTC' }, 'INVALID_VALUE'],
  ])('are refused where they name no time to come: %o', async (scheduledPublication, code) => {
    const answer = await world.send(world.people.author, 'POST', `posts/manage/create-post/${world.communityId}`, {
      title: 'Never',
      description: 'Text',
      descriptionFormat: 2,
      announcement: false,
      scheduledPublication,
    });
    expect(answer.status).toBe(400);
    expect(answer.body.validationErrors.list[0].code).toBe(code);
  });
});

test('an Idempotency-Key is remembered for 48 hours', async () => {
  const { author } = world.people;
  const create = async () => {
    const answer = await world.tenant.request(
      author,
      'POST',
      `/portal/api/communication/posts/manage/create-post/${world.communityId}`,
      { title: 'Once', description: 'Text', descriptionFormat: 2, announcement: false },
      { 'Idempotency-Key': 'remembered' },
    );
    expect(answer.status, answer.text).toBe(200);
    return answer.body.postId as number;
  };
  const first = await create();
  try {
    clock.at = START + 47 * 3_600_000;
    await tidy(portal.services, world.tenant.tenant);
    expect(await create()).toBe(first);
    clock.at = START + 49 * 3_600_000;
    await tidy(portal.services, world.tenant.tenant);
    expect(await create()).not.toBe(first);
  } finally {
    clock.at = START;
  }
});
