/** Operations copyCustomPost and copyEventPost: a new post from a body that started as another post's copy form. */
import { type CopyCustomPostRequest, type CopyEventPostRequest, HistoryType, PostType } from '@portico/contract';
import { type WriteScope, writeTransaction } from '../../../kernel/access/index.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { recordHistory } from '../../records/index.ts';
import { type CreatedPost, createdOrThrow, onceByClientUid } from './create-post.ts';
import { createPosts, type NewPost } from './create-posts.ts';
import { readInvited } from './edit-rows.ts';
import { openPost, type PostState, storedEvent } from './open-post.ts';
import { watchersOf } from './watchers.ts';

type Answer<T> = (write: WriteScope, post: CreatedPost) => Promise<T>;

/**
 * Creates a new post in the source's community. Omitted fields are empty, but the description is
 * required if the source has one. The copy of an event is an event with the same time, place,
 * guests, cover and link preview. An attachment of the source is copied by naming its id, in
 * `addAttachments` or `updateAttachments`. The source's token is compared and not raised
 * (docs/decisions/writes.md).
 * @throws PorticoError NOT_FOUND, FORBIDDEN, CONFLICT_STALE_TOKEN; ValidationError with all errors
 *   of the body
 */
export async function copyCustomPost<T>(
  scope: Scope,
  postId: number,
  occToken: number,
  body: CopyCustomPostRequest,
  answer: Answer<T>,
): Promise<T> {
  return copy(scope, postId, occToken, body, 'custom', answer);
}

/**
 * Creates a new event in the source's community. As {@link copyCustomPost}, but time and place come
 * from the body, an omitted description is empty, and omitted invitations are the source's.
 */
export async function copyEventPost<T>(
  scope: Scope,
  postId: number,
  occToken: number,
  body: CopyEventPostRequest,
  answer: Answer<T>,
): Promise<T> {
  return copy(scope, postId, occToken, body, 'event', answer);
}

async function copy<T>(
  scope: Scope,
  postId: number,
  occToken: number,
  body: CopyCustomPostRequest & CopyEventPostRequest,
  kind: 'custom' | 'event',
  answer: Answer<T>,
): Promise<T> {
  return onceByClientUid(() =>
    writeTransaction(scope, 'none', async (write) => {
      const { post, definition } = await openPost(write, postId, {
        need: 'canCopy',
        occToken,
        types: kind === 'event' ? [PostType.EVENT] : undefined,
      });
      const event = storedEvent(post);
      const sourceEvent = event && { ...event, invitations: await readInvited(write, post.id) };
      const without = (ids: readonly number[] = [], removed: readonly number[] = []) =>
        ids.filter((id) => !removed.includes(id));
      const { addAttachments = [], updateAttachments = [], removeAttachmentIds = [], ...rest } = body;
      const fresh: NewPost = {
        ...rest,
        type: post.type === PostType.EVENT ? PostType.EVENT : PostType.CUSTOM,
        attachments: [...addAttachments, ...updateAttachments].filter(
          ({ attachmentId }) => attachmentId === undefined || !removeAttachmentIds.includes(attachmentId),
        ),
        watcherUserIds: without(body.addWatcherUserIds, body.removeWatcherUserIds),
        watcherGroupIds: without(body.addWatcherGroupIds, body.removeWatcherGroupIds),
        ...(kind === 'custom' && sourceEvent && eventParts(post)),
      };
      const [outcome] = await createPosts(write, definition, [fresh], {
        attachmentsPath: 'addAttachments',
        knownCover: post.coverContentRef,
        sourceData: post.customData,
        texts: kind === 'event' ? { event: true } : { source: post },
        ...(sourceEvent && { sourceEvent, keepsEvent: kind === 'custom' }),
        ...(fresh.watcherGroupIds?.length ? { sourceWatcherGroups: (await watchersOf(write, post.id)).groups } : {}),
        watcherPaths: { users: 'addWatcherUserIds', groups: 'addWatcherGroupIds' },
      });
      const made = createdOrThrow(outcome!);
      if (outcome!.errors === undefined && outcome!.created) {
        await recordHistory(write, {
          typeId: HistoryType.POST_COPIED,
          postId: post.id,
          communityId: post.communityId,
          details: { copyPostId: made.postId },
        });
      }
      return answer(write, made);
    }),
  );
}

/** Returns the parts of an event beside its time, place and guests, in the form of a body. */
function eventParts(post: PostState): Pick<NewPost, 'coverImageContentRef' | 'linkPreview'> {
  return {
    coverImageContentRef: post.coverContentRef ?? undefined,
    linkPreview: post.linkPreview ?? undefined,
  };
}
