/**
 * Operations editPostFollowing, getCommunityFollowing and editCommunityFollowing: followed and
 * muted communities and posts of the caller.
 */

import {
  type CommunityFollowing,
  type EditFollowingRequest,
  type EditPostFollowingResponse,
  Following,
} from '@portico/contract';
import { writeTransaction } from '../../kernel/access/index.ts';
import { forbidden, invalid, notFound } from '../../kernel/errors.ts';
import { requireFields } from '../../kernel/missing-fields.ts';
import type { Actor, Context, Scope } from '../../kernel/scope.ts';
import { definitionOf, lockPost, postCapabilities } from '../post-parts/index.ts';
import { readFollowing, writeFollowing } from '../records/index.ts';

/** @throws PorticoError NOT_FOUND, FORBIDDEN; ValidationError */
export async function editPostFollowing(
  scope: Scope,
  postId: number,
  body: EditFollowingRequest,
): Promise<EditPostFollowingResponse> {
  return writeTransaction(scope, 'none', async (write) => {
    const post = await lockPost(write, postId, { archivedToo: true });
    const following = readChoice(write, body);
    if (following === Following.FOLLOWED) {
      const definition = await definitionOf(write, post.communityId);
      if (!postCapabilities(write.actor, definition, post).canEditFollow) {
        throw forbidden('Following is for published posts of communities that have watchers.');
      }
    }
    await writeFollowing(write, post.communityId, postId, following);
    return { postId, following };
  });
}

/** @throws PorticoError NOT_FOUND */
export async function getCommunityFollowing(scope: Scope, communityId: number): Promise<CommunityFollowing> {
  requireRole(scope.actor, communityId);
  return { communityId, following: await readFollowing(scope.db, scope.actor.userId, communityId) };
}

/** @throws PorticoError NOT_FOUND; ValidationError */
export async function editCommunityFollowing(
  scope: Scope,
  communityId: number,
  body: EditFollowingRequest,
): Promise<CommunityFollowing> {
  return writeTransaction(scope, 'none', async (write) => {
    requireRole(write.actor, communityId);
    const following = readChoice(write, body);
    await writeFollowing(write, communityId, null, following);
    return { communityId, following };
  });
}

function requireRole(actor: Actor, communityId: number): void {
  if (!actor.roles.has(communityId)) throw notFound();
}

function readChoice(scope: Context, { following }: EditFollowingRequest): Following {
  requireFields(scope);
  if (!Object.values(Following).includes(following!)) {
    throw invalid('following', 'INVALID_VALUE', undefined, Object.values(Following));
  }
  return following!;
}
