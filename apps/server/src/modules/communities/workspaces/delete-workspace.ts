/** Deleting a workspace (operation deleteWorkspace). */
import { writeTransaction } from '../../../kernel/access/index.ts';
import { PorticoError } from '../../../kernel/errors.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { requireWorkspaceAdministrator } from './workspaces.policy.ts';
import { readWorkspace } from './workspaces.repository.ts';

/**
 * Deletes a workspace without communities, with its members and roles.
 * @throws PorticoError FORBIDDEN without the right manageDigitalWorplace; NOT_FOUND; CONFLICT while
 *   it has communities
 */
export async function deleteWorkspace(scope: Scope, workspaceId: number): Promise<void> {
  await writeTransaction(scope, 'both', async ({ tx, actor }) => {
    requireWorkspaceAdministrator(actor);
    await readWorkspace(tx, workspaceId);
    const gone = await tx.change(
      'workspaces',
      [workspaceId],
      `DELETE FROM workspaces WHERE tenant_id = $1 AND id = $2
          AND NOT EXISTS (SELECT FROM communities c WHERE c.tenant_id = $1 AND c.workspace_id = $2)`,
      [tx.tenantId, workspaceId],
    );
    if (gone === 0) {
      throw new PorticoError('CONFLICT', { message: 'The workspace holds communities; delete or move them first.' });
    }
  });
}
