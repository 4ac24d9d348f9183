/** The history of posts. */
export { historyHandlers } from './history.routes.ts';
export { listHistoryEvents } from './list-history-events.ts';
