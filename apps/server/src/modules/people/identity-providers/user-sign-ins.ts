/** Sessions of a user and the ways by which they sign in, for administrators. */
import type { ListUserSignInsResponse } from '@portico/contract';
import { writeTransaction } from '../../../kernel/access/index.ts';
import { notFound } from '../../../kernel/errors.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { listPersonalTokens } from '../auth/personal-tokens.ts';
import { deleteSessions } from '../auth/sessions.repository.ts';
import { listSessions } from '../auth/sessions.ts';
import { administeredUser, userOfForm } from '../users/open-user.ts';
import { listPasskeys } from '../users/passkeys.ts';
import { getTotp } from '../users/totp.ts';
import { linkedIdentities } from './identities.ts';

/** Operation listUserSignIns. @throws PorticoError 403 without manageUsers, 404 */
export async function listUserSignIns(scope: Scope, userId: number): Promise<ListUserSignInsResponse> {
  const { hasPassword, customActive } = await userOfForm(scope, userId);
  const { active, recoveryCodesLeft } = await getTotp(scope, userId);
  return {
    ...(await listSessions(scope, userId)),
    password: hasPassword && customActive,
    authenticatorApp: active,
    recoveryCodesLeft,
    ...(await listPasskeys(scope, userId)),
    identities: await linkedIdentities(scope.db, userId),
    ...(await listPersonalTokens(scope, userId)),
  };
}

/**
 * Ends a session of a user (operation revokeUserSession); the others stay.
 * @throws PorticoError 403 without manageUsers or a right that the user holds, and for system
 * accounts; 404 for a user or session that does not exist, and for a session of somebody else
 */
export async function revokeUserSession(scope: Scope, userId: number, sessionId: number): Promise<void> {
  await writeTransaction(scope, 'access', async (write) => {
    await administeredUser(write, userId);
    if ((await deleteSessions(write.tx, userId, { only: sessionId })) === 0) throw notFound();
  });
}
