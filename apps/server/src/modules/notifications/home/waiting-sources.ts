/** SQL of items that wait for the caller: tasks, acknowledgements, mentions and steps. */

import { NotificationKind, TaskState, TaskType, WaitingKind } from '@portico/contract';
import {
  communitiesWith,
  type Parameters,
  postsNamingSql,
  seesCommentsSql,
  visiblePostSql,
} from '../../../kernel/access/index.ts';
import { afterKeySql } from '../../../kernel/paging/index.ts';
import type { Context } from '../../../kernel/scope.ts';
import { sqlColumns } from '../../columns.ts';
import { type CommunityDefinition, workflowInUse } from '../../communities/index.ts';
import { askedSteps, type OpenStep, type PostFacts, stepsSql } from '../../post-parts/index.ts';
import { excerptSql, mentionsStillSql } from '../notifications.repository.ts';
import { joinCommunity, type OwnPostRow, ownPostColumns } from './own-posts.ts';

const p = sqlColumns('posts', 'p');

/** Row of any source. */
export interface WaitingRow extends OwnPostRow {
  kind: WaitingKind;
  /** Id of the task, the notification or the post. */
  id: number;
  authorId: number;
  taskTitle: string | null;
  dueAt: number | null;
  commentId: number | null;
  excerpt: string | null;
  facts: PostFacts | null;
}

export type Key = readonly [at: number, kind: number, id: number];

/** Restriction of the rows of each source. */
export interface Cut {
  /** Position after which a page begins. */
  after?: Key | undefined;
  /** LIMIT of each source; empty: no limit. */
  limit: string;
  /** Restricts the items, by kind. */
  ids?: ReadonlyMap<number, readonly number[]>;
}

/** Columns of sources in addition to the post's; NULL if a source lacks one. */
function columnsOf({
  authorId,
  taskTitle = 'NULL::text',
  dueAt = 'NULL::timestamptz',
  commentId = 'NULL::bigint',
  excerpt = 'NULL::text',
  facts = 'NULL::jsonb',
}: {
  authorId: string;
  taskTitle?: string;
  dueAt?: string;
  commentId?: string;
  excerpt?: string;
  facts?: string;
}): string {
  return `${authorId} AS "authorId", ${taskTitle} AS "taskTitle", ${dueAt} AS "dueAt", ${commentId} AS "commentId",
    ${excerpt} AS excerpt, ${facts} AS facts`;
}

/**
 * Returns one statement per requested kind, each in the order of the list and limited to the needed
 * rows. Omits items that the caller has marked as done and that have not changed since.
 * @param parameters gets the parameters of the statements, `$1` being the tenant
 */
