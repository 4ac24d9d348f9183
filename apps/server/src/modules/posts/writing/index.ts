/** Writing posts: the verbs of requests, and what imports, generators and jobs make posts with. */
export { copyCustomPost } from './copy-post.ts';
export {
  createPosts,
  type TrustedPost,
} from './create-posts.ts';
export { deletePost } from './delete-post.ts';
export {
  applyEdit,
  editCustomPost,
} from './edit-post.ts';
export {
  completeReferences,
  moveToState,
  noteLastModification,
  recordPastChanges,
} from './imported-history.ts';
export { openPost } from './open-post.ts';
export { failScheduledPost, publishScheduledPost } from './publish-post.ts';
export { editPostAttachments, editPostEventPartecipate } from './touch-post.ts';
export { postWritingHandlers } from './writing.routes.ts';
