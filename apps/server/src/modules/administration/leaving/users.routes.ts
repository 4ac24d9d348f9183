/** The operations of leaving. */
import type { Handlers } from '../../../kernel/operations.ts';
import { leaveUser } from './leave-user.ts';
import { previewLeaving } from './preview-leaving.ts';

export const leavingHandlers = {
  getUserLeaving: ({ scope, params }) => previewLeaving(scope, params.userId),
  leaveUser: ({ scope, params, body }) => leaveUser(scope, params.userId, body ?? {}),
} satisfies Handlers;
