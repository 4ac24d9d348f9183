/** Editing and deleting comments; likes. */
import { TextFormat } from '../../codes/codes.ts';
import { listLimits } from '../../limits.ts';
import * as t from '../fields.ts';

const texts = {
  commentDelta: t.text('The text as rich text: a Quill delta as a JSON string.'),
  commentPlainText: t.text('The text without formatting.'),
};

export const commentTypes = {
  GetPostCommentForEditResponse: t.type('Editable content of a comment.', {
    postId: t.int64('The post that it is on.'),
    ...texts,
    attachments: t.list('PostCommentAttachment', 'Its attachments.'),
    occToken: t.token('Token for the edit.'),
  }),
  EditPostCommentRequest: t.type('New text of a comment.', {
    comment: t.text(
      'The text: a Quill delta as a JSON string, or plain text with `commentFormat` 2. A ' +
        'comment requires a text or an attachment.',
    ),
    commentFormat: t.code(TextFormat, 'Format of `comment`.', { default: TextFormat.DELTA }),
    addAttachments: t.list('InputPostCommentAttachment', 'Attachments to add.', { maxItems: listLimits.attachments }),
    removeAttachmentIds: t.ids('Attachments to remove.', { maxItems: listLimits.attachments }),
    occToken: t.formToken,
  }),
  EditPostCommentResponse: t.type('The comment after the edit.', {
    comment: t.ref('PostComment', 'The comment.'),
    nextOccToken: t.token('Token for the next edit.'),
  }),
  DeletePostCommentResponse: t.type('The post whose comment was deleted.', { postId: t.int64('Id of the post.') }),
  RestorePostCommentResponse: t.type('The comment that is there again.', {
    comment: t.ref('PostComment', 'The comment.'),
  }),
  PostCommentVersion: t.type('A current or former text of a comment.', {
    version: t.int64('Number of the version; the first text is 1.'),
    ...texts,
    editorUser: t.ref('User', 'User who wrote it.'),
    timestamp: t.time('Time at which it was written.'),
  }),
  ListPostCommentVersionsRequest: t.type('Paging of the versions of a comment.', t.pageInputs),
  EditLikeRequest: t.type('Whether the caller likes it.', {
    liked: t.flag('False takes the like back. Default true.', { default: true }),
  }),
  EditLikeResponse: t.type('The likes afterwards.', {
    likesCount: t.count('Number of people who like it.'),
    likedByMe: t.flag('Whether the caller likes it.'),
  }),
  Like: t.type('A like.', { user: t.ref('User', 'People who like it.'), timestamp: t.time('Since when.') }),
  ListLikesRequest: t.type('Paging of likes.', t.pageInputs),
  ListLikesResponse: t.page('Like', 'A page of likes, the latest first.'),
  ListPostCommentVersionsResponse: t.page('PostCommentVersion', 'A page of versions, the present text first.'),
};
