/** Operations deletePost and markPostAsErasable: the post is no longer visible to anyone. */
import { HistoryType } from '@portico/contract';
import { writeTransaction } from '../../../kernel/access/index.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { deleteFieldValues } from '../../post-parts/index.ts';
import { ChangeKind, recordPost } from '../../records/index.ts';
import { openPost } from './open-post.ts';

/**
 * Deletes a post. Its rows, but for the values that lists filter and order by, are kept, visible to
 * no one, until the operator's erasure job purges them.
 * @param options `occToken` is compared if given; `erasable` marks it for purging after the
 *   operator's delay; `unnamed` frees its client uid, so that an import can create the post again
 * @throws PorticoError NOT_FOUND (also for a deleted post), FORBIDDEN, CONFLICT_STALE_TOKEN
 */
export async function deletePost(
  scope: Scope,
  postId: number,
  options: { erasable?: boolean; occToken?: number | undefined; unnamed?: boolean } = {},
): Promise<void> {
  await writeTransaction(scope, 'none', async (write) => {
    const { post, acl } = await openPost(write, postId, {
      need: 'canDelete',
      occToken: options.occToken,
    });
    await write.tx.send(
      `UPDATE posts SET deleted_at = $3, deleted_by = $4, operated_at = greatest(operated_at, $3),
              erasable_at = CASE WHEN $5 THEN $3 ELSE erasable_at END,
              client_uid = CASE WHEN $6 THEN NULL ELSE client_uid END
        WHERE tenant_id = $1 AND id = $2`,
      [
        write.tx.tenantId,
        postId,
        new Date(write.now),
        write.actor.userId,
        options.erasable === true,
        options.unnamed === true,
      ],
    );
    await deleteFieldValues(write, postId);
    const details = post.title === null ? {} : { titleBefore: post.title };
    await recordPost(write, post, {
      kind: ChangeKind.DELETED,
      events: { typeId: HistoryType.POST_DELETED, details },
      readers: acl,
    });
  });
}