export function waitingSources(
  scope: Context,
  definitions: ReadonlyMap<number, CommunityDefinition>,
  wanted: ReadonlySet<number>,
  communityId: number | undefined,
  parameters: Parameters,
  { after, limit, ids }: Cut,
): string[] {
  const { actor } = scope;
  const bigints = (ids: readonly number[]) => `${parameters.add(ids)}::bigint[]`;
  // Added only if a source uses them: PostgreSQL rejects parameters without a use.
  const everywhere = once(() => [
    'p.tenant_id = $1',
    visiblePostSql('p', actor, parameters),
    ...(communityId === undefined ? [] : [`p.community_id = ${parameters.add(communityId)}::bigint`]),
  ]);
  const me = once(() => `${parameters.add(actor.userId)}::bigint`);
  const principals = () => bigints(actor.principals);
  const source = (at: string, kind: string, id: string, columns: string, from: string, where: string[]) => {
    const order = [
      { sql: at, desc: true, type: 'timestamptz' },
      { sql: kind, desc: true, type: 'integer' },
      { sql: id, desc: true, type: 'bigint' },
    ] as const;
    const key = afterKeySql(order, after, parameters);
    return `SELECT ${kind} AS kind, ${id} AS id, ${at} AS at, ${ownPostColumns}, ${columns}
      FROM ${from} ${joinCommunity}
      WHERE ${[...everywhere(), ...where, ...key].join(' AND ')}
      ORDER BY ${at} DESC, ${kind} DESC, ${id} DESC ${limit}`;
  };
  const among = (id: string, kinds: readonly number[]) =>
    ids ? [`${id} = ANY (${bigints(kinds.flatMap((kind) => ids.get(kind) ?? []))})`] : [];
  /** @param changed SQL of the time of the item's last change */
  const notDone = (kind: string, id: string, changed: string) =>
    `NOT EXISTS (SELECT FROM waiting_marks d WHERE d.tenant_id = $1 AND d.user_id = ${me()} AND d.kind = ${kind}
       AND d.item_id = ${id} AND d.done_at >= ${changed})`;
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
        `tasks t JOIN posts p ON p.tenant_id = $1 AND ${p.id} = t.post_id`,
        [
          't.tenant_id = $1',
          't.deleted_at IS NULL',
          `t.state <> ${TaskState.CLOSED}`,
          `t.assignee = ANY (${principals()})`,
          `${kind} = ANY (${parameters.add(ofTasks)}::integer[])`,
          notDone(kind, 't.id', 't.modified_at'),
          ...among('t.id', ofTasks),
        ],
      ),
    );
  }
  if (wanted.has(WaitingKind.MENTION)) {
    const comments = `p.community_id = ANY (${bigints(communitiesWith(actor, 'comment'))})`;
    sources.push(
      source(
        'n.at',
        `${WaitingKind.MENTION}`,
        'n.id',
        columnsOf({ authorId: 'n.author_id', commentId: 'n.comment_id', excerpt: excerptSql('p.description_text') }),
        `notifications n JOIN posts p ON p.tenant_id = $1 AND ${p.id} = n.post_id`,
        [
          'n.tenant_id = $1',
          `n.user_id = ${me()}`,
          `n.kind = ${NotificationKind.MENTION}`,
          'n.done_at IS NULL',
          // An edit may have removed the mention, and a deleted comment mentions nobody.
          mentionsStillSql(me()),
          `(n.comment_id IS NULL OR ${seesCommentsSql('c', comments)})`,
          ...among('n.id', [WaitingKind.MENTION]),
        ],
      ),
    );
  }
  if (wanted.has(WaitingKind.STEP)) {
    const { byGroup, byRole, byAuthor, byField } = askedSteps(
      actor,
      [...definitions.values()].map((definition) => ({ id: definition.id, workflow: workflowInUse(definition) })),
    );
    const states = (steps: readonly OpenStep[]) => stepsSql('p', steps, actor, (value) => parameters.add(value));
    const step = (from: string, where: string) =>
      source(
        'p.operated_at',
        `${WaitingKind.STEP}`,
        'p.id',
        columnsOf({
          authorId: 'p.creator_id',
          facts: `jsonb_build_object('communityId', p.community_id, 'creatorId', p.creator_id, 'visibility', p.visibility,
            'draft', p.draft, 'deleted', false, 'stateId', p.state_id, 'type', p.type, 'customData', p.custom_data,
            'screenData', p.screen_data)`,
        }),
        from,
        [where, notDone(`${WaitingKind.STEP}`, 'p.id', 'p.operated_at'), ...among('p.id', [WaitingKind.STEP])],
      );
    // Separate statements, so that each starts with the index that finds its posts: by state, by
    // author, by the fields that name the caller.
    const named = () => `(${postsNamingSql(principals())}) g`;
    if (byGroup.length > 0) sources.push(step('posts p', states(byGroup)));
    if (byField.length > 0) sources.push(step('posts p', states(byField)));
    if (byAuthor.length > 0) {
      sources.push(step('posts p', `p.creator_id = ${me()} AND ${states(byAuthor)}`));
    }
    if (byRole.length > 0) {
      sources.push(step(`${named()} JOIN posts p ON p.tenant_id = $1 AND ${p.id} = g.post_id`, states(byRole)));
    }
  }
  return sources;
}

/** Returns a function that computes its value on the first call. */
function once<T>(work: () => T): () => T {
  let done: { value: T } | undefined;
  return () => {
    done ??= { value: work() };
    return done.value;
  };
}
