/** Writing posts: the verbs of requests, and what imports, generators and jobs make posts with. */
export { copyCustomPost, copyEventPost } from './copy-post.ts';
export { type CreatedPost, createCustomPost, createEventPost, requireCreatable } from './create-post.ts';
export {
  type CreateOptions,
  type CreateOutcome,
  createPosts,
  type NewPost,
  postFields,
  type TrustedPost,
} from './create-posts.ts';
export { deletePost } from './delete-post.ts';
export {
  applyEdit,
  type EditedPost,
  editCustomPost,
  editEventPost,
  editPostCustomData,
  type PostEdit,
} from './edit-post.ts';
export {
  completeReferences,
  moveToState,
  noteLastModification,
  type PastChange,
  recordPastChanges,
} from './imported-history.ts';
export { type OpenOptions, type OpenPost, openPost, type PostState } from './open-post.ts';
export { failScheduledPost, publishScheduledPost } from './publish-post.ts';
export { MAX_TITLE_LENGTH } from './texts.ts';
export { editPostAttachments, editPostEventPartecipate, editPostWatchers } from './touch-post.ts';
export { postWritingHandlers } from './writing.routes.ts';
