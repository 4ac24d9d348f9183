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
  makeUpload,
  rows,
} from './writing.fixture.ts';

let portal: TestPortal;
let world: FieldWorld;
type Body = Record<string, unknown>;
const put = (userId: number, path: string, body: Body = {}) =>
  world.tenant.request(userId, 'PUT', `${MANAGE}/${path}`, body);
const get = (userId: number, path: string) => world.tenant.request(userId, 'GET', `${MANAGE}/${path}`);
const detail = (userId: number, postId: number) =>
  world.tenant.request(userId, 'GET', `${API}/data/post-detail-by-id/${postId}`);
const codes = (answer: { body: { validationErrors: { list: { code: string; field: string }[] } } }) =>
  answer.body.validationErrors.list.map(({ code, field }) => `${field} ${code}`).sort();
const whole = (overrides: Body = {}): Body => ({
  title: 'New',
  description: 'New text',
  descriptionFormat: 2,
  ...overrides,
});

beforeAll(async () => {
  portal = await createTestPortal();
  world = await createFieldWorld(portal);
});
afterAll(() => portal.close());

/** Every operation that consumes a post's token, and a call of it with a token. */
const consumers: [string, (postId: number, token: number, userId: number) => ReturnType<typeof put>][] = [
  ['editCustomPost', (id, token, user) => put(user, `edit-post/${id}/${token}`, whole())],
  ['editPostCustomData', (id, token, user) => put(user, `edit-post-custom-data/${id}/${token}`, { customData: {} })],
];

describe('tokens', () => {
  for (const [name, call] of consumers) {
    it(`${name}: of fifty writers with one token exactly one wins, and a stale one changes nothing`, async () => {
      const { postId, token } = await createPost(world, world.people.author);
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          call(postId, token, index % 2 ? world.people.author : world.people.manager),
        ),
      );
      expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
      expect(answers.filter((answer) => answer.status === 409)).toHaveLength(49);
      const before = await dumpTenant(world);
      const late = await call(postId, token, world.people.author);
      expect(late.status).toBe(409);
      expect(late.body).toMatchObject({ code: 'CONFLICT_STALE_TOKEN', currentOccToken: token + 1 });
      expect([world.people.author, world.people.manager]).toContain(late.body.changedBy.id);
      expect(late.body.changedAt).toBeGreaterThan(Date.now() - 60_000);
      expect(await dumpTenant(world)).toEqual(before);
    });

    it(`${name}: 404 for whoever does not see the post, 403 for whoever sees it but may not`, async () => {
      const open = await createPost(world, world.people.author);
      const closed = await createPost(world, world.people.author, { visibility: 1 });
      expect((await call(open.postId, open.token, world.people.contributor)).status).toBe(403);
      expect((await call(open.postId, open.token, world.people.reader)).status).toBe(403);
      expect((await call(closed.postId, closed.token, world.people.contributor)).status).toBe(404);
      expect((await call(open.postId, open.token, world.people.outsider)).status).toBe(404);
      expect((await call(999_999_999, 1, world.people.author)).status).toBe(404);
    });
  }

  it('are not raised by watchers and attachments', async () => {
    const { postId, token } = await createPost(world, world.people.author);
    expect(
      (
        await put(world.people.author, `edit-post-watchers/${postId}`, {
          addWatcherUserIds: [world.people.contributor],
        })
      ).status,
    ).toBe(200);
    const drive = { addAttachments: [{ type: 2, name: 'd', drive: { driveId: 'x' } }] };
    expect((await put(world.people.author, `edit-post-attachments/${postId}`, drive)).status).toBe(200);
    expect((await put(world.people.author, `edit-post/${postId}/${token}`, whole())).status).toBe(200);
  });

  it('of a source are compared by a copy and not consumed', async () => {
    const { postId, token } = await createPost(world, world.people.author);
    const copy = (occToken: number) =>
      put(world.people.contributor, `copy-post/${postId}/${occToken}`, whole({ announcement: false }));
    const answers = await Promise.all(Array.from({ length: 10 }, () => copy(token)));
    expect(answers.every((answer) => answer.status === 200)).toBe(true);
    expect(new Set(answers.map((answer) => answer.body.postId)).size).toBe(10);
    expect((await copy(token + 1)).status).toBe(409);
    expect((await copy(token)).status).toBe(200);
  });
});

