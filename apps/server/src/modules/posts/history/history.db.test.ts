/** The history of a post: every kind, both directions, with and without workflow events. */
import { FieldType, HistoryType } from '@portico/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createTestPortal,
  createTestWorld,
  statementsOf,
  type TestPortal,
  type TestWorld,
} from '../../../../test/support/test-world.ts';
import { deleteComment, likePost, unlikePost } from '../../post-parts/index.ts';

let portal: TestPortal;
let world: TestWorld;
let postId: number;
let ids: { comment: number; gone: number; task: number; attachment: number; removed: number };

const list = (id: number) => `posts/data/history-list/${id}`;

beforeAll(async () => {
  portal = await createTestPortal();
  world = await createTestWorld(portal, {
    workflow: () => ({
      title: 'Flow',
      states: [
        { name: 'Open', initial: true },
        { name: 'Closed', screen: 'S', edit: { roles: [3] } },
      ],
      transitions: [{ name: 'Close', from: 'Open', to: 'Closed', screen: 'S', run: { roles: [3] } }],
      screens: [{ name: 'S', fields: [{ label: 'Who' }, { label: 'Note' }] }],
      screenFields: [
        { label: 'Who', type: FieldType.GENERIC_ENTITY_LIST, metadata: { generic_entity_list_config_id: 'core.user' } },
        { label: 'Note', type: FieldType.STRING },
      ],
    }),
  });
  const { people } = world;
  const mention = (id: number) => JSON.stringify([{ insert: { mention: { id, value: 'x' } } }, { insert: ' hi\n' }]);
  postId = await world.post(people.author, {
    title: 'First',
    description: mention(people.reader),
    descriptionFormat: 1,
  });
  await world.ok(people.author, 'PUT', `posts/manage/edit-post/${postId}/1`, {
    title: 'Second',
    description: 'text',
    descriptionFormat: 2,
  });
  const added = await world.ok(people.author, 'PUT', `posts/manage/edit-post-attachments/${postId}`, {
    addAttachments: [
      { name: 'a.png', contentRef: await world.upload(people.author, 'a.png') },
      { name: 'b.txt', contentRef: await world.upload(people.author) },
    ],
  });
  const [attachment, removed] = added.addedAttachments.map((file: { id: number }) => file.id);
  await world.ok(people.author, 'PUT', `posts/manage/edit-post-attachments/${postId}`, {
    updateAttachments: [
      { attachmentId: attachment, name: 'c.png', contentRef: await world.upload(people.author, 'c.png') },
    ],
    removeAttachmentIds: [removed],
  });
  const say = async (comment: string, commentFormat = 2) =>
    (await world.ok(people.contributor, 'POST', `posts/manage/create-comment/${postId}`, { comment, commentFormat }))
      .comment.id;
  const comment = await say(mention(people.manager), 1);
  const gone = await say('gone');
  await deleteComment(await world.scope(people.contributor), gone);
  const transition = world.workflow!.transitionIds[0];
  const field = (label: string) => String(world.workflow!.fields.get(label)!.id);
  await world.ok(people.reader, 'POST', `posts/manage/execute-post-workflow-operation/${postId}/${transition}`, {
    screenOccToken: 1,
    screenData: { [field('Who')]: [people.author], [field('Note')]: 'n' },
  });
  await world.ok(people.reader, 'PUT', `posts/manage/edit-post-workflow-screen-data/${postId}/2`, {
    screenData: { [field('Note')]: 'm' },
  });
  await likePost(await world.scope(people.reader), postId);
  await unlikePost(await world.scope(people.reader), postId);
  const { taskId: task } = await world.ok(people.author, 'POST', `tasks/manage/create-task/${postId}`, {
    title: 'Do',
    descriptionDelta: mention(people.manager),
    expiration: { datetime: '2031-01-01T10:00:00', timezone: 'Europe/Rome' },
    assigneeUserId: people.contributor,
  });
  ids = { comment, gone, task, attachment, removed };
});
afterAll(() => portal?.close());

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came
async function all(user: number, body: object = {}): Promise<any[]> {
  return (await world.ok(user, 'POST', list(postId), { pageSize: 500, orderDesc: false, ...body })).items;
}

