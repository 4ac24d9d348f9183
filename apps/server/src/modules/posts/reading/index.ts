/** Reading posts: the detail, the list of a community, visibility checks. */
export { checkVisibility } from './check-visibility.ts';
export { hydratePosts, type LoadFlags, mainLinksOf } from './hydrate-posts.ts';
export { listPostIds, listPosts } from './list/list-posts.ts';
export type { PostName } from './post-name.ts';
export { loadPostDetail, loadVisiblePost, presentPostDetail, type ReadPost } from './read-post.ts';
export { postReadingHandlers } from './reading.routes.ts';
export { loadReferences, presentValues, type References, Wanted } from './references.ts';
export { type View, ViewBatcher, writeViews } from './view-batcher.ts';
