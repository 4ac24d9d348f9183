/** Listing workspaces (operation listWorkspaces). */
import type { ListWorkspacesRequest, ListWorkspacesResponse } from '@portico/contract';
import { Parameters } from '../../kernel/access/index.ts';
import { readPaging, toPage } from '../../kernel/paging/index.ts';
import type { Scope } from '../../kernel/scope.ts';
import { likePattern } from '../../platform/text/index.ts';
import { requireWorkspaceAdministrator } from './workspaces.policy.ts';

interface ListedWorkspace {
  id: number;
  name: string;
  nameKey: string;
  externalId: string | null;
  version: number;
  archivedAt: number | null;
  communities: number;
}

/**
 * The workspaces of the tenant by name, those that are archived where they are asked for.
 * @throws PorticoError FORBIDDEN without the right manageDigitalWorplace; ValidationError
 */
export async function listWorkspaces(scope: Scope, input: ListWorkspacesRequest): Promise<ListWorkspacesResponse> {
  requireWorkspaceAdministrator(scope.actor);
  const page = readPaging<[string, number]>(scope, 'listWorkspaces', input, [input.nameFilter, input.archivedToo]);
  const parameters = new Parameters([scope.db.tenantId]);
  const where = ['w.tenant_id = $1'];
  const name = input.nameFilter?.trim() ?? '';
  if (!input.archivedToo) where.push('w.archived_at IS NULL');
  if (name !== '') where.push(`w.name ILIKE ${parameters.add(likePattern(name))}`);
  const [counted] = page.withTotal
    ? await scope.db.query<{ count: number }>(
        `SELECT count(*) AS count FROM workspaces w WHERE ${where.join(' AND ')}`,
        parameters.values,
      )
    : [];
  if (page.after) {
    const [key, id] = page.after;
    where.push(`(lower(w.name) COLLATE "C", w.id) > (${parameters.add(key)}, ${parameters.add(id)}::bigint)`);
  }
  const rows = await scope.db.query<ListedWorkspace>(
    `SELECT w.id, w.name, lower(w.name) AS "nameKey", w.external_id AS "externalId", w.version, w.archived_at AS "archivedAt",
            (SELECT count(*) FROM communities c WHERE c.tenant_id = $1 AND c.workspace_id = w.id) AS communities
       FROM workspaces w WHERE ${where.join(' AND ')}
      ORDER BY lower(w.name) COLLATE "C", w.id LIMIT ${parameters.add(page.size + 1)}`,
    parameters.values,
  );
  const shown = toPage(page, rows, (row): [string, number] => [row.nameKey, row.id]);
  return {
    items: shown.rows.map(({ id, name: title, externalId, version, archivedAt, communities }) => ({
      workspaceId: id,
      name: title,
      ...(externalId !== null && { externalId }),
      communitiesCount: communities,
      ...(archivedAt !== null && { archivedTimestamp: archivedAt }),
      occToken: version,
    })),
    ...(shown.nextPageToken !== undefined && { nextPageToken: shown.nextPageToken }),
    ...(counted && { totalItemsCount: counted.count }),
  };
}
