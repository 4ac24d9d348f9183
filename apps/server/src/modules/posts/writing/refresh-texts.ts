/**
 * Rebuilds the data that follows from the texts of posts, after a change of the readers of the
 * fields that hold them.
 */
import type { WriteScope } from '../../../kernel/access/index.ts';
import { refreshPostSearch } from '../../post-parts/index.ts';
import { postFields } from './create-posts.ts';
import { replaceNames } from './edit-rows.ts';
import { holdPostState, requireDefinition } from './open-post.ts';
import { findNames, namedInTexts, pickNames } from './texts.ts';

/** Rebuilds search text, mentions and hashtags of a post. */
export async function refreshTexts(write: WriteScope, postId: number): Promise<void> {
  const post = await holdPostState(write, postId);
  if (!post) return;
  const definition = await requireDefinition(write, post.communityId);
  const named = await namedInTexts(post.descriptionDelta, postFields(definition, post.type), post.customData);
  const found = await findNames(write, definition, [named]);
  await replaceNames(write, postId, pickNames(named, found));
  await refreshPostSearch(write, postId);
}
