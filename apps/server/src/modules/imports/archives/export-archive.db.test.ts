/** Archives of communities: what they hold, for whom, and who gets none. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestPortal, type TestPortal } from '../../../../test/support/index.ts';
import { storeFile } from '../../files/index.ts';
import { createFieldWorld, createPost, type FieldWorld } from '../../posts/writing/writing.fixture.ts';
import { type Json, linesOf, unpack } from './archive.fixture.ts';

const ROOT = '/portal/api/external/v2';
let portal: TestPortal;
let world: FieldWorld;

beforeAll(async () => {
  portal = await createTestPortal();
  world = await createFieldWorld(portal);
});
afterAll(() => portal.close());

const path = () => `${ROOT}/admin/data/communities/${world.communityId}/archive`;
const ask = (actor: number | null) => world.tenant.request(actor, 'GET', path());
async function archiveFor(actor: number) {
  const answer = await ask(actor);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/zip']);
  return unpack(answer.bytes);
}
const titles = (posts: readonly Json[]) => posts.map(({ title }) => title);

test('holds definition, posts by key, comments, files and history, and no ids', async () => {
  const { people, fields, values } = world;
  const { contentRef } = await storeFile(
    await world.tenant.scope(people.author),
    portal.services.storage,
    Buffer.from('the bytes'),
  );
  const first = await createPost(world, people.author, { title: 'First', description: 'Text' });
  const { postId } = await createPost(world, people.author, {
    title: 'Second',
    description: JSON.stringify([
      { insert: { mention: { id: people.reader, value: 'Reader' } } },
      { insert: ' look\n' },
    ]),
    descriptionFormat: 1,
    customData: {
      [fields['INT']!]: 7,
      [fields['ENUM']!]: values['ENUM']![1],
      [fields['PEOPLE']!]: [people.manager],
      [fields['POSTS']!]: [first.postId],
    },
    attachments: [{ contentRef, name: 'note.txt' }],
  });
  const comment = await world.tenant.request(
    people.contributor,
    'POST',
    `${ROOT}/communication/posts/manage/create-comment/${postId}`,
    { comment: 'Seen', commentFormat: 2 },
  );
  expect(comment.status, comment.text).toBe(200);
  const entries = await archiveFor(people.manager);
  expect([...entries.keys()]).toEqual(['archive.json', 'community.json', 'posts.ndjson', 'people.ndjson', 'files/1']);
  expect(entries.get('files/1')!.toString()).toBe('the bytes');
  const posts = linesOf(entries, 'posts.ndjson');
  const persons = new Map(linesOf(entries, 'people.ndjson').map((one) => [one['key'], one]));
  const second = posts.find(({ title }) => title === 'Second')!;
  expect(second).toMatchObject({
    visibility: 'public',
    state: 'Open',
    values: { AMOUNT: 7, ENUM: 'two', POSTS: [posts.find(({ title }) => title === 'First')!['number']] },
    files: [{ file: 1, name: 'note.txt' }],
    comments: [{ text: [{ insert: 'Seen\n' }] }],
  });
  expect(persons.get(second['text'][0].insert.mention.id)).toMatchObject({ lastName: expect.any(String) });
  expect(persons.get(second['values'].PEOPLE[0])).toMatchObject({ lastName: expect.any(String) });
  const text = ['posts.ndjson', 'people.ndjson', 'community.json'].map((name) => entries.get(name)!.toString()).join();
  expect(text).not.toMatch(/"(postId|userId|fieldId|contentRef|userName)"/);
  expect(text).not.toContain(contentRef);
  const audit = await world.rows(
    `SELECT FROM audit_entries WHERE tenant_id = $1 AND action = 'exported' AND object = 'community'`,
  );
  expect(audit).toHaveLength(1);
});

test('has the posts that the caller sees: private ones for managers, none without a role', async () => {
  const { people } = world;
  const asWritten = { title: 'Private', description: 'x', visibility: 1 };
  await createPost(world, people.author, asWritten);
  const admin = await world.tenant.createUser({ admin: true });
  expect(titles(linesOf(await archiveFor(people.manager), 'posts.ndjson'))).toContain('Private');
  // Without a role in the community an administrator may read its definition, not its posts.
  const entries = await archiveFor(admin);
  expect(linesOf(entries, 'posts.ndjson')).toEqual([]);
  expect(JSON.parse(entries.get('community.json')!.toString())).toMatchObject({ version: 1 });
});

test('is refused for others, another tenant, and ids that are none', async () => {
  const { people } = world;
  expect((await ask(people.contributor)).status).toBe(403);
  expect((await ask(null)).status).toBe(401);
  const other = await createFieldWorld(portal);
  expect((await other.tenant.request(other.people.manager, 'GET', path())).status).toBe(404);
  expect((await world.tenant.request(people.manager, 'GET', path().replace(/\d+\/archive/, 'x/archive'))).status).toBe(
    400,
  );
});
