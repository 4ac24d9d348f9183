/** The operation that explains the access of a person. */
import type { Handlers } from '../../../kernel/operations.ts';
import { readUserAccess } from './user-access.ts';

export const userAccessHandlers = {
  getUserAccess: ({ scope, params }) => readUserAccess(scope, params.userId),
} satisfies Handlers;
