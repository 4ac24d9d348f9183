/**
 * Sets the role of a service account in every community, also in communities created later, for
 * operators.
 */
import { type WriteScope, writeTransaction } from '../../kernel/access/index.ts';
import { invalid } from '../../kernel/errors.ts';
import type { CommunityRole, Scope } from '../../kernel/scope.ts';
import { sqlColumns } from '../columns.ts';
import { requireDefinitionRight } from './communities.policy.ts';
import type { PrincipalRole } from './set-community-roles.ts';

const usersColumns = sqlColumns('users');

/**
 * Sets the role of a service account in every community of the tenant, also in communities created
 * later, in place of its present one. Its roles in single communities stay; the stronger role
 * counts.
 * @param role null deletes the role
 * @throws PorticoError FORBIDDEN; ValidationError unless the user is a service account that is not
 * deleted
 */
export async function setStandingRole(scope: Scope, userId: number, role: CommunityRole | null): Promise<void> {
  await writeTransaction(scope, 'access', async (write) => {
    requireDefinitionRight(write.actor);
    const found = await write.tx.query(
      `SELECT FROM users WHERE tenant_id = $1 AND ${usersColumns.id} = $2 AND ${usersColumns.service_account} AND ${usersColumns.deleted_at} IS NULL`,
      [write.tx.tenantId, userId],
    );
    if (found.length === 0) throw invalid('userId', 'UNKNOWN_REFERENCE', 'There is no such service account.', [userId]);
    await writeStandingRoles(write, 'users', [{ principal: userId, role }]);
  });
}

/**
 * Statements of {@link writeStandingRoles}: `$2` ids, `$3` roles, null deletes. @param id column of
 * the user or the group
 */
const statementsOf = (id: string, deleteFrom: string, insertInto: string) => ({
  remove: `${deleteFrom} r
            WHERE r.tenant_id = $1 AND r.${id} = ANY ($2::bigint[])
              AND NOT EXISTS (SELECT FROM unnest($2::bigint[], $3::integer[]) AS n (id, role_id)
                               WHERE n.id = r.${id} AND n.role_id = r.role_id)`,
  give: `${insertInto} (tenant_id, ${id}, role_id, given_by, given_at)
         SELECT v.tenant_id, n.id, n.role_id, $4, $5
           FROM tenant_versions v, unnest($2::bigint[], $3::integer[]) AS n (id, role_id)
          WHERE v.tenant_id = $1 AND n.role_id IS NOT NULL
         ON CONFLICT (tenant_id, ${id}) DO NOTHING`,
});

const statements = {
  users: statementsOf('user_id', 'DELETE FROM standing_roles', 'INSERT INTO standing_roles'),
  groups: statementsOf('group_id', 'DELETE FROM group_standing_roles', 'INSERT INTO group_standing_roles'),
};

/**
 * Sets the role in every community of each user, or each group, among the principals, in place of
 * the present role, inside a write that raises access. An unchanged role keeps the account that
 * gave it.
 */
export async function writeStandingRoles(
  { tx, actor, now }: WriteScope,
  kind: 'users' | 'groups',
  roles: readonly PrincipalRole[],
): Promise<void> {
  const mine = roles.filter(({ principal }) => principal > 0 === (kind === 'users'));
  if (mine.length === 0) return;
  const ids = mine.map(({ principal }) => Math.abs(principal));
  const roleIds = mine.map(({ role }) => role);
  await tx.sendChange(kind, ids, statements[kind].remove, [tx.tenantId, ids, roleIds]);
  await tx.sendChange(kind, ids, statements[kind].give, [tx.tenantId, ids, roleIds, actor.userId, new Date(now)]);
}
