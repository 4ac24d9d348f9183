/** Reading posts over HTTP: the detail, its main attachment, views, and visibility checks. */
import { AttachmentEntityType, AttachmentType, FieldType } from '@portico/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  ALL_LINKS,
  definition,
  detail,
  everyValue,
  fieldId,
  groupId,
  hashtagId,
  list,
  make,
  manager,
  openReading,
  outsider,
  PREFIX,
  portal,
  queryOf,
  reader,
  START,
  stateId,
  tenant,
} from './reading-portal.fixture.ts';

beforeAll(openReading);
afterAll(() => portal.close());

describe('detail', () => {
  test('shows every value, person and count by the contract', async () => {
    const other = await make();
    const hidden = await make({ visibility: 1 });
    const values = everyValue(other, hidden);
    const id = await make({
      descriptionText: 'about',
      customData: values.stored,
      screenData: { [fieldId(FieldType.GENERIC_ENTITY_LIST, 'screen')]: [manager] },
      watchers: [reader, -groupId],
      mentions: [reader],
      commentMentions: [manager],
      hashtagIds: [hashtagId],
    });
    const { status, body } = await detail(reader, id);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id,
      communityId: definition.id,
      customId: String(id),
      title: `Post ${id}`,
      descriptionPlainText: 'about',
      visibility: 2,
      announcement: false,
      currentWorkflowState: { id: stateId, initState: true, name: 'Open' },
      creatorUser: { id: manager, firstName: 'Ada' },
      creationTimestamp: START + id * 1000,
      mentions: [{ id: reader }],
      commentMentions: { items: [], totalItemsCount: 0 },
      watchers: [{ id: reader }],
      watcherUsers: [{ id: reader }],
      watcherGroups: [{ id: groupId, name: 'team' }],
      hashtags: [{ id: hashtagId, name: 'tag', deleted: false }],
      showLikeSection: true,
      likedByMe: false,
      followedByMe: true,
    });
    expect(body.customData).toEqual(values.read);
    expect(body.currentWorkflowScreenData).toMatchObject({
      [fieldId(FieldType.GENERIC_ENTITY_LIST, 'screen')]: [{ id: manager }],
    });
    expect(Object.keys(body)).not.toContain('occToken');
    // A manager sees comments, and the private post that the field holds too.
    const asManager = await detail(manager, id);
    expect(asManager.body.commentMentions).toMatchObject({ items: [{ id: manager }], totalItemsCount: 1 });
    expect(asManager.body.customData[fieldId(FieldType.GENERIC_ENTITY_LIST)]).toHaveLength(2);
  });

  test('answers 404 alike for what is unknown, deleted, private, another draft, or in a closed community', async () => {
    const post = await make();
    const unseen = [
      [reader, await make({ visibility: 1 })],
      [reader, await make({ deleted: true })],
      [reader, await make({ draft: true })],
      [outsider, post],
      [reader, 999_999_999],
    ] as const;
    const bodies = [];
    for (const [user, id] of unseen) {
      const answer = await detail(user, id);
      expect(answer.status).toBe(404);
      bodies.push({ ...answer.body, requestId: '' });
    }
    for (const body of bodies) expect(body).toEqual(bodies[0]);
    expect((await detail(manager, await make({ draft: true }))).status).toBe(200);
    expect((await detail(reader, await make({ visibility: 1, watchers: [reader] }))).status).toBe(200);
  });

  test('is found by client uid', async () => {
    const id = await make();
    const uid = 'uid with / and ü';
    await portal.services.databases
      .for(tenant.tenant.id)
      .execute('UPDATE posts SET client_uid = $2 WHERE tenant_id = $1 AND id = $3', [tenant.tenant.id, uid, id]);
    const answer = await tenant.request(
      reader,
      'GET',
      `${PREFIX}/post-detail-by-client-uid/${encodeURIComponent(uid)}`,
    );
    expect(answer.body).toMatchObject({ id });
    expect((await tenant.request(reader, 'GET', `${PREFIX}/post-detail-by-client-uid/none`)).status).toBe(404);
  });

  test('counts views after the answer, each reader once', async () => {
    const id = await make();
    await detail(reader, id);
    await detail(reader, id);
    await detail(manager, id);
    await expect
      .poll(async () => (await list(reader, { postId: id })).body.items[0])
      .toMatchObject({
        viewsCount: 3,
        viewedByUsersCount: 2,
        viewedByMe: true,
      });
    const seen = await list(reader, { orderBy: 'postViewedByMeTimestamp', pageSize: 1 });
    expect(seen.body.items[0].id).toBe(id);
  });
});

