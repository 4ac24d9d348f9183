/** Versions of posts: listed, read, compared and restored. */
export { postVersionHandlers } from './versions.routes.ts';
