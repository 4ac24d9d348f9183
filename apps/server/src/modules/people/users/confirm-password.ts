/** Confirmation with the password for changes to one's own sign-in methods. */
import { ValidationError } from '../../../kernel/errors.ts';
import type { FailureLimit } from '../../../kernel/failure-limit.ts';
import type { TenantScope } from '../../../kernel/scope.ts';
import type { PasswordAccount } from './password-accounts.ts';
import { inHashSlot, verifyPassword } from './passwords.ts';

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

/** @throws ValidationError for a wrong password  @throws PorticoError RATE_LIMITED (429) after too many failures; UNAVAILABLE (503) */
export async function mustBePassword(
  scope: TenantScope,
  account: PasswordAccount,
  password: string,
  failures: FailureLimit,
): Promise<void> {
  const counted = failuresKey(scope, account.userId);
  await inHashSlot(scope.db.caller.origin?.address, async () => {
    await failures.check(counted, scope.clock.now());
    if (await verifyPassword(password, account.passwordHash)) return;
    await failures.note(counted, scope.clock.now());
    throw failedConfirmation(account.userId, 'password', 'The password is wrong.');
  });
}
