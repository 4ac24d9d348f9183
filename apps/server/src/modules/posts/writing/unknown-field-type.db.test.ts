import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestPortal, type TestPortal } from '../../../../test/support/index.ts';
import { API, createFieldWorld, createPost, type FieldWorld, MANAGE, rows } from './writing.fixture.ts';

let portal: TestPortal;
let world: FieldWorld;

beforeAll(async () => {
  portal = await createTestPortal();
  world = await createFieldWorld(portal);
});
afterAll(() => portal.close());

it('leaves out a field of a type that is not known here, and keeps its values', async () => {
  const { postId, token } = await createPost(world, world.people.author);
  const [field] = await rows<{ id: number }>(
    world,
    `INSERT INTO fields (tenant_id, community_id, type, label, searchable, sortable)
     VALUES ($1, $2, 99, 'Later', true, true) RETURNING id`,
    [world.communityId],
  );
  const id = String(field!.id);
  await rows(
    world,
    'UPDATE posts SET custom_data = custom_data || jsonb_build_object($3::text, 7) WHERE tenant_id = $1 AND id = $2',
    [postId, id],
  );
  await rows(
    world,
    'UPDATE tenant_versions SET definitions_version = definitions_version + 1 WHERE tenant_id = $1',
    [],
  );

  const get = (path: string) => world.tenant.request(world.people.author, 'GET', path);
  const detail = await get(`${API}/data/post-detail-by-id/${postId}`);
  expect(detail.status).toBe(200);
  expect(detail.text).not.toContain(`"${id}":`);
  const definition = await get(
    `${API.slice(0, API.indexOf('/communication'))}/communication/settings/communities/${world.communityId}/post-definition`,
  );
  expect(definition.status).toBe(200);
  expect(definition.text).not.toContain('Later');
  const form = await get(`${MANAGE}/post-data-for-edit/${postId}`);
  expect(form.status).toBe(200);
  expect(form.text).not.toContain(`"${id}":`);

  const edited = await world.tenant.request(
    world.people.author,
    'PUT',
    `${MANAGE}/edit-post-custom-data/${postId}/${token}`,
    {
      customData: {},
    },
  );
  expect(edited.status).toBe(200);
  const whole = { title: 'New', description: 'New text', descriptionFormat: 2 };
  const again = await world.tenant.request(
    world.people.author,
    'PUT',
    `${MANAGE}/edit-post/${postId}/${token + 1}`,
    whole,
  );
  expect(again.status).toBe(200);
  const [stored] = await rows<{ data: Record<string, unknown> }>(
    world,
    'SELECT custom_data AS data FROM posts WHERE tenant_id = $1 AND id = $2',
    [postId],
  );
  expect(stored!.data[id]).toBe(7);
});
