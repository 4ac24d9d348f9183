/** Guests of events, and calendars with a secret address, read by a parser of RFC 5545. */
import ical from 'node-ical';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createTestPortal,
  createTestWorld,
  type TestPortal,
  type TestWorld,
} from '../../../../test/support/test-world.ts';
import { tidy } from '../../../jobs/tidy.ts';

let portal: TestPortal;
let world: TestWorld;

beforeAll(async () => {
  portal = await createTestPortal();
  world = await createTestWorld(portal);
});
afterAll(() => portal?.close());

const CORE = '/portal/api/external/v2/core/auth';
const event = async (by: number, body: object = {}, place: object = {}): Promise<number> =>
  (
    await world.ok(by, 'POST', `posts/manage/create-event-post/${world.communityId}`, {
      title: 'Fair; with, signs\\ and a title that is much longer than the seventy-five octets of a line',
      description: 'x',
      descriptionFormat: 2,
      announcement: false,
      event: {
        startAt: { localDatetime: '2031-05-02T09:00:00' },
        timezone: 'Europe/Rome',
        location: 'Hall 1',
        ...place,
      },
      ...body,
    })
  ).postId;
const answer = (by: number, postId: number, typeId: number) =>
  world.send(by, 'PUT', `posts/manage/post-event/${postId}/partecipate`, { typeId, notes: 'note' });
const feed = async (by: number, body: object = {}): Promise<{ feedId: number; path: string }> => {
  const made = await world.tenant.request(by, 'POST', `${CORE}/manage/calendar-feeds`, body);
  expect(made.status, made.text).toBe(200);
  return { feedId: made.body.feedId, path: new URL(made.body.uri).pathname };
};
const read = (path: string) => world.tenant.request(null, 'GET', path);
/** Returns the ids of the posts in a calendar, and its events. */
async function events(path: string) {
  const { text, status } = await read(path);
  expect(status).toBe(200);
  for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
  const found = Object.values(ical.sync.parseICS(text)).filter((part) => part?.type === 'VEVENT');
  return found as { uid: string; start: Date; end: Date; summary: string; location: string; datetype: string }[];
}
const ids = async (path: string) =>
  (await events(path)).map(({ uid }) => Number(/^post-(\d+)@/.exec(uid)?.[1])).toSorted((a, b) => a - b);

describe('guests', () => {
  test('are who is invited themselves or has answered, with counts; notes are for few', async () => {
    const { people, groupId } = world;
    const invitations = { users: [{ id: people.reader }, { id: people.author }], groups: [{ id: groupId }] };
    const postId = await event(people.author, {}, { invitations });
    await answer(people.contributor, postId, 1);
    await answer(people.author, postId, 3);
    const list = (by: number, body: object = {}) =>
      world.ok(by, 'POST', `posts/data/post-event/${postId}/guests`, body);
    const all = await list(people.reader, { calculateTotalItemsCount: true });
    expect(all.counts).toEqual({ yes: 1, maybe: 0, no: 1, unanswered: 1 });
    expect(all.totalItemsCount).toBe(3);
    expect(all.invitedGroups).toMatchObject([{ id: groupId }]);
    const seen = all.items.map(
      ({ user, answer: given, notes }: { user: { id: number }; answer: number; notes?: string }) => [
        user.id,
        given,
        notes !== undefined,
      ],
    );
    expect(seen).toEqual([
      [people.author, 3, false],
      [people.contributor, 1, false],
      [people.reader, 0, false],
    ]);
    expect((await list(people.manager, { answers: [1] })).items).toMatchObject([
      { user: { id: people.contributor }, notes: expect.stringContaining('note') },
    ]);
    const first = await list(people.reader, { pageSize: 2 });
    const second = await list(people.reader, { pageSize: 2, pageToken: first.nextPageToken });
    expect([...first.items, ...second.items]).toEqual(all.items);
    expect((await world.send(people.outsider, 'POST', `posts/data/post-event/${postId}/guests`, {})).status).toBe(404);
    const post = await world.post(people.author);
    expect((await world.send(people.author, 'POST', `posts/data/post-event/${post}/guests`, {})).status).toBe(404);
  });
});

