/** Publishes a scheduled post that is due, for the publication job. */

import { HistoryType, ScheduledPublicationResult } from '@portico/contract';
import { type WriteScope, writeTransaction } from '../../../kernel/access/index.ts';
import { FieldErrors } from '../../../kernel/errors.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { communityCapabilities } from '../../communities/index.ts';
import { ChangeKind, type PostEvent, postModified, readAcl, recordPost } from '../../records/index.ts';
import { mentionedIn } from './edit-rows.ts';
import { holdPostState, type PostState, requireDefinition } from './open-post.ts';
import { readInitialState } from './post-settings.ts';

/**
 * Publishes one scheduled post. Idempotent: a second call finds a published post. The publication
 * has the time of the write, so that orders by recency do not change retroactively. When its author
 * may no longer write in the community, the post remains an unscheduled draft and the result is
 * FAILED.
 * @param scope acts as the post's author
 * @returns the outcome; `skipped`: not (or no longer) due
 */
export async function publishScheduledPost(scope: Scope, postId: number): Promise<'published' | 'failed' | 'skipped'> {
  return writeTransaction(scope, 'none', async (write) => {
    const { tx } = write;
    const post = await holdPostState(write, postId);
    if (!isDue(post, write.now)) return 'skipped';
    const definition = await requireDefinition(write, post.communityId);
    const at = new Date(write.now);
    if (!communityCapabilities(write.actor, definition.community).createPost || post.creatorId !== write.actor.userId) {
      await fail(write, post);
      return 'failed';
    }
    const aclBefore = await readAcl(write, postId);
    const stateId = post.stateId ?? readInitialState(definition, undefined, post.initStateId, new FieldErrors());
    await tx.send(
      `UPDATE posts SET draft = false, state_id = $4, published_at = $3, scheduled_result = $5, version = version + 1,
              token_by = creator_id, token_at = $3, operated_at = greatest(operated_at, $3),
              active_at = greatest(active_at, $3), recent_at = greatest(recent_at, $3), recent_by = creator_id
        WHERE tenant_id = $1 AND id = $2`,
      [tx.tenantId, postId, at, stateId, ScheduledPublicationResult.SUCCESS],
    );
    const mentioned = await mentionedIn(write, postId);
    await recordPost(write, post, {
      kind: ChangeKind.CREATED,
      events: [
        postModified(post, ['draft']),
        ...mentioned.map((targetUserId): PostEvent => ({ typeId: HistoryType.MENTIONED_IN_POST, targetUserId })),
      ],
      readers: aclBefore,
    });
    return 'published';
  });
}

/**
 * Records that the plan of a post failed, because its author is blocked or deleted.
 * @param scope the scope of the job
 * @returns false when no plan is due (any longer)
 */
export async function failScheduledPost(scope: Scope, postId: number): Promise<boolean> {
  return writeTransaction(scope, 'none', async (write) => {
    const post = await holdPostState(write, postId);
    if (!isDue(post, write.now)) return false;
    await fail(write, post);
    return true;
  });
}

function isDue(post: PostState | undefined, now: number): post is PostState & { scheduledAt: number } {
  return post?.draft === true && !post.deleted && post.scheduledAt !== null && post.scheduledAt <= now;
}

/** Turns the post into an unscheduled draft. */
async function fail(write: WriteScope, post: PostState): Promise<void> {
  await write.tx.send(
    `UPDATE posts SET scheduled_result = $4, version = version + 1, token_by = $5, token_at = $3,
            operated_at = greatest(operated_at, $3), scheduled_at = NULL, scheduled_local = NULL, scheduled_timezone = NULL
      WHERE tenant_id = $1 AND id = $2`,
    [write.tx.tenantId, post.id, new Date(write.now), ScheduledPublicationResult.FAILED, write.actor.userId],
  );
  await recordPost(write, post, {});
}
