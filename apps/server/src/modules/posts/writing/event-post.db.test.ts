import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestPortal, type TestPortal } from '../../../../test/support/index.ts';
import {
  API,
  createFieldWorld,
  createPost,
  dumpTenant,
  type FieldWorld,
  MANAGE,
  makeUpload,
  rows,
} from './writing.fixture.ts';

let portal: TestPortal;
let world: FieldWorld;
type Body = Record<string, unknown>;
const send = (userId: number, method: string, path: string, body?: Body) =>
  world.tenant.request(userId, method, `${MANAGE}/${path}`, body);
const detail = (userId: number, postId: number) =>
  world.tenant.request(userId, 'GET', `${API}/data/post-detail-by-id/${postId}`);
const codes = (answer: { body: { validationErrors: { list: { code: string; field: string }[] } } }) =>
  answer.body.validationErrors.list.map(({ code, field }) => `${field} ${code}`).sort();
const event = (overrides: Body = {}): Body => ({
  startAt: { localDatetime: '2030-07-01T09:00:00' },
  endAt: { localDatetime: '2030-07-01T11:00:00' },
  timezone: 'Europe/Rome',
  location: 'Room 1',
  ...overrides,
});
const body = (overrides: Body = {}): Body => ({
  title: 'Party',
  description: 'Come',
  descriptionFormat: 2,
  event: event(),
  ...overrides,
});
async function createEvent(userId: number, overrides: Body = {}): Promise<number> {
  const answer = await send(userId, 'POST', `create-event-post/${world.communityId}`, body(overrides));
  expect(answer.text).toContain('postId');
  return answer.body.postId;
}

beforeAll(async () => {
  portal = await createTestPortal();
  world = await createFieldWorld(portal);
  await rows(world, 'INSERT INTO group_members (tenant_id, group_id, user_id) VALUES ($1, $2, $3)', [
    world.groupId,
    world.people.contributor,
  ]);
  await rows(world, 'UPDATE tenant_versions SET access_version = access_version + 1 WHERE tenant_id = $1');
});
afterAll(() => portal.close());