describe('editCustomPost', () => {
  it('replaces texts and custom data, keeps watchers, attachments and what is only sent when asked for', async () => {
    const { fields } = world;
    const made = await createPost(world, world.people.author, {
      visibility: 1,
      watcherUserIds: [world.people.contributor],
      attachments: [{ type: 2, name: 'd', drive: { driveId: 'x' } }],
      customData: { [fields['INT']!]: 1, [fields['STRING']!]: 'a' },
    });
    const answer = await put(
      world.people.author,
      `edit-post/${made.postId}/1`,
      whole({ customData: { [fields['INT']!]: 2 } }),
    );
    expect(answer.status).toBe(200);
    expect(answer.body.nextOccToken).toBe(2);
    expect(answer.body).not.toHaveProperty('postId');
    expect(answer.body.postData).toMatchObject({
      id: made.postId,
      title: 'New',
      descriptionPlainText: 'New text',
      visibility: 1,
      attachmentsCount: 1,
      customData: { [fields['INT']!]: 2 },
    });
    expect(answer.body.postData.customData).not.toHaveProperty(String(fields['STRING']));
    expect(answer.body.postData.watcherUsers.map((user: { id: number }) => user.id)).toEqual([
      world.people.contributor,
    ]);
    const [event] = await rows<{ details: unknown }>(
      world,
      'SELECT details FROM history_events WHERE tenant_id = $1 AND post_id = $2 AND type_id = 2',
      [made.postId],
    );
    expect(event!.details).toMatchObject({
      titleBefore: 'A title',
      titleAfter: 'New',
      changedParts: ['title', 'description', 'customData'],
      changedFieldIds: [fields['INT'], fields['STRING']],
    });
    expect(await lastChange(world, made.postId)).toMatchObject({ kind: 2, acl_changed: false });
    const search = await rows(
      world,
      'SELECT title, description, doc FROM post_search_view WHERE tenant_id = $1 AND post_id = $2',
      [made.postId],
    );
    expect(search).toEqual([{ title: 'new', description: 'new text', doc: ' new\n new text' }]);
  });

  it('refuses a title alone', async () => {
    const { postId, token } = await createPost(world, world.people.author);
    const answer = await put(world.people.author, `edit-post/${postId}/${token}`, { title: 'Alone' });
    expect(answer.status).toBe(400);
    expect(codes(answer)).toEqual(['description REQUIRED_FIELD']);
  });

  it('empties a text that the community does not demand only when it is sent empty', async () => {
    const communityId = await makeCommunity(world);
    const { postId, token } = await createPost(world, world.people.author, {}, communityId);
    expect(codes(await put(world.people.author, `edit-post/${postId}/${token}`, {}))).toEqual([
      'description REQUIRED_FIELD',
      'title REQUIRED_FIELD',
    ]);
    const emptied = await put(world.people.author, `edit-post/${postId}/${token}`, { title: '', description: '' });
    expect(emptied.status).toBe(200);
    expect(emptied.body.postData.title ?? '').toBe('');
    expect((await put(world.people.author, `edit-post/${postId}/${token + 1}`, {})).status).toBe(200);
  });

  it('accepts back what the edit form gave, references turned into ids, and keeps read-only values', async () => {
    const { fields, entries, values } = world;
    const readonly = String(fields['READONLY']);
    const made = await createPost(world, world.people.author, {
      customData: {
        [fields['ENUM']!]: values['ENUM']![1],
        [fields['HIERARCHICAL_ENUM']!]: values['HIERARCHICAL_ENUM']![1],
        [fields['ENUM_LIST']!]: [entries[2]],
        [fields['PEOPLE']!]: [world.people.contributor],
        [fields['DELTA_AREA']!]: '[{"insert":"bold","attributes":{"bold":true}},{"insert":"\\n"}]',
      },
    });
    await rows(
      world,
      `UPDATE posts SET custom_data = custom_data || jsonb_build_object($3::text, 'kept') WHERE tenant_id = $1 AND id = $2`,
      [made.postId, readonly],
    );
    await rows(world, 'UPDATE catalog_entries SET deleted = true WHERE tenant_id = $1 AND id = $2', [entries[2]]);
    const form = await get(world.people.author, `post-data-for-edit/${made.postId}`);
    expect(form.status).toBe(200);
    const { contentData, occToken } = form.body;
    const ids = (value: unknown): unknown => {
      if (Array.isArray(value))
        return value.map((item) => (typeof item === 'object' && item !== null && 'id' in item ? item.id : item));
      return typeof value === 'object' && value !== null && 'id' in value ? value.id : value;
    };
    const customData = Object.fromEntries(
      Object.entries(contentData.customData).map(([id, value]) => [id, ids(value)]),
    );
    delete customData[readonly];
    const answer = await put(world.people.author, `edit-post/${made.postId}/${occToken}`, {
      title: contentData.title,
      description: contentData.descriptionDelta,
      customData,
      visibility: contentData.visibility,
    });
    expect(answer.text).toContain('postData');
    expect(answer.status).toBe(200);
    expect(answer.body.postData.customData).toEqual({ ...contentData.customData, [readonly]: 'kept' });

    // The copy form goes back whole too, including the read-only value and the entry deleted
    // meanwhile.
    const copyForm = (await get(world.people.author, `post-data-for-copy/${made.postId}`)).body;
    expect(copyForm.contentData.customData[readonly]).toBe('kept');
    const copied = { ...customData, [readonly]: 'kept' };
    const copy = (values: Body) =>
      put(world.people.author, `copy-post/${made.postId}/${copyForm.occToken}`, {
        ...whole({ announcement: false }),
        customData: values,
      });
    const copyAnswer = await copy(copied);
    expect(copyAnswer.text).toContain('postData');
    expect(copyAnswer.body.postData.customData).toEqual(copyForm.contentData.customData);
    expect((await copy({})).body.postData.customData).toEqual({});
    expect(codes(await copy({ ...copied, [readonly]: 'other' }))).toEqual([`customData.${readonly} READ_ONLY_FIELD`]);
    await rows(world, 'UPDATE catalog_entries SET deleted = false WHERE tenant_id = $1 AND id = $2', [entries[2]]);
  });

  it('tells the stream who could see the post before, when that changes', async () => {
    const { postId } = await createPost(world, world.people.author, { watcherUserIds: [world.people.reader] });
    await put(
      world.people.author,
      `edit-post/${postId}/1`,
      whole({ visibility: 1, removeWatcherUserIds: [world.people.reader] }),
    );
    expect(await lastChange(world, postId)).toEqual({
      kind: 2,
      acl_changed: true,
      before_live: true,
      before_principals: [world.people.author, world.people.reader].sort((a, b) => a - b),
    });
    expect((await detail(world.people.reader, postId)).status).toBe(404);
  });

  it('publishes a draft, and lets only its author take it back', async () => {
    const { postId } = await createPost(world, world.people.author, { draft: true });
    expect((await put(world.people.author, `edit-post/${postId}/1`, whole({ draft: false }))).status).toBe(200);
    expect((await put(world.people.manager, `edit-post/${postId}/2`, whole({ draft: true }))).status).toBe(403);
    const back = await put(world.people.author, `edit-post/${postId}/2`, whole({ draft: true }));
    expect(back.body.postData.draft).toBe(true);
    expect((await detail(world.people.manager, postId)).status).toBe(404);
    expect(await lastChange(world, postId)).toMatchObject({ kind: 2, acl_changed: true, before_live: true });
  });

  it('refuses non-empty tables and touches custom data only in editPostCustomData', async () => {
    const { fields } = world;
    const { postId } = await createPost(world, world.people.author, { customData: { [fields['INT']!]: 1 } });
    const tables = await put(world.people.author, `edit-post-custom-data/${postId}/1`, { tables: [{ id: 1 }] });
    expect(codes(tables)).toEqual(['tables INVALID_VALUE']);
    const answer = await put(world.people.author, `edit-post-custom-data/${postId}/1`, {
      customData: { [fields['STRING']!]: 'x', [fields['DELTA_AREA']!]: 'plain' },
      deltaAreaFormat: 2,
      tables: [],
    });
    expect(answer.body.postData).toMatchObject({
      title: 'A title',
      customData: { [fields['STRING']!]: 'x', [fields['DELTA_AREA']!]: '[{"insert":"plain\\n"}]' },
    });
  });

  it('follows the description in mentions, hashtags and history', async () => {
    const mention = (id: number) => [{ insert: { mention: { id, value: 'x' } } }, { insert: ' #budget\n' }];
    const { postId } = await createPost(world, world.people.author, {
      description: JSON.stringify(mention(world.people.reader)),
      descriptionFormat: 1,
    });
    const answer = await put(world.people.author, `edit-post/${postId}/1`, {
      title: 'A title',
      description: JSON.stringify([...mention(world.people.contributor).slice(0, 1), { insert: '\n' }]),
    });
    expect(answer.body.postData.mentions.map((user: { id: number }) => user.id)).toEqual([world.people.contributor]);
    expect(answer.body.postData.hashtags).toEqual([]);
    const told = await rows(
      world,
      'SELECT target_user_id AS "user" FROM history_events WHERE tenant_id = $1 AND post_id = $2 AND type_id = 4 ORDER BY id',
      [postId],
    );
    expect(told).toEqual([{ user: world.people.reader }, { user: world.people.contributor }]);
  });
});

