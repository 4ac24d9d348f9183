/** A newer version changes the type of columns while this one serves: no request fails, whatever its connection has prepared. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestPortal, createTestWorld, type TestPortal, type TestWorld } from '../../test/support/test-world.ts';

/** Requests of each operation at once: more than a node has connections. */
const AT_ONCE = 8;

let portal: TestPortal;
let world: TestWorld;
let posts: number[];

beforeAll(async () => {
  portal = await createTestPortal({ env: { PORTICO_DATABASE_POOL: '6' } });
  world = await createTestWorld(portal);
  posts = await Promise.all(Array.from({ length: AT_ONCE }, () => world.post(world.people.author)));
});
afterAll(() => portal.close());

/** Columns that the operations below read or write, and the types that they change to and back. */
const changes = [
  ['comments', 'likes_count', 'bigint', 'integer'],
  ['workspace_members', 'role_id', 'numeric', 'integer'],
] as const;

/** Reads outside transactions and in one, and writes. */
const operations: readonly (readonly [string, (post: number) => string, object?])[] = [
  ['POST', (post) => `posts/data/comments-list/${post}`, { pageSize: 5 }],
  ['GET', (post) => `posts/data/post-detail-by-id/${post}`],
  ['GET', (post) => `posts/manage/post-data-for-edit/${post}`],
  ['POST', () => 'posts/data/global-stream', {}],
  ['POST', (post) => `posts/manage/create-comment/${post}`, { comment: 'said', commentFormat: 2 }],
  ['PUT', (post) => `posts/manage/like/${post}`],
];

/** Asks everything for every post at once. @returns the requests that did not return 200 */
async function failures(): Promise<string[]> {
  const answers = posts.flatMap((post) =>
    operations.map(async ([method, path, body]) => {
      const { status, text } = await world.send(world.people.author, method, path(post), body);
      return status === 200 ? [] : [`${status} ${path(post)} ${text}`];
    }),
  );
  return (await Promise.all(answers)).flat();
}

it.each(changes)('%s.%s becomes %s, and what it was', async (table, column, other, before) => {
  const change = (type: string) => portal.owner.query(`ALTER TABLE ${table} ALTER COLUMN ${column} TYPE ${type}`);
  expect(await failures()).toEqual([]);
  const [during] = await Promise.all([failures(), change(other)]);
  expect(during).toEqual([]);
  expect(await failures()).toEqual([]);
  await change(before);
  expect(await failures()).toEqual([]);
});
