/** The history of posts. */
export { historyHandlers } from './history.routes.ts';
