/** Comments and likes. */

export { COMMENT_BYTES, findLivingComment } from './comments.repository.ts';
export { commentsHandlers } from './comments.routes.ts';
export { createPostComment } from './create-post-comment.ts';
export { deleteComment } from './delete-comment.ts';
export { deletedCommentsDue, eraseDeletedComments } from './deleted-comments.repository.ts';
export { addFieldComments } from './field-comments.ts';
export { likeComment, likePost, unlikePost } from './likes.ts';
export { loadComments } from './list-post-comments.ts';
