import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestPortal, type TestPortal } from '../../../../test/support/index.ts';
import {
  API,
  createFieldWorld,
  createPost,
  dumpTenant,
  type FieldWorld,
  lastChange,
  MANAGE,
  makeCommunity,
  rows,
} from './writing.fixture.ts';

let portal: TestPortal;
let world: FieldWorld;
type Body = Record<string, unknown>;
const patch = (userId: number, postId: number, body: Body, headers: Record<string, string> = {}, query = '') =>
  world.tenant.request(userId, 'POST', `${MANAGE}/patch-post/${postId}${query}`, body, headers);
const detail = async (postId: number) =>
  (await world.tenant.request(world.people.author, 'GET', `${API}/data/post-detail-by-id/${postId}`)).body;
const codes = (answer: { body: { validationErrors: { list: { code: string; field: string }[] } } }) =>
  answer.body.validationErrors.list.map(({ code, field }) => `${field} ${code}`).sort();

beforeAll(async () => {
  portal = await createTestPortal();
  world = await createFieldWorld(portal);
});
afterAll(() => portal.close());

/** Creates a post with content in every part that a patch can name. */
async function fullPost(overrides: Body = {}) {
  const { fields, values, people } = world;
  return createPost(world, people.author, {
    description: '[{"insert":"Plan #budget\\n"}]',
    descriptionFormat: 1,
    visibility: 1,
    watcherUserIds: [people.contributor],
    attachments: [{ type: 2, name: 'd', drive: { driveId: 'x' } }],
    customData: {
      [fields['INT']!]: 1,
      [fields['STRING']!]: 'a',
      [fields['ENUM']!]: values['ENUM']![0],
      [fields['PEOPLE']!]: [people.manager],
      [fields['DELTA_AREA']!]: '[{"insert":"bold","attributes":{"bold":true}},{"insert":"\\n"}]',
    },
    ...overrides,
  });
}

/** Returns the parts of a post that a patch can change. */
async function partsOf(postId: number) {
  const post = await detail(postId);
  const { title, descriptionDelta, customData, visibility, watcherUsers, watcherGroups, hashtags, attachments } = post;
  return { title, descriptionDelta, customData, visibility, watcherUsers, watcherGroups, hashtags, attachments };
}

