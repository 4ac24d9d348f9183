/** Accounts that see a community only through its workspace. */
import { RoleId } from '@portico/contract';
import type { TenantTx } from '@portico/platform/db/tenant-db';
import { givenRolesSql } from '../../kernel/access/index.ts';
import { sqlColumns } from '../columns.ts';

const gm = sqlColumns('group_members', 'gm');
const gr = sqlColumns('groups', 'gr');
const u = sqlColumns('users', 'u');

/** Accounts that see a community after its move but not before, and the reverse; ids ascending. */
interface ChangedSight {
  gaining: number[];
  losing: number[];
}

/** @param to id of another workspace than the present one */
export async function sightByWorkspace(tx: TenantTx, communityId: number, to: number): Promise<ChangedSight> {
  // A principal has a role through a workspace if its membership gives one there.
  const rows = await tx.query<{ id: number; before: boolean; after: boolean }>(
    `WITH given AS MATERIALIZED (
       SELECT g.principal, true AS before, g.workspace_id IS NULL AS after
         FROM (${givenRolesSql({ communities: 'ARRAY[$2::bigint]' })}) g WHERE g.role_id IS NOT NULL
        UNION ALL
       SELECT m.principal, false, true FROM workspace_members m
        WHERE m.tenant_id = $1 AND m.workspace_id = $3
          AND (m.role_id <> ${RoleId.WORKSPACE_ADMINISTRATOR} OR (SELECT c.workspace_member_role FROM communities c WHERE c.tenant_id = $1 AND c.id = $2) IS NOT NULL)),
     people AS MATERIALIZED (
       SELECT given.principal AS id, given.before, given.after FROM given WHERE given.principal > 0
        UNION ALL
       SELECT ${gm.user_id}, given.before, given.after FROM given
         JOIN groups gr ON gr.tenant_id = $1 AND ${gr.id} = -given.principal AND ${gr.deleted_at} IS NULL
         JOIN group_members gm ON gm.tenant_id = $1 AND ${gm.group_id} = ${gr.id})
     SELECT people.id, bool_or(people.before) AS before, bool_or(people.after) AS after
       FROM people JOIN users u ON u.tenant_id = $1 AND ${u.id} = people.id AND ${u.deleted_at} IS NULL AND NOT ${u.blocked}
      GROUP BY people.id HAVING bool_or(people.before) <> bool_or(people.after) ORDER BY people.id`,
    [tx.tenantId, communityId, to],
  );
  return {
    gaining: rows.filter(({ after }) => after).map(({ id }) => id),
    losing: rows.filter(({ before }) => before).map(({ id }) => id),
  };
}
