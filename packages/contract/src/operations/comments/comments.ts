/** Comments of posts. */
import { TextFormat } from '../../codes/codes.ts';
import { defineOperations } from '../define.ts';
import { examples } from '../examples.ts';
import { queryPaging } from '../query.ts';

export const commentsOperations = defineOperations('comments', {
  listPostComments: {
    method: 'POST',
    path: '/communication/posts/data/comments-list/{postId}',
    query: { ...queryPaging },
    body: 'ListPostCommentsRequest',
    responses: { 200: 'ListPostCommentsResponse', 403: null, 404: null },
    permission: 'seePostComments',
    paging: 'page',
    summary: 'List the comments of a post',
    description:
      'Returns the comments, the newest first. A deleted comment stays as a placeholder ' +
      'without text, so that answers keep their place.',
    clientMethod: 'list',
    command: {
      columns: ['id', 'creatorUser', 'creationTimestamp', 'commentPlainText'],
      examples: ['4711 --all', '4711 --output ndjson --fields id,commentPlainText,creatorUser.lastName'],
    },
  },
  createPostComment: {
    method: 'POST',
    path: '/communication/posts/manage/create-comment/{postId}',
    body: 'CreatePostCommentRequest',
    requiresOneOf: ['comment', 'attachments'],
    responses: { 200: 'CreatePostCommentResponse', 400: 'ValidationErrorResponse', 403: null },
    permission: 'addComment',
    summary: 'Comment on a post',
    description:
      'Adds a comment, or an answer to one, with attachments if wanted. Does not raise the token of the post.',
    requestExamples: examples<'CreatePostCommentRequest'>({
      plain: {
        summary: 'Plain text',
        value: { comment: 'Looks good to me.', commentFormat: TextFormat.PLAIN_TEXT, clientUid: 'c-1' },
      },
    }),
    clientMethod: 'create',
    command: {
      object: 'comment',
      attachments: 'attachments',
      plainText: ['comment', 'commentFormat'],
      examples: ['4711 --comment "The seal is on order."', '4711 --comment "See the photo." --attach seal.jpg'],
    },
  },
  getPostCommentForEdit: {
    method: 'GET',
    path: '/communication/comments/manage/comment/{commentId}',
    responses: { 200: 'GetPostCommentForEditResponse', 403: null, 404: null },
    permission: 'editComment',
    extension: true,
    summary: 'Read the edit form of a comment',
    description: 'Returns the text and the attachments of the comment, and the `occToken` for the edit.',
    clientMethod: 'readForEdit',
    formerMethod: 'editForm',
    command: { examples: ['881 --output yaml', '881 --output json'] },
  },
  editPostComment: {
    method: 'PUT',
    path: '/communication/comments/manage/comment/{commentId}',
    body: 'EditPostCommentRequest',
    responses: { 200: 'EditPostCommentResponse', 400: 'ValidationErrorResponse', 403: null, 404: null, 409: null },
    permission: 'editComment',
    extension: true,
    summary: 'Edit a comment',
    description:
      'Replaces the text; the previous text is kept among the versions of the comment. ' +
      'Attachments change through their add and remove lists. Available to its author and to ' +
      'managers of the community. Does not raise the token of the post.',
    requestExamples: examples<'EditPostCommentRequest'>({
      plain: {
        summary: 'Plain text',
        value: { comment: 'Looks very good to me.', commentFormat: TextFormat.PLAIN_TEXT, occToken: 1 },
      },
    }),
    clientMethod: 'replace',
    formerMethod: 'edit',
    command: {
      form: 'getPostCommentForEdit',
      needsValue: true,
      object: 'comment',
      attachments: 'addAttachments',
      plainText: ['comment', 'commentFormat'],
      examples: ['881 --comment "The seal has arrived."', '881 --attach seal.jpg --dry-run'],
    },
  },
  deletePostComment: {
    method: 'DELETE',
    path: '/communication/comments/manage/comment/{commentId}',
    responses: { 200: 'DeletePostCommentResponse', 403: null, 404: null },
    permission: 'deleteComment',
    extension: true,
    summary: 'Delete a comment',
    description:
      'Deletes text, versions, likes and attachments; the comment stays as a placeholder, so ' +
      'that answers keep their place. Available to its author and to managers of the ' +
      'community. `restorePostComment` restores it for 30 days; afterwards its content is ' +
      'erased.',
    clientMethod: 'delete',
    command: { confirms: true, examples: ['881', '881 --yes --dry-run'] },
  },
  restorePostComment: {
    method: 'POST',
    path: '/communication/comments/manage/restore/{commentId}',
    responses: { 200: 'RestorePostCommentResponse', 403: null, 404: null },
    permission: 'deleteComment',
    extension: true,
    summary: 'Restore a deleted comment',
    description:
      'Restores a deleted comment within 30 days. Available to the person who deleted it and ' +
      'to managers of the community. Texts, versions, likes, mentions and attachments are ' +
      'restored, too. A comment that is not deleted stays unchanged; a comment deleted more ' +
      'than 30 days ago returns 404.',
    clientMethod: 'restore',
    command: { object: 'comment', examples: ['881', '881 --dry-run'] },
  },
  listPostCommentVersions: {
    method: 'POST',
    path: '/communication/comments/data/versions/{commentId}',
    body: 'ListPostCommentVersionsRequest',
    responses: { 200: 'ListPostCommentVersionsResponse', 403: null, 404: null },
    permission: 'editComment',
    paging: 'page',
    extension: true,
    summary: 'List the versions of a comment',
    description:
      'Returns the texts of the comment, the current one first, each with its author. ' +
      'Available to people with the right to edit the comment.',
    clientMethod: 'versions',
    command: {
      columns: ['version', 'editorUser', 'timestamp', 'commentPlainText'],
      examples: ['881 --all', '881 --output ndjson --fields version,commentPlainText'],
    },
  },
  editPostCommentLike: {
    method: 'PUT',
    path: '/communication/comments/manage/like/{commentId}',
    body: 'EditLikeRequest',
    responses: { 200: 'EditLikeResponse', 400: 'ValidationErrorResponse', 403: null, 404: null },
    permission: 'like',
    extension: true,
    summary: 'Like a comment, or take the like back',
    description: 'A second like changes nothing. Requires no token.',
    clientMethod: 'like',
    command: { examples: ['881', '881 --no-liked --dry-run'] },
  },
  listPostCommentLikes: {
    method: 'POST',
    path: '/communication/comments/data/likes/{commentId}',
    body: 'ListLikesRequest',
    responses: { 200: 'ListLikesResponse', 404: null },
    permission: 'seePostComments',
    paging: 'page',
    extension: true,
    summary: 'List who likes a comment',
    description: 'The latest like first.',
    clientMethod: 'likes',
    command: { columns: ['user', 'timestamp'], examples: ['881 --all', '881 --output csv --fields user.id'] },
  },
});
