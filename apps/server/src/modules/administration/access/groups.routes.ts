/** The operation that explains the access by a group. */
import type { Handlers } from '../../../kernel/operations.ts';
import { readGroupAccess } from './group-access.ts';

export const groupAccessHandlers = {
  getGroupAccess: ({ scope, params }) => readGroupAccess(scope, params.groupId),
} satisfies Handlers;
