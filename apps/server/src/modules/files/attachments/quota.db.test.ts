/** The room of a tenant when files are attached: 400 QUOTA_EXCEEDED, exact also for writes side by side. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestAnswer } from '../../../../test/support/index.ts';
import {
  atOnce,
  createTestPortal,
  createTestWorld,
  faults,
  settingsReadAnew,
  type TestPortal,
  type TestWorld,
} from '../../../../test/support/test-world.ts';
import { lockRoom } from '../store/quota.ts';

let portal: TestPortal;

beforeAll(async () => {
  portal = await createTestPortal();
});
afterAll(() => portal?.close());

/** Every upload of the fixture has three bytes. */
async function worldWithRoom(bytes: number): Promise<TestWorld> {
  const world = await createTestWorld(portal);
  await world.db.execute('UPDATE tenant_settings SET attachment_quota_bytes = $2 WHERE tenant_id = $1', [
    world.db.tenantId,
    bytes,
  ]);
  await settingsReadAnew(portal.services, world.tenant.tenant);
  return world;
}

const newPost = (world: TestWorld, body: object) =>
  world.send(world.people.author, 'POST', `posts/manage/create-post/${world.communityId}`, {
    title: 'A post',
    description: 'Some text',
    descriptionFormat: 2,
    announcement: false,
    ...body,
  });
const files = async (world: TestWorld, count: number) =>
  Promise.all(
    Array.from({ length: count }, async (_, index) => ({
      name: `${index}.txt`,
      contentRef: await world.upload(world.people.author),
    })),
  );
const attached = async (world: TestWorld) => {
  const [row] = await world.rows<{ bytes: number }>(
    'SELECT sum(size)::bigint AS bytes FROM file_contents WHERE tenant_id = $1 AND attached_at IS NOT NULL',
  );
  return row!.bytes;
};

describe('the room of a tenant', () => {
  test('ends with a 400 that names the files which do not fit, and nothing is written', async () => {
    const world = await worldWithRoom(7);
    const { author } = world.people;
    const answer = await newPost(world, { attachments: await files(world, 4) });
    expect([answer.status, ...faults(answer)]).toEqual([
      400,
      'attachments[2].contentRef: QUOTA_EXCEEDED',
      'attachments[3].contentRef: QUOTA_EXCEEDED',
    ]);
    expect(answer.body.validationErrors.list[0].args).toEqual([7, 6]);
    expect(await world.rows('SELECT id FROM posts WHERE tenant_id = $1')).toEqual([]);
    expect(await attached(world)).toBeNull();

    const postId = await world.post(author, { attachments: await files(world, 2) });
    const [full] = await files(world, 1);
    const comment = await world.send(author, 'POST', `posts/manage/create-comment/${postId}`, {
      comment: 'One more',
      commentFormat: 2,
      attachments: [full],
    });
    expect([comment.status, ...faults(comment)]).toEqual([400, 'attachments[0].contentRef: QUOTA_EXCEEDED']);
    const [{ id }] = (await world.rows<{ id: number }>(
      'SELECT id FROM attachments WHERE tenant_id = $1 ORDER BY id',
    )) as [{ id: number }];
    const version = await world.send(author, 'PUT', `posts/manage/edit-post-attachments/${postId}`, {
      updateAttachments: [{ attachmentId: id, ...full }],
    });
    expect([version.status, ...faults(version)]).toEqual([400, 'updateAttachments[0].contentRef: QUOTA_EXCEEDED']);
    // Content that is already stored takes no more room when it is attached again; a new name takes
    // none either.
    const again = await world.send(author, 'PUT', `posts/manage/edit-post-attachments/${postId}`, {
      addAttachments: [{ attachmentId: id }],
      updateAttachments: [{ attachmentId: id, name: 'renamed.txt' }],
    });
    expect(again.status, again.text).toBe(200);
  });

  test('is not exceeded by writes side by side', async () => {
    const world = await worldWithRoom(10);
    const all = await files(world, 8);
    expect(await atOnce(8, (index) => newPost(world, { attachments: [all[index]] }))).toEqual({ 200: 3, 400: 5 });
    expect(await attached(world)).toBe(9);
  });

  test('waits for a write that attaches and has not ended', async () => {
    const world = await worldWithRoom(4);
    const [first, second] = await files(world, 2);
    const waits = `SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
    let answer: Promise<TestAnswer> | undefined;
    await world.db.transaction(async (tx) => {
      await lockRoom(tx);
      await tx.execute('UPDATE file_contents SET attached_at = now() WHERE tenant_id = $1 AND content_ref = $2', [
        tx.tenantId,
        first!.contentRef,
      ]);
      let answered = false;
      answer = newPost(world, { attachments: [second] }).finally(() => {
        answered = true;
      });
      await expect.poll(async () => answered || ((await portal.owner.query(waits)).rowCount ?? 0) > 0).toBe(true);
    });
    expect((await answer!).status).toBe(400);
    expect(await attached(world)).toBe(3);
  });

  test('counts the covers of events', async () => {
    const world = await worldWithRoom(2);
    const answer = await world.send(
      world.people.author,
      'POST',
      `posts/manage/create-event-post/${world.communityId}`,
      {
        title: 'Party',
        description: 'Some text',
        descriptionFormat: 2,
        announcement: false,
        event: {
          startAt: { localDatetime: '2030-07-01T09:00:00' },
          endAt: { localDatetime: '2030-07-01T10:00:00' },
          timezone: 'Europe/Rome',
        },
        coverImageContentRef: await world.upload(world.people.author, 'cover.png'),
      },
    );
    expect([answer.status, ...faults(answer)]).toEqual([400, 'coverImageContentRef: QUOTA_EXCEEDED']);
  });
});
