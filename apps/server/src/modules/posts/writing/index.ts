/**
 * Writing posts: the verbs of requests, and the functions with which imports, generators and jobs
 * create posts.
 */
export {
  dropFieldGrants,
  heldValue,
  holdPostData,
  type PostData,
  setStates,
  writeFieldOfPosts,
} from './change-data.ts';
export { copyCustomPost } from './copy-post.ts';
export { type CreatedPost, createOne, requireCreatable } from './create-post.ts';
export {
  checkPosts,
  createPosts,
  postFields,
  type TrustedPost,
} from './create-posts.ts';
export { deletePost } from './delete-post.ts';
export {
  applyEdit,
  type EditedPost,
  editCustomPost,
  type PostEdit,
} from './edit-post.ts';
export {
  completeReferences,
  moveToState,
  noteLastModification,
  recordPastChanges,
} from './imported-history.ts';
export { type OpenPost, openPost, type PostState, stale, storedEvent } from './open-post.ts';
export { takeNumbers } from './post-rows.ts';
export { initialStates } from './post-settings.ts';
export { failScheduledPost, publishScheduledPost } from './publish-post.ts';
export { refreshTexts } from './refresh-texts.ts';
export { replacePerson } from './replace-person.ts';
export { readTexts } from './texts.ts';
export { editPostAttachments, editPostEventPartecipate } from './touch-post.ts';
export { edited, made as presentMadePost, postWritingHandlers } from './writing.routes.ts';