describe('a description', () => {
  it('that the post or the source of a copy has must be sent; an empty one clears it where the community allows', async () => {
    const free = await makeCommunity(world, { descriptionEnabled: 1 });
    const { postId } = await createPost(world, world.people.author, {}, free);
    const titleAlone = { title: 'Only a title' };
    expect(codes(await put(world.people.author, `edit-post/${postId}/1`, titleAlone))).toEqual([
      'description REQUIRED_FIELD',
    ]);
    expect(codes(await put(world.people.author, `copy-post/${postId}/1`, titleAlone))).toEqual([
      'description REQUIRED_FIELD',
    ]);
    for (const description of ['', '[]', '[{"insert":"\\n"}]']) {
      const copy = await put(world.people.author, `copy-post/${postId}/1`, { ...titleAlone, description });
      expect(copy.status).toBe(200);
      expect(copy.body.postData).not.toHaveProperty('descriptionPlainText');
    }
    const cleared = await put(world.people.author, `edit-post/${postId}/1`, { ...titleAlone, description: '' });
    expect(cleared.status).toBe(200);
    // Without a description nothing can be lost.
    expect((await put(world.people.author, `copy-post/${postId}/2`, titleAlone)).status).toBe(200);
    expect((await put(world.people.author, `edit-post/${postId}/2`, titleAlone)).status).toBe(200);
    const demanding = await createPost(world, world.people.author);
    for (const body of [titleAlone, { ...titleAlone, description: '' }]) {
      for (const operation of ['edit-post', 'copy-post']) {
        expect(codes(await put(world.people.author, `${operation}/${demanding.postId}/1`, body))).toEqual([
          'description REQUIRED_FIELD',
        ]);
      }
    }
  });
});

