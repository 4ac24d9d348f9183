/** Operation listWaiting: tasks, acknowledgements, mentions and steps that wait for the caller. */
import { type ListWaitingRequest, type ListWaitingResponse, type WaitingItem, WaitingKind } from '@portico/contract';
import { countRows } from '@portico/platform/db/count-rows';
import { Parameters } from '../../../kernel/access/index.ts';
import { notFound } from '../../../kernel/errors.ts';
import { readPaging, toPage } from '../../../kernel/paging/index.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { type CommunityDefinition, getDefinitions, workflowInUse } from '../../communities/index.ts';
import { usersOf } from '../../people/index.ts';
import { type PostFacts, permittedTransitions } from '../../post-parts/index.ts';
import { presentOwnPost } from './own-posts.ts';
import { type Cut, type Key, type WaitingRow, waitingSources } from './waiting-sources.ts';

/** @throws PorticoError NOT_FOUND for a community in which the caller has no role */
export async function listWaiting(scope: Scope, body: ListWaitingRequest): Promise<ListWaitingResponse> {
  const { kinds, communityId } = body;
  if (communityId !== undefined && !scope.actor.roles.has(communityId)) throw notFound();
  const request = readPaging<Key>(scope, 'listWaiting', body, [kinds ?? [], communityId ?? null]);
  const wanted = kinds && kinds.length > 0 ? new Set(kinds) : new Set(Object.values(WaitingKind));
  const communities = communityId === undefined ? [...scope.actor.roles.keys()] : [communityId];
  const definitions = await getDefinitions(scope, communities);
  const statement = (cut: Omit<Cut, 'limit'> & { size?: number }) => {
    const parameters = new Parameters([scope.tenant.id]);
    const limit = cut.size === undefined ? '' : `LIMIT ${parameters.add(cut.size)}`;
    const sources = waitingSources(scope, definitions, wanted, communityId, parameters, { after: cut.after, limit });
    return {
      parameters,
      empty: sources.length === 0,
      sql: sources.map((source) => `(${source})`).join(' UNION '),
      limit,
    };
  };
  // A post that waits for several reasons is listed once: UNION removes the equal rows.
  const { parameters, sql, limit, empty } = statement({ after: request.after, size: request.size + 1 });
  if (empty) return { items: [], totalItemsCount: request.withTotal ? 0 : undefined };
  const found = await scope.db.query<WaitingRow>(
    `SELECT * FROM (${sql}) AS found ORDER BY at DESC, kind DESC, id DESC ${limit}`,
    parameters.values,
  );
  const { rows, nextPageToken } = toPage(request, found, (row): Key => [row.at, row.kind, row.id]);
  return {
    items: await present(scope, definitions, rows),
    nextPageToken,
    totalItemsCount: request.withTotal ? await countAll(scope, statement({ after: undefined })) : undefined,
  };
}

async function countAll(scope: Scope, { sql, parameters }: { sql: string; parameters: Parameters }): Promise<number> {
  return countRows(scope.db, `(${sql}) AS found`, parameters.values);
}

async function present(
  scope: Scope,
  definitions: ReadonlyMap<number, CommunityDefinition>,
  rows: readonly WaitingRow[],
): Promise<WaitingItem[]> {
  const users = await usersOf(
    scope,
    scope.db,
    rows.map((row) => row.authorId),
  );
  return rows.map((row) => ({
    ...presentOwnPost(row),
    kind: row.kind,
    authorUser: users.get(row.authorId),
    ...((row.kind === WaitingKind.TASK || row.kind === WaitingKind.ACKNOWLEDGEMENT) && {
      taskId: row.id,
      taskTitle: row.taskTitle ?? undefined,
      expirationTimestamp: row.dueAt ?? undefined,
    }),
    ...(row.kind === WaitingKind.MENTION && {
      notificationId: row.id,
      commentId: row.commentId ?? undefined,
      excerpt: row.excerpt || undefined,
    }),
    ...(row.facts && { transitions: transitionsOf(scope, definitions.get(row.communityId), row.facts) }),
  }));
}

function transitionsOf({ actor }: Scope, definition: CommunityDefinition | undefined, facts: PostFacts) {
  return permittedTransitions(actor, definition ? workflowInUse(definition) : null, facts).map(
    ({ id, name, screenId }) => ({
      id,
      name,
      screen: screenId !== null,
    }),
  );
}
