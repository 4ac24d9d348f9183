import { randomBytes } from 'node:crypto';
import { FieldType } from '@portico/contract';
import { type FileStorage, openDirectoryStorage } from '@portico/platform/files';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestPortal } from '../../test/support/index.ts';
import { tablesWithText } from '../../test/support/table-rows.ts';
import { createTestPortal, createTestWorld, type TestWorld } from '../../test/support/test-world.ts';
import { storeFile } from '../modules/files/index.ts';
import { eraseDuePosts, erasePosts, erasureCutoff, previewErasure } from './erase-posts.ts';

const DAY = 24 * 3_600_000;

describe('erasure', () => {
  let portal: TestPortal;
  let storage: FileStorage;
  beforeAll(async () => {
    portal = await createTestPortal({ env: { PORTICO_ERASE_AFTER_DAYS: '7' } });
    storage = await openDirectoryStorage(portal.services.config.filesDir);
  });
  afterAll(() => portal.close());

  /** A stored file that was published long ago, as far as the round that looks for its bytes can tell. */
  const store = async (world: TestWorld) => storeFile(await world.scope(world.people.author), storage, randomBytes(20));
  const files = async (world: TestWorld) =>
    (await world.rows<{ ref: string }>('SELECT content_ref AS ref FROM file_contents WHERE tenant_id = $1')).map(
      (row) => row.ref,
    );

  /** A post with everything that can belong to one. */
  async function fullPost(world: TestWorld, marker: string): Promise<{ postId: number; ref: string; shared: string }> {
    const { author, contributor } = world.people;
    const [first, second, third] = [await store(world), await store(world), await store(world)];
    const postId = await world.post(author, {
      title: marker,
      description: `about ${marker}`,
      watcherUserIds: [contributor],
      attachments: [
        { name: `${marker}.bin`, contentRef: first.contentRef },
        { name: 'shared.bin', contentRef: second.contentRef },
      ],
      clientUid: marker,
    });
    const comment = await world.tenant.request(
      contributor,
      'POST',
      `/portal/api/communication/posts/manage/create-comment/${postId}`,
      {
        comment: `${marker} said`,
        commentFormat: 2,
        attachments: [{ name: 'c', contentRef: (await uploadOf(world, contributor)).contentRef }],
      },
      { 'Idempotency-Key': randomBytes(8).toString('hex') },
    );
    expect(comment.status, comment.text).toBe(200);
    await world.ok(author, 'POST', `posts/manage/create-comment/${postId}`, {
      comment: `${marker} again`,
      commentFormat: 2,
      parentCommentId: comment.body.comment.id,
    });
    await world.ok(author, 'POST', `tasks/manage/create-task/${postId}`, {
      title: `${marker} to do`,
      assigneeUserId: contributor,
      expiration: { datetime: '2031-01-01T10:00:00', timezone: 'Europe/Rome' },
      subTasks: [{ description: `${marker} part`, state: 1 }],
      attachments: [{ name: 't', contentRef: third.contentRef }],
    });
    const form = await world.ok(author, 'GET', `posts/manage/post-data-for-edit/${postId}`);
    await world.ok(author, 'PUT', `posts/manage/edit-post/${postId}/${form.occToken}`, {
      title: `${marker} renamed`,
      description: `more about ${marker}`,
      descriptionFormat: 2,
    });
    return { postId, ref: first.contentRef, shared: second.contentRef };
  }
  const uploadOf = async (world: TestWorld, userId: number) =>
    storeFile(await world.scope(userId), storage, randomBytes(20));

  const tablesWith = (world: TestWorld, text: string) => tablesWithText(portal.owner, world.tenant.tenant.id, text);

  it('removes marked posts after the delay with all that belongs to them, and nothing else', async () => {
    const world = await createTestWorld(portal);
    const { author, reader } = world.people;
    const gone = await fullPost(world, 'vanishing');
    const deleted = await fullPost(world, 'deletedonly');
    const kept = await fullPost(world, 'remaining');
    const borrowed = await world.rows<{ id: number }>(
      'SELECT id FROM attachments WHERE tenant_id = $1 AND post_id = $2 AND content_ref = $3',
      [gone.postId, gone.shared],
    );
    await world.ok(author, 'PUT', `posts/manage/edit-post-attachments/${kept.postId}`, {
      addAttachments: [{ attachmentId: borrowed[0]!.id }],
    });
    // Posts without a number belong to the next round: the stream would never report a post created
    // and erased before it.
    await world.tenant.settleStream();
    const stream = await world.ok(reader, 'POST', 'posts/data/global-stream', {});
    await world.ok(author, 'PUT', `posts/manage/mark-post-as-erasable/${gone.postId}`);
    await world.ok(author, 'DELETE', `posts/manage/delete-post/${deleted.postId}`);
    const before = await tablesWith(world, 'vanishing');
    expect(before).toEqual(
      expect.arrayContaining(['posts', 'comments', 'tasks', 'history_events', 'idempotency_keys']),
    );

    const { services } = portal;
    // Not due: nothing goes.
    expect((await eraseDuePosts(services, world.tenant.tenant)).postIds).toEqual([]);
    expect(await tablesWith(world, 'vanishing')).toEqual(before);
    const cutoff = Date.now() + 1000;
    const preview = await previewErasure(services, world.tenant.tenant, cutoff);
    expect(preview.postIds).toEqual([gone.postId]);
    expect(await tablesWith(world, 'vanishing')).toEqual(before);

    const done = await erasePosts(services, world.tenant.tenant, cutoff);
    expect(done).toEqual(preview);
    expect(done.files).toBe(3);
    expect(await tablesWith(world, 'vanishing')).toEqual([]);
    for (const marker of ['deletedonly', 'remaining']) expect(await tablesWith(world, marker)).toContain('posts');
    const left = await files(world);
    expect(left).not.toContain(gone.ref);
    expect(left).toContain(gone.shared);
    expect(await erasePosts(services, world.tenant.tenant, cutoff)).toEqual({ postIds: [], rows: new Map(), files: 0 });

    // The tombstone outlives the post.
    await world.tenant.settleStream();
    const next = await world.ok(reader, 'POST', `posts/data/global-stream?syncToken=${stream.nextSyncToken}`, {});
    expect(next.items).toContainEqual(
      expect.objectContaining({ id: gone.postId, status: 'DELETED', communityId: world.communityId }),
    );
    expect((await world.send(author, 'GET', `posts/data/post-detail-by-id/${gone.postId}`)).status).toBe(404);
    expect((await world.send(author, 'GET', `posts/data/post-detail-by-id/${kept.postId}`)).status).toBe(200);
  });

  it('removes the bytes of files that are older than a day', async () => {
    const world = await createTestWorld(portal);
    const file = await store(world);
    const postId = await world.post(world.people.author, { attachments: [{ name: 'x', contentRef: file.contentRef }] });
    await world.ok(world.people.author, 'PUT', `posts/manage/mark-post-as-erasable/${postId}`);
    const later = { now: () => Date.now() + 8 * DAY };
    await eraseDuePosts({ ...portal.services, clock: later }, world.tenant.tenant);
    expect(await world.rows('SELECT id FROM posts WHERE tenant_id = $1 AND id = $2', [postId])).toEqual([]);
    expect(await storage.stat(file.storageKey)).toBeUndefined();
  });

  it('leaves posts that referred to an erased one readable and editable', async () => {
    const world = await createTestWorld(portal, {
      fields: [
        {
          label: 'Posts',
          type: FieldType.GENERIC_ENTITY_LIST,
          metadata: { generic_entity_list_config_id: 'communication.post' },
        },
      ],
    });
    const { author } = world.people;
    const field = String(world.fieldIds.get('Posts'));
    const [gone, kept] = [await world.post(author), await world.post(author)];
    const referring = await world.post(author, { customData: { [field]: [gone, kept] } });
    await world.ok(author, 'PUT', `posts/manage/mark-post-as-erasable/${gone}`);
    await erasePosts(portal.services, world.tenant.tenant, Date.now() + 1000);
    const detail = await world.ok(author, 'GET', `posts/data/post-detail-by-id/${referring}`);
    expect(detail.customData[field].map((post: { id: number }) => post.id)).toEqual([kept]);
    const form = await world.ok(author, 'GET', `posts/manage/post-data-for-edit/${referring}`);
    for (const ids of [[gone, kept], [kept]]) {
      await world.ok(
        author,
        'PUT',
        `posts/manage/edit-post/${referring}/${form.occToken + [2, 1].indexOf(ids.length)}`,
        {
          title: 'A post',
          description: 'Some text',
          descriptionFormat: 2,
          customData: { [field]: ids },
        },
      );
    }
  });

  it('works in transactions of fewer than 500 rows, on several nodes at once', async () => {
    const world = await createTestWorld(portal);
    const ids = await Promise.all([1, 2, 3].map(() => world.post(world.people.author)));
    await world.db.execute(
      `INSERT INTO comments (tenant_id, id, post_id, delta, plain, creator_id, created_at, modified_at)
       SELECT a.tenant_id, 1000000 + n, $2, '[]', 'many', $3, $4, $4
         FROM tenant_versions a, generate_series(1, 1500) n WHERE a.tenant_id = $1`,
      [world.db.tenantId, ids[0], world.people.author, new Date()],
    );
    for (const id of ids) await world.ok(world.people.author, 'PUT', `posts/manage/mark-post-as-erasable/${id}`);
    const cutoff = erasureCutoff(Date.now() + 1000, 0);
    const both = await Promise.all([
      erasePosts(portal.services, world.tenant.tenant, cutoff),
      erasePosts(portal.services, world.tenant.tenant, cutoff),
    ]);
    expect(both.flatMap((done) => done.postIds).sort((a, b) => a - b)).toEqual(ids.sort((a, b) => a - b));
    expect(await world.rows('SELECT id FROM comments WHERE tenant_id = $1', [])).toEqual([]);
  });
});
