/** What the `portico` command needs of the server: operator commands and imports. */

export type { TenantSummary } from './session.ts';
export { OperatorError, OperatorSession, withOperator } from './session.ts';
