import type { Handlers } from '../../../kernel/operations.ts';
import { listEntries } from './list-entries.ts';
import { verifyLog } from './verify-log.ts';

export const auditHandlers = {
  verifyAuditLog: ({ scope, query }) => verifyLog(scope, query),
  listAuditEntries: ({ scope, body }) => listEntries(scope, body ?? {}),
} satisfies Handlers;
