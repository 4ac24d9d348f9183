/** Listing workspaces (operation listWorkspaces). */
import type { ListWorkspacesRequest, ListWorkspacesResponse } from '@portico/contract';
import { likePattern } from '@portico/platform/text';
import { Parameters } from '../../../kernel/access/index.ts';
import { readPage, readPaging, type SortKey } from '../../../kernel/paging/index.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { requireWorkspaceAdministrator } from './workspaces.policy.ts';

interface ListedWorkspace {
  id: number;
  name: string;
  externalId: string | null;
  version: number;
  archivedAt: number | null;
  communities: number;
}

/**
 * Returns the workspaces of the tenant by name, archived ones on request.
 * @throws PorticoError FORBIDDEN without the right manageDigitalWorplace; ValidationError
 */
export async function listWorkspaces(scope: Scope, input: ListWorkspacesRequest): Promise<ListWorkspacesResponse> {
  requireWorkspaceAdministrator(scope.actor);
  const page = readPaging<SortKey>(scope, 'listWorkspaces', input, [input.nameFilter, input.archivedToo]);
  const parameters = new Parameters([scope.db.tenantId]);
  const where = ['w.tenant_id = $1'];
  const name = input.nameFilter?.trim() ?? '';
  if (!input.archivedToo) where.push('w.archived_at IS NULL');
  if (name !== '') where.push(`w.name ILIKE ${parameters.add(likePattern(name))}`);
  const { rows, ...paging } = await readPage<ListedWorkspace>(
    scope.db,
    page,
    {
      select: `w.id, w.name, w.external_id AS "externalId", w.version, w.archived_at AS "archivedAt",
            (SELECT count(*) FROM communities c WHERE c.tenant_id = $1 AND c.workspace_id = w.id) AS communities`,
      from: 'workspaces w',
      where,
      order: [
        { sql: 'lower(w.name) COLLATE "C"', desc: false, type: 'text' },
        { sql: 'w.id', desc: false, type: 'bigint' },
      ],
    },
    parameters,
  );
  return {
    items: rows.map(({ id, name: title, externalId, version, archivedAt, communities }) => ({
      workspaceId: id,
      name: title,
      externalId: externalId ?? undefined,
      communitiesCount: communities,
      archivedTimestamp: archivedAt ?? undefined,
      occToken: version,
    })),
    ...paging,
  };
}
