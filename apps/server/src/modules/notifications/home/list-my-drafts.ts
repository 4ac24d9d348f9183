/** Operation listMyDrafts: drafts and scheduled posts of the caller. */
import type { ListMyDraftsRequest, ListMyDraftsResponse } from '@portico/contract';
import { ownDraftSql } from '../../../kernel/access/index.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { type OwnPostRow, pageOfOwnPosts, presentOwnPost } from './own-posts.ts';

interface DraftRow extends OwnPostRow {
  scheduledAt: number | null;
}

/** @throws PorticoError NOT_FOUND for a community in which the caller has no role */
export async function listMyDrafts(scope: Scope, body: ListMyDraftsRequest): Promise<ListMyDraftsResponse> {
  return pageOfOwnPosts<DraftRow>(scope, body, {
    operation: 'listMyDrafts',
    at: 'p.modified_at',
    select: 'p.scheduled_at AS "scheduledAt"',
    from: 'posts p',
    where: (parameters) => ['p.tenant_id = $1', ownDraftSql('p', scope.actor, parameters)],
    present: async (rows) =>
      rows.map((row) => ({ ...presentOwnPost(row), scheduledTimestamp: row.scheduledAt ?? undefined })),
  });
}
