/** The search shows and counts nothing that its caller does not see, before the index follows too. */
import { FieldType, type SearchRequest, type SearchResponse } from '@portico/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDatabaseOnOwnCluster } from '../../../test/support/index.ts';
import {
  createTestPortal,
  createTestWorld,
  type TestPortal,
  type TestWorld,
} from '../../../test/support/test-world.ts';
import { addField } from '../communities/define-fields.ts';
import { createCommunity, setCommunityRoles } from '../communities/index.ts';
import { indexNext } from './index.ts';

let portal: TestPortal;
let world: TestWorld;

beforeAll(async () => {
  portal = await createTestPortal({ database: await createDatabaseOnOwnCluster() });
  world = await createTestWorld(portal, {
    community: { commentsHiddenFromReaders: true },
    workflow: () => ({ title: 'Requests', states: [{ name: 'New', initial: true }] }),
  });
});
afterAll(() => portal?.close());

async function index(): Promise<void> {
  const scope = await world.scope(world.tenant.systemUserId);
  while (await indexNext(scope));
}

const search = (user: number, text: string, more: SearchRequest = {}): Promise<SearchResponse> =>
  world.ok(user, 'POST', 'search/data/search', { text, ...more });

const found = async (user: number, text: string, more: SearchRequest = {}) =>
  ((await search(user, text, more)).items ?? []).map(({ kind, id }) => `${kind} ${id}`);

const titled = (title: string, description = '') => world.post(world.people.author, { title, description });

test('before the index follows, deleted comments and tasks are not shown', async () => {
  const { author } = world.people;
  const postId = await titled('Delivery');
  await world.ok(author, 'POST', `posts/manage/create-comment/${postId}`, {
    comment: 'The xylophone',
    commentFormat: 2,
  });
  const { taskId } = await world.ok(author, 'POST', `tasks/manage/create-task/${postId}`, {
    title: 'Count the xylophones',
    expiration: { datetime: '2027-01-01T00:00:00', timezone: 'UTC' },
    assigneeUserId: author,
  });
  const [{ id: commentId }] = (await world.rows('SELECT id FROM comments WHERE tenant_id = $1')) as [{ id: number }];
  await index();
  expect((await found(author, 'xylophone')).sort()).toEqual([`comment ${commentId}`, `task ${taskId}`]);
  await world.ok(author, 'DELETE', `comments/manage/comment/${commentId}`);
  await world.ok(author, 'DELETE', `tasks/manage/delete-task/${taskId}`);
  expect(await search(author, 'xylophone')).toMatchObject({ items: [] });
});

test('a field of a workflow that several communities share is searched where the caller sees it', async () => {
  const { admin, contributor, author } = world.people;
  const workflowId = world.workflow!.id;
  const own = await createCommunity(await world.scope(admin), {
    workspaceId: world.workspaceId,
    name: 'Own',
    workflowId,
  });
  await setCommunityRoles(await world.scope(admin), own, [{ principal: contributor, role: 1 }]);
  const field = await addField(
    await world.scope(admin),
    { workflowId },
    { label: 'Verdict', type: FieldType.STRING, searchable: true, visibleRoles: [1] },
  );
  const postId = await titled('Judged');
  await world.rows(`INSERT INTO post_texts (tenant_id, field_id, post_id, norm) VALUES ($1, $2, $3, 'guilty')`, [
    field.id,
    postId,
  ]);
  await index();
  expect(await found(author, 'verdict:guilty')).toEqual([]);
  expect(await found(contributor, 'verdict:guilty')).toEqual([]);
  expect(await found(world.people.manager, 'verdict:guilty')).toEqual([`post ${postId}`]);
});
