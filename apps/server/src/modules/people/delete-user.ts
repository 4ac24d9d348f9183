import { mustHoldRightsOfUser, write } from '../../kernel/access/index.ts';
import { notFound } from '../../kernel/errors.ts';
import type { Scope } from '../../kernel/scope.ts';
import { mustManageUsers, mustNotBeSystem } from './people.policy.ts';
import { readUser } from './users.repository.ts';

/**
 * Deletes a user (operation deleteUser): their access ends with the next request, their groups lose a member (and raise
 * their tokens), what they wrote stays under their name. Addresses, account ids and external ids become free.
 * @throws PorticoError 403 (also for accounts of the portal itself, and holders of a right that the caller lacks), 404 (unknown or deleted already)
 */
export async function deleteUser(scope: Scope, userId: number): Promise<void> {
  mustManageUsers(scope.actor);
  await write(scope, 'access', async (w) => {
    mustManageUsers(w.actor);
    const current = await readUser(w.tx, userId);
    if (!current || current.deleted) throw notFound();
    mustNotBeSystem(current);
    await mustHoldRightsOfUser(w, userId);
    w.tx.noteWritten('users', [userId]);
    await w.tx.execute(
      `UPDATE users SET deleted_at = $3, modified_at = $3, modified_by = $4, version = version + 1,
              credentials_version = credentials_version + 1
        WHERE tenant_id = $1 AND id = $2`,
      [w.tx.tenantId, userId, new Date(w.now), w.actor.userId],
    );
    const left = await w.tx.query<{ groupId: number }>(
      `DELETE FROM group_members WHERE tenant_id = $1 AND user_id = $2 RETURNING group_id AS "groupId"`,
      [w.tx.tenantId, userId],
    );
    const groupIds = left.map((row) => row.groupId);
    w.tx.noteWritten('groups', groupIds);
    await w.tx.execute(
      `UPDATE groups SET members_count = members_count - 1, version = version + 1, modified_at = $3, modified_by = $4
        WHERE tenant_id = $1 AND id = ANY ($2::bigint[])`,
      [w.tx.tenantId, groupIds, new Date(w.now), w.actor.userId],
    );
  });
}
