/**
 * Returns a random key for `Idempotency-Key`. Pages at addresses that are not secure have no
 * `crypto.randomUUID`.
 */
export function idempotencyKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
