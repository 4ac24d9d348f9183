/** Giving a service account a role in every community, also in those made later, for operators. */
import { writeTransaction } from '../../kernel/access/index.ts';
import { invalid } from '../../kernel/errors.ts';
import type { CommunityRole, Scope } from '../../kernel/scope.ts';
import { insertStandingRole } from './account-roles.ts';
import { requireDefinitionRight } from './communities.policy.ts';

/**
 * Gives a service account one role in every community of the tenant, also in those made later, in place of the one it had.
 * Roles that it has in single communities stay; the stronger one counts.
 * @param role null takes the role away
 * @throws PorticoError FORBIDDEN; ValidationError unless the user is a service account that is not deleted
 */
export async function setStandingRole(scope: Scope, userId: number, role: CommunityRole | null): Promise<void> {
  await writeTransaction(scope, 'access', async (write) => {
    requireDefinitionRight(write.actor);
    const found = await write.tx.query(
      'SELECT FROM users WHERE tenant_id = $1 AND id = $2 AND service_account AND deleted_at IS NULL',
      [write.tx.tenantId, userId],
    );
    if (found.length === 0) throw invalid('userId', 'UNKNOWN_REFERENCE', 'There is no such service account.', [userId]);
    await write.tx.willWrite('users', [userId]);
    await write.tx.execute('DELETE FROM standing_roles WHERE tenant_id = $1 AND user_id = $2', [
      write.tx.tenantId,
      userId,
    ]);
    if (role !== null) await insertStandingRole(write, userId, role);
  });
}
