/** Failed confirmations of a signed-in person. */
import { ValidationError } from '../../../kernel/errors.ts';
import type { TenantScope } from '../../../kernel/scope.ts';

/**
 * Returns the key under which failures of an account are counted, with a password, a code or a
 * passkey.
 */
export function failuresKey(scope: Pick<TenantScope, 'tenant'>, userId: number): string {
  return `${scope.tenant.id} ${userId}`;
}

/**
 * Rejects a wrong password or code of a signed-in person; the audit log counts it as a failed
 * sign-in of the account.
 */
export function failedConfirmation(userId: number, field: string, message: string): ValidationError {
  return new ValidationError([{ field, code: 'INVALID_VALUE', defaultMessage: message }], userId);
}