describe('events', () => {
  it('are created with time, place and invitations, which let the invited in', async () => {
    const postId = await createEvent(world.people.author, {
      visibility: 1,
      event: event({
        invitations: {
          users: [{ id: world.people.reader, typeId: 2 }],
          groups: [{ id: world.groupId }],
          sendEditPostNotifications: true,
        },
      }),
      linkPreview: { url: 'https://example.org/', title: 'Page', hidden: false },
      coverImageContentRef: await makeUpload(world, world.people.author),
    });
    for (const user of [world.people.author, world.people.reader, world.people.contributor])
      expect((await detail(user, postId)).status).toBe(200);
    expect((await detail(world.people.outsider, postId)).status).toBe(404);
    // Readers of the event see its time and place.
    const { event: read } = (await detail(world.people.reader, postId)).body;
    expect(read).toMatchObject({
      startAt: { zonedDatetime: '2030-07-01T09:00:00+02:00', utcDatetime: '2030-07-01T07:00:00Z' },
      location: 'Room 1',
      participantsCount: 0,
    });
    expect(read).not.toHaveProperty('participateTypeId');
    const form = await send(world.people.author, 'GET', `event-post-data-for-edit/${postId}`);
    expect(form.status).toBe(200);
    expect(form.body).toMatchObject({
      occToken: 1,
      type: 2,
      linkPreview: { url: 'https://example.org/', title: 'Page', hidden: false },
      contentData: {
        title: 'Party',
        visibility: 1,
        pinned: false,
        event: {
          startAt: {
            zonedDatetime: '2030-07-01T09:00:00+02:00',
            localDatetime: '2030-07-01T09:00:00',
            utcDatetime: '2030-07-01T07:00:00Z',
          },
          timezone: 'Europe/Rome',
          allDay: false,
          location: 'Room 1',
          participantsCount: 0,
          participate: false,
          invitations: {
            users: [{ id: world.people.reader, typeId: 2 }],
            groups: [{ id: world.groupId, typeId: 0 }],
            sendEditPostNotifications: true,
          },
        },
      },
    });
  });

  it('need a start, which comes before the end, in a known zone, and invite who exists', async () => {
    const create = (overrides: Body) =>
      send(world.people.author, 'POST', `create-event-post/${world.communityId}`, body(overrides));
    expect(codes(await create({ event: undefined }))).toEqual(['event.startAt REQUIRED_FIELD']);
    expect(codes(await create({ event: event({ endAt: { localDatetime: '2030-06-01T00:00:00' } }) }))).toEqual([
      'event.endAt INVALID_VALUE',
    ]);
    expect(codes(await create({ event: event({ timezone: 'Mars/Base' }) }))).toEqual([
      'event.timezone INVALID_TIME_ZONE',
    ]);
    expect(codes(await create({ event: event({ startAt: { localDatetime: 'soon' } }) }))).toEqual([
      'event.startAt.localDatetime INVALID_DATE',
    ]);
    expect(
      codes(
        await create({
          event: event({ invitations: { users: [{ id: 999_999_999 }], groups: [{}] } }),
          linkPreview: { url: 'javascript:x' },
        }),
      ),
    ).toEqual([
      'event.invitations.groups[0].id REQUIRED_FIELD',
      'event.invitations.users[0].id UNKNOWN_REFERENCE',
      'linkPreview.url INVALID_VALUE',
    ]);
    expect(codes(await create({ coverImageContentRef: 'nope' }))).toEqual(['coverImageContentRef CONTENT_REF_INVALID']);
  });

  it('are pinned by managers only; a pin that is left out stays', async () => {
    expect(
      (await send(world.people.author, 'POST', `create-event-post/${world.communityId}`, body({ pinned: true })))
        .status,
    ).toBe(403);
    const postId = await createEvent(world.people.manager, { pinned: true });
    const edit = (token: number, overrides: Body) =>
      send(world.people.manager, 'PUT', `edit-event-post/${postId}/${token}`, body(overrides));
    expect((await edit(1, {})).status).toBe(200);
    const pinned = async () =>
      (await rows(world, 'SELECT pinned FROM posts WHERE tenant_id = $1 AND id = $2', [postId]))[0];
    expect(await pinned()).toEqual({ pinned: true });
    expect((await edit(2, { pinned: false })).status).toBe(200);
    expect(await pinned()).toEqual({ pinned: false });
  });

  it('are replaced by an edit: of fifty with one token one wins; who is no longer invited is out', async () => {
    const postId = await createEvent(world.people.author, {
      visibility: 1,
      event: event({ invitations: { users: [{ id: world.people.reader }] } }),
    });
    const uninviting = event({ invitations: { users: [], groups: [] } });
    const edit = (token: number, overrides: Body = {}) =>
      send(world.people.author, 'PUT', `edit-event-post/${postId}/${token}`, body({ event: uninviting, ...overrides }));
    const answers = await Promise.all(Array.from({ length: 50 }, () => edit(1)));
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    expect(answers.filter((answer) => answer.status === 409)).toHaveLength(49);
    expect((await detail(world.people.reader, postId)).status).toBe(404);
    const [change] = await rows(
      world,
      'SELECT kind, acl_changed FROM changes WHERE tenant_id = $1 AND post_id = $2 ORDER BY id DESC LIMIT 1',
      [postId],
    );
    expect(change).toEqual({ kind: 2, acl_changed: true });
    const before = await dumpTenant(world);
    expect((await edit(1)).body).toMatchObject({ currentOccToken: 2, changedBy: { id: world.people.author } });
    expect(await dumpTenant(world)).toEqual(before);
  });

  it('are copied, once per clientUid', async () => {
    const postId = await createEvent(world.people.author);
    const form = await send(world.people.contributor, 'GET', `event-post-data-for-copy/${postId}`);
    expect(form.body).toMatchObject({ occToken: 1, contentData: { title: 'Party' } });
    const copy = () =>
      send(
        world.people.contributor,
        'PUT',
        `copy-event-post/${postId}/1`,
        body({ clientUid: 'copy-1', event: form.body.contentData.event }),
      );
    const [first, second] = [await copy(), await copy()];
    expect(first.body.postId).toBe(second.body.postId);
    const told = await rows(
      world,
      'SELECT details FROM history_events WHERE tenant_id = $1 AND post_id = $2 AND type_id = 14',
      [postId],
    );
    expect(told).toEqual([{ details: { copyPostId: first.body.postId } }]);
  });

  it('have forms and operations of their own, which do not find ordinary posts', async () => {
    const { postId } = await createPost(world, world.people.author);
    for (const [method, path, sent] of [
      ['GET', `event-post-data-for-edit/${postId}`, undefined],
      ['GET', `event-post-data-for-copy/${postId}`, undefined],
      ['PUT', `edit-event-post/${postId}/1`, body()],
      ['PUT', `copy-event-post/${postId}/1`, body()],
      ['PUT', `post-event/${postId}/partecipate`, { typeId: 1 }],
    ] as const) {
      expect([path, (await send(world.people.author, method, path, sent as Body)).status]).toEqual([path, 404]);
    }
  });

  it('are answered by whoever sees them, and count those who come', async () => {
    const postId = await createEvent(world.people.author);
    const answer = (userId: number, typeId: unknown) =>
      send(userId, 'PUT', `post-event/${postId}/partecipate`, { typeId, notes: 'me' });
    await Promise.all(
      [world.people.reader, world.people.contributor, world.people.manager].map((user) => answer(user, 1)),
    );
    expect((await answer(world.people.contributor, 3)).text).toBe('');
    expect((await answer(world.people.outsider, 1)).status).toBe(404);
    expect((await answer(world.people.reader, 9)).status).toBe(400);
    expect((await send(world.people.reader, 'PUT', `post-event/${postId}/partecipate`, {})).status).toBe(400);
    const form = await send(world.people.manager, 'GET', `event-post-data-for-edit/${postId}`);
    expect(form.body.contentData.event).toMatchObject({
      participantsCount: 2,
      participate: true,
      participateTypeId: 1,
    });
    const draft = await createEvent(world.people.author, { draft: true });
    expect((await send(world.people.author, 'PUT', `post-event/${draft}/partecipate`, { typeId: 1 })).status).toBe(403);
  });

  it('leave every row as it was in dry runs', async () => {
    const postId = await createEvent(world.people.author);
    const cover = await makeUpload(world, world.people.author);
    const before = await dumpTenant(world);
    for (const [method, path, sent] of [
      ['POST', `create-event-post/${world.communityId}`, body({ coverImageContentRef: cover })],
      [
        'PUT',
        `edit-event-post/${postId}/1`,
        body({ title: 'x', event: event({ invitations: { users: [{ id: world.people.reader }] } }) }),
      ],
      ['PUT', `copy-event-post/${postId}/1`, body()],
      ['PUT', `post-event/${postId}/partecipate`, { typeId: 1 }],
    ] as const) {
      const answer = await send(world.people.author, method, `${path}?dryRun=true`, sent);
      expect([path, answer.status]).toEqual([path, 200]);
      expect(await dumpTenant(world)).toEqual(before);
    }
  });
});

