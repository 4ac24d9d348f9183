/** Templates for new posts over the demo tenant: one is made, and the other writes are dry runs. */
import type { Json } from './client.ts';
import { idsOf, type Walk } from './walk.ts';
import type { Found } from './walk-reads.ts';

export async function walkTemplates(walk: Walk, found: Found): Promise<void> {
  const communityId = found.communities.find(({ name }) => name === 'IT Service Desk')?.id as number;
  const [source] = (found.posts.get(communityId) ?? []).filter(({ capabilities }) => capabilities?.canModify);
  const form = await walk.read('getCustomPostDataForEdit', { params: { postId: source?.id } });
  const params = { communityId };
  const text = { description: 'Written by the acceptance suite.', descriptionFormat: 2 };
  const body = { name: 'Acceptance', title: 'Acceptance', ...text, visibility: 1 };
  const { id } = await walk.read('createPostTemplate', { params, body: { ...body, customData: writable(form) } });
  await walk.read('listPostTemplates', { params });
  const template = { templateId: id };
  await walk.write('createPostFromTemplate', { params: template, body: { customData: writable(form) } });
  await walk.write('editPostTemplate', { params: template, body: { ...body, occToken: 1 } });
  await walk.write('deletePostTemplate', { params: template });
}

/** The values of a form as they are written: ids instead of objects. */
function writable(form: Json): Json {
  const data = (form.contentData?.customData ?? {}) as Json;
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, Array.isArray(value) ? idsOf(value) : (value?.id ?? value)]),
  );
}
