/** Rights and groups of the users on a page of the administrative list. */
import type { ListSystemUsersElement } from '@portico/contract';
import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import { administrativeRights, heldRightsSql } from '../../../kernel/access/index.ts';
import type { AdministrativeRight } from '../../../kernel/scope.ts';

type ListedAccess = Pick<ListSystemUsersElement, 'adminCapabilities' | 'groups'>;

/** Returns the rights, directly and by groups, and the groups of users, by id of the user. */
export async function loadListedAccess(
  db: TenantExecutor,
  userIds: readonly number[],
): Promise<ReadonlyMap<number, ListedAccess>> {
  const rows = await db.query<{
    id: number;
    rights: AdministrativeRight[];
    groups: { groupId: number; name: string }[];
  }>(
    `SELECT u.id, ${heldRightsSql('u')} AS rights,
            (SELECT coalesce(jsonb_agg(jsonb_build_object('groupId', g.id, 'name', g.name) ORDER BY g.name_key, g.id), '[]')
               FROM group_members m
               JOIN groups g ON g.tenant_id = m.tenant_id AND g.id = m.group_id AND g.deleted_at IS NULL
              WHERE m.tenant_id = $1 AND m.user_id = u.id) AS groups
       FROM users u WHERE u.tenant_id = $1 AND u.id = ANY ($2::bigint[])`,
    [db.tenantId, userIds],
  );
  return new Map(
    rows.map(({ id, rights, groups }) => [
      id,
      { adminCapabilities: administrativeRights.filter((right) => rights.includes(right)), groups },
    ]),
  );
}
