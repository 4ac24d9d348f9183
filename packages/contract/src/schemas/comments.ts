/** Editing and deleting comments; likes. */
import { TextFormat } from '../codes/codes.ts';
import { listLimits } from '../limits.ts';
import {
  code,
  count,
  flag,
  ids,
  int64,
  list,
  page,
  pageInputs,
  ref,
  required,
  text,
  time,
  token,
  type,
} from './fields.ts';

const texts = {
  commentDelta: text('The text as rich text: a Quill delta as a JSON string.'),
  commentPlainText: text('The text without formatting.'),
};

export const commentTypes = {
  GetPostCommentForEditResponse: type('What can be edited of a comment.', {
    postId: int64('The post that it is on.'),
    ...texts,
    attachments: list('PostCommentAttachment', 'Its attachments.'),
    occToken: token('Token for the edit.'),
  }),
  EditPostCommentRequest: type('New text of a comment.', {
    comment: text(
      'The text: a Quill delta as a JSON string, or plain text with `commentFormat` 2. A comment needs a text or an attachment.',
    ),
    commentFormat: code(TextFormat, 'How `comment` is written.', { default: TextFormat.DELTA }),
    addAttachments: list('InputPostCommentAttachment', 'Attachments to add.', { maxItems: listLimits.attachments }),
    removeAttachmentIds: ids('Attachments to remove.', { maxItems: listLimits.attachments }),
    occToken: required(token('Token that the form gave; a stale one is a 409.')),
  }),
  EditPostCommentResponse: type('The comment after the edit.', {
    comment: ref('PostComment', 'The comment.'),
    nextOccToken: token('Token for the next edit.'),
  }),
  DeletePostCommentResponse: type('The post whose comment was deleted.', { postId: int64('Id of the post.') }),
  RestorePostCommentResponse: type('The comment that is there again.', { comment: ref('PostComment', 'The comment.') }),
  PostCommentVersion: type('A text that a comment has or had.', {
    version: int64('Number of the version; the first text is 1.'),
    ...texts,
    editorUser: ref('User', 'Who wrote it.'),
    timestamp: time('When it was written.'),
  }),
  ListPostCommentVersionsRequest: type('Paging of the versions of a comment.', pageInputs),
  EditLikeRequest: type('Whether the caller likes it.', {
    liked: flag('False takes the like back. Default true.', { default: true }),
  }),
  EditLikeResponse: type('The likes afterwards.', {
    likesCount: count('How many people like it.'),
    likedByMe: flag('Whether the caller likes it.'),
  }),
  Like: type('A like.', { user: ref('User', 'Who likes it.'), timestamp: time('Since when.') }),
  ListLikesRequest: type('Paging of likes.', pageInputs),
  ListLikesResponse: page('Like', 'A page of likes, the latest first.'),
  ListPostCommentVersionsResponse: page('PostCommentVersion', 'A page of versions, the present text first.'),
};
