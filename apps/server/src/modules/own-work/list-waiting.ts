/** Operation listWaiting: tasks, acknowledgements, mentions and steps that wait for the caller. */
import {
  type ListWaitingRequest,
  type ListWaitingResponse,
  NotificationKind,
  RoleId,
  TaskState,
  TaskType,
  type WaitingItem,
  WaitingKind,
} from '@portico/contract';
import {
  communitiesWithRole,
  Parameters,
  postsNamingSql,
  seesCommentsSql,
  visiblePostSql,
} from '../../kernel/access/index.ts';
import { notFound } from '../../kernel/errors.ts';
import { afterKeySql, readPaging, toPage } from '../../kernel/paging/index.ts';
import type { Scope } from '../../kernel/scope.ts';
import { type CommunityDefinition, getDefinitions } from '../communities/index.ts';
import { usersOf } from '../posts/common/index.ts';
import { askedStates, type PostFacts, permittedTransitions } from '../posts/policy/index.ts';
import { joinCommunity, type OwnPostRow, ownPostColumns, presentOwnPost } from './own-posts.ts';

interface WaitingRow extends OwnPostRow {
  kind: WaitingKind;
  /** Of the task, the notification or the post. */
  id: number;
  authorId: number;
  taskTitle: string | null;
  dueAt: number | null;
  commentId: number | null;
  facts: PostFacts | null;
}

type Key = readonly [at: number, kind: number, id: number];

/** The columns of the order, and how many rows of each source the page needs. */
interface Cut {
  after: Key | undefined;
  limit: string;
}

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
    const sources = sourcesOf(scope, definitions, wanted, communityId, parameters, { after: cut.after, limit });
    return {
      parameters,
      empty: sources.length === 0,
      sql: sources.map((source) => `(${source})`).join(' UNION '),
      limit,
    };
  };
  // A post that asks for several reasons is there once: UNION, since its rows are equal.
  const { parameters, sql, limit, empty } = statement({ after: request.after, size: request.size + 1 });
  if (empty) return { items: [], ...(request.withTotal && { totalItemsCount: 0 }) };
  const found = await scope.db.query<WaitingRow>(
    `SELECT * FROM (${sql}) AS found ORDER BY at DESC, kind DESC, id DESC ${limit}`,
    parameters.values,
  );
  const { rows, nextPageToken } = toPage(request, found, (row): Key => [row.at, row.kind, row.id]);
  return {
    items: await present(scope, definitions, rows),
    ...(nextPageToken !== undefined && { nextPageToken }),
    ...(request.withTotal && { totalItemsCount: await countAll(scope, statement({ after: undefined })) }),
  };
}

async function countAll(scope: Scope, { sql, parameters }: { sql: string; parameters: Parameters }): Promise<number> {
  const [row] = await scope.db.query<{ count: number }>(
    `SELECT count(*) AS count FROM (${sql}) AS found`,
    parameters.values,
  );
  return row!.count;
}

/** The columns that sources have beside those of the post; NULL where a source has none. */
function columnsOf({
  authorId,
  taskTitle = 'NULL::text',
  dueAt = 'NULL::timestamptz',
  commentId = 'NULL::bigint',
  facts = 'NULL::jsonb',
}: {
  authorId: string;
  taskTitle?: string;
  dueAt?: string;
  commentId?: string;
  facts?: string;
}): string {
  return `${authorId} AS "authorId", ${taskTitle} AS "taskTitle", ${dueAt} AS "dueAt", ${commentId} AS "commentId",
    ${facts} AS facts`;
}

