/**
 * Rules of events that existing clients rely on: whole days, kept and cleared fields, and the
 * ordinary operations.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestPortal, type TestPortal } from '../../../../test/support/index.ts';
import { API, createFieldWorld, type FieldWorld, MANAGE, makeUpload, rows } from './writing.fixture.ts';

let portal: TestPortal;
let world: FieldWorld;
type Body = Record<string, unknown>;
const send = (method: string, path: string, body?: Body, userId = world.people.author) =>
  world.tenant.request(userId, method, `${MANAGE}/${path}`, body);
const codes = (answer: { body: { validationErrors: { list: { code: string; field: string }[] } } }) =>
  answer.body.validationErrors.list.map(({ code, field }) => `${field} ${code}`).sort();
const days = (overrides: Body = {}): Body => ({
  allDay: true,
  startAt: { localDatetime: '2026-10-14' },
  endAt: { localDatetime: '2026-10-15' },
  ...overrides,
});
const hours = (overrides: Body = {}): Body => ({
  startAt: { localDatetime: '2026-10-14T09:00:00' },
  timezone: 'Europe/Rome',
  ...overrides,
});
const body = (overrides: Body = {}): Body => ({
  title: 'Fair',
  description: 'Come',
  descriptionFormat: 2,
  event: hours(),
  ...overrides,
});
const create = (overrides: Body = {}) => send('POST', `create-event-post/${world.communityId}`, body(overrides));
async function createEvent(overrides: Body = {}): Promise<number> {
  const answer = await create(overrides);
  expect(answer.text).toContain('postId');
  return answer.body.postId;
}
const eventOf = async (postId: number) =>
  (await send('GET', `event-post-data-for-edit/${postId}`)).body.contentData.event;

beforeAll(async () => {
  portal = await createTestPortal();
  world = await createFieldWorld(portal);
});
afterAll(() => portal.close());

describe('all-day events', () => {
  it('have dates without time or zone, and take back what was read', async () => {
    const postId = await createEvent({ event: days() });
    const day = (date: string) => ({ localDatetime: date, zonedDatetime: date, utcDatetime: date });
    const read = await eventOf(postId);
    expect(read).toMatchObject({ allDay: true, startAt: day('2026-10-14'), endAt: day('2026-10-15') });
    expect(read.timezone ?? null).toBeNull();
    const back = await send('PUT', `edit-event-post/${postId}/1`, body({ event: { ...read, timezone: null } }));
    expect(back.status).toBe(200);
    expect(await eventOf(postId)).toEqual(read);
    const copy = await send('PUT', `copy-event-post/${postId}/2`, body({ event: read }));
    expect(await eventOf(copy.body.postId)).toEqual(read);
    const open = await createEvent({ event: days({ endAt: null }) });
    expect(await eventOf(open)).not.toHaveProperty('endAt');
  });

  it('refuse a time, a zone, a day that is none and an end before the start; so does an edit', async () => {
    const postId = await createEvent({ event: days() });
    const refused = async (event: Body) => {
      const answers = [
        await create({ event }),
        await send('PUT', `edit-event-post/${postId}/1`, body({ event })),
        await send('PUT', `copy-event-post/${postId}/1`, body({ event })),
      ];
      expect(answers.map(({ status }) => status)).toEqual([400, 400, 400]);
      expect(answers.map(codes)).toEqual([codes(answers[0]!), codes(answers[0]!), codes(answers[0]!)]);
      return codes(answers[0]!);
    };
    expect(await refused(days({ startAt: { localDatetime: '2026-10-14T00:00:00' } }))).toEqual([
      'event.startAt INVALID_VALUE',
    ]);
    expect(await refused(days({ timezone: 'Europe/Rome' }))).toEqual(['event.timezone INVALID_VALUE']);
    expect(await refused(days({ endAt: { localDatetime: '2026-10-15T10:00:00Z' } }))).toEqual([
      'event.endAt INVALID_VALUE',
    ]);
    expect(await refused(days({ startAt: { localDatetime: '2026-02-30' } }))).toEqual(['event.startAt INVALID_DATE']);
    expect(await refused(days({ endAt: { localDatetime: '2026-10-13' } }))).toEqual(['event.endAt INVALID_VALUE']);
    expect(await refused(days({ startAt: undefined }))).toEqual(['event.startAt REQUIRED_FIELD']);
    expect(await refused(hours({ startAt: { localDatetime: '2026-10-14' } }))).toEqual([
      'event.startAt.localDatetime INVALID_DATE',
    ]);
  });

  it('are found by the days that they take, in UTC', async () => {
    const postId = await createEvent({ title: 'Days', event: days() });
    const found = async (eventPostFilter: Body) => {
      const answer = await world.tenant.request(
        world.people.author,
        'POST',
        `${API}/data/list/community/${world.communityId}`,
        { communityPostFilters: { eventPostFilter, title: 'Days' }, pageSize: 100 },
      );
      expect(answer.status).toBe(200);
      return answer.body.items.some(({ id }: { id: number }) => id === postId);
    };
    expect(await found({ from: '2026-10-15', to: '2026-10-15' })).toBe(true);
    expect(await found({ from: '2026-10-16' })).toBe(false);
    expect(await found({ to: '2026-10-14' })).toBe(true);
    expect(await found({ to: '2026-10-13' })).toBe(false);
    expect(await found({ from: '2026-10-15T23:00:00Z' })).toBe(true);
    expect(await found({ from: '2026-10-16T00:00:00Z' })).toBe(false);
    expect(await found({ endDateFrom: Date.UTC(2026, 9, 15, 12) })).toBe(true);
    expect(await found({ endDateTo: Date.UTC(2026, 9, 15, 12) })).toBe(false);
    expect(await found({ startDateFrom: Date.UTC(2026, 9, 14), startDateTo: Date.UTC(2026, 9, 14) })).toBe(true);
  });

  it('are found on the last day that there is', async () => {
    const last = { localDatetime: '9999-12-31' };
    const postId = await createEvent({ event: days({ startAt: last, endAt: last }) });
    const found = async (from: string, to?: string) => {
      const filters = { communityPostFilters: { eventPostFilter: { from, to } } };
      const answer = await world.tenant.request(
        world.people.author,
        'POST',
        `${API}/data/list/community/${world.communityId}`,
        filters,
      );
      expect(answer.status, answer.text).toBe(200);
      return answer.body.items.map(({ id }: { id: number }) => id);
    };
    expect(await found('9999-12-31')).toEqual([postId]);
    expect(await found('9999-12-31', '9999-12-31')).toEqual([postId]);
    expect(await found('9999-12-30', '9999-12-30')).toEqual([]);
  });
});

describe('events with times', () => {
  it('take the zone of their author where none is sent', async () => {
    await rows(world, `UPDATE users SET timezone = 'Asia/Tokyo' WHERE tenant_id = $1 AND id = $2`, [
      world.people.author,
    ]);
    const postId = await createEvent({ event: hours({ timezone: undefined }) });
    expect(await eventOf(postId)).toMatchObject({
      timezone: 'Asia/Tokyo',
      startAt: {
        localDatetime: '2026-10-14T09:00:00',
        zonedDatetime: '2026-10-14T09:00:00+09:00',
        utcDatetime: '2026-10-14T00:00:00Z',
      },
    });
  });
});

describe('an edit or a copy of an event', () => {
  it('clears a description that is left out, and needs title and event', async () => {
    const postId = await createEvent();
    const without = { description: undefined, descriptionFormat: undefined };
    const copy = await send('PUT', `copy-event-post/${postId}/1`, body(without));
    expect(copy.status).toBe(200);
    expect(copy.body.postData).not.toHaveProperty('descriptionPlainText');
    for (const operation of ['edit-event-post', 'copy-event-post']) {
      const answer = await send('PUT', `${operation}/${postId}/1`, { description: 'x', descriptionFormat: 2 });
      expect(codes(answer)).toEqual(['event.startAt REQUIRED_FIELD', 'title REQUIRED_FIELD']);
    }
    const edit = await send('PUT', `edit-event-post/${postId}/1`, body(without));
    expect(edit.status).toBe(200);
    expect(edit.body.postData).not.toHaveProperty('descriptionPlainText');
  });

  it('keeps who is invited where the body does not say, list by list', async () => {
    const guests = { users: [{ id: world.people.reader, typeId: 2 }], groups: [{ id: world.groupId }] };
    const postId = await createEvent({
      event: hours({ invitations: { ...guests, sendEditPostNotifications: true } }),
    });
    const invited = async (id: number) => {
      const { users, groups, sendEditPostNotifications } = (await eventOf(id)).invitations;
      const ids = (list: { id: number; typeId: number }[]) => list.map(({ id: one, typeId }) => [one, typeId]);
      return { users: ids(users), groups: ids(groups), told: sendEditPostNotifications };
    };
    const both = { users: [[world.people.reader, 2]], groups: [[world.groupId, 0]] };
    let token = 1;
    const edited = async (invitations?: Body | null) => {
      const answer = await send(
        'PUT',
        `edit-event-post/${postId}/${token}`,
        body({ event: hours({ ...(invitations !== undefined && { invitations }) }) }),
      );
      expect(answer.status).toBe(200);
      token = answer.body.nextOccToken;
      return invited(postId);
    };
    expect(await edited()).toEqual({ ...both, told: true });
    expect(await edited(null)).toEqual({ ...both, told: true });
    expect(await edited({ users: null })).toEqual({ ...both, told: false });
    const copied = async (invitations?: Body) => {
      const answer = await send(
        'PUT',
        `copy-event-post/${postId}/${token}`,
        body({ event: hours({ ...(invitations && { invitations }) }) }),
      );
      expect(answer.status).toBe(200);
      return invited(answer.body.postId);
    };
    expect(await copied()).toEqual({ ...both, told: false });
    expect(await copied({ groups: [] })).toEqual({ users: both.users, groups: [], told: false });
    expect(await edited({ users: [] })).toEqual({ users: [], groups: both.groups, told: false });
    expect(await edited({ groups: [] })).toEqual({ users: [], groups: [], told: false });
  });

  it('takes back the cover that a form gave', async () => {
    const cover = await makeUpload(world, world.people.author);
    const postId = await createEvent({ coverImageContentRef: cover });
    const form = await send('GET', `event-post-data-for-edit/${postId}`, undefined, world.people.manager);
    const { coverImageContentRef } = form.body.contentData;
    expect(coverImageContentRef).toBe(cover);
    const edit = await send('PUT', `edit-event-post/${postId}/1`, body({ coverImageContentRef }), world.people.manager);
    expect(edit.body.postData.coverImage.contentRef).toBe(cover);
    const copy = await send(
      'PUT',
      `copy-event-post/${postId}/2`,
      body({ coverImageContentRef: cover }),
      world.people.contributor,
    );
    expect(copy.body.postData.coverImage.contentRef).toBe(cover);
  });
});

describe('the ordinary operations on an event', () => {
  it('tell its kind in lists and details, and edit it without touching its time, place and guests', async () => {
    const cover = await makeUpload(world, world.people.author);
    const link = { url: 'https://example.org/', title: 'Page' };
    const postId = await createEvent({
      event: hours({ location: 'Hall', invitations: { users: [{ id: world.people.reader, typeId: 2 }] } }),
      coverImageContentRef: cover,
      linkPreview: link,
    });
    const detail = await world.tenant.request(world.people.author, 'GET', `${API}/data/post-detail-by-id/${postId}`);
    expect(detail.body.type).toBe(2);
    const list = await world.tenant.request(
      world.people.author,
      'POST',
      `${API}/data/list/community/${world.communityId}`,
      {
        postId,
      },
    );
    expect(list.body.items).toMatchObject([{ id: postId, type: 2 }]);
    const form = (await send('GET', `post-data-for-edit/${postId}`)).body;
    expect(form).toMatchObject({ occToken: 1, contentData: { title: 'Fair', descriptionPlainText: 'Come' } });
    const before = (await send('GET', `event-post-data-for-edit/${postId}`)).body;
    const whole = { title: 'Fair, moved', description: form.contentData.descriptionDelta, customData: {} };
    expect(codes(await send('PUT', `edit-post/${postId}/1`, { title: 'x' }))).toEqual(['description REQUIRED_FIELD']);
    const edited = await send('PUT', `edit-post/${postId}/1`, whole);
    expect(edited.body).toMatchObject({ nextOccToken: 2, postData: { id: postId, type: 2, title: 'Fair, moved' } });
    const after = (await send('GET', `event-post-data-for-edit/${postId}`)).body;
    const kept = ({ contentData, linkPreview }: Body) => ({
      event: (contentData as Body)['event'],
      cover: (contentData as Body)['coverImageContentRef'],
      linkPreview,
    });
    expect(kept(after)).toEqual(kept(before));

    expect((await send('GET', `post-data-for-copy/${postId}`)).body).toMatchObject({ occToken: 2 });
    expect(codes(await send('PUT', `copy-post/${postId}/2`, { title: 'x' }))).toEqual(['description REQUIRED_FIELD']);
    const copied = await send('PUT', `copy-post/${postId}/2`, whole, world.people.contributor);
    expect(copied.body).toMatchObject({
      postData: { type: 2, title: 'Fair, moved', creatorUser: { id: world.people.contributor } },
    });
    const copy = (
      await world.tenant.request(
        world.people.contributor,
        'GET',
        `${MANAGE}/event-post-data-for-edit/${copied.body.postId}`,
      )
    ).body;
    expect(kept(copy)).toEqual(kept(before));
    expect(copy.linkPreview).toEqual(link);
  });
});

describe('answers to an event', () => {
  it('come from somebody who is not invited too, with a note as a delta or as plain text', async () => {
    const postId = await createEvent();
    const noted = async (notes: unknown) => {
      const answer = await send('PUT', `post-event/${postId}/partecipate`, { typeId: 1, notes }, world.people.reader);
      expect([answer.status, answer.text]).toEqual([200, '']);
      const [row] = await rows<{ notes: string | null }>(
        world,
        'SELECT notes FROM event_answers WHERE tenant_id = $1 AND post_id = $2',
        [postId],
      );
      return row!.notes;
    };
    expect(await noted('[{"insert":"Late\\n"}]')).toBe('[{"insert":"Late\\n"}]');
    expect(await noted('Late')).toBe('[{"insert":"Late\\n"}]');
    expect(await noted(null)).toBeNull();
    const long = await send('PUT', `post-event/${postId}/partecipate`, { typeId: 1, notes: 'x'.repeat(2_001) });
    expect(codes(long)).toEqual(['notes TEXT_TOO_LONG']);
    expect((await send('PUT', 'post-event/999999999/partecipate', { typeId: 1 })).status).toBe(404);
  });
});
