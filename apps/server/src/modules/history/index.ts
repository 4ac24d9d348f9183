/** The history of posts. */
export { historyTypeNames } from './history.presenter.ts';
export { historyHandlers } from './history.routes.ts';
export { listHistoryEvents } from './list-history-events.ts';
