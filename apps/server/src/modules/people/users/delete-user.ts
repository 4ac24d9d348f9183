import { keepingHolders, type WriteScope, writeTransaction } from '../../../kernel/access/index.ts';
import { forbidden } from '../../../kernel/errors.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { administeredUser } from './open-user.ts';
import { mustManageUsers } from './people.policy.ts';

/**
 * Deletes a user (operation deleteUser): their access ends with the next request, they leave their
 * groups (whose tokens change), and their content stays under their name. Addresses, account ids
 * and external ids become free.
 * @throws PorticoError 403 (also for system accounts, oneself, holders of a right that the caller
 * lacks, and the last person with a right), 404 (unknown or already deleted)
 */
export async function deleteUser(scope: Scope, userId: number): Promise<void> {
  mustManageUsers(scope.actor);
  await writeTransaction(scope, 'access', (write) => deleteUserWithin(write, userId));
}

/** Deletes a user inside a write that raises access; see {@link deleteUser}. */
export async function deleteUserWithin(write: WriteScope, userId: number): Promise<void> {
  await administeredUser(write, userId);
  if (userId === write.actor.userId) throw forbidden('You cannot delete yourself; ask another user administrator.');
  await keepingHolders(write, () => markDeleted(write, userId));
}

async function markDeleted(write: WriteScope, userId: number): Promise<void> {
  await write.tx.sendChange(
    'users',
    [userId],
    `UPDATE users SET deleted_at = $3, modified_at = $3, modified_by = $4, version = version + 1,
              credentials_version = credentials_version + 1
        WHERE tenant_id = $1 AND id = $2`,
    [write.tx.tenantId, userId, new Date(write.now), write.actor.userId],
  );
  await leaveGroups(write, userId);
}

/** Removes a user from all groups, which raises the tokens of these. */
export async function leaveGroups(write: WriteScope, userId: number): Promise<void> {
  const memberships = await write.tx.query<{ groupId: number }>(
    `SELECT group_id AS "groupId" FROM group_members WHERE tenant_id = $1 AND user_id = $2`,
    [write.tx.tenantId, userId],
  );
  const groupIds = memberships.map((row) => row.groupId);
  await write.tx.sendChange('groups', groupIds, `DELETE FROM group_members WHERE tenant_id = $1 AND user_id = $2`, [
    write.tx.tenantId,
    userId,
  ]);
  await write.tx.sendChange(
    'groups',
    groupIds,
    `UPDATE groups SET members_count = members_count - 1, version = version + 1, modified_at = $3, modified_by = $4
      WHERE tenant_id = $1 AND id = ANY ($2::bigint[])`,
    [write.tx.tenantId, groupIds, new Date(write.now), write.actor.userId],
  );
}
