/** Pages of long texts: an answer holds some of them, and the next page goes on behind the last one. */
import { FieldType } from '@portico/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestPortal, createTestWorld, type TestPortal, type TestWorld } from '../support/test-world.ts';

let portal: TestPortal;
let world: TestWorld;

/** Number of posts and comments with a megabyte of text each, which responses hold twice. */
const COUNT = 4;
const TEXT = 'x'.repeat(1_000_000);
/** Longer than any answer: 4 MiB, the item that exceeds them, and the other members of an item. */
const LONGEST = 4 * 1024 * 1024 + 2_200_000;

beforeAll(async () => {
  portal = await createTestPortal();
  world = await createTestWorld(portal);
});
afterAll(() => portal?.close());

/** Reads all pages of a list. @returns the ids that it has, and the number of pages */
async function pages(ask: (pageToken: string | undefined) => { path: string; body: object }) {
  const ids: number[] = [];
  let pageToken: string | undefined;
  let count = 0;
  do {
    const { path, body } = ask(pageToken);
    const answer = await world.ok(world.people.author, 'POST', path, body);
    expect(JSON.stringify(answer).length).toBeLessThan(LONGEST);
    ids.push(...answer.items.map((item: { id: number }) => item.id));
    pageToken = answer.nextPageToken;
    count += 1;
  } while (pageToken);
  return { ids, count };
}

const inBody = (path: string, body: object) => (pageToken: string | undefined) => ({
  path,
  body: { pageSize: 500, ...body, ...(pageToken && { pageToken }) },
});

test('lists of posts and the stream end a page before it is too long, and go on behind it', async () => {
  const { author } = world.people;
  const made: number[] = [];
  for (let index = 0; index < COUNT; index++) {
    made.push(await world.post(author, { title: `Post ${index}`, description: TEXT, descriptionFormat: 2 }));
  }
  const list = `posts/data/list/community/${world.communityId}`;
  const inOrder = { orderBy: 'postCreationTimestamp', orderDesc: false };
  const whole = await pages(inBody(list, inOrder));
  expect(whole.ids).toEqual(made);
  expect(whole.count).toBe(2);
  // The texts alone, as one asks for columns of a table.
  expect(await pages(inBody(`${list}?fields=id,descriptionPlainText`, inOrder))).toEqual(whole);
  expect((await pages(inBody(`${list}?fields=id,title`, inOrder))).count).toBe(1);
  const stream = () =>
    pages((pageToken) => ({
      path: `posts/data/global-stream${pageToken ? `?pageToken=${pageToken}` : ''}`,
      body: {},
    }));
  // The stream reports the last changes as soon as no older transaction of the database server
  // runs, including another test's.
  await expect.poll(async () => (await stream()).ids.toSorted((a, b) => a - b)).toEqual(made);
  expect((await stream()).count).toBe(2);
});

test('values of fields count, whether all of a post is wanted or one field', async () => {
  const { people, communityId, fieldIds, ok, post } = await createTestWorld(portal, {
    fields: [{ externalId: 'lines', label: 'Lines', type: FieldType.TEXT_AREA, searchable: false }],
  });
  const [fieldId] = [...fieldIds.values()];
  // Letters of four bytes: the longest that a value can be.
  const customData = { [fieldId!]: '𝄞'.repeat(250_000) };
  const made: number[] = [];
  for (let index = 0; index < 6; index++) made.push(await post(people.author, { title: `Post ${index}`, customData }));
  const inOrder = { orderBy: 'postCreationTimestamp', orderDesc: false };
  for (const asked of ['', `?fields=id,customData.${fieldId}`, '?fields=id,capabilities,customData']) {
    const path = `posts/data/list/community/${communityId}${asked}`;
    const first = await ok(people.author, 'POST', path, inOrder);
    const second = await ok(people.author, 'POST', path, { ...inOrder, pageToken: first.nextPageToken });
    expect([first.items.length, second.items.length]).toEqual([5, 1]);
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(made);
    expect(second.nextPageToken).toBeUndefined();
  }
});

test('comments and the history end a page before it is too long, and go on behind it', async () => {
  const { author } = world.people;
  const postId = await world.post(author);
  const made: number[] = [];
  for (let index = 0; index < COUNT; index++) {
    const { comment } = await world.ok(author, 'POST', `posts/manage/create-comment/${postId}`, {
      comment: TEXT,
      commentFormat: 2,
    });
    made.unshift(comment.id);
  }
  const comments = await pages(inBody(`posts/data/comments-list/${postId}`, {}));
  expect(comments).toEqual({ ids: made, count: 2 });
  const { ids, count } = await pages(inBody(`posts/data/history-list/${postId}`, {}));
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.length).toBeGreaterThan(COUNT);
  expect(count).toBe(2);
});

test('so do tasks', async () => {
  const { author } = world.people;
  const postId = await world.post(author);
  const made: number[] = [];
  for (let index = 0; index < COUNT; index++) {
    const { taskData } = await world.ok(author, 'POST', `tasks/manage/create-task/${postId}`, {
      title: `Task ${index}`,
      descriptionPlainText: TEXT,
      expiration: { datetime: '2030-01-01T12:00:00', timezone: 'Europe/Rome' },
      assigneeUserId: author,
    });
    made.push(taskData.id);
  }
  const tasks = await pages(inBody('tasks/data/tasks', {}));
  expect(tasks.ids.toSorted((a, b) => a - b)).toEqual(made);
  expect(tasks.count).toBe(2);
  expect((await pages(inBody(`posts/data/history-list/${postId}`, {}))).count).toBe(2);
});