describe('patchPost', () => {
  it('changes what is sent and nothing else, and is told and streamed like an edit of the whole post', async () => {
    const { fields, people } = world;
    const { postId, token } = await fullPost();
    const before = await partsOf(postId);
    const title = await patch(people.author, postId, { occToken: token, title: 'New' }, {}, '?loadPost=true');
    expect(title.status).toBe(200);
    expect(title.body).toMatchObject({ nextOccToken: token + 1, postData: { id: postId, title: 'New' } });
    expect(await partsOf(postId)).toEqual({ ...before, title: 'New' });
    const int = String(fields['INT']);
    const number = await patch(people.author, postId, { occToken: token + 1, customData: { [int]: 2 } });
    expect([number.status, number.body]).toEqual([200, { nextOccToken: token + 2 }]);
    expect(await partsOf(postId)).toEqual({ ...before, title: 'New', customData: { ...before.customData, [int]: 2 } });
    const [told] = await rows<{ typeId: number; details: Body }>(
      world,
      'SELECT type_id AS "typeId", details FROM history_events WHERE tenant_id = $1 AND post_id = $2 ORDER BY id DESC LIMIT 1',
      [postId],
    );
    expect(told).toMatchObject({
      typeId: 2,
      details: { changedParts: ['customData'], changedFieldIds: [fields['INT']] },
    });
    expect((await lastChange(world, postId))?.acl_changed).toBe(false);
  });

  it('leaves long texts where they are, and counts them', async () => {
    const { fields, people } = world;
    const long = 'x'.repeat(250_000);
    const description = JSON.stringify([{ insert: `${'y'.repeat(450_000)} #budget\n` }]);
    const customData = { [fields['TEXT_AREA']!]: long, [fields['DELTA_AREA']!]: `[{"insert":"${long}\\n"}]` };
    const { postId, token } = await createPost(world, people.author, { description, descriptionFormat: 1, customData });
    const before = await partsOf(postId);
    const string = String(fields['STRING']);
    const bodies = [
      { title: 'Short' },
      { customData: { [string]: 'a' } },
      { title: 'T', customData: { [string]: null } },
    ];
    for (const [index, body] of bodies.entries()) {
      const answer = await patch(people.author, postId, { occToken: token + index, ...body });
      expect([answer.status, answer.body]).toEqual([200, { nextOccToken: token + index + 1 }]);
    }
    expect(await partsOf(postId)).toEqual({ ...before, title: 'T' });
    const [search] = await rows<{ lines: string[] }>(
      world,
      `SELECT ARRAY(SELECT left(line, 5) FROM string_to_table(doc, E'\\n') line) AS lines FROM post_search WHERE tenant_id = $1 AND post_id = $2`,
      [postId],
    );
    expect(search?.lines).toEqual([' t', ' yyyy', ' xxxx', ' xxxx']);
    const fill = (length: number) =>
      rows(
        world,
        `UPDATE posts SET custom_data = custom_data || jsonb_build_object($3::text, repeat('z', $4))
          WHERE tenant_id = $1 AND id = $2`,
        [postId, string, length],
      );
    const area = (occToken: number, text: string) =>
      patch(people.author, postId, { occToken, customData: { [fields['TEXT_AREA']!]: text } });
    const refused = [`customData.${fields['TEXT_AREA']} TEXT_TOO_LONG`];
    await fill(800_000);
    expect(codes(await area(token + 3, '𝄞'.repeat(250_000)))).toEqual(refused);
    // A post beyond the limit may shrink.
    await fill(2_000_000);
    expect((await area(token + 3, 'x'.repeat(249_000))).status).toBe(200);
    expect(codes(await area(token + 4, 'x'.repeat(249_001)))).toEqual(refused);
  });

  it('empties what is null, and keeps texts in the format in which they are stored', async () => {
    const { fields, people } = world;
    const { postId, token } = await fullPost();
    const before = await partsOf(postId);
    const texts = { description: 'Without', descriptionFormat: 2 };
    const one = { occToken: token, ...texts, customData: { [fields['STRING']!]: null }, watcherUserIds: null };
    expect((await patch(people.author, postId, one)).status).toBe(200);
    const after = await partsOf(postId);
    const { [String(fields['STRING'])]: _emptied, ...kept } = before.customData;
    expect(after.customData).toEqual(kept);
    expect(after).toMatchObject({
      title: before.title,
      watcherUsers: [],
      hashtags: [],
      attachments: before.attachments,
    });
    // Plain text is the format of the patch, not of the parts that it omits.
    const plain = { occToken: token + 1, title: 'T', descriptionFormat: 2, deltaAreaFormat: 2, customData: {} };
    expect((await patch(people.author, postId, plain)).status).toBe(200);
    expect((await partsOf(postId)).customData).toEqual(kept);
    expect((await patch(people.author, postId, { occToken: token + 2, customData: null })).status).toBe(200);
    expect((await partsOf(postId)).customData).toEqual({});
  });

  it('takes the watchers whole, users and groups each where they are sent', async () => {
    const { people, groupId } = world;
    const { postId, token } = await fullPost();
    const ids = async () => {
      const { watcherUsers, watcherGroups } = await partsOf(postId);
      return [watcherUsers, watcherGroups].map((list: { id: number }[]) => list.map(({ id }) => id).sort());
    };
    const both = { occToken: token, watcherUserIds: [people.manager, people.contributor], watcherGroupIds: [groupId] };
    expect((await patch(people.author, postId, both)).status).toBe(200);
    expect(await ids()).toEqual([[people.manager, people.contributor].sort(), [groupId]]);
    const users = { occToken: token + 1, watcherUserIds: [people.manager] };
    expect((await patch(people.author, postId, users)).status).toBe(200);
    expect(await ids()).toEqual([[people.manager], [groupId]]);
    // The post is private: a person who no longer watches it does not see it.
    const seen = await world.tenant.request(people.contributor, 'GET', `${API}/data/post-detail-by-id/${postId}`);
    expect(seen.status).toBe(404);
    const unknown = { occToken: token + 2, watcherUserIds: [people.manager, 999_999] };
    expect(codes(await patch(people.author, postId, unknown))).toEqual(['watcherUserIds[1] UNKNOWN_REFERENCE']);
    const needed = await makeCommunity(world, { watchersEnabled: 2 });
    const other = await createPost(world, people.author, { watcherUserIds: [people.manager] }, needed);
    const none = await patch(people.author, other.postId, { occToken: other.token, watcherUserIds: null });
    expect(codes(none)).toEqual(['watcherUserIds REQUIRED_FIELD']);
  });

  it('keeps the rules of the whole form, and refuses null where a value is needed', async () => {
    const { fields, people } = world;
    const { postId, token } = await fullPost();
    await rows(
      world,
      `UPDATE posts SET custom_data = custom_data || jsonb_build_object($3::text, 'fixed') WHERE tenant_id = $1 AND id = $2`,
      [postId, String(fields['READONLY'])],
    );
    const before = await dumpTenant(world);
    const wrong = await patch(people.author, postId, {
      occToken: token,
      title: 'x'.repeat(1_001),
      visibility: null,
      draft: null,
      customData: { [fields['INT']!]: 1_001, [fields['READONLY']!]: null, 999999: null },
    });
    expect(wrong.status).toBe(400);
    expect(codes(wrong)).toEqual(
      [
        `customData.${fields['READONLY']} READ_ONLY_FIELD`,
        `customData.${fields['INT']} CUSTOM_VALIDATION`,
        'customData.999999 UNKNOWN_FIELD',
        'draft INVALID_VALUE',
        'title TEXT_TOO_LONG',
        'visibility INVALID_VALUE',
      ].sort(),
    );
    expect(codes(await patch(people.author, postId, { occToken: token, titel: null }))).toEqual([
      'titel UNRECOGNIZED_FIELD',
    ]);
    expect(await dumpTenant(world)).toEqual(before);
    const strict = await makeCommunity(world, { titleEnabled: 2, descriptionEnabled: 2 });
    const other = await createPost(world, people.author, {}, strict);
    const emptied = await patch(people.author, other.postId, { occToken: other.token, title: null, description: null });
    expect(codes(emptied)).toEqual(['description REQUIRED_FIELD', 'title REQUIRED_FIELD']);
  });

  it('cancels a planned publication by null, and keeps the plan when it is left out', async () => {
    const { people } = world;
    const plan = { datetime: '2031-12-31T18:00:00', timezone: 'Europe/Rome' };
    const { postId, token } = await createPost(world, people.author, { draft: true, scheduledPublication: plan });
    const patched = async (body: Body) =>
      (await patch(people.author, postId, body, {}, '?loadPost=true')).body.postData;
    expect(await patched({ occToken: token, title: 'Still planned' })).toMatchObject({
      draft: true,
      scheduledPublication: { localDatetime: plan.datetime, timezone: plan.timezone },
    });
    const after = await patched({ occToken: token + 1, scheduledPublication: null });
    expect(after).toMatchObject({ draft: true, title: 'Still planned' });
    expect(after).not.toHaveProperty('scheduledPublication');
  });

  it('edits the texts of an event and keeps its time and guests', async () => {
    const { people } = world;
    const events = await makeCommunity(world, { eventsEnabled: true });
    const made = await world.tenant.request(people.author, 'POST', `${MANAGE}/create-event-post/${events}`, {
      title: 'Meeting',
      announcement: false,
      event: {
        startAt: { localDatetime: '2030-07-01T09:00:00' },
        timezone: 'Europe/Rome',
        invitations: { users: [{ id: people.contributor, typeId: 0 }] },
      },
    });
    const form = async () =>
      (await world.tenant.request(people.author, 'GET', `${MANAGE}/event-post-data-for-edit/${made.body.postId}`)).body;
    const { event } = (await form()).contentData;
    const answer = await patch(people.author, made.body.postId, { occToken: made.body.nextOccToken, title: 'Moved' });
    expect(answer.status).toBe(200);
    expect((await form()).contentData).toMatchObject({ title: 'Moved', event });
  });
});

