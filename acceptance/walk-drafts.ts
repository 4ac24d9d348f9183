/** Calls the operations on the draft of a community. */
import type { Json } from './client.ts';
import type { Walk } from './walk.ts';

/** Saves a draft, reads it, and deletes it again. */
export async function walkDraft(walk: Walk, params: Json, file: Json): Promise<void> {
  await walk.write('saveCommunityDraft', { params, body: { file } });
  await walk.read('saveCommunityDraft', { params, body: { file } });
  await walk.read('getCommunityDraft', { params });
  await walk.write('deleteCommunityDraft', { params });
  await walk.read('deleteCommunityDraft', { params });
}
