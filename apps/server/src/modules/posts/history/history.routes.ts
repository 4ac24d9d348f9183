/** The operation of history. */
import type { Handlers } from '../../../kernel/operations.ts';
import { listHistoryEvents } from './list-history-events.ts';

export const historyHandlers = {
  listPostHistoryEvents: ({ scope, params, body, query }) => listHistoryEvents(scope, params.postId, body, query),
} satisfies Handlers;
