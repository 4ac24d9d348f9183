/** Saved views of the posts of communities, and favourites. */
export { viewHandlers } from './views.routes.ts';