describe('attachments and watchers', () => {
  it('makes a new version under the same id, renames and removes', async () => {
    const first = await makeUpload(world, world.people.author, 'application/pdf');
    const { postId, data } = await createPost(world, world.people.author, {
      attachments: [{ name: 'a.pdf', contentRef: first }],
    });
    const attachmentId = data.attachments[0].id;
    const second = await makeUpload(world, world.people.author, 'image/png');
    const answer = await put(world.people.author, `edit-post-attachments/${postId}`, {
      addAttachments: [{ name: 'b.png', contentRef: await makeUpload(world, world.people.author) }],
      updateAttachments: [{ attachmentId, contentRef: second, name: 'a.png' }],
    });
    expect(answer.body).toMatchObject({
      postId,
      addedAttachments: [{ name: 'b.png' }],
      updatedAttachments: [{ id: attachmentId, name: 'a.png', versionNumber: 2 }],
      removedAttachmentIds: [],
    });
    const remove = { removeAttachmentIds: [attachmentId] };
    expect(
      (await put(world.people.author, `edit-post-attachments/${postId}`, remove)).body.removedAttachmentIds,
    ).toEqual([attachmentId]);
    expect(
      (await put(world.people.author, `edit-post-attachments/${postId}`, remove)).body.removedAttachmentIds,
    ).toEqual([]);
    expect((await detail(world.people.author, postId)).body).toMatchObject({
      attachmentsCount: 1,
      imageAttachmentsCount: 1,
    });
    const types = await rows<{ type: number; version: number | null }>(
      world,
      `SELECT type_id AS type, attachment_version AS version FROM history_events
        WHERE tenant_id = $1 AND post_id = $2 AND type_id BETWEEN 11 AND 13 ORDER BY id`,
      [postId],
    );
    expect(types).toEqual([
      { type: 11, version: 1 },
      { type: 11, version: 1 },
      { type: 13, version: 2 },
      { type: 12, version: null },
    ]);
    expect(await lastChange(world, postId)).toMatchObject({ kind: 3, acl_changed: false });
    const unknown = await put(world.people.author, `edit-post-attachments/${postId}`, {
      updateAttachments: [{ attachmentId: 999_999_999, name: 'x' }],
      removeAttachmentIds: [999_999_999],
    });
    expect(codes(unknown)).toEqual([
      'removeAttachmentIds[0] UNKNOWN_REFERENCE',
      'updateAttachments[0].attachmentId UNKNOWN_REFERENCE',
    ]);
    expect((await put(world.people.contributor, `edit-post-attachments/${postId}`, remove)).status).toBe(403);
  });

  it('tells in the history of an added file by its own kind only, of a renamed one as of a modification', async () => {
    const { postId } = await createPost(world, world.people.author);
    const kinds = async () =>
      (
        await rows<{ type: number }>(
          world,
          'SELECT type_id AS type FROM history_events WHERE tenant_id = $1 AND post_id = $2 ORDER BY id',
          [postId],
        )
      ).map(({ type }) => type);
    const added = await put(world.people.author, `edit-post-attachments/${postId}`, {
      addAttachments: [{ name: 'a.png', contentRef: await makeUpload(world, world.people.author) }],
    });
    expect(await kinds()).toEqual([1, 11]);
    expect(await lastChange(world, postId)).toMatchObject({ kind: 3 });
    await put(world.people.author, `edit-post-attachments/${postId}`, {
      updateAttachments: [{ attachmentId: added.body.addedAttachments[0].id, name: 'b.png' }],
    });
    expect(await kinds()).toEqual([1, 11, 2]);
  });

  it('adds and removes watchers in any order, with an empty answer', async () => {
    const { postId } = await createPost(world, world.people.author, { visibility: 1 });
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        put(world.people.author, `edit-post-watchers/${postId}`, {
          addWatcherUserIds: [world.people.reader, world.people.contributor],
        }),
      ),
    );
    expect(answers.every((answer) => answer.status === 200 && answer.text === '')).toBe(true);
    expect((await detail(world.people.reader, postId)).status).toBe(200);
    const [count] = await rows(world, 'SELECT watchers_count AS n FROM posts WHERE tenant_id = $1 AND id = $2', [
      postId,
    ]);
    expect(count).toEqual({ n: 2 });
    const touched = await rows(world, 'SELECT FROM changes WHERE tenant_id = $1 AND post_id = $2 AND kind = 3', [
      postId,
    ]);
    expect(touched).toHaveLength(1);
    const told = () => rows(world, 'SELECT FROM history_events WHERE tenant_id = $1 AND post_id = $2', [postId]);
    expect(await told()).toHaveLength(1);
    await put(world.people.author, `edit-post-watchers/${postId}`, { removeWatcherUserIds: [world.people.reader] });
    expect((await detail(world.people.reader, postId)).status).toBe(404);
    expect(await lastChange(world, postId)).toMatchObject({ kind: 3, acl_changed: true, before_live: true });
    expect(await told()).toHaveLength(1);
    expect((await put(world.people.contributor, `edit-post-watchers/${postId}`, {})).status).toBe(403);
    expect(
      codes(await put(world.people.author, `edit-post-watchers/${postId}`, { addWatcherUserIds: [999_999_999] })),
    ).toEqual(['addWatcherUserIds[0] UNKNOWN_REFERENCE']);
  });
});

