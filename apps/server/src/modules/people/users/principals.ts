/** Principals (users by id, groups by negated id) and whether they exist. */

import type { TenantTx } from '@portico/platform/db/tenant-db';
import { GIVES_ROLES, knownGroupSql, Parameters } from '../../../kernel/access/index.ts';
import type { Actor } from '../../../kernel/scope.ts';

/**
 * Returns the principals whose user or group does not exist or is deleted, or is a group that the
 * actor does not know. Administrators of the workplace may give roles to groups that are not
 * visible, too.
 * @param kept principals that already have a role: their groups need not be known to the actor
 */
export async function unknownPrincipals(
  { tx, actor }: { tx: TenantTx; actor: Actor },
  principals: readonly number[],
  kept: readonly number[] = [],
): Promise<Set<number>> {
  if (principals.length === 0) return new Set();
  const parameters = new Parameters([tx.tenantId, principals, kept]);
  const known = knownGroupSql('g', actor, parameters, GIVES_ROLES);
  const rows = await tx.query<{ principal: number }>(
    `SELECT p.principal FROM unnest($2::bigint[]) AS p (principal)
      WHERE NOT EXISTS (SELECT FROM users WHERE tenant_id = $1 AND id = p.principal AND deleted_at IS NULL)
        AND NOT EXISTS (SELECT FROM groups g WHERE g.tenant_id = $1 AND g.id = -p.principal AND g.deleted_at IS NULL
                           AND (p.principal = ANY ($3::bigint[]) OR ${known}))`,
    parameters.values,
  );
  return new Set(rows.map(({ principal }) => principal));
}