describe('the texts of a patch', () => {
  it('are emptied by null where the community does not demand them', async () => {
    const { people } = world;
    const free = await makeCommunity(world, { titleEnabled: 1, descriptionEnabled: 1 });
    const { postId, token } = await createPost(world, people.author, {}, free);
    expect((await patch(people.author, postId, { occToken: token, description: null })).status).toBe(200);
    const after = await detail(postId);
    expect(after.title).toBe('A title');
    expect(after.descriptionPlainText ?? '').toBe('');
    expect((await patch(people.author, postId, { occToken: token + 1, title: null })).status).toBe(200);
    expect((await detail(postId)).title ?? '').toBe('');
  });
});

describe('the token of a patch', () => {
  it('may come in If-Match, with quotation marks or without; a stale one names the present one', async () => {
    const { people } = world;
    const { postId, token } = await fullPost();
    const sent = (value: string, body: Body = { title: value }) =>
      patch(people.author, postId, body, { 'If-Match': value });
    expect((await sent(`"${token}"`)).status).toBe(200);
    expect((await sent(String(token + 1))).status).toBe(200);
    const stale = await sent(`"${token}"`);
    expect(stale.status).toBe(409);
    expect(stale.body).toMatchObject({ code: 'CONFLICT_STALE_TOKEN', currentOccToken: token + 2 });
    expect(codes(await sent(String(token + 2), { occToken: token, title: 'x' }))).toEqual(['if-match INVALID_VALUE']);
    for (const wrong of ['*', 'W/"1"', '"x"', '1, 2', '']) {
      expect(codes(await sent(wrong)), wrong).toEqual([expect.stringMatching(/^if-match /)]);
    }
    expect(codes(await patch(people.author, postId, { title: 'x' }))).toEqual(['occToken REQUIRED_FIELD']);
  });

  it('lets one of fifty concurrent patches of different fields win; the others are told the present token', async () => {
    const { fields, people } = world;
    const { postId, token } = await fullPost();
    const parts: Body[] = [
      { title: 'New' },
      { customData: { [fields['INT']!]: 7 } },
      { customData: { [fields['STRING']!]: null } },
    ];
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        patch(index % 2 ? people.author : people.manager, postId, { occToken: token, ...parts[index % 3] }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const refused = answers.filter(({ status }) => status === 409);
    expect(refused).toHaveLength(49);
    for (const { body } of refused) expect(body).toMatchObject({ currentOccToken: token + 1 });
  });

  it('makes a repeat with an idempotency key the same request in both places, and null another than absence', async () => {
    const { fields, people } = world;
    const { postId, token } = await fullPost();
    const string = String(fields['STRING']);
    const key = { 'Idempotency-Key': `patch-${postId}` };
    const first = await patch(people.author, postId, { occToken: token, customData: { [string]: null } }, key);
    expect(first.status).toBe(200);
    const again = await patch(
      people.author,
      postId,
      { customData: { [string]: null } },
      { ...key, 'If-Match': `"${token}"` },
    );
    expect(again.body).toEqual(first.body);
    expect((await patch(people.author, postId, { occToken: token, customData: {} }, key)).status).toBe(422);
  });
});

describe('who may patch', () => {
  it('is who may edit: 403 for who sees the post, 404 for others and in other tenants', async () => {
    const { people } = world;
    const open = await createPost(world, people.author);
    const closed = await createPost(world, people.author, { visibility: 1 });
    const other = await createFieldWorld(portal);
    const before = await dumpTenant(world);
    const body = { occToken: open.token, title: 'x' };
    expect((await patch(people.contributor, open.postId, body)).status).toBe(403);
    expect((await patch(people.contributor, closed.postId, body)).status).toBe(404);
    expect((await patch(people.outsider, open.postId, body)).status).toBe(404);
    const foreign = await other.tenant.request(
      other.people.manager,
      'POST',
      `${MANAGE}/patch-post/${open.postId}`,
      body,
    );
    expect(foreign.status).toBe(404);
    // Nobody learns that the token is missing or stale without the right to edit.
    expect((await patch(people.contributor, open.postId, { title: 'x' })).status).toBe(403);
    expect((await patch(people.contributor, open.postId, { occToken: 99 })).status).toBe(403);
    const dry = await patch(
      people.author,
      open.postId,
      { ...body, watcherUserIds: [people.manager] },
      {},
      '?dryRun=true',
    );
    expect(dry.body.dryRun.changes).toEqual([
      expect.objectContaining({ entity: 'post', id: open.postId, fields: expect.arrayContaining(['title']) }),
    ]);
    expect(await dumpTenant(world)).toEqual(before);
  });
});
