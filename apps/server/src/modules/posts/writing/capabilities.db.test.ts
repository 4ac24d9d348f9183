import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestPortal, type TestPortal } from '../../../../test/support/index.ts';
import { API, createFieldWorld, createPost, type FieldWorld, MANAGE, makeCommunity } from './writing.fixture.ts';

let portal: TestPortal;
let world: FieldWorld;
beforeAll(async () => {
  portal = await createTestPortal();
  world = await createFieldWorld(portal);
});
afterAll(() => portal.close());

/** Writes by the capability that announces them. A dry run shows whether they would be accepted. */
const writes: [string, (postId: number) => [string, string, unknown]][] = [
  ['canModify', (id) => ['PUT', `edit-post/${id}/1`, { title: 'x', description: 'x', descriptionFormat: 2 }]],
  ['canModify', (id) => ['PUT', `edit-post-custom-data/${id}/1`, { customData: {} }]],
  ['canModify', (id) => ['PUT', `edit-post-watchers/${id}`, {}]],
  ['canModify', (id) => ['GET', `post-data-for-edit/${id}`, undefined]],
  [
    'canCopy',
    (id) => ['PUT', `copy-post/${id}/1`, { title: 'x', description: 'x', descriptionFormat: 2, announcement: false }],
  ],
  ['canCopy', (id) => ['GET', `post-data-for-copy/${id}`, undefined]],
  ['canDelete', (id) => ['DELETE', `delete-post/${id}`, undefined]],
  ['canDelete', (id) => ['PUT', `mark-post-as-erasable/${id}`, undefined]],
  ['canEditAttachments', (id) => ['PUT', `edit-post-attachments/${id}`, {}]],
];

it('what the capabilities announce is what the writes accept, for every caller and kind of post', async () => {
  const communities = [
    world.communityId,
    await makeCommunity(world, { attachmentEnabled: false }),
    await makeCommunity(world, { draft: true }),
  ];
  const people = () => [
    world.people.manager,
    world.people.author,
    world.people.contributor,
    world.people.reader,
    world.people.outsider,
  ];
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...communities),
      fc.constantFrom(1, 2),
      fc.boolean(),
      fc.boolean(),
      async (communityId, visibility, draft, byManager) => {
        const creator = byManager || communityId === communities[2] ? world.people.manager : world.people.author;
        const { postId } = await createPost(
          world,
          creator,
          { visibility, draft, watcherUserIds: [world.people.contributor] },
          communityId,
        );
        for (const user of people()) {
          const capabilities = await world.tenant.request(user, 'GET', `${API}/data/post-capabilities/${postId}`);
          for (const [capability, write] of writes) {
            const [method, path, body] = write(postId);
            const query = method === 'GET' ? '' : '?dryRun=true';
            const answer = await world.tenant.request(user, method, `${MANAGE}/${path}${query}`, body);
            const permitted = capabilities.body[capability] ? 200 : 403;
            const expected = capabilities.status === 404 ? 404 : permitted;
            expect([user, path, answer.status]).toEqual([user, path, expected]);
          }
        }
      },
    ),
    { numRuns: 12 },
  );
});
