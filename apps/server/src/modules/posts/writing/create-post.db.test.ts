import { Following, RoleId } from '@portico/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestPortal, type TestPortal } from '../../../../test/support/index.ts';
import {
  API,
  createFieldWorld,
  createPost,
  dumpTenant,
  type FieldWorld,
  MANAGE,
  makeCommunity,
  makeUpload,
  postBody,
  rows,
} from './writing.fixture.ts';

let portal: TestPortal;
let world: FieldWorld;
const create = (userId: number | null, body: unknown, communityId = world.communityId, query = '') =>
  world.tenant.request(userId, 'POST', `${MANAGE}/create-post/${communityId}${query}`, body);
const detail = (userId: number, postId: number) =>
  world.tenant.request(userId, 'GET', `${API}/data/post-detail-by-id/${postId}`);
const codes = (answer: { body: { validationErrors: { list: { code: string; field: string }[] } } }) =>
  answer.body.validationErrors.list.map(({ code, field }) => `${field} ${code}`).sort();

beforeAll(async () => {
  portal = await createTestPortal();
  world = await createFieldWorld(portal);
});
afterAll(() => portal.close());

describe('createCustomPost', () => {
  it('makes a post that is found at once, with its number, state, history and change row', async () => {
    const answer = await create(world.people.author, postBody({ clientUid: 'first' }));
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      nextOccToken: 1,
      postData: { title: 'A title', customId: '1', visibility: 2, draft: false },
    });
    const { postId } = answer.body;
    expect(answer.body.postData.currentWorkflowState.name).toBe('Open');
    const read = await world.tenant.request(world.people.reader, 'GET', `${API}/data/post-detail-by-client-uid/first`);
    expect(read.body).toMatchObject({
      id: postId,
      descriptionDelta: '[{"insert":"Some text\\n"}]',
      descriptionPlainText: 'Some text',
    });
    expect(
      await rows(
        world,
        'SELECT type_id, details, author_id FROM history_events WHERE tenant_id = $1 AND post_id = $2',
        [postId],
      ),
    ).toEqual([{ type_id: 1, details: { titleAfter: 'A title' }, author_id: world.people.author }]);
    expect(
      await rows(world, 'SELECT kind, acl_changed, before_live FROM changes WHERE tenant_id = $1 AND post_id = $2', [
        postId,
      ]),
    ).toEqual([{ kind: 1, acl_changed: true, before_live: false }]);
  });

  it('is followed and viewed by its author, who is none of its watchers', async () => {
    const { postId, data } = await createPost(world, world.people.author, {
      watcherUserIds: [world.people.contributor],
    });
    const fresh = {
      followedByMe: true,
      viewedByUsersCount: 1,
      viewsCount: 1,
      watcherUsers: [{ id: world.people.contributor }],
    };
    expect(data).toMatchObject(fresh);
    expect((await detail(world.people.author, postId)).body).toMatchObject(fresh);
    const followed = async (userId: number) => {
      const list = await world.tenant.request(userId, 'POST', `${API}/data/list/community/${world.communityId}`, {
        communityPostFilters: { followedByMe: true, postId },
        calculateTotalItemsCount: true,
      });
      expect(list.body.totalItemsCount).toBe(list.body.items.length);
      return list.body.items.map(({ viewedByMe, followedByMe }: Record<string, boolean>) => ({
        viewedByMe,
        followedByMe,
      }));
    };
    expect(await followed(world.people.author)).toEqual([{ viewedByMe: true, followedByMe: true }]);
    expect(await followed(world.people.contributor)).toEqual([{ viewedByMe: false, followedByMe: true }]);
    expect(await followed(world.people.reader)).toEqual([]);
  });

  it('of a service account is followed by it only by an act of its own', async () => {
    const serviceId = await world.tenant.createUser({ service: true });
    await world.role(serviceId, RoleId.CONTRIBUTOR);
    const { postId, data } = await createPost(world, serviceId, {});
    expect(data).toMatchObject({ followedByMe: false, viewsCount: 1, viewedByUsersCount: 1 });
    const followed = async () =>
      (
        await world.tenant.request(serviceId, 'POST', `${API}/data/list/community/${world.communityId}`, {
          followedByMe: true,
        })
      ).body.items.map(({ id }: { id: number }) => id);
    expect(await followed()).toEqual([]);
    const path = `/portal/api/communication/posts/manage/following/${postId}`;
    await world.tenant.request(serviceId, 'PUT', path, { following: Following.FOLLOWED });
    expect(await followed()).toEqual([postId]);
  });

  it('is no announcement unless it says so: null and nothing mean false', async () => {
    for (const body of [postBody({ announcement: null }), postBody({ announcement: undefined })]) {
      const answer = await create(world.people.author, body);
      expect(answer.status).toBe(200);
      expect(answer.body.postData.announcement).toBe(false);
    }
  });

  it('says in the detail since when others see the post: not for a draft, then since its publication', async () => {
    const shown = async (postId: number) => {
      const { draft, publicationTimestamp, creationTimestamp } = (await detail(world.people.author, postId)).body;
      return { draft, publicationTimestamp, creationTimestamp };
    };
    const published = await shown((await createPost(world, world.people.author)).postId);
    expect(published).toMatchObject({ draft: false, publicationTimestamp: published.creationTimestamp });
    const { postId, token } = await createPost(world, world.people.author, { draft: true });
    expect(await shown(postId)).toMatchObject({ draft: true, publicationTimestamp: undefined });
    const edited = await world.tenant.request(
      world.people.author,
      'PUT',
      `${MANAGE}/edit-post/${postId}/${token}`,
      postBody({ draft: false, announcement: undefined }),
    );
    expect(edited.status).toBe(200);
    const later = await shown(postId);
    expect(later.draft).toBe(false);
    expect(later.publicationTimestamp).toBe(edited.body.postData.lastModifyTimestamp);
  });

  it('takes a value of every type of field and gives it back', async () => {
    const { fields, values, entries } = world;
    const target = await createPost(world, world.people.author);
    const customData = {
      [fields['INT']!]: '12',
      [fields['BIGINT']!]: '9223372036854775807',
      [fields['DECIMAL']!]: 1.25,
      [fields['DATE']!]: '2026-02-03',
      [fields['DATETIME']!]: 1770000000123,
      [fields['STRING']!]: 'Ça va',
      [fields['ENUM']!]: values['ENUM']![0],
      [fields['ENUM_LIST']!]: [entries[1], entries[0]],
      [fields['TEXT_AREA']!]: 'two\nlines',
      [fields['FLAG']!]: 'true',
      [fields['DELTA_AREA']!]: '{"ops":[{"insert":"rich\\n"}]}',
      [fields['FEEDBACK']!]: 4,
      [fields['HIERARCHICAL_ENUM']!]: [values['HIERARCHICAL_ENUM']![0]],
      [fields['LINK']!]: 'https://example.org/x',
      [fields['PEOPLE']!]: [world.people.reader],
      [fields['POSTS']!]: [target.postId],
    };
    const { postId } = await createPost(world, world.people.author, { customData });
    const [post] = await rows<{ data: Record<string, unknown> }>(
      world,
      'SELECT custom_data AS data FROM posts WHERE tenant_id = $1 AND id = $2',
      [postId],
    );
    expect(post!.data).toEqual({
      [fields['INT']!]: 12,
      [fields['BIGINT']!]: '9223372036854775807',
      [fields['DECIMAL']!]: 1.25,
      [fields['DATE']!]: Date.UTC(2026, 1, 3),
      [fields['DATETIME']!]: 1770000000123,
      [fields['STRING']!]: 'Ça va',
      [fields['ENUM']!]: values['ENUM']![0],
      [fields['ENUM_LIST']!]: [entries[1], entries[0]],
      [fields['TEXT_AREA']!]: 'two\nlines',
      [fields['FLAG']!]: true,
      [fields['DELTA_AREA']!]: '[{"insert":"rich\\n"}]',
      [fields['FEEDBACK']!]: 4,
      [fields['HIERARCHICAL_ENUM']!]: values['HIERARCHICAL_ENUM']![0],
      [fields['LINK']!]: 'https://example.org/x',
      [fields['PEOPLE']!]: [world.people.reader],
      [fields['POSTS']!]: [target.postId],
    });
  });

  it('tells all faults of a body at once, those of custom fields with their id', async () => {
    const { fields, values } = world;
    const answer = await create(world.people.author, {
      title: 'x'.repeat(2000),
      visibility: 1,
      watcherUserIds: [999_999_999],
      scheduledPublication: { datetime: '2001-01-01T00:00:00', timezone: 'Nowhere/Here' },
      customData: {
        [fields['INT']!]: 1001,
        [fields['DECIMAL']!]: 1.234,
        [fields['STRING']!]: 'no!',
        [fields['ENUM']!]: [{ id: values['ENUM']![0] }],
        [fields['HIERARCHICAL_ENUM']!]: values['HIERARCHICAL_ENUM']![0],
        [fields['PEOPLE']!]: [world.people.reader, 999_999_999],
        [fields['READONLY']!]: 'x',
        [fields['DELTA_AREA']!]: 'plain',
        999999998: 1,
      },
    });
    expect(answer.status).toBe(400);
    const f = (name: string) => `customData.${fields[name]}`;
    expect(codes(answer)).toEqual(
      [
        'title TEXT_TOO_LONG',
        'description REQUIRED_FIELD',
        'watcherUserIds[0] UNKNOWN_REFERENCE',
        'scheduledPublication.timezone INVALID_TIME_ZONE',
        `${f('INT')} CUSTOM_VALIDATION`,
        `${f('DECIMAL')} INVALID_VALUE`,
        `${f('STRING')} CUSTOM_VALIDATION`,
        `${f('ENUM')} INVALID_VALUE`,
        `${f('HIERARCHICAL_ENUM')} INVALID_VALUE`,
        `${f('PEOPLE')} UNKNOWN_REFERENCE`,
        `${f('READONLY')} READ_ONLY_FIELD`,
        `${f('DELTA_AREA')} INVALID_DELTA`,
        'customData.999999998 UNKNOWN_FIELD',
      ].sort(),
    );
    const int = answer.body.validationErrors.list.find((error: { field: string }) => error.field === f('INT'));
    expect(int).toMatchObject({ customFieldId: fields['INT'], externalId: 'AMOUNT', validationTypeId: 1003 });
  });

  it('is refused to readers (403), strangers and other tenants (404), and to contributors who announce (403)', async () => {
    expect((await create(world.people.reader, postBody())).status).toBe(403);
    expect((await create(world.people.outsider, postBody())).status).toBe(404);
    expect((await create(world.people.author, postBody(), 999_999_999)).status).toBe(404);
    const elsewhere = await portal.createTenant();
    const stranger = await elsewhere.createUser({ admin: true });
    const there = await elsewhere.request(stranger, 'POST', `${MANAGE}/create-post/${world.communityId}`, postBody());
    expect(there.status).toBe(404);
    expect((await create(world.people.author, postBody({ announcement: true }))).status).toBe(403);
    expect((await create(world.people.manager, postBody({ announcement: true }))).status).toBe(200);
    expect((await create(null, postBody())).status).toBe(401);
  });

  it('answers a repeat of a clientUid with the post that is there, also when fifty come at once', async () => {
    const body = postBody({ clientUid: 'storm' });
    const answers = await Promise.all(Array.from({ length: 50 }, () => create(world.people.author, body)));
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
    expect(new Set(answers.map((answer) => answer.body.postId)).size).toBe(1);
    expect((await create(world.people.contributor, body)).status).toBe(409);
    const elsewhere = await makeCommunity(world);
    const conflict = await create(world.people.author, body, elsewhere);
    expect(conflict.status).toBe(409);
    expect(conflict.body.code).toBe('DUPLICATE_CLIENT_UID');
    expect(Object.keys(conflict.body).sort()).toEqual([
      'code',
      'detail',
      'message',
      'requestId',
      'status',
      'title',
      'type',
    ]);
  });

  it('numbers posts of a community without gaps or repeats, however many are made at once', async () => {
    const communityId = await makeCommunity(world);
    await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        create(world.people.author, postBody({ title: `n${index}` }), communityId),
      ),
    );
    const numbers = await rows<{ n: number }>(
      world,
      'SELECT custom_no AS n FROM posts WHERE tenant_id = $1 AND community_id = $2 ORDER BY 1',
      [communityId],
    );
    expect(numbers.map((row) => row.n)).toEqual(Array.from({ length: 30 }, (_, index) => index + 1));
  });

  it('looks for the first 1,000 hashtags of a text, and of all texts of a post together', async () => {
    const unknown = (count: number) => Array.from({ length: count }, (_, index) => `#q${index}`).join(' ');
    const rich = world.fields['DELTA_AREA']!;
    const tagsOf = async (description: string, customData = {}) => {
      const texts = { description, descriptionFormat: 2, customData };
      const { data } = await createPost(world, world.people.author, texts);
      return data.hashtags.map(({ name }: { name: string }) => name);
    };
    expect(await tagsOf(`${unknown(999)} #q0 #budget #cafe`)).toEqual(['budget']);
    expect(await tagsOf(`${unknown(1_000)} #budget`)).toEqual([]);
    const more = JSON.stringify([{ insert: '#budget #cafe\n' }]);
    expect(await tagsOf(unknown(999), { [rich]: more })).toEqual(['budget']);
    // Hashtags beyond the first thousand are ignored, up to the maximum length of the text.
    expect(await tagsOf(`#budget ${unknown(110_000)} #cafe`)).toEqual(['budget']);
  });

  it('makes mentions and known hashtags of the texts; an unknown hashtag stays text', async () => {
    const description = JSON.stringify([
      { insert: { mention: { id: world.people.reader, value: 'Reader' } } },
      { insert: { mention: { id: 999_999_999, value: 'Nobody' } } },
      { insert: ' about #Budget and #cafe and #unknown\n' },
    ]);
    const { postId, data } = await createPost(world, world.people.author, { description, descriptionFormat: 1 });
    expect(data.mentions.map((user: { id: number }) => user.id)).toEqual([world.people.reader]);
    expect(data.hashtags.map((tag: { id: number }) => tag.id).sort()).toEqual([...world.hashtagIds].sort());
    const events = await rows<{ type: number; target: number }>(
      world,
      'SELECT type_id AS type, target_user_id AS target FROM history_events WHERE tenant_id = $1 AND post_id = $2 ORDER BY id',
      [postId],
    );
    expect(events).toEqual([
      { type: 1, target: null },
      { type: 4, target: world.people.reader },
    ]);
  });

  it('lets watchers and people in extending fields see a private post, and nobody else', async () => {
    const { postId } = await createPost(world, world.people.author, {
      visibility: 1,
      watcherUserIds: [world.people.contributor],
      customData: { [world.fields['PEOPLE']!]: [world.people.reader] },
    });
    const plain = await createPost(world, world.people.author, { visibility: 1 });
    for (const [user, first, second] of [
      [world.people.author, 200, 200],
      [world.people.manager, 200, 200],
      [world.people.contributor, 200, 404],
      [world.people.reader, 200, 404],
      [world.people.outsider, 404, 404],
    ] as const) {
      expect((await detail(user, postId)).status).toBe(first);
      expect((await detail(user, plain.postId)).status).toBe(second);
    }
  });

  it('keeps drafts and scheduled posts to their author, and starts where the author chose once published', async () => {
    const draft = await createPost(world, world.people.author, {
      draft: true,
      workflowInitStateId: world.states.get('Ready'),
    });
    expect(draft.data).toMatchObject({ draft: true, draftData: { workflowInitState: { name: 'Ready' } } });
    expect((await detail(world.people.author, draft.postId)).status).toBe(200);
    expect((await detail(world.people.manager, draft.postId)).status).toBe(404);
    const planned = await createPost(world, world.people.author, {
      scheduledPublication: { datetime: '2099-12-31T18:00:00', timezone: 'Europe/Rome' },
    });
    expect(planned.data).toMatchObject({
      draft: true,
      scheduledPublication: {
        zonedDatetime: '2099-12-31T18:00:00+01:00',
        localDatetime: '2099-12-31T18:00:00',
        timezone: 'Europe/Rome',
      },
    });
    const edited = await world.tenant.request(
      world.people.author,
      'PUT',
      `${MANAGE}/edit-post/${draft.postId}/${draft.token}`,
      { title: 'A title', description: 'Some text', descriptionFormat: 2, draft: false },
    );
    expect(edited.status).toBe(200);
    expect(edited.body.postData).toMatchObject({ draft: false, currentWorkflowState: { name: 'Ready' } });
    expect((await detail(world.people.reader, draft.postId)).status).toBe(200);
    const kinds = await rows(
      world,
      'SELECT kind, acl_changed, before_live FROM changes WHERE tenant_id = $1 AND post_id = $2 ORDER BY id',
      [draft.postId],
    );
    expect(kinds).toEqual([
      { kind: 1, acl_changed: true, before_live: false },
      { kind: 1, acl_changed: true, before_live: false },
    ]);
  });

  it('hangs uploads, Drive files and existing attachments on the post and counts them', async () => {
    const image = await makeUpload(world, world.people.author);
    const first = await createPost(world, world.people.author, {
      attachments: [
        { name: '../../etc/plan.pdf', type: 2, drive: { driveId: 'd1', mimeType: 'application/pdf', size: 5 } },
        { name: 'photo.png', contentRef: image },
      ],
    });
    expect(first.data).toMatchObject({ attachmentsCount: 2, imageAttachmentsCount: 1 });
    expect(first.data.attachments.map((file: { name: string }) => file.name)).toEqual(['plan.pdf', 'photo.png']);
    const [main] = await rows<{ name: string }>(
      world,
      `SELECT a.name FROM posts p JOIN attachments a ON a.tenant_id = p.tenant_id AND a.id = p.main_attachment_id
        WHERE p.tenant_id = $1 AND p.id = $2`,
      [first.postId],
    );
    expect(main!.name).toBe('photo.png');
    const again = await create(world.people.author, postBody({ attachments: [{ name: 'x', contentRef: image }] }));
    expect(codes(again)).toEqual(['attachments[0].contentRef CONTENT_REF_INVALID']);
    const foreign = await makeUpload(world, world.people.contributor);
    expect(
      codes(await create(world.people.author, postBody({ attachments: [{ name: 'x', contentRef: foreign }] }))),
    ).toEqual(['attachments[0].contentRef CONTENT_REF_INVALID']);
    const copied = await createPost(world, world.people.author, {
      attachments: [{ attachmentId: first.data.attachments[1].id }],
    });
    expect(copied.data.attachments[0]).toMatchObject({ name: 'photo.png', versionNumber: 1 });
    expect(copied.data.attachments[0].id).not.toBe(first.data.attachments[1].id);
    const types = await rows<{ type: number }>(
      world,
      'SELECT type_id AS type FROM history_events WHERE tenant_id = $1 AND post_id = $2 ORDER BY id',
      [first.postId],
    );
    expect(types.map((row) => row.type)).toEqual([1, 11, 11]);
  });

  it('leaves every row as it was in a dry run', async () => {
    const contentRef = await makeUpload(world, world.people.author);
    const before = await dumpTenant(world);
    const answer = await create(
      world.people.author,
      postBody({
        clientUid: 'dry',
        watcherUserIds: [world.people.contributor],
        attachments: [{ name: 'a', contentRef }],
      }),
      world.communityId,
      '?dryRun=true',
    );
    expect(answer.status).toBe(200);
    expect(await dumpTenant(world)).toEqual(before);
  });
});
