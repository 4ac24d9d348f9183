import type { Handlers } from '../../../kernel/operations.ts';
import { listEntries } from './list-entries.ts';

export const auditHandlers = {
  listAuditEntries: ({ scope, body }) => listEntries(scope, body ?? {}),
} satisfies Handlers;
