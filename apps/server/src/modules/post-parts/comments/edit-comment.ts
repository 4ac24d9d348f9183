/** Edits comments (operations getPostCommentForEdit, editPostComment, listPostCommentVersions). */
import {
  AttachmentEntityType,
  type EditPostCommentRequest,
  type EditPostCommentResponse,
  type GetPostCommentForEditResponse,
  HistoryType,
  type ListPostCommentVersionsRequest,
  type ListPostCommentVersionsResponse,
} from '@portico/contract';
import { type WriteScope, writeTransaction } from '../../../kernel/access/index.ts';
import { FieldErrors, forbidden, notFound } from '../../../kernel/errors.ts';
import { readPaging, toPage } from '../../../kernel/paging/index.ts';
import type { Context, Scope } from '../../../kernel/scope.ts';
import { staleToken } from '../../../kernel/stale-token.ts';
import type { CommunityDefinition } from '../../communities/index.ts';
import { applyFiles, planFiles } from '../../files/index.ts';
import { usersOf } from '../../people/index.ts';
import { addMentions, type HistoryEvent, recordHistory, recordPost, removeMentions } from '../../records/index.ts';
import { loadFilesOf } from '../common/comment-and-task-attachments.ts';
import { definitionOf } from '../common/definition-of.ts';
import { lockPost, type PostRow, requirePost } from '../common/post-row.ts';
import { findUsers } from '../common/references.ts';
import { commentCapabilities } from '../policy/comment-capabilities.ts';
import { postCase, postRules } from '../policy/post-capabilities.ts';
import { readCommentText } from './comment-text.ts';
import {
  countFilesOfComment,
  type EditableComment,
  findComments,
  findEditableComment,
  findMentioned,
  pageOfVersions,
  replaceCommentText,
} from './comments.repository.ts';
import { presentComments } from './load-comments.ts';

/** @throws PorticoError NOT_FOUND where the caller does not see comments of the post, FORBIDDEN */
function requireEditor(scope: Context, definition: CommunityDefinition, post: PostRow, comment: EditableComment): void {
  const about = postCase(scope.actor, definition, post);
  if (!postRules.canViewComment.holds(about)) throw notFound();
  if (!commentCapabilities(about, comment).canEdit) {
    throw forbidden('Missing capability: canEdit.');
  }
}

/**
 * Returns a comment that the caller may edit, with its post. @throws PorticoError NOT_FOUND,
 * FORBIDDEN
 */
async function readEditable(scope: Scope, commentId: number): Promise<{ comment: EditableComment; post: PostRow }> {
  const comment = await findEditableComment(scope.db, commentId);
  if (!comment) throw notFound();
  const post = await requirePost(scope.db, scope.actor, comment.postId);
  requireEditor(scope, await definitionOf(scope, post.communityId), post, comment);
  return { comment, post };
}

/**
 * Returns the text and the attachments of a comment, and the token of an edit. @throws PorticoError
 * NOT_FOUND, FORBIDDEN
 */
export async function getPostCommentForEdit(scope: Scope, commentId: number): Promise<GetPostCommentForEditResponse> {
  const { comment } = await readEditable(scope, commentId);
  const files = await loadFilesOf(scope, scope.db, 'comment', [commentId]);
  return {
    postId: comment.postId,
    commentDelta: comment.delta,
    commentPlainText: comment.plain,
    attachments: files.get(commentId) ?? [],
    occToken: comment.version,
  };
}

/**
 * Replaces the text of a comment and saves the former one. Attachments change only by their lists.
 * The token of the post does not change.
 * @throws ValidationError with every error; PorticoError NOT_FOUND, FORBIDDEN, CONFLICT_STALE_TOKEN
 */
