/** Saved views of the posts of communities, and favourites. */
export { requireView } from './read-views.ts';
export { viewRules } from './views.policy.ts';
export { viewHandlers } from './views.routes.ts';
