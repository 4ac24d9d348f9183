/** SQL about the notifications of a person about a post. */
import { Following, HistoryType, type NotificationKind } from '@portico/contract';
import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import { communitiesWith, Parameters, seesCommentsSql, visiblePostSql } from '../../../kernel/access/index.ts';
import type { ConcerningEvent } from '../../../kernel/notified-people.ts';
import type { Actor } from '../../../kernel/scope.ts';
import { sqlColumns } from '../../columns.ts';
import { type NotificationRow, PUSH_COLUMNS, PUSH_WANTED } from '../../notifications/index.ts';

const h = sqlColumns('history_events', 'h');
const p = sqlColumns('posts', 'p');
const n = sqlColumns('notifications', 'n');
const m = sqlColumns('notification_mails', 'm');
const g = sqlColumns('following', 'g');
const c = sqlColumns('communities', 'c');

/** Most events of a post that are explained. */
const MOST_EVENTS = 50;

/** Event of a post. */
export interface PostEvent extends ConcerningEvent {
  readonly id: number;
  readonly authorId: number;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly transitionId: number | null;
  /** Its notifications are not written yet. */
  readonly pending: boolean;
}

/** Returns the newest events of a post, the newest first. */
export function readPostEvents(db: TenantExecutor, postId: number): Promise<PostEvent[]> {
  return db.query<PostEvent>(
    `SELECT ${h.id}, ${h.post_id} AS "postId", ${h.type_id} AS "typeId", ${h.at}, ${h.author_id} AS "authorId",
            ${h.target_user_id} AS "targetUserId", ${h.transition_id} AS "transitionId", ${h.comment_id} AS "commentId",
            ${h.task_ids} AS "taskIds", ${h.awaits_notification} AS pending,
            (${h.type_id} = ${HistoryType.POST_CREATED} OR ${h.details}->'changedParts' ? 'announcement')
              AND EXISTS (SELECT FROM posts p WHERE p.tenant_id = $1 AND ${p.id} = $2 AND ${p.announcement}) AS announces
       FROM history_events h WHERE h.tenant_id = $1 AND ${h.post_id} = $2 ORDER BY ${h.id} DESC LIMIT ${MOST_EVENTS}`,
    [db.tenantId, postId],
  );
}

/** Notification of a person about a post. */
export interface WrittenNotification
  extends Pick<
    NotificationRow,
    | ('typeId' | 'overdue' | 'mailState' | 'mailReason' | 'mailAt' | 'at' | 'authorId')
    | ('pushState' | 'pushReason' | 'pushAt' | 'pushWaits')
  > {
  /** The person chose that browsers show it. */
  readonly pushWanted: boolean;
  readonly kind: NotificationKind;
  /** Null for a due task. */
  readonly eventId: number | null;
}

/** Returns notifications of a person about a post, the newest first. */
export function readWrittenNotifications(
  db: TenantExecutor,
  userId: number,
  postId: number,
): Promise<WrittenNotification[]> {
  return db.query<WrittenNotification>(
    `SELECT ${n.kind}, ${n.event_id} AS "eventId", ${n.type_id} AS "typeId", ${n.overdue}, ${n.at}, ${n.author_id} AS "authorId",
            ${n.mail_state} AS "mailState", ${n.mail_reason} AS "mailReason", ${PUSH_COLUMNS},
            ${PUSH_WANTED} AS "pushWanted",
            (SELECT coalesce(${m.finished_at}, ${m.due_at}) FROM notification_mails m
              WHERE m.tenant_id = $1 AND ${m.id} = ${n.mail_id}) AS "mailAt"
       FROM notifications n JOIN posts p ON p.tenant_id = $1 AND ${p.id} = ${n.post_id}
      WHERE n.tenant_id = $1 AND ${n.user_id} = $2 AND ${n.post_id} = $3
      ORDER BY ${n.id} DESC LIMIT ${2 * MOST_EVENTS}`,
    [db.tenantId, userId, postId],
  );
}

/** How a person relates to a post. */
export interface PostRelation {
  /** The person has chosen to be notified of less. */
  readonly muted: boolean;
  readonly visible: boolean;
  readonly seesComments: boolean;
}

/** Returns how a person relates to a post; undefined: there is no such post. */
export async function readPostRelation(
  db: TenantExecutor,
  actor: Actor,
  postId: number,
): Promise<PostRelation | undefined> {
  const parameters = new Parameters([db.tenantId, actor.userId, postId]);
  const visible = visiblePostSql('p', actor, parameters);
  const comments = `${p.community_id} = ANY (${parameters.add(communitiesWith(actor, 'comment'))}::bigint[])`;
  const [row] = await db.query<PostRelation>(
    `SELECT ${visible} AS visible, ${seesCommentsSql('c', comments)} AS "seesComments",
            EXISTS (SELECT FROM following g WHERE g.tenant_id = $1 AND ${g.user_id} = $2
              AND (${g.post_id} = ${p.id} AND ${g.following} <> ${Following.FOLLOWED}
                OR ${g.post_id} IS NULL AND ${g.community_id} = ${p.community_id} AND ${g.following} = ${Following.MUTED})) AS muted
       FROM posts p JOIN communities c ON c.tenant_id = $1 AND ${c.id} = ${p.community_id}
      WHERE p.tenant_id = $1 AND ${p.id} = $3`,
    parameters.values,
  );
  return row;
}
