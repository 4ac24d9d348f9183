/** Operation listAcknowledgements: lists the requests of a post, acknowledged and open. */
import type { Acknowledgement, ListAcknowledgementsRequest, ListAcknowledgementsResponse } from '@portico/contract';
import { formatZoned } from '@portico/platform/time';
import { readPaging, type SortKey } from '../../../../kernel/paging/index.ts';
import type { Scope } from '../../../../kernel/scope.ts';
import { usersOf } from '../../../people/index.ts';
import { requirePost } from '../../common/post-row.ts';
import { pageOfRequests } from './acknowledgements.repository.ts';

/** @throws PorticoError NOT_FOUND */
export async function listAcknowledgements(
  scope: Scope,
  postId: number,
  body: ListAcknowledgementsRequest,
): Promise<ListAcknowledgementsResponse> {
  const { acknowledged, overdue } = body;
  const request = readPaging<SortKey>(scope, 'listAcknowledgements', body, { postId, acknowledged, overdue });
  await requirePost(scope.db, scope.actor, postId);
  const now = scope.clock.now();
  const filter = { acknowledged, overdue, now };
  const { rows, ...paging } = await pageOfRequests(scope.db, postId, filter, request);
  const users = await usersOf(
    scope,
    scope.db,
    rows.flatMap(({ userId, creatorId }) => [userId, creatorId]),
  );
  const items = rows.map(
    ({ id, userId, creatorId, createdAt, expiresAt, expiresTimezone, acknowledgedAt }): Acknowledgement => ({
      taskId: id,
      user: users.get(userId),
      requestUser: users.get(creatorId),
      requestTimestamp: createdAt,
      expiration: expiresAt !== null ? formatZoned(expiresAt, expiresTimezone ?? 'UTC') : undefined,
      overdue: acknowledgedAt === null && expiresAt !== null && expiresAt < now,
      acknowledged: acknowledgedAt !== null,
      acknowledgementTimestamp: acknowledgedAt ?? undefined,
    }),
  );
  return { items, ...paging };
}
