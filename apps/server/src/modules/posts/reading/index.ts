/** Reading posts: the detail, the list of a community, visibility checks. */

export { type View, writeViews } from './count-views.ts';
export { hydratePosts, lastFitting } from './hydrate-posts.ts';
export { readListInput } from './list/list-input.ts';
export { listPosts } from './list/list-posts.ts';
export { type EventPlace, presentEvent } from './present-event.ts';
export { presentPostDetail } from './read-post.ts';
export { postReadingHandlers } from './reading.routes.ts';
export { loadReferences, presentValues, Wanted } from './references.ts';
