/** Archiving workspaces with their communities, and restoring them (operation archiveWorkspace). */

import type { ArchiveWorkspaceRequest, ArchiveWorkspaceResponse } from '@portico/contract';
import { writeTransaction } from '../../../kernel/access/index.ts';
import { requireFields } from '../../../kernel/missing-fields.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { requireWorkspaceAdministrator } from './workspaces.policy.ts';
import { lockWorkspace } from './workspaces.repository.ts';

/**
 * Archives a workspace, or restores it. A workspace already in that state stays as it is. Its
 * communities read the time from the workspace: the version of the definitions is raised, so that
 * they are read again.
 * @throws PorticoError FORBIDDEN without the right manageDigitalWorplace, NOT_FOUND;
 *   ValidationError
 */
export async function archiveWorkspace(
  scope: Scope,
  workspaceId: number,
  { archived }: ArchiveWorkspaceRequest,
): Promise<ArchiveWorkspaceResponse> {
  requireFields(scope);
  return writeTransaction(scope, 'definitions', async ({ tx, actor, now }) => {
    requireWorkspaceAdministrator(actor);
    const before = await lockWorkspace(tx, workspaceId);
    const since = archived ? (before.archivedAt ?? now) : null;
    const same = since === before.archivedAt;
    if (!same) {
      await tx.sendChange(
        'workspaces',
        [workspaceId],
        `UPDATE workspaces SET archived_at = $3, version = version + 1, modifier_id = $4, modified_at = $5
          WHERE tenant_id = $1 AND id = $2`,
        [tx.tenantId, workspaceId, since === null ? null : new Date(since), actor.userId, new Date(now)],
      );
    }
    return {
      workspaceId,
      archivedTimestamp: since ?? undefined,
      nextOccToken: before.version + (same ? 0 : 1),
    };
  });
}
