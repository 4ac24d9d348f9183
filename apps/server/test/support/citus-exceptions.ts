/** Statements that may leave the node of a tenant on Citus. */

export interface StatementException {
  /** A part of the text that only it has; white space counts as one blank. */
  statement: string;
  /** Why it may. */
  reason: string;
}

export const EXCEPTIONS: readonly StatementException[] = [];
