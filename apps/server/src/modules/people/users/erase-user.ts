/**
 * Erasure of a person: their content stays readable, and all data that identifies them is removed.
 */
import type { UserErasureResponse } from '@portico/contract';
import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import {
  keepingHolders,
  mustHoldRightsOfUser,
  type WriteScope,
  writeTransaction,
} from '../../../kernel/access/index.ts';
import { removeAuditValues } from '../../../kernel/audit/index.ts';
import { forbidden, notFound } from '../../../kernel/errors.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { sqlColumns } from '../../columns.ts';
import { removeMailsTo } from '../mails/outgoing-mails.repository.ts';
import { leaveGroups } from './delete-user.ts';
import { countLeftBehind } from './left-behind.ts';
import { mustManageUsers, mustNotBeSystem } from './people.policy.ts';
import { eraseProfile, readUser, type UserRow } from './users.repository.ts';

const c = sqlColumns('communities', 'c');

/**
 * Returns a user to erase, deleted or not.
 * @throws PorticoError 404 (unknown or erased), 403 for the system account
 */
async function userToErase(db: TenantExecutor, userId: number): Promise<UserRow> {
  const user = await readUser(db, userId);
  if (!user || user.erasedAt !== null) throw notFound();
  mustNotBeSystem(user);
  return user;
}

/**
 * Counts what the erasure of a user keeps and removes (operation getUserErasure).
 * @throws PorticoError 403 (no manageUsers, system account), 404 (unknown or erased)
 */
export async function getUserErasure(scope: Scope, userId: number): Promise<UserErasureResponse> {
  mustManageUsers(scope.actor);
  await userToErase(scope.db, userId);
  return countErasure(scope.db, userId);
}

/**
 * Erases a user (operation eraseUser): deletes them, empties their profile, credentials and photo,
 * and removes mails to them. A job removes the records of their reading and following.
 * @returns the kept and removed data
 * @throws PorticoError 403 (no manageUsers, oneself, system account, a holder of a right that the
 * caller lacks, the last person with a right), 404
 */
export async function eraseUser(scope: Scope, userId: number): Promise<UserErasureResponse> {
  mustManageUsers(scope.actor);
  return writeTransaction(scope, 'access', (write) => eraseUserWithin(write, userId));
}

/** Erases a user inside a write that raises access; see {@link eraseUser}. */
export async function eraseUserWithin(write: WriteScope, userId: number): Promise<UserErasureResponse> {
  mustManageUsers(write.actor);
  const user = await userToErase(write.tx, userId);
  if (userId === write.actor.userId) throw forbidden('You cannot erase yourself; ask another user administrator.');
  await mustHoldRightsOfUser(write, userId);
  // Holds the row: a link that is just being sent is finished first, and its mail removed with the others.
  await write.tx.beginChange('users', [userId]);
  const counts = await countErasure(write.tx, userId);
  await removeAuditValues(write.tx, userId);
  await removeMailsTo(
    write.tx,
    userId,
    [user.contactEmail, user.privateEmail].filter((address) => address !== null),
  );
  await keepingHolders(write, async () => {
    await leaveGroups(write, userId);
    await eraseProfile({ tx: write.tx, now: write.now, by: write.actor.userId }, userId);
  });
  return counts;
}

/** Counts by indexes that begin with the user, or with a community and the user. */
async function countErasure(db: TenantExecutor, userId: number): Promise<UserErasureResponse> {
  const inCommunities = (table: string, condition: string) =>
    `(SELECT count(*) FROM communities c JOIN ${table} t ON t.tenant_id = c.tenant_id AND t.community_id = ${c.id}
       WHERE c.tenant_id = $1 AND t.tenant_id = $1 AND t.creator_id = $2 AND ${condition})`;
  const [row] = await db.query<
    Record<'posts' | 'attachments' | 'commented' | 'groups' | 'viewed' | 'followed', number>
  >(
    `SELECT ${inCommunities('posts', 't.live')} AS posts,
            ${inCommunities('attachments', 't.deleted_at IS NULL')} AS attachments,
            (SELECT count(*) FROM post_user_state WHERE tenant_id = $1 AND user_id = $2 AND commented_at IS NOT NULL) AS commented,
            (SELECT count(*) FROM post_user_state WHERE tenant_id = $1 AND user_id = $2 AND viewed_at IS NOT NULL) AS viewed,
            (SELECT count(*) FROM post_user_state WHERE tenant_id = $1 AND user_id = $2 AND follows) AS followed,
            (SELECT count(*) FROM group_members WHERE tenant_id = $1 AND user_id = $2) AS groups`,
    [db.tenantId, userId],
  );
  const { posts, attachments, commented, groups, viewed, followed } = row!;
  const { openTasks, fieldPosts, roles } = await countLeftBehind(db, userId);
  return {
    userId,
    kept: { posts, attachments, commentedPosts: commented, openTasks, fieldPosts },
    removed: { groups, viewedPosts: viewed, followedPosts: followed, roles },
  };
}