export async function editPostComment(
  scope: Scope,
  commentId: number,
  body: EditPostCommentRequest,
): Promise<EditPostCommentResponse> {
  return writeTransaction(scope, 'none', async (write) => {
    const postId = (await findEditableComment(write.tx, commentId))?.postId;
    if (postId === undefined) throw notFound();
    const post = await lockPost(write, postId);
    // Read again under the lock of the post: another request may have edited or deleted it
    // meanwhile.
    const comment = await findEditableComment(write.tx, commentId);
    if (!comment) throw notFound();
    const definition = await definitionOf(write, post.communityId);
    requireEditor(write, definition, post, comment);
    if (body.occToken !== undefined && comment.version !== body.occToken) throw await staleToken(write.tx, comment);
    const { text, files } = await readBody(write, definition, comment, body);
    await replaceCommentText(write, comment, text);
    await replaceMentions(write, post, commentId, text.mentions);
    await applyFiles(write, files, { postId, commentId });
    await recordPost(write, post, { touch: {} });
    const rows = await findComments(write.tx, write.actor.userId, postId, [commentId]);
    const [presented] = await presentComments(write, write.tx, definition, post, rows);
    if (!presented) throw new Error(`comment ${commentId} is not there to answer with`);
    return { comment: presented, nextOccToken: comment.version + 1 };
  });
}

async function readBody(
  write: WriteScope,
  definition: CommunityDefinition,
  { id: commentId, postId }: EditableComment,
  body: EditPostCommentRequest,
) {
  const errors = new FieldErrors(write.missing);
  const files = await planFiles(
    write,
    { communityId: definition.id, postId, commentId, entityType: AttachmentEntityType.COMMENT },
    { add: body.addAttachments, removeIds: body.removeAttachmentIds },
    definition.community,
    { add: 'addAttachments', remove: 'removeAttachmentIds' },
    errors,
  );
  const present = await countFilesOfComment(write.tx, commentId);
  const left = present - files.removeIds.length + (body.addAttachments ?? []).length;
  const text = readCommentText(body, left > 0, errors);
  errors.throwIfAny();
  return { text, files };
}

/** Stores the present mentions; the history records the new ones. */
async function replaceMentions(
  write: WriteScope,
  post: PostRow,
  commentId: number,
  named: readonly number[],
): Promise<void> {
  const before = new Set(await findMentioned(write.tx, post.id, commentId));
  const now = await findUsers(write.tx, named);
  const added = now.filter((id) => !before.has(id));
  await removeMentions(
    write,
    post.id,
    commentId,
    [...before].filter((id) => !now.includes(id)),
  );
  await addMentions(write, post.id, added, commentId);
  await recordHistory(
    write,
    added.map(
      (targetUserId): HistoryEvent => ({
        typeId: HistoryType.MENTIONED_IN_COMMENT,
        postId: post.id,
        communityId: post.communityId,
        commentId,
        targetUserId,
      }),
    ),
  );
}

/**
 * Returns the texts of a comment, the present one first. @throws PorticoError NOT_FOUND, FORBIDDEN
 */
export async function listPostCommentVersions(
  scope: Scope,
  commentId: number,
  body: ListPostCommentVersionsRequest,
): Promise<ListPostCommentVersionsResponse> {
  const request = readPaging<[number]>(scope, 'listPostCommentVersions', body, { commentId });
  const { comment } = await readEditable(scope, commentId);
  const found = await pageOfVersions(scope.db, commentId, request.after?.[0], request.size + 1);
  const { rows, nextPageToken } = toPage(request, found, (row): [number] => [row.version]);
  const users = await usersOf(
    scope,
    scope.db,
    rows.map(({ creatorId }) => creatorId),
  );
  return {
    items: rows.map((row) => ({
      version: row.version,
      commentDelta: row.delta,
      commentPlainText: row.plain,
      editorUser: users.get(row.creatorId),
      timestamp: row.createdAt,
    })),
    nextPageToken,
    // Every edit raises the version by one, and none is removed.
    totalItemsCount: request.withTotal ? comment.version : undefined,
  };
}
