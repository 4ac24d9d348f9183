/** Operation listNotifications: the caller's notifications. */
import {
  type ListNotificationsRequest,
  type ListNotificationsResponse,
  type Notification,
  PushOutcome,
} from '@portico/contract';
import { historyTypeNames } from '../../kernel/history-types.ts';
import { readPaging, type SortKey } from '../../kernel/paging/index.ts';
import type { Scope } from '../../kernel/scope.ts';
import { usersOf } from '../people/index.ts';
import { type NotificationRow, pageOfNotifications } from './notifications.repository.ts';
import { visibleNotifications } from './visible-notifications.ts';

/**
 * Returns a page of the caller's notifications, the newest first. Omits notifications whose post or
 * comment the caller no longer sees.
 */
export async function listNotifications(
  scope: Scope,
  body: ListNotificationsRequest,
): Promise<ListNotificationsResponse> {
  const { pageToken: _token, pageSize: _size, calculateTotalItemsCount: _total, ...filters } = body;
  const request = readPaging<SortKey>(scope, 'listNotifications', body, filters);
  const { parameters, where } = visibleNotifications(scope.tenant.id, scope.actor);
  if (body.kinds && body.kinds.length > 0) where.push(`n.kind = ANY (${parameters.add(body.kinds)}::smallint[])`);
  if (body.communityId !== undefined) where.push(`p.community_id = ${parameters.add(body.communityId)}::bigint`);
  if (body.unread !== undefined) where.push(`n.read_at IS ${body.unread ? 'NULL' : 'NOT NULL'}`);
  if (body.done !== undefined) where.push(`n.done_at IS ${body.done ? 'NOT NULL' : 'NULL'}`);
  const { rows, ...paging } = await pageOfNotifications(scope.db, parameters, where, request);
  return { items: await present(scope, rows), ...paging };
}

/** Returns the name of the event of a notification. */
export function describeType({
  typeId,
  overdue,
}: Pick<NotificationRow, 'typeId' | 'overdue'>): Notification['typeDescription'] {
  if (typeId !== null) return historyTypeNames[typeId];
  return overdue ? 'Task overdue' : 'Task due';
}

async function present(scope: Scope, rows: readonly NotificationRow[]): Promise<Notification[]> {
  const users = await usersOf(
    scope,
    scope.db,
    rows.map((row) => row.authorId),
  );
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    timestamp: row.at,
    authorUser: users.get(row.authorId),
    typeDescription: describeType(row),
    expirationTimestamp: row.dueAt ?? undefined,
    overdue: row.dueAt === null ? undefined : row.overdue === true,
    postId: row.postId,
    postCustomId: String(row.customNo),
    postTitle: row.title ?? undefined,
    communityId: row.communityId,
    communityName: row.communityName,
    commentId: row.commentId ?? undefined,
    excerpt: row.excerpt || undefined,
    taskId: row.taskId ?? undefined,
    taskTitle: row.taskTitle ?? undefined,
    transitionName: row.transition ?? undefined,
    read: row.read,
    done: row.done,
    mail: describeMail(row),
    push: describePush(row),
  }));
}

/** Returns what became of the mail of a notification; undefined where there was none to be sent. */
export function describeMail({
  mailState,
  mailReason,
  mailAt,
}: Pick<NotificationRow, 'mailState' | 'mailReason' | 'mailAt'>): Notification['mail'] {
  if (mailState === 'none' || mailState === 'new') return undefined;
  return { outcome: mailState, reason: mailReason ?? undefined, timestamp: mailAt ?? undefined };
}

/** Returns what became of a notification at the browsers; undefined where none was to show it. */
export function describePush({
  pushState,
  pushReason,
  pushAt,
  pushWaits,
}: Pick<NotificationRow, 'pushState' | 'pushReason' | 'pushAt' | 'pushWaits'>): Notification['push'] {
  // A browser that has it counts, whatever becomes of the others.
  if (pushWaits && pushState !== PushOutcome.SENT) return { outcome: PushOutcome.WAITING };
  if (pushState === null) return undefined;
  return { outcome: pushState, reason: pushReason ?? undefined, timestamp: pushAt ?? undefined };
}