describe('a calendar', () => {
  test('shows what its owner may see at that moment, as RFC 5545 has it', async () => {
    const fresh = await createTestWorld(portal);
    world = fresh;
    const { people, communityId } = world;
    const open = await event(people.author);
    const day = await event(
      people.author,
      {},
      {
        allDay: true,
        timezone: undefined,
        startAt: { localDatetime: '2031-06-01' },
        endAt: { localDatetime: '2031-06-02' },
      },
    );
    const hidden = await event(people.author, { visibility: 1 });
    await event(people.author, { draft: true });
    const community = await feed(people.reader, { communityId });
    const own = await feed(people.reader);
    expect(await ids(community.path)).toEqual([open, day]);
    expect(await ids(own.path)).toEqual([]);
    const [first] = await events(community.path);
    expect(first).toMatchObject({ location: 'Hall 1', summary: expect.stringContaining('Fair; with, signs') });
    expect(first!.start.toISOString()).toBe('2031-05-02T07:00:00.000Z');
    const whole = (await events(community.path)).find(({ datetype }) => datetype === 'date')!;
    expect(whole.end.getTime() - whole.start.getTime()).toBe(2 * 86_400_000);
    await answer(people.reader, open, 1);
    expect(await ids(own.path)).toEqual([open]);
    await answer(people.reader, open, 3);
    expect(await ids(own.path)).toEqual([]);
    // The post becomes visible, and disappears again with the role.
    const form = await world.ok(people.author, 'GET', `posts/manage/event-post-data-for-edit/${hidden}`);
    await world.ok(people.author, 'POST', `posts/manage/patch-post/${hidden}`, {
      visibility: 2,
      occToken: form.occToken,
    });
    expect(await ids(community.path)).toEqual([open, day, hidden]);
    await world.role(people.reader, null);
    expect((await read(community.path)).status).toBe(404);
    expect(await ids(own.path)).toEqual([]);
  });

  test('holds no character that RFC 5545 forbids, whatever people write, and leads to the page of the event', async () => {
    world = await createTestWorld(portal);
    const { people, communityId } = world;
    const place = { allDay: true, startAt: { localDatetime: '9999-12-31' }, endAt: { localDatetime: '9999-12-31' } };
    const last = await event(people.author, { title: 'Last day' }, { ...place, timezone: undefined });
    const odd = (word: string) => `${word}\u0007\u000b\u001b\u007f\u0085\r\nEND:VEVENT\rX-ODD:1`;
    const postId = await event(
      people.author,
      { title: odd('Fair'), description: odd('Text') },
      { location: odd('Hall') },
    );
    const { path } = await feed(people.author, { communityId });
    const { text } = await read(path);
    expect(text.replaceAll('\r\n', '')).not.toMatch(/\p{Cc}/u);
    expect(text.match(/^(?:END:VEVENT|X-ODD)/gm)).toEqual(['END:VEVENT', 'END:VEVENT']);
    for (const [, digits] of text.matchAll(/^DT[^:]+:(\d+)/gm)) expect(digits).toHaveLength(8);
    expect(await ids(path)).toEqual([last, postId]);
    expect(text.replaceAll('\r\n ', '')).toContain(`/portal/post/${postId}\r\n`);
    expect(await events(path)).toMatchObject([{ summary: 'Fair END:VEVENT X-ODD:1' }, { summary: 'Last day' }]);
  });

  test('is named after what it shows, ends with a line, and has no end that is its start', async () => {
    world = await createTestWorld(portal);
    const { people, communityId } = world;
    const name = 'Halls, rooms; \\ and more';
    await world.rows('UPDATE communities SET name = $3 WHERE tenant_id = $1 AND id = $2', [communityId, name]);
    const short = {
      startAt: { localDatetime: '2031-05-02T09:00:00' },
      endAt: { localDatetime: '2031-05-02T09:00:00.900' },
    };
    await event(people.author, {}, short);
    const { text } = await read((await feed(people.reader, { communityId })).path);
    expect(text).toContain('\r\nX-WR-CALNAME:Halls\\, rooms\\; \\\\ and more\r\n');
    expect(text).not.toContain('DTEND');
    expect(text.endsWith('\r\nEND:VCALENDAR\r\n')).toBe(true);
    const own = await read((await feed(people.reader)).path);
    expect(own.text).toContain(`\r\nNAME:${world.tenant.tenant.displayName}\r\n`);
  });

  test('has one address, which is shown once, kept as a hash, and ends when it is renewed, revoked or its owner is blocked', async () => {
    const { people, communityId } = world;
    const first = await feed(people.author, { communityId });
    const second = await feed(people.author, { communityId });
    expect(second.feedId).toBe(first.feedId);
    expect((await read(first.path)).status).toBe(404);
    const answered = await read(second.path);
    expect(answered.status).toBe(200);
    expect(answered.headers.get('content-type')).toBe('text/calendar; charset=utf-8');
    expect(answered.headers.get('cache-control')).toBe('private, no-store');
    const listed = await world.tenant.request(people.author, 'GET', `${CORE}/calendar-feeds`);
    expect(listed.body.feeds).toEqual([{ id: first.feedId, communityId, creationTimestamp: expect.any(Number) }]);
    const secret = /([^/]+)\.ics$/.exec(second.path)?.[1] ?? '';
    const kept = await world.rows('SELECT to_jsonb(f)::text AS row FROM calendar_feeds f WHERE tenant_id = $1');
    expect(JSON.stringify(kept)).not.toContain(secret);
    const foreign = await createTestWorld(portal);
    expect((await foreign.tenant.request(null, 'GET', second.path)).status).toBe(404);
    const revoke = (by: number) =>
      world.tenant.request(by, 'POST', `${CORE}/manage/calendar-feeds/${second.feedId}/revoke`);
    expect((await revoke(people.contributor)).status).toBe(404);
    expect((await revoke(people.author)).status).toBe(200);
    expect((await read(second.path)).status).toBe(404);
    const third = await feed(people.author);
    // Signed out everywhere, as after a new password.
    expect((await read(third.path)).status).toBe(200);
    await world.rows('UPDATE users SET session_version = session_version + 1 WHERE tenant_id = $1 AND id = $2', [
      people.author,
    ]);
    expect((await read(third.path)).status).toBe(404);
    const fourth = await feed(people.manager);
    await world.rows('UPDATE users SET blocked = true WHERE tenant_id = $1 AND id = $2', [people.manager]);
    await world.rows('UPDATE tenant_versions SET access_version = access_version + 1 WHERE tenant_id = $1');
    expect((await read(fourth.path)).status).toBe(404);
  });

  test('from before its sign-in was noted is tied to the present sign-ins, and goes with them', async () => {
    const { people } = world;
    const { path } = await feed(people.contributor);
    await world.rows('UPDATE calendar_feeds SET session_version = NULL WHERE tenant_id = $1 AND user_id = $2', [
      people.contributor,
    ]);
    expect((await read(path)).status).toBe(200);
    await tidy(portal.services, world.tenant.tenant);
    expect((await read(path)).status).toBe(200);
    await world.rows('UPDATE users SET session_version = session_version + 1 WHERE tenant_id = $1 AND id = $2', [
      people.contributor,
    ]);
    expect((await read(path)).status).toBe(404);
    await tidy(portal.services, world.tenant.tenant);
    expect(
      await world.rows('SELECT 1 FROM calendar_feeds WHERE tenant_id = $1 AND user_id = $2', [people.contributor]),
    ).toEqual([]);
  });
});
