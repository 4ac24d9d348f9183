/** Templates for new posts over the demo tenant: one is made, and the other writes are dry runs. */
import type { Json } from './client.ts';
import type { Walk } from './walk.ts';

/** @param post what an ordinary post of the community can be created from */
export async function walkTemplates(walk: Walk, communityId: number, post: Json): Promise<void> {
  const params = { communityId };
  const body = { ...post, name: 'Acceptance', visibility: 1 };
  const { id: templateId } = await walk.read('createPostTemplate', { params, body });
  await walk.read('listPostTemplates', { params });
  await walk.write('createPostFromTemplate', { params: { templateId }, body: post });
  await walk.write('editPostTemplate', { params: { templateId }, body: { ...body, occToken: 1 } });
  await walk.write('deletePostTemplate', { params: { templateId } });
}