/** One statement for each kind that is wanted; each is in the order of the list and cut to what a page needs. */
function sourcesOf(
  scope: Scope,
  definitions: ReadonlyMap<number, CommunityDefinition>,
  wanted: ReadonlySet<number>,
  communityId: number | undefined,
  parameters: Parameters,
  { after, limit }: Cut,
): string[] {
  const { actor } = scope;
  const bigints = (ids: readonly number[]) => `${parameters.add(ids)}::bigint[]`;
  const visible = visiblePostSql('p', '$1', actor, parameters);
  const within = communityId === undefined ? [] : [`p.community_id = ${parameters.add(communityId)}::bigint`];
  // Added where a source takes it: PostgreSQL refuses parameters that no source has.
  const principals = () => bigints(actor.principals);
  const source = (at: string, kind: string, id: string, columns: string, from: string, where: string[]) => {
    const order = [at, kind, id].map((sql) => ({ sql, desc: true }));
    const key = after
      ? [
          afterKeySql(order, [
            `${parameters.add(new Date(after[0]))}::timestamptz`,
            `${parameters.add(after[1])}::integer`,
            `${parameters.add(after[2])}::bigint`,
          ]),
        ]
      : [];
    return `SELECT ${kind} AS kind, ${id} AS id, ${at} AS at, ${ownPostColumns}, ${columns}
      FROM ${from} ${joinCommunity}
      WHERE ${['p.tenant_id = $1', visible, ...within, ...where, ...key].join(' AND ')}
      ORDER BY ${at} DESC, ${kind} DESC, ${id} DESC ${limit}`;
  };
  const sources: string[] = [];
  const ofTasks = [WaitingKind.TASK, WaitingKind.ACKNOWLEDGEMENT].filter((kind) => wanted.has(kind));
  if (ofTasks.length > 0) {
    const kind = `(CASE WHEN t.type = ${TaskType.ACKNOWLEDGE} THEN ${WaitingKind.ACKNOWLEDGEMENT} ELSE ${WaitingKind.TASK} END)`;
    sources.push(
      source(
        't.created_at',
        kind,
        't.id',
        columnsOf({ authorId: 't.creator_id', taskTitle: 't.title', dueAt: 't.expires_at' }),
        'tasks t JOIN posts p ON p.tenant_id = $1 AND p.id = t.post_id',
        [
          't.tenant_id = $1',
          't.deleted_at IS NULL',
          `t.state <> ${TaskState.CLOSED}`,
          `t.assignee = ANY (${principals()})`,
          `${kind} = ANY (${parameters.add(ofTasks)}::integer[])`,
        ],
      ),
    );
  }
  if (wanted.has(WaitingKind.MENTION)) {
    const contributes = `p.community_id = ANY (${bigints(communitiesWithRole(actor, RoleId.CONTRIBUTOR))})`;
    sources.push(
      source(
        'n.at',
        `${WaitingKind.MENTION}`,
        'n.id',
        columnsOf({ authorId: 'n.author_id', commentId: 'n.comment_id' }),
        'notifications n JOIN posts p ON p.tenant_id = $1 AND p.id = n.post_id',
        [
          'n.tenant_id = $1',
          `n.user_id = ${parameters.add(actor.userId)}::bigint`,
          `n.kind = ${NotificationKind.MENTION}`,
          'n.done_at IS NULL',
          `(n.comment_id IS NULL OR ${seesCommentsSql('c', contributes)})`,
        ],
      ),
    );
  }
  if (wanted.has(WaitingKind.STEP)) {
    const { byGroup, byRole, byAuthor } = askedStates(actor, definitions.values());
    const states = (ids: readonly number[]) => `p.state_id = ANY (${bigints(ids)})`;
    const step = (from: string, where: string) =>
      source(
        'p.operated_at',
        `${WaitingKind.STEP}`,
        'p.id',
        columnsOf({
          authorId: 'p.creator_id',
          facts: `jsonb_build_object('communityId', p.community_id, 'creatorId', p.creator_id, 'visibility', p.visibility,
            'draft', p.draft, 'deleted', false, 'stateId', p.state_id, 'type', p.type)`,
        }),
        from,
        [where],
      );
    // Apart, so that each begins with the index that finds its posts: by state, by author, by what names the caller.
    const named = () => `(${postsNamingSql('$1', principals())}) g`;
    if (byGroup.length > 0) sources.push(step('posts p', states(byGroup)));
    if (byAuthor.length > 0) {
      sources.push(step('posts p', `p.creator_id = ${parameters.add(actor.userId)}::bigint AND ${states(byAuthor)}`));
    }
    if (byRole.length > 0) {
      sources.push(step(`${named()} JOIN posts p ON p.tenant_id = $1 AND p.id = g.post_id`, states(byRole)));
    }
  }
  return sources;
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
    ...(row.kind === WaitingKind.MENTION && { notificationId: row.id, commentId: row.commentId ?? undefined }),
    ...(row.facts && { transitions: transitionsOf(scope, definitions.get(row.communityId), row.facts) }),
  }));
}

function transitionsOf({ actor }: Scope, definition: CommunityDefinition | undefined, facts: PostFacts) {
  return permittedTransitions(actor, definition?.workflow ?? null, facts).map(({ id, name, screenId }) => ({
    id,
    name,
    screen: screenId !== null,
  }));
}