describe('the history of a post', () => {
  test('tells everything that happened, with what it happened to', async () => {
    const { people } = world;
    const items = await all(people.reader);
    const kinds = items.map((item) => item.typeId);
    expect(kinds).toEqual([1, 4, 2, 11, 11, 13, 12, 2, 3, 5, 3, 16, 6, 17, 7, 8, 21, 22]);
    for (const item of items) {
      expect(item).toMatchObject({
        postId,
        postCustomId: '1',
        postCurrentTitle: 'Second',
        community: { id: world.communityId, name: 'News' },
        workspace: { name: 'Head office', hasDetailInfo: false },
      });
      expect(item.typeDescription.length).toBeGreaterThan(3);
      expect(item.authorUser.id).toBeGreaterThan(0);
    }
    const of = (typeId: number, index = 0) => items.filter((item) => item.typeId === typeId)[index];
    expect(of(HistoryType.POST_CREATED)).toMatchObject({
      postAfterUpdateTitle: 'First',
      authorUser: { id: people.author },
    });
    expect(of(HistoryType.POST_CREATED).postBeforeUpdateTitle).toBeUndefined();
    expect(of(HistoryType.POST_MODIFIED)).toMatchObject({
      postBeforeUpdateTitle: 'First',
      postAfterUpdateTitle: 'Second',
    });
    expect(of(HistoryType.POST_MODIFIED, 1)).toMatchObject({
      removedAttachmentsCount: 1,
      versionedAttachmentsCount: 1,
    });
    expect(of(HistoryType.MENTIONED_IN_POST)).toMatchObject({ targetUser: { id: people.reader } });
    expect(of(HistoryType.ATTACHMENT_ADDED)).toMatchObject({
      attachment: { id: ids.attachment, name: 'c.png', versionNumber: 2 },
      attachmentVersion: { id: ids.attachment, name: 'a.png', versionNumber: 1 },
    });
    expect(of(HistoryType.ATTACHMENT_ADDED).attachmentVersion.temporaryContentDownloadLink).toMatch(/^http/);
    expect(of(HistoryType.ATTACHMENT_NEW_VERSION)).toMatchObject({
      attachmentVersion: { name: 'c.png', versionNumber: 2 },
    });
    const removed = of(HistoryType.ATTACHMENT_REMOVED).attachment;
    expect(removed).toMatchObject({ id: ids.removed, name: 'b.txt' });
    expect(removed.temporaryContentDownloadLink).toBeUndefined();
    expect(of(HistoryType.COMMENT_ADDED)).toMatchObject({ comment: { id: ids.comment, commentPlainText: '@x hi' } });
    expect(of(HistoryType.COMMENT_ADDED, 1)).toMatchObject({ comment: { id: ids.gone, deleted: true } });
    expect(of(HistoryType.COMMENT_ADDED, 1).comment.commentPlainText).toBeUndefined();
    expect(of(HistoryType.MENTIONED_IN_COMMENT)).toMatchObject({
      targetUser: { id: people.manager },
      comment: { id: ids.comment },
    });
    const fields = ['Who', 'Note'].map((label) => world.workflow!.fields.get(label)!.id);
    expect(of(HistoryType.WORKFLOW_OPERATION)).toMatchObject({
      postWorkflowOperationDetail: { name: 'Close', fromState: { name: 'Open' }, toState: { name: 'Closed' } },
      workflowScreenData: { [String(fields[0])]: [{ id: people.author, firstName: 'Ada' }], [String(fields[1])]: 'n' },
      updatedWorkflowScreenFieldIds: fields,
    });
    expect(of(HistoryType.SCREEN_DATA_MODIFIED)).toMatchObject({ workflowScreenData: { [String(fields[1])]: 'm' } });
    expect(of(HistoryType.TASK_ASSIGNED)).toMatchObject({
      targetUser: { id: people.contributor },
      tasks: [
        { id: ids.task, title: 'Do', state: 1, type: 1, deleted: false, expiration: { timezone: 'Europe/Rome' } },
      ],
    });
    expect(of(HistoryType.MENTIONED_IN_TASK)).toMatchObject({
      targetUser: { id: people.manager },
      tasks: [{ id: ids.task }],
    });
  });

  test('comes newest first unless asked otherwise, page by page without gaps', async () => {
    const ascending = (await all(world.people.reader)).map((item) => item.id);
    for (const orderDesc of [undefined, false]) {
      const seen: number[] = [];
      let pageToken: string | undefined;
      do {
        const page = await world.ok(world.people.reader, 'POST', list(postId), {
          pageSize: 4,
          pageToken,
          orderDesc,
          calculateTotalItemsCount: true,
        });
        expect(page.totalItemsCount).toBe(ascending.length);
        seen.push(...page.items.map((item: { id: number }) => item.id));
        pageToken = page.nextPageToken;
      } while (pageToken);
      expect(seen).toEqual(orderDesc === false ? ascending : ascending.toReversed());
    }
    const { nextPageToken } = await world.ok(world.people.reader, 'POST', list(postId), { pageSize: 4 });
    const turned = await world.send(world.people.reader, 'POST', list(postId), {
      pageToken: nextPageToken,
      orderDesc: false,
    });
    expect(turned.body.code).toBe('PAGE_TOKEN_FILTERS_CHANGED');
  });

  test('with events of the post, of the workflow, of both or of neither', async () => {
    const kinds = async (body: object) => (await all(world.people.reader, body)).map((item) => item.typeId);
    expect(await kinds({ retrievePostEvents: false })).toEqual([6, 17]);
    const post = await kinds({ retrieveWorkflowEvents: false });
    expect(post).toHaveLength(16);
    expect(post).not.toContain(6);
    expect(await kinds({ retrievePostEvents: false, retrieveWorkflowEvents: false })).toEqual([]);
    expect(await kinds({ retrievePostEvents: null, retrieveWorkflowEvents: null })).toHaveLength(18);
  });

  test('is as visible as the post; comments that are hidden are hidden here too', async () => {
    expect((await world.send(world.people.outsider, 'POST', list(postId), {})).status).toBe(404);
    expect((await world.send(world.people.reader, 'POST', list(777_777), {})).status).toBe(404);
    const hiding = await createTestWorld(portal, { community: { commentsHiddenFromReaders: true } });
    const id = await hiding.post(hiding.people.author);
    await hiding.ok(hiding.people.author, 'POST', `posts/manage/create-comment/${id}`, {
      comment: 'secret',
      commentFormat: 2,
      attachments: [{ name: 'a.txt', contentRef: await hiding.upload(hiding.people.author) }],
    });
    const kinds = async (user: number) =>
      (await hiding.ok(user, 'POST', list(id), { orderDesc: false })).items.map(
        (item: { typeId: number }) => item.typeId,
      );
    expect(await kinds(hiding.people.contributor)).toEqual([1, 3, 11]);
    expect(await kinds(hiding.people.reader)).toEqual([1]);
  });

  test('no query per event: one, twenty or two hundred take the same statements', async () => {
    const { people } = world;
    const taken: string[][] = [];
    for (const pageSize of [1, 20, 200]) {
      const id = await world.post(people.author);
      const comment = await world.ok(people.author, 'POST', `posts/manage/create-comment/${id}`, {
        comment: 'x',
        commentFormat: 2,
      });
      await world.rows(
        `INSERT INTO history_events (tenant_id, id, post_id, community_id, type_id, at, author_id, comment_id, target_user_id)
          SELECT a.tenant_id, 1000000000 + $2 * 300 + n, $2, $3, 5, now() + interval '1 hour', $4, $5, $4
            FROM tenant_versions a, generate_series(1, 200) n WHERE a.tenant_id = $1`,
        [id, world.communityId, people.author, comment.comment.id],
      );
      const { statements, result: page } = await statementsOf(portal, () =>
        world.ok(people.reader, 'POST', list(id), { pageSize }),
      );
      taken.push(statements);
      expect(page.items).toHaveLength(pageSize);
    }
    expect(taken[1]).toEqual(taken[0]);
    expect(taken[2]).toEqual(taken[0]);
  });
});
