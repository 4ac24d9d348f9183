/** Gives the roles and the membership of one person in a workspace to another. */
import type { WriteScope } from '../../../kernel/access/index.ts';
import { PorticoError } from '../../../kernel/errors.ts';
import { requireWorkspaceAdministrator } from './workspaces.policy.ts';
import { addMembers, lockWorkspace, type NewMember, removeMember } from './workspaces.repository.ts';

/**
 * Gives the roles and the membership of one person in a workspace to another, inside a write that
 * raises access. Writes nothing when the person has no roles and no membership.
 * @returns the number of roles and memberships
 * @throws PorticoError FORBIDDEN, NOT_FOUND, WORKSPACE_ARCHIVED
 */
export async function handOverMembership(
  write: WriteScope,
  workspaceId: number,
  { from, to }: { from: number; to: number },
): Promise<number> {
  requireWorkspaceAdministrator(write.actor);
  const { tx } = write;
  const workspace = await lockWorkspace(tx, workspaceId);
  if (workspace.archivedAt !== null) throw new PorticoError('WORKSPACE_ARCHIVED');
  const held = await tx.query<NewMember>(
    `SELECT $3::bigint AS principal, role_id AS "roleId" FROM workspace_members
      WHERE tenant_id = $1 AND workspace_id = $2 AND principal = $4`,
    [tx.tenantId, workspaceId, to, from],
  );
  if (held.length === 0) return 0;
  await addMembers(write, workspaceId, held);
  await removeMember(write, workspaceId, from);
  return held.length;
}
