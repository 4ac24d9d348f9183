/** The audit log: how it is read. Entries are written by transactions (kernel/audit). */
export { auditHandlers } from './audit.routes.ts';