describe('dry runs', () => {
  it('leave every row as it was, whatever the operation', async () => {
    const { postId, data } = await createPost(world, world.people.author, {
      attachments: [{ type: 2, name: 'd', drive: { driveId: 'x' } }],
    });
    const upload = await makeUpload(world, world.people.author);
    const before = await dumpTenant(world);
    for (const [method, path, body] of [
      [
        'PUT',
        `edit-post/${postId}/1`,
        whole({
          visibility: 1,
          addWatcherUserIds: [world.people.contributor],
          customData: { [world.fields['INT']!]: 3 },
        }),
      ],
      [
        'PUT',
        `edit-post-custom-data/${postId}/1`,
        { customData: { [world.fields['PEOPLE']!]: [world.people.reader] } },
      ],
      [
        'PUT',
        `copy-post/${postId}/1`,
        whole({ announcement: false, addAttachments: [{ attachmentId: data.attachments[0].id }] }),
      ],
      ['PUT', `edit-post-watchers/${postId}`, { addWatcherUserIds: [world.people.reader] }],
      [
        'PUT',
        `edit-post-attachments/${postId}`,
        { addAttachments: [{ name: 'x', contentRef: upload }], removeAttachmentIds: [data.attachments[0].id] },
      ],
      ['PUT', `mark-post-as-erasable/${postId}`, undefined],
      ['DELETE', `delete-post/${postId}`, undefined],
    ] as const) {
      const answer = await world.tenant.request(world.people.author, method, `${MANAGE}/${path}?dryRun=true`, body);
      expect([path, answer.status]).toEqual([path, 200]);
      expect(await dumpTenant(world)).toEqual(before);
    }
  });
});
