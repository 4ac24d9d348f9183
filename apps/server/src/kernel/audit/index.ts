/** The audit log, as features and transactions write it. How it is read is in modules/tenants/audit. */
export { auditLedger } from './audit-ledger.ts';
export {
  type AuditValues,
  insertEntries,
  recordSignIn,
  recordTrial,
  removeAuditValues,
  removeEntries,
} from './entries.ts';
export { hashValues } from './hashes.ts';
export { countSignInFailure, moveSignInFailures, signInFailuresDue } from './sign-in-failures.ts';