describe('main attachment', () => {
  const image = {
    name: 'a.gif',
    mimeType: 'image/gif',
    kind: 1,
    type: AttachmentType.STORAGE,
    entityType: AttachmentEntityType.POST,
    fieldId: null,
    createdAt: START,
    modifiedAt: START,
    deleted: false,
  };

  test('comes with any link flag, with the links that were asked for', async () => {
    const id = await make({
      attachments: [{ ...image, creatorId: manager, modifierId: reader, hashtagIds: [hashtagId] }],
    });
    const ref = 'a'.repeat(64);
    const db = portal.services.databases.for(tenant.tenant.id);
    await db.execute(
      `INSERT INTO file_contents (tenant_id, content_ref, mime_type, size, md5, creator_id, created_at) VALUES ($1, $2, 'image/gif', 3, 'rL0Y20zC+Fzt72VPzMSk2A==', $3, $4)`,
      [db.tenantId, ref, manager, new Date(START)],
    );
    await db.execute('UPDATE attachments SET content_ref = $2 WHERE tenant_id = $1 AND post_id = $3', [
      db.tenantId,
      ref,
      id,
    ]);
    await db.execute(
      'UPDATE posts SET main_attachment_id = $2, cover_content_ref = $3 WHERE tenant_id = $1 AND id = $4',
      [db.tenantId, id * 8, ref, id],
    );
    expect((await detail(reader, id)).body.mainAttachment).toBeUndefined();
    const plain = (await detail(reader, id, '?loadMainAttachment=true')).body.mainAttachment;
    expect(plain).toMatchObject({
      id: id * 8,
      name: 'a.gif',
      md5Hash: 'acbd18db4cc2f85cedef654fccc4a4d8',
      contentRef: ref,
      creatorUser: { id: manager },
      lastModifyUser: { id: reader },
      hashtags: [{ id: hashtagId }],
      downloadable: true,
    });
    expect(Object.keys(plain).filter((key) => key.startsWith('temporary'))).toEqual([]);
    const viewed = (await detail(reader, id, '?loadMainAttachmentViewLink=true')).body.mainAttachment;
    expect(viewed.temporaryContentViewLink).toMatch(/^http.*\/portal\/files\//);
    expect(viewed.temporaryContentDownloadLink).toBeUndefined();
    const { items } = (await list(reader, { postId: id }, queryOf(ALL_LINKS))).body;
    expect(Object.keys(items[0].mainAttachment).filter((key) => key.startsWith('temporary'))).toHaveLength(6);
    expect(items[0].coverImage).toMatchObject({ contentRef: ref, contentMimeType: 'image/gif' });
    const short = (await list(reader, { postId: id }, '?loadPostDetails=false&loadMainAttachment=true')).body.items[0];
    expect(Object.keys(short).sort()).toEqual([
      'communityId',
      'creationTimestamp',
      'customId',
      'id',
      'lastModifyTimestamp',
      'lastOperationTimestamp',
      'mainAttachment',
      'title',
    ]);
  });
});

test('visibility checks leave out what is unknown or invisible, in the order asked', async () => {
  const seen = await make();
  const hidden = await make({ visibility: 1 });
  const check = (path: string, user: number) =>
    tenant.request(user, 'POST', `${PREFIX}/${path}`, { ids: [hidden, 999_999_999, seen, seen] });
  for (const path of ['check-visibility', 'check-visibility-with-comments']) {
    expect((await check(path, reader)).body).toEqual({ posts: [{ id: seen, canViewComments: false }] });
    expect((await check(path, manager)).body).toEqual({
      posts: [
        { id: hidden, canViewComments: true },
        { id: seen, canViewComments: true },
      ],
    });
  }
});
