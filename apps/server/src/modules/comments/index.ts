/** Comments and likes. */
export { commentsHandlers } from './comments.routes.ts';
export { createPostComment } from './create-post-comment.ts';
export { deleteComment } from './delete-comment.ts';
export { addFieldComments, type FieldComment } from './field-comments.ts';
export { likeComment, likePost, unlikePost } from './likes.ts';
export { listPostComments, loadComments } from './list-post-comments.ts';
