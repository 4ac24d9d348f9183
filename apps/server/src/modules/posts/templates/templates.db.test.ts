/** Templates for new posts. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  createTestPortal,
  createTestWorld,
  faults,
  type TestPortal,
  type TestWorld,
} from '../../../../test/support/test-world.ts';

let portal: TestPortal;
let world: TestWorld;

beforeAll(async () => {
  portal = await createTestPortal();
});
beforeEach(async () => {
  world = await createTestWorld(portal, {
    hashtags: ['budget'],
    fields: [
      { label: 'Amount', type: 3, required: true },
      { label: 'Note', type: 11 },
      { label: 'Grade', type: 1, visibleRoles: [1] },
    ],
  });
});
afterAll(() => portal?.close());

const key = (label: string) => String(world.fieldIds.get(label));
const create = (userId: number, body: object) =>
  world.ok(userId, 'POST', `posts/manage/create-template/${world.communityId}`, body);
const list = async (userId: number) =>
  (await world.ok(userId, 'GET', `posts/data/templates/${world.communityId}`)).templates;

test('a template gives title, text, hashtags, values and visibility; what the author says wins', async () => {
  const { manager, author } = world.people;
  const { id } = await create(manager, {
    name: 'Travel',
    title: ' Journey to … ',
    description: 'Where and why #budget',
    descriptionFormat: 2,
    visibility: 1,
    customData: { [key('Note')]: '[{"insert":"Economy\\n"}]', [key('Grade')]: 3 },
  });
  const [seen] = await list(author);
  expect(seen).toMatchObject({ id, name: 'Travel', title: 'Journey to … ', visibility: 1, occToken: 1 });
  expect(Object.keys(seen.customData)).toEqual([key('Note')]);
  // The post requires the value.
  const refused = await world.send(author, 'POST', `posts/manage/create-from-template/${id}`, {});
  expect(faults(refused)).toEqual([`customData.${key('Amount')}: REQUIRED_FIELD`]);
  const made = await world.ok(author, 'POST', `posts/manage/create-from-template/${id}`, {
    title: 'Journey to Rome',
    customData: { [key('Amount')]: 12.5 },
  });
  const post = await world.ok(author, 'GET', `posts/data/post-detail-by-id/${made.postId}`);
  expect(post).toMatchObject({ title: 'Journey to Rome', visibility: 1, customData: { [key('Amount')]: 12.5 } });
  expect(post.customData[key('Note')]).toContain('Economy');
  expect(post.hashtags.map(({ name }: { name: string }) => name)).toEqual(['budget']);
  expect(post.customData).not.toHaveProperty(key('Grade'));
});

test('managers edit and delete templates; a stale token is refused, and others may not', async () => {
  const { manager, author, outsider } = world.people;
  const { id } = await create(manager, { name: 'One' });
  const edit = (userId: number, body: object) => world.send(userId, 'PUT', `posts/manage/template/${id}`, body);
  expect((await edit(manager, { name: 'Two', title: 'T', occToken: 1 })).body).toMatchObject({
    name: 'Two',
    occToken: 2,
  });
  expect((await edit(manager, { name: 'Three', occToken: 1 })).status).toBe(409);
  const given = { name: 'Two', title: 'T', customData: { [key('Amount')]: 5 }, occToken: 2 };
  expect((await edit(manager, given)).body.customData).toEqual({ [key('Amount')]: 5 });
  // Posts require the value, templates do not.
  expect((await edit(manager, { name: 'Two', title: 'T', occToken: 3 })).body.customData).toEqual({});
  expect((await edit(author, { name: 'Three', occToken: 4 })).status).toBe(403);
  expect((await edit(outsider, { name: 'Three', occToken: 4 })).status).toBe(404);
  const wrong = await edit(manager, { customData: { [key('Amount')]: 'x', 4711000: 1 }, occToken: 4 });
  expect(faults(wrong).sort()).toEqual(
    ['customData.4711000: UNKNOWN_FIELD', `customData.${key('Amount')}: INVALID_VALUE`, 'name: REQUIRED_FIELD'].sort(),
  );
  expect((await world.send(author, 'DELETE', `posts/manage/template/${id}`)).status).toBe(403);
  await world.ok(manager, 'DELETE', `posts/manage/template/${id}`);
  expect(await list(manager)).toEqual([]);
});

test('a value in a field that became read-only is what the manager set: authors take it as it is', async () => {
  const { manager, author } = world.people;
  const { id } = await create(manager, { name: 'Set', title: 'T', customData: { [key('Amount')]: 5 } });
  await world.rows('UPDATE fields SET readonly = true WHERE tenant_id = $1 AND id = $2', [Number(key('Amount'))]);
  await world.rows('UPDATE tenant_versions SET definitions_version = definitions_version + 1 WHERE tenant_id = $1');
  const use = (customData: object) =>
    world.send(author, 'POST', `posts/manage/create-from-template/${id}`, {
      description: 'd',
      descriptionFormat: 2,
      customData,
    });
  const other = await use({ [key('Amount')]: 6 });
  expect(faults(other)).toEqual([`customData.${key('Amount')}: READ_ONLY_FIELD`]);
  const made = await use({});
  expect(made.status, made.text).toBe(200);
  const post = await world.ok(author, 'GET', `posts/data/post-detail-by-id/${made.body.postId}`);
  expect(post.customData).toMatchObject({ [key('Amount')]: 5 });
});
