/** Roles of a service account, in every community and in single communities. */

import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import type { WriteScope } from '../../kernel/access/index.ts';
import { invalid } from '../../kernel/errors.ts';
import { requireDefinitionRight } from './communities.policy.ts';
import { writeStandingRoles } from './set-standing-role.ts';

export interface AccountRoles {
  /** Role in every community, also in communities created later. */
  role: number | null;
  /** Roles in single communities, in the order of the community ids. */
  communities: { communityId: number; role: number }[];
}

export async function readAccountRoles(db: TenantExecutor, userId: number): Promise<AccountRoles> {
  const [row] = await db.query<AccountRoles>(
    `SELECT (SELECT role_id FROM standing_roles WHERE tenant_id = $1 AND user_id = $2) AS role,
            (SELECT coalesce(jsonb_agg(jsonb_build_object('communityId', community_id, 'role', role_id) ORDER BY community_id), '[]')
               FROM community_roles WHERE tenant_id = $1 AND principal = $2) AS communities`,
    [db.tenantId, userId],
  );
  return row!;
}

/**
 * Replaces the roles of a service account, inside a write that raises access. Writes nothing where
 * the roles are unchanged.
 * @param before its roles as of this transaction
 * @throws PorticoError 403 without manageDigitalWorplace, where the roles change; ValidationError
 * for unknown communities
 */
export async function replaceAccountRoles(
  write: WriteScope,
  userId: number,
  before: AccountRoles,
  after: AccountRoles,
): Promise<void> {
  const { tx, actor, now } = write;
  const text = ({ role, communities }: AccountRoles) =>
    JSON.stringify([role, communities.map((one) => [one.communityId, one.role]).toSorted(([a], [b]) => a! - b!)]);
  if (text(before) === text(after)) return;
  requireDefinitionRight(actor);
  const ids = after.communities.map(({ communityId }) => communityId);
  const known = await tx.query<{ id: number }>(
    'SELECT id FROM communities WHERE tenant_id = $1 AND id = ANY ($2::bigint[])',
    [tx.tenantId, ids],
  );
  const unknown = ids.filter((id) => !known.some((community) => community.id === id));
  if (unknown.length > 0)
    throw invalid('communityRoles', 'UNKNOWN_REFERENCE', 'There are no such communities.', unknown);
  await writeStandingRoles(write, 'users', [{ principal: userId, role: after.role }]);
  const concerned = [...new Set([...before.communities, ...after.communities].map(({ communityId }) => communityId))];
  await tx.sendChange('communities', concerned, 'DELETE FROM community_roles WHERE tenant_id = $1 AND principal = $2', [
    tx.tenantId,
    userId,
  ]);
  await tx.sendChange(
    'communities',
    concerned,
    `INSERT INTO community_roles (tenant_id, community_id, principal, role_id, given_by, given_at)
     SELECT v.tenant_id, r.community_id, $2, r.role_id, $5, $6
       FROM tenant_versions v, unnest($3::bigint[], $4::integer[]) AS r (community_id, role_id) WHERE v.tenant_id = $1`,
    [tx.tenantId, userId, ids, after.communities.map(({ role }) => role), actor.userId, new Date(now)],
  );
}
