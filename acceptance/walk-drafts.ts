/** Calls the operations on the definition of a community as a file. */
import type { Json } from './client.ts';
import type { Walk } from './walk.ts';

/** Applies the file of a community; saves a draft, reads it, and deletes it again. */
export async function walkDefinition(walk: Walk, params: Json): Promise<void> {
  const file = await walk.read('exportCommunity', { params });
  await walk.write('applyCommunity', { body: { file } });
  await walk.write('saveCommunityDraft', { params, body: { file } });
  await walk.read('saveCommunityDraft', { params, body: { file } });
  await walk.read('getCommunityDraft', { params });
  await walk.read('previewCommunity', { body: { communityId: params['communityId'], role: 'READER' } });
  await walk.write('deleteCommunityDraft', { params });
  await walk.read('deleteCommunityDraft', { params });
}
