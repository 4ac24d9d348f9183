/** Reading workspaces. */
import type { GetWorkspaceForEditResponse, Workspace } from '@portico/contract';
import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import type { Context, Scope } from '../../../kernel/scope.ts';
import { loadGroupViews, loadUserViews } from '../../people/index.ts';
import { rolesById } from '../roles/list-roles.ts';
import { requireWorkspaceAdministrator } from './workspaces.policy.ts';
import { presentWorkspace, presentWorkspaceForm } from './workspaces.presenter.ts';
import { listMemberRows, loadWorkspaces, readWorkspace } from './workspaces.repository.ts';

/**
 * Returns the form of a workspace (operation getWorkspaceForEdit). @throws PorticoError FORBIDDEN,
 * NOT_FOUND
 */
export async function readWorkspaceForm(scope: Scope, workspaceId: number): Promise<GetWorkspaceForEditResponse> {
  requireWorkspaceAdministrator(scope.actor);
  return loadWorkspaceForm(scope, scope.db, workspaceId);
}

/**
 * Returns the present form with four statements, or five with roles of the tenant, however many
 * people it has.
 * @throws PorticoError NOT_FOUND
 */
export async function loadWorkspaceForm(
  scope: Context,
  db: TenantExecutor,
  workspaceId: number,
): Promise<GetWorkspaceForEditResponse> {
  const row = await readWorkspace(db, workspaceId);
  const members = await listMemberRows(db, workspaceId);
  const userIds = members.flatMap(({ principal }) => (principal > 0 ? principal : []));
  const groupIds = members.flatMap(({ principal }) => (principal < 0 ? -principal : []));
  return presentWorkspaceForm(row, scope, {
    members,
    users: await loadUserViews(scope, db, [...userIds, row.creatorId, row.modifierId]),
    groups: await loadGroupViews(db, groupIds),
    roles: await rolesById(
      db,
      members.flatMap(({ roleId }) => roleId ?? []),
    ),
  });
}

/**
 * Returns workspaces by id as embedded in other objects (history), in one statement. Unknown ids
 * are missing.
 */
export async function loadWorkspaceViews(scope: Scope, ids: Iterable<number>): Promise<Map<number, Workspace>> {
  const rows = await loadWorkspaces(scope.db, ids);
  return new Map([...rows].map(([id, row]) => [id, presentWorkspace(row, scope)]));
}
