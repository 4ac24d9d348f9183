/** Lists the hashtags of a community (operation listHashtags). */
import type { AdminListHashtagsRequest, AdminListHashtagsResponse } from '@portico/contract';
import { notFound } from '../../kernel/errors.ts';
import { readPaging, type SortKey } from '../../kernel/paging/index.ts';
import type { Scope } from '../../kernel/scope.ts';
import { seesCommunity } from './communities.policy.ts';
import { listHashtagRows } from './communities.repository.ts';

/**
 * Returns a page of hashtags; deleted ones only on request. Allowed for every user who sees the
 * community (docs/decisions/people.md).
 * @throws PorticoError NOT_FOUND when the community is unknown or not visible, alike;
 * ValidationError
 */
export async function listHashtags(
  scope: Scope,
  communityId: number,
  request: AdminListHashtagsRequest,
): Promise<AdminListHashtagsResponse> {
  if (!seesCommunity(scope.actor, communityId)) throw notFound();
  const order = {
    by: request.orderBy === 'externalId' ? 'externalId' : 'name',
    desc: request.orderDesc ?? true,
  } as const;
  const filter = { name: request.name, includeDeleted: request.includeDeleted ?? false };
  const page = readPaging<SortKey>(scope, 'listHashtags', request, { communityId, order, filter });
  const { rows, ...paging } = await listHashtagRows(scope.db, communityId, filter, order, page);
  return {
    items: rows.map((row) => ({
      id: row.id,
      name: row.name,
      communityId: row.communityId,
      externalId: row.externalId ?? undefined,
      deleted: row.deleted,
    })),
    ...paging,
  };
}