describe('forms', () => {
  it('of new posts start from the definition, for whoever may write', async () => {
    const form = await send(world.people.author, 'GET', `post-data-for-create/${world.communityId}`);
    expect(form.body.contentData).toMatchObject({
      visibility: 2,
      announcement: false,
      draft: false,
      customData: {},
      draftData: { workflowInitState: { name: 'Open' } },
    });
    expect((await send(world.people.author, 'GET', `event-post-data-for-create/${world.communityId}`)).status).toBe(
      200,
    );
    expect((await send(world.people.reader, 'GET', `post-data-for-create/${world.communityId}`)).status).toBe(403);
    expect((await send(world.people.outsider, 'GET', `event-post-data-for-create/${world.communityId}`)).status).toBe(
      404,
    );
  });

  it('of a post are for whoever may change or copy it; attachments on request', async () => {
    const { postId } = await createPost(world, world.people.author, {
      attachments: [{ type: 2, name: 'd', drive: { driveId: 'x' } }],
    });
    const edit = await send(world.people.author, 'GET', `post-data-for-edit/${postId}`);
    expect(edit.body).toMatchObject({
      occToken: 1,
      communityId: world.communityId,
      creatorUser: { id: world.people.author },
      contentData: { attachments: [{ name: 'd' }] },
    });
    const without = await send(world.people.author, 'GET', `post-data-for-edit/${postId}?loadAttachments=false`);
    expect(without.body.contentData).not.toHaveProperty('attachments');
    expect((await send(world.people.contributor, 'GET', `post-data-for-edit/${postId}`)).status).toBe(403);
    expect((await send(world.people.contributor, 'GET', `post-data-for-copy/${postId}`)).body).toMatchObject({
      occToken: 1,
    });
    expect((await send(world.people.reader, 'GET', `post-data-for-copy/${postId}`)).status).toBe(403);
    expect((await send(world.people.outsider, 'GET', `post-data-for-edit/${postId}`)).status).toBe(404);
  });
});
