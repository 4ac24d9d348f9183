/** Rejected input of an operator; the message is one sentence that gives the reason. */
export class TenantError extends Error {
  override name = 'TenantError';
}
