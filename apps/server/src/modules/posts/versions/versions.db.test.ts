/** Versions of posts: content replaced by edits, reading, comparing, restoring, retention. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  createTestPortal,
  createTestWorld,
  type TestPortal,
  type TestWorld,
} from '../../../../test/support/test-world.ts';
import { forgetVersions } from '../../records/index.ts';

let portal: TestPortal;
let world: TestWorld;

beforeAll(async () => {
  portal = await createTestPortal();
});
beforeEach(async () => {
  world = await createTestWorld(portal, {
    fields: [
      { label: 'Note', type: 6 },
      { label: 'Amount', type: 1 },
      { label: 'Seen', type: 12 },
    ],
    hashtags: ['budget'],
  });
});
afterAll(() => portal?.close());

type Body = Record<string, unknown>;
const author = () => world.people.author;
const list = (userId: number, postId: number, body: Body = {}) =>
  world.ok(userId, 'POST', `posts/data/versions/${postId}`, body);
const version = (userId: number, postId: number, versionNumber: number) =>
  world.ok(userId, 'POST', `posts/data/version/${postId}`, { versionNumber });
const compare = (userId: number, postId: number, fromVersion: number, toVersion = 0) =>
  world.ok(userId, 'POST', `posts/data/compare-versions/${postId}`, { fromVersion, toVersion });
const token = async (postId: number) =>
  (await world.ok(author(), 'GET', `posts/manage/post-data-for-edit/${postId}`)).occToken;
const patch = async (userId: number, postId: number, body: Body) =>
  world.ok(userId, 'POST', `posts/manage/patch-post/${postId}`, { ...body, occToken: await token(postId) });
const restore = (userId: number, postId: number, versionNumber: number, occToken: number) =>
  world.send(userId, 'POST', `posts/manage/restore-version/${postId}`, { versionNumber, occToken });
const field = (label: string) => String(world.fieldIds.get(label));
const numbers = async (postId: number): Promise<number[]> =>
  (await list(author(), postId)).items.map(({ versionNumber }: { versionNumber: number }) => versionNumber);

/** Reads definitions again, which the test has changed behind the server's back. */
const refreshDefinitions = () =>
  world.rows('UPDATE tenant_versions SET definitions_version = definitions_version + 1 WHERE tenant_id = $1');

/** Creates a post with three versions before the present one. */
async function edited(): Promise<number> {
  const { people } = world;
  const postId = await world.post(author(), {
    title: 'First',
    description: '[{"insert":"the old plan #budget\\n"}]',
    descriptionFormat: 1,
    customData: { [field('Note')]: 'red paint', [field('Amount')]: 1 },
  });
  await patch(people.manager, postId, { title: 'Second', customData: { [field('Note')]: 'blue paint' } });
  await patch(author(), postId, { description: 'the new plan', descriptionFormat: 2 });
  await world.ok(author(), 'PUT', `posts/manage/edit-post-attachments/${postId}`, {
    addAttachments: [{ name: 'a.txt', contentRef: await world.upload(author(), 'a.txt') }],
  });
  return postId;
}

