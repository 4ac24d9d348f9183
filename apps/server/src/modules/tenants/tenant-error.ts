/** An operator's input that cannot be carried out; the message is one sentence that says why. */
export class TenantError extends Error {
  override name = 'TenantError';
}
