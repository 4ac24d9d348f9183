/** Principals (users by id, groups by negated id) and whether they exist. */
import type { TenantTx } from '../../platform/db/tenant-db.ts';

/** Those of the principals whose user or group does not exist or is deleted. */
export async function unknownPrincipals(tx: TenantTx, principals: readonly number[]): Promise<Set<number>> {
  if (principals.length === 0) return new Set();
  const rows = await tx.query<{ principal: number }>(
    `SELECT p.principal FROM unnest($2::bigint[]) AS p (principal)
      WHERE NOT EXISTS (SELECT FROM users WHERE tenant_id = $1 AND id = p.principal AND deleted_at IS NULL)
        AND NOT EXISTS (SELECT FROM groups WHERE tenant_id = $1 AND id = -p.principal AND deleted_at IS NULL)`,
    [tx.tenantId, principals],
  );
  return new Set(rows.map(({ principal }) => principal));
}