describe('versions', () => {
  test('are what each edit replaced, with who wrote it and what changed', async () => {
    const { people } = world;
    const postId = await edited();
    const { items, totalItemsCount } = await list(author(), postId, { calculateTotalItemsCount: true });
    expect(
      items.map(({ editorUser, changedParts, changedFieldIds }: Body) => [
        (editorUser as { id: number }).id,
        changedParts,
        changedFieldIds,
      ]),
    ).toEqual([
      [author(), ['attachments'], []],
      [author(), ['description', 'hashtags'], []],
      [people.manager, ['title'], [Number(field('Note'))]],
      [author(), [], []],
    ]);
    expect(totalItemsCount).toBe(4);
    expect(items[0].versionNumber).toBe(0);
    const first = await list(author(), postId, { pageSize: 2 });
    const second = await list(author(), postId, { pageSize: 2, pageToken: first.nextPageToken });
    expect([...first.items, ...second.items]).toEqual(items);
    expect(second.nextPageToken).toBeUndefined();
    const oldest = await version(author(), postId, items[3].versionNumber);
    expect(oldest).toMatchObject({
      title: 'First',
      descriptionPlainText: expect.stringContaining('the old plan'),
      customData: { [field('Note')]: 'red paint', [field('Amount')]: 1 },
      hashtags: [{ name: 'budget' }],
      attachments: [],
    });
    expect(await version(author(), postId, items[1].versionNumber)).toMatchObject({
      title: 'Second',
      descriptionPlainText: expect.stringContaining('the new plan'),
      hashtags: [],
      attachments: [],
    });
    expect(await version(author(), postId, 0)).toMatchObject({ attachments: [{ name: 'a.txt', removed: false }] });
  });

  test('are compared part by part, texts by words', async () => {
    const postId = await edited();
    const { changes } = await compare(author(), postId, (await numbers(postId)).at(-1)!);
    expect(changes.map(({ part }: { part: string }) => part)).toEqual([
      'title',
      'description',
      'field',
      'hashtags',
      'attachments',
    ]);
    expect(changes[2]).toEqual({
      part: 'field',
      fieldId: Number(field('Note')),
      label: 'Note',
      before: 'red paint',
      after: 'blue paint',
      words: [
        { kind: 2, text: 'red' },
        { kind: 1, text: 'blue' },
        { kind: 0, text: ' paint' },
      ],
    });
    expect(changes[4]).toEqual({ part: 'attachments', after: 'a.txt' });
    expect((await compare(author(), postId, 0)).changes).toEqual([]);
    // Values that are no texts are there as posts hold them, too.
    await patch(author(), postId, { customData: { [field('Amount')]: 2 } });
    expect((await compare(author(), postId, (await numbers(postId))[1]!)).changes).toEqual([
      {
        ...{ part: 'field', fieldId: Number(field('Amount')), label: 'Amount' },
        ...{ before: '1', after: '2', beforeValue: 1, afterValue: 2 },
      },
    ]);
  });

  test('are restored by an edit, with its token, history and errors', async () => {
    const { people } = world;
    const postId = await edited();
    const oldest = (await numbers(postId)).at(-1)!;
    const occToken = await token(postId);
    expect((await restore(author(), postId, oldest, occToken - 1)).status).toBe(409);
    const answer = await restore(author(), postId, oldest, occToken);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toMatchObject({
      nextOccToken: occToken + 1,
      postData: { title: 'First', customData: { [field('Note')]: 'red paint' }, hashtags: [{ name: 'budget' }] },
    });
    expect(answer.body.postData.attachments).toMatchObject([{ name: 'a.txt' }]);
    const { changes } = await compare(author(), postId, oldest);
    expect(changes.map(({ part }: { part: string }) => part)).toEqual(['attachments']);
    expect(await numbers(postId)).toHaveLength(5);
    expect((await restore(people.contributor, postId, oldest, occToken + 1)).status).toBe(403);
    // A restore may not write what an edit may not.
    const untitled = await world.post(author(), { title: '' });
    await patch(author(), untitled, { title: 'Some' });
    await world.rows('UPDATE communities SET title_enabled = 2 WHERE tenant_id = $1 AND id = $2', [world.communityId]);
    await refreshDefinitions();
    const refused = await restore(author(), untitled, (await numbers(untitled)).at(-1)!, await token(untitled));
    expect(refused.body.validationErrors.list).toMatchObject([{ field: 'title', code: 'REQUIRED_FIELD' }]);
  });

  test('bring removed files back where asked, with the rights and the quota of attaching', async () => {
    const postId = await edited();
    const files = `posts/manage/edit-post-attachments/${postId}`;
    const names = async () => (await version(author(), postId, 0)).attachments.map(({ name }: Body) => name);
    const [attachment] = (await version(author(), postId, 0)).attachments;
    await world.ok(author(), 'PUT', files, { removeAttachmentIds: [attachment.id] });
    await world.ok(author(), 'PUT', files, {
      addAttachments: [{ name: 'b.txt', contentRef: await world.upload(author(), 'b.txt') }],
    });
    const withFile = (await list(author(), postId)).items[2].versionNumber;
    expect((await version(author(), postId, withFile)).attachments).toEqual([{ id: attachment.id, removed: true }]);
    const back = async (body: Body) =>
      world.send(author(), 'POST', `posts/manage/restore-version/${postId}`, {
        versionNumber: withFile,
        occToken: await token(postId),
        ...body,
      });
    expect((await back({})).status).toBe(200);
    expect(await names()).toEqual(['b.txt']);

    const community = (enabled: boolean) =>
      world.rows('UPDATE communities SET attachment_enabled = $2 WHERE tenant_id = $1', [enabled]);
    await community(false);
    await refreshDefinitions();
    const refused = await back({ restoreAttachments: true });
    expect(refused.body.validationErrors.list).toMatchObject([{ field: 'restoreAttachments', code: 'INVALID_VALUE' }]);
    await community(true);
    await refreshDefinitions();

    const answer = await back({ restoreAttachments: true });
    expect(answer.status, answer.text).toBe(200);
    expect(await names()).toEqual(['a.txt', 'b.txt']);
    const { changes } = await compare(author(), postId, (await list(author(), postId)).items[1].versionNumber);
    expect(changes).toEqual([{ part: 'attachments', before: 'b.txt', after: 'a.txt, b.txt' }]);
    // Nothing is left to bring back.
    expect((await back({ restoreAttachments: true })).status).toBe(200);
    expect(await names()).toEqual(['a.txt', 'b.txt']);
  });

  test('of events hold time and place', async () => {
    const event = { startAt: { localDatetime: '2031-05-02T09:00:00' }, timezone: 'Europe/Rome', location: 'Hall 1' };
    const body = { title: 'Fair', description: 'x', descriptionFormat: 2, announcement: false, event };
    const made = await world.ok(author(), 'POST', `posts/manage/create-event-post/${world.communityId}`, body);
    const { announcement: _announcement, ...edit } = body;
    const { postId, nextOccToken } = made;
    await world.ok(author(), 'PUT', `posts/manage/edit-event-post/${postId}/${nextOccToken}`, {
      ...edit,
      event: { ...event, location: 'Hall 2', startAt: { localDatetime: '2031-05-03T09:00:00' } },
    });
    const [, first] = await numbers(postId);
    expect((await compare(author(), postId, first!)).changes).toMatchObject([
      { part: 'event', label: 'startAt', before: '2031-05-02T09:00:00', after: '2031-05-03T09:00:00' },
      { part: 'event', label: 'location', before: 'Hall 1', after: 'Hall 2' },
    ]);
    expect((await restore(author(), postId, first!, nextOccToken + 1)).status).toBe(200);
    expect((await version(author(), postId, 0)).event).toMatchObject({ location: 'Hall 1', timezone: 'Europe/Rome' });
  });

  test('are for those who may edit, and show nothing that is not shown now', async () => {
    const { people } = world;
    const postId = await edited();
    await patch(author(), postId, { customData: { [field('Note')]: 'green' } });
    const [, last] = await numbers(postId);
    const asked = [
      ['versions', {}],
      ['version', { versionNumber: last }],
      ['compare-versions', { fromVersion: last }],
    ] as const;
    const who = [people.manager, people.reader, people.contributor, people.outsider];
    for (const [path, body] of asked) {
      const answers = await Promise.all(
        who.map((one) => world.send(one, 'POST', `posts/data/${path}/${postId}`, body)),
      );
      expect([path, ...answers.map(({ status }) => status)]).toEqual([path, 200, 403, 403, 404]);
    }
    // A removed attachment is no longer named; a deleted field is gone.
    const [file] = (await version(author(), postId, 0)).attachments;
    await world.ok(author(), 'PUT', `posts/manage/edit-post-attachments/${postId}`, { removeAttachmentIds: [file.id] });
    await world.rows('UPDATE fields SET deleted = true WHERE tenant_id = $1 AND id = $2', [field('Note')]);
    await refreshDefinitions();
    const shown = await version(author(), postId, last!);
    expect(shown.attachments).toEqual([{ id: file.id, removed: true }]);
    expect(shown.customData).toEqual({ [field('Amount')]: 1 });
    expect(JSON.stringify(await compare(author(), postId, last!))).not.toContain('paint');
  });

  test('are kept as long as the community says, and go with the post', async () => {
    const postId = await edited();
    const [kept] = await world.rows<{ at: number }>(
      'SELECT max(replaced_at) AS at FROM post_versions WHERE tenant_id = $1 AND post_id = $2',
      [postId],
    );
    const at = new Date(kept!.at).getTime();
    const days = async (count: number) => {
      await world.rows('UPDATE communities SET version_retention_days = $3 WHERE tenant_id = $1 AND id = $2', [
        world.communityId,
        count,
      ]);
    };
    await days(2);
    await forgetVersions(world.db, at + 86_400_000);
    expect(await numbers(postId)).toHaveLength(4);
    await world.rows(
      `UPDATE post_versions SET replaced_at = $2
        WHERE tenant_id = $1 AND id = (SELECT min(id) FROM post_versions WHERE tenant_id = $1)`,
      [new Date(at - 3 * 86_400_000)],
    );
    await forgetVersions(world.db, at);
    const left = await list(author(), postId);
    expect(left.items).toHaveLength(3);
    expect((await version(author(), postId, left.items[2].versionNumber)).title).toBe('Second');
    const missing = { versionNumber: left.items[2].versionNumber - 1 };
    expect((await world.send(author(), 'POST', `posts/data/version/${postId}`, missing)).status).toBe(404);
    await days(0);
    await forgetVersions(world.db, at);
    expect(await numbers(postId)).toEqual([0]);
  });
});
