/**
 * Operation createPostComment: adds a comment to a post, or an answer to a comment
 * (docs/decisions/writes.md).
 */
import { AttachmentEntityType, type CreatePostCommentRequest, HistoryType, type PostComment } from '@portico/contract';
import type { RichText } from '@portico/platform/richtext';
import { type WriteScope, writeTransaction } from '../../../kernel/access/index.ts';
import { FieldErrors, forbidden, PorticoError } from '../../../kernel/errors.ts';
import type { Scope } from '../../../kernel/scope.ts';
import type { CommunityDefinition } from '../../communities/index.ts';
import { applyFiles, type FilePlan, planFiles } from '../../files/index.ts';
import { addMentions, type HistoryEvent, noteCommented, recordHistory, recordPost } from '../../records/index.ts';
import { readClientUid } from '../common/client-uid.ts';
import { definitionOf } from '../common/definition-of.ts';
import { lockPost } from '../common/post-row.ts';
import { findUsers } from '../common/references.ts';
import { postCapabilities } from '../policy/post-capabilities.ts';
import { readCommentText } from './comment-text.ts';
import {
  findCommentByClientUid,
  findComments,
  findLivingComment,
  insertComment,
  type NewComment,
} from './comments.repository.ts';
import { presentComments } from './load-comments.ts';

/**
 * Adds a comment. A repeat of the same `clientUid` by the same author on the same post returns the
 * existing comment.
 * @throws ValidationError with every error; PorticoError NOT_FOUND, FORBIDDEN, DUPLICATE_CLIENT_UID
 */
export async function createPostComment(
  scope: Scope,
  postId: number,
  body: CreatePostCommentRequest,
): Promise<{ comment: PostComment }> {
  return writeTransaction(scope, 'none', async (write) => {
    const post = await lockPost(write, postId);
    const definition = await definitionOf(write, post.communityId);
    if (!postCapabilities(write.actor, definition, post).canAddComment) {
      throw forbidden('Missing capability: canAddComment.');
    }
    const repeated = !body.clientUid ? undefined : await repeatedComment(write, postId, body.clientUid);
    let id = repeated;
    if (id === undefined) {
      const { text, parentId, clientUid, files } = await readBody(write, definition, postId, body);
      id = await addComment(write, post, text, { parentId, clientUid, fieldInfo: null }, files.add.length);
      await applyFiles(write, files, { postId, commentId: id });
      await recordPost(write, post, { touch: { comments: 1, active: true } });
    }
    const rows = await findComments(write.tx, write.actor.userId, postId, [id]);
    const [comment] = await presentComments(write, write.tx, definition, post, rows);
    if (!comment) throw new Error(`comment ${id} is not there to answer with`);
    return { comment };
  });
}

async function repeatedComment(write: WriteScope, postId: number, clientUid: string): Promise<number | undefined> {
  const existing = await findCommentByClientUid(write.tx, clientUid);
  if (!existing) return undefined;
  if (existing.postId !== postId || existing.creatorId !== write.actor.userId)
    throw new PorticoError('DUPLICATE_CLIENT_UID');
  return existing.id;
}

async function readBody(
  write: WriteScope,
  definition: CommunityDefinition,
  postId: number,
  body: CreatePostCommentRequest,
): Promise<{ text: RichText; parentId: number | null; clientUid: string | null; files: FilePlan }> {
  const errors = new FieldErrors();
  const clientUid = readClientUid(body.clientUid, errors);
  const text = readCommentText(body, (body.attachments ?? []).length > 0, errors);
  if (body.parentCommentId !== undefined) {
    const parent = await findLivingComment(write.tx, body.parentCommentId);
    if (parent?.postId !== postId) errors.add('parentCommentId', 'UNKNOWN_REFERENCE');
  }
  const files = await planFiles(
    write,
    { communityId: definition.id, postId, entityType: AttachmentEntityType.COMMENT },
    { add: body.attachments },
    definition.community,
    { add: 'attachments' },
    errors,
  );
  errors.throwIfAny();
  return { text, parentId: body.parentCommentId ?? null, clientUid, files };
}

/**
 * Inserts a comment with its mentions and its events. The caller updates counts and adds the change
 * row.
 * @param filesCount number of attachments that will be added
 * @returns the comment's id
 */
export async function addComment(
  write: WriteScope,
  post: { id: number; communityId: number },
  text: Pick<RichText, 'delta' | 'plain' | 'mentions'>,
  comment: Pick<NewComment, 'parentId' | 'clientUid' | 'fieldInfo'>,
  filesCount: number,
): Promise<number> {
  const id = await insertComment(write, { ...comment, postId: post.id, delta: text.delta, plain: text.plain });
  // A write on another post has used the client uid since it was looked up; this post is locked.
  if (id === undefined) throw new PorticoError('DUPLICATE_CLIENT_UID');
  const mentions = await findUsers(write.tx, text.mentions);
  await addMentions(write, post.id, mentions, id);
  await noteCommented(write, post);
  const about = { postId: post.id, communityId: post.communityId, commentId: id };
  const added: HistoryEvent = {
    ...about,
    typeId: HistoryType.COMMENT_ADDED,
    ...(filesCount > 0 && { details: { addedAttachmentsCount: filesCount } }),
  };
  const mentioned = mentions.map(
    (targetUserId): HistoryEvent => ({ ...about, typeId: HistoryType.MENTIONED_IN_COMMENT, targetUserId }),
  );
  await recordHistory(write, [added, ...mentioned]);
  return id;
}
