/** Operation restorePost: restores a deleted post. */
import type { RestorePostResponse } from '@portico/contract';
import { Parameters, seesPost, writeTransaction } from '../../../kernel/access/index.ts';
import { forbidden, notFound } from '../../../kernel/errors.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { refuseArchived } from '../../communities/index.ts';
import { postCapabilities, restorableSql, restoreFieldValues } from '../../post-parts/index.ts';
import { ChangeKind, postModified, readAcl, recordPost } from '../../records/index.ts';
import { holdPostState, requireDefinition } from './open-post.ts';

/**
 * Restores a post with everything that belongs to it. A post that is not deleted stays as it is.
 * @throws PorticoError NOT_FOUND for a deleted post that the caller may not restore, or that nobody
 *   can restore any more; FORBIDDEN for a post that is not deleted and that the caller may not
 *   delete; COMMUNITY_ARCHIVED
 */
export async function restorePost(scope: Scope, postId: number): Promise<RestorePostResponse> {
  return writeTransaction(scope, 'none', async (write) => {
    const { tx, actor, now } = write;
    const post = await holdPostState(write, postId);
    if (!post) throw notFound();
    const aclBefore = await readAcl(write, postId);
    const definition = await requireDefinition(write, post.communityId);
    if (!post.deleted) {
      if (!seesPost(actor, { ...post, principals: aclBefore.principals })) throw notFound();
      if (!postCapabilities(actor, definition, post).canDelete) throw forbidden('Missing capability: canDelete.');
      return { postId };
    }
    const parameters = new Parameters([tx.tenantId, postId, new Date(now), actor.userId]);
    const restored = await tx.execute(
      `UPDATE posts p SET deleted_at = NULL, deleted_by = NULL, operated_at = greatest(p.operated_at, $3),
              recent_at = greatest(p.recent_at, $3), recent_by = $4
        WHERE p.tenant_id = $1 AND p.id = $2 AND ${restorableSql('p', actor, now, parameters)}`,
      parameters.values,
    );
    if (restored === 0) throw notFound();
    refuseArchived(definition.community);
    await restoreFieldValues(write, postId, definition, { ...post.customData, ...post.screenData });
    await recordPost(write, post, {
      kind: ChangeKind.CREATED,
      events: postModified(post, ['deleted']),
      readers: aclBefore,
    });
    return { postId };
  });
}
