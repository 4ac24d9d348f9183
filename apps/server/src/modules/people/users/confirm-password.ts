/** Confirmation with the password for changes to one's own sign-in methods. */
import type { FailureLimit } from '../../../kernel/failure-limit.ts';
import type { TenantScope } from '../../../kernel/scope.ts';
import { failedConfirmation, failuresKey } from '../auth/failed-confirmation.ts';
import type { PasswordAccount } from './password-accounts.ts';
import { inHashSlot, verifyPassword } from './passwords.ts';

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
