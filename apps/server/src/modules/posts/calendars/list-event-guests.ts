/** Lists invitations and answers of an event (operation listEventGuests). */
import { type ListEventGuestsRequest, type ListEventGuestsResponse, PostType } from '@portico/contract';
import { hasPermission } from '../../../kernel/access/index.ts';
import { notFound } from '../../../kernel/errors.ts';
import { readPaging, toPage } from '../../../kernel/paging/index.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { peopleBehind, requirePost } from '../../post-parts/index.ts';
import { countGuests, invitedGroups, pageOfGuests } from './calendars.repository.ts';

/**
 * Returns people who are invited themselves or have answered, by id. Members of invited groups are
 * not listed before they answer. The notes of a person are shown to that person, the author of the
 * event and managers of the community.
 * @throws PorticoError NOT_FOUND (unknown, not visible, not an event)
 */
export async function listEventGuests(
  scope: Scope,
  postId: number,
  body: ListEventGuestsRequest,
): Promise<ListEventGuestsResponse> {
  const { answers } = body;
  const request = readPaging<[number]>(scope, 'listEventGuests', body, { postId, answers });
  const post = await requirePost(scope.db, scope.actor, postId);
  if (post.type !== PostType.EVENT) throw notFound();
  const wanted = answers && answers.length > 0 ? answers : undefined;
  const found = await pageOfGuests(scope.db, postId, wanted, request.after?.[0] ?? 0, request.size + 1);
  const { rows, nextPageToken } = toPage(request, found, (row): [number] => [row.userId]);
  const counts = await countGuests(scope.db, postId);
  const groupIds = await invitedGroups(scope.db, postId);
  const { users, groups } = await peopleBehind(scope, scope.db, [
    ...rows.map(({ userId }) => userId),
    ...groupIds.map((id) => -id),
  ]);
  const { userId: me } = scope.actor;
  const readsNotes = post.creatorId === me || hasPermission(scope.actor, post.communityId, 'editPosts');
  const all = [counts.unanswered, counts.yes, counts.maybe, counts.no];
  return {
    items: rows.map(({ userId, invitation, answer, notes, answeredAt }) => ({
      user: users.get(userId),
      typeId: invitation ?? undefined,
      answer: answer ?? 0,
      notes: notes !== null && (readsNotes || userId === me) ? notes : undefined,
      timestamp: answeredAt ?? undefined,
    })),
    nextPageToken,
    totalItemsCount: request.withTotal
      ? (wanted ?? [0, 1, 2, 3]).reduce<number>((sum, one) => sum + (all[one] ?? 0), 0)
      : undefined,
    counts,
    invitedGroups: groupIds.flatMap((id) => groups.get(id) ?? []),
  };
}
