/**
 * Confirms a session that began at an identity provider with a second factor, if the tenant
 * requires one.
 */
import type { ConfirmSessionRequest } from '@portico/contract';
import { forbidden, invalid, notFound, PorticoError } from '../../../kernel/errors.ts';
import type { FailureLimit } from '../../../kernel/failure-limit.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { failedConfirmation } from '../auth/failed-confirmation.ts';
import { markConfirmed } from '../auth/sessions.repository.ts';
import { acceptPasskey } from './passkeys.ts';
import { readTotpFactor } from './totp.repository.ts';
import { acceptCode, WRONG_CODE } from './totp.ts';

/**
 * Confirms the session of the request by a code of the authenticator app or by a passkey (operation confirmSession).
 * @throws PorticoError 403 without a session, 404 for a code without an authenticator app; 429
 * @throws ValidationError for a wrong code or passkey, and without either
 */
export async function confirmSession(
  scope: Scope,
  { code, passkey }: ConfirmSessionRequest,
  failures: FailureLimit,
): Promise<void> {
  if (scope.sessionId === undefined) throw forbidden('Only the session of a browser is confirmed by a second factor.');
  if (passkey?.trim()) await mustBePasskey(scope, passkey, failures);
  else if (code?.trim()) await mustBeCode(scope, code, failures);
  else throw invalid('code', 'REQUIRED_FIELD', 'code or passkey is required.');
  await markConfirmed(scope.db, scope.sessionId);
}

async function mustBeCode(scope: Scope, code: string, failures: FailureLimit): Promise<void> {
  const { userId } = scope.actor;
  const factor = await readTotpFactor(scope.db, userId);
  if (!factor || factor.confirmedAt === null) throw notFound();
  if (!(await acceptCode(scope, userId, factor.sealedSecret, code, failures)))
    throw failedConfirmation(userId, 'code', WRONG_CODE);
}

async function mustBePasskey(scope: Scope, passkey: string, failures: FailureLimit): Promise<void> {
  const { userId } = scope.actor;
  try {
    await acceptPasskey(scope, passkey, failures, userId);
  } catch (error) {
    if (!(error instanceof PorticoError) || error.code !== 'INVALID_CREDENTIALS') throw error;
    const message = 'This is no answer of a passkey of yours to options that are still valid.';
    throw failedConfirmation(userId, 'passkey', message);
  }
}
