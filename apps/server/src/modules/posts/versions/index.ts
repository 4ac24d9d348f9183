/** Versions of posts: list, read, compare and restore. */
export { postVersionHandlers } from './versions.routes.ts';
