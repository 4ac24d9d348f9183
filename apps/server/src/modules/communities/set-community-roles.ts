/**
 * Sets and deletes roles in a community (docs/decisions/people.md), for generators, imports and
 * operators.
 */

import { type WriteScope, writeTransaction } from '../../kernel/access/index.ts';
import { invalid, notFound } from '../../kernel/errors.ts';
import type { Scope } from '../../kernel/scope.ts';
import { unknownPrincipals } from '../people/index.ts';
import { requireDefinitionRight } from './communities.policy.ts';

/** A role of one principal (a user's id, or a group's id negated); null deletes the role. */
export interface PrincipalRole {
  principal: number;
  /** A built-in role or a role of the tenant. */
  role: number | null;
}

/** Rows per transaction: write transactions change at most 500 rows. */
const BATCH = 400;

/**
 * Sets the same role in a community for all the principals, in place of their present role.
 * @param principals users by id, groups by negated id  @param role null deletes their role
 */
export async function setCommunityRole(
  scope: Scope,
  communityId: number,
  principals: readonly number[],
  role: number | null,
): Promise<void> {
  await setCommunityRoles(
    scope,
    communityId,
    principals.map((principal) => ({ principal, role })),
  );
}

/**
 * Sets the role of each principal in a community, in place of its present role; other principals
 * keep theirs. Roles from membership of the workspace do not change.
 * @throws PorticoError FORBIDDEN, NOT_FOUND for the community; ValidationError for unknown
 * principals
 */
export async function setCommunityRoles(
  scope: Scope,
  communityId: number,
  roles: readonly PrincipalRole[],
): Promise<void> {
  const last = [...new Map(roles.map((role) => [role.principal, role])).values()];
  for (let start = 0; start < last.length; start += BATCH) {
    const batch = last.slice(start, start + BATCH);
    await writeTransaction(scope, 'access', async (write) => {
      requireDefinitionRight(write.actor, [communityId]);
      const found = await write.tx.query('SELECT FROM communities WHERE tenant_id = $1 AND id = $2', [
        write.tx.tenantId,
        communityId,
      ]);
      if (found.length === 0) throw notFound();
      const given = batch.flatMap(({ principal, role }) => (role === null ? [] : principal));
      const unknown = await unknownPrincipals(write, given, await haveRoles(write, communityId, given));
      if (unknown.size > 0)
        throw invalid('principals', 'UNKNOWN_REFERENCE', 'There are no such users or groups.', [...unknown]);
      await writeRoles(write, communityId, batch);
    });
  }
}

/** Returns the principals with a role given in the community itself. */
export async function haveRoles(
  { tx }: WriteScope,
  communityId: number,
  principals: readonly number[],
): Promise<number[]> {
  const rows = await tx.query<{ principal: number }>(
    `SELECT DISTINCT principal FROM community_roles
      WHERE tenant_id = $1 AND community_id = $2 AND principal = ANY ($3::bigint[])`,
    [tx.tenantId, communityId, principals],
  );
  return rows.map(({ principal }) => principal);
}

/**
 * Sets the role of each principal in place of its present role, inside a write that raises access.
 */
export async function writeRoles(
  write: WriteScope,
  communityId: number,
  roles: readonly PrincipalRole[],
): Promise<void> {
  const principals = roles.map(({ principal }) => principal);
  // An unchanged role keeps the account that gave it.
  await write.tx.sendChange(
    'communities',
    [communityId],
    `DELETE FROM community_roles r
      WHERE r.tenant_id = $1 AND r.community_id = $2 AND r.principal = ANY ($3::bigint[])
        AND NOT EXISTS (SELECT FROM unnest($3::bigint[], $4::integer[]) AS n (principal, role_id)
                         WHERE n.principal = r.principal AND n.role_id = r.role_id)`,
    [write.tx.tenantId, communityId, principals, roles.map(({ role }) => role)],
  );
  await write.tx.sendChange(
    'communities',
    [communityId],
    `INSERT INTO community_roles (tenant_id, community_id, principal, role_id, given_by, given_at)
     SELECT a.tenant_id, $2, r.principal, r.role_id, $5, $6
       FROM tenant_versions a, unnest($3::bigint[], $4::integer[]) AS r (principal, role_id)
      WHERE a.tenant_id = $1 AND r.role_id IS NOT NULL
     ON CONFLICT (tenant_id, community_id, principal) DO NOTHING`,
    [
      write.tx.tenantId,
      communityId,
      principals,
      roles.map(({ role }) => role),
      write.actor.userId,
      new Date(write.now),
    ],
  );
}
