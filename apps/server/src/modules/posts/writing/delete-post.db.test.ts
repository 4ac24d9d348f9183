import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestPortal, type TestPortal } from '../../../../test/support/index.ts';
import { API, createFieldWorld, createPost, type FieldWorld, lastChange, MANAGE, rows } from './writing.fixture.ts';

let portal: TestPortal;
let world: FieldWorld;
const detail = (userId: number, postId: number) =>
  world.tenant.request(userId, 'GET', `${API}/data/post-detail-by-id/${postId}`);

beforeAll(async () => {
  portal = await createTestPortal();
  world = await createFieldWorld(portal);
});
afterAll(() => portal.close());

describe('deletion', () => {
  it('is at once and for everybody, and a second one finds nothing', async () => {
    for (const erasable of [false, true]) {
      const { postId } = await createPost(world, world.people.author);
      const remove = () =>
        erasable
          ? world.tenant.request(world.people.author, 'PUT', `${MANAGE}/mark-post-as-erasable/${postId}`)
          : world.tenant.request(world.people.author, 'DELETE', `${MANAGE}/delete-post/${postId}`);
      const path = erasable ? 'PUT mark-post-as-erasable' : 'DELETE delete-post';
      const [method, name] = path.split(' ') as [string, string];
      expect((await world.tenant.request(world.people.contributor, method, `${MANAGE}/${name}/${postId}`)).status).toBe(
        403,
      );
      expect((await remove()).body).toEqual({ postId });
      for (const user of [world.people.author, world.people.manager, world.people.reader])
        expect((await detail(user, postId)).status).toBe(404);
      expect((await remove()).status).toBe(404);
      expect(await lastChange(world, postId)).toMatchObject({ kind: 4, acl_changed: true, before_live: true });
      const [row] = await rows<{ erasable: boolean }>(
        world,
        'SELECT erasable_at IS NOT NULL AS erasable FROM posts WHERE tenant_id = $1 AND id = $2',
        [postId],
      );
      expect(row!.erasable).toBe(erasable);
    }
  });

  it('of one post by many happens once', async () => {
    const { postId } = await createPost(world, world.people.author);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        world.tenant.request(world.people.manager, 'DELETE', `${MANAGE}/delete-post/${postId}`),
      ),
    );
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    expect(answers.filter((answer) => answer.status === 404)).toHaveLength(19);
  });
});
