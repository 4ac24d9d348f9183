/** Operations on the work that waits for the caller. */
import type { Handlers } from '../../../kernel/operations.ts';
import { listWaiting } from './list-waiting.ts';
import { countWaiting, markWaiting } from './mark-waiting.ts';

export const inboxHandlers = {
  listWaiting: ({ scope, body }) => listWaiting(scope, body),
  countWaiting: ({ scope }) => countWaiting(scope),
  markWaiting: ({ scope, body }) => markWaiting(scope, body ?? {}),
} satisfies Handlers;
