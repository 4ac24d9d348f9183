/** The search over posts, comments, tasks, files, people and communities, and its index. */
export { indexDue, indexNext } from './follow-changes.ts';
export { searchHandlers } from './search.routes.ts';
