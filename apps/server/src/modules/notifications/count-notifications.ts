/** Operation countNotifications: unread notifications of the caller. */
import type { CountNotificationsResponse } from '@portico/contract';
import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import type { Actor, Scope } from '../../kernel/scope.ts';
import { countUnread } from './notifications.repository.ts';
import { visibleNotifications } from './visible-notifications.ts';

export async function countNotifications(scope: Scope): Promise<CountNotificationsResponse> {
  return { unread: await unreadOf(scope.db, scope.actor) };
}

/** @param db the database, or the transaction of the write that returns the count */
export function unreadOf(db: TenantExecutor, actor: Actor): Promise<number> {
  const { parameters, where } = visibleNotifications(db.tenantId, actor);
  return countUnread(db, parameters, where);
}
