/** Roles of people and groups in communities, with the ways by which they were given. */
import { leavingLimits, type UserAccessWay, type UserCommunityAccess } from '@portico/contract';
import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import { givenRolesSql, permissionsIn, roleBitsSql, roleName } from '../../../kernel/access/index.ts';
import { sqlColumns } from '../../columns.ts';

const c = sqlColumns('communities', 'c');
const o = sqlColumns('own_roles', 'o');

/** A role of a person or group in a community, by one way. */
interface WayRow {
  communityId: number;
  communityName: string;
  principal: number;
  roleId: number;
  /** Name of a role of the tenant. */
  ownName: string | null;
  bits: number;
  workspaceId: number | null;
  everywhere: boolean;
}

/**
 * Returns the access of principals to the first communities by name.
 * @param groups names of the groups through which a person has roles, by id
 */
export async function readCommunityAccess(
  db: TenantExecutor,
  principals: readonly number[],
  groups: ReadonlyMap<number, string>,
): Promise<UserCommunityAccess[]> {
  const rows = await listWays(db, principals);
  return [...Map.groupBy(rows, ({ communityId }) => communityId).values()].map((ways) =>
    presentCommunity(ways, groups),
  );
}

function presentCommunity(ways: readonly WayRow[], groups: ReadonlyMap<number, string>): UserCommunityAccess {
  const { communityId, communityName } = ways[0]!;
  return {
    communityId,
    communityName,
    permissions: permissionsIn(ways.reduce((bits, way) => bits | way.bits, 0)),
    ways: ways.map((way) => presentWay(way, groups)),
  };
}

function presentWay(way: WayRow, groups: ReadonlyMap<number, string>): UserAccessWay {
  const { principal, roleId, ownName, workspaceId, everywhere } = way;
  const within = workspaceId === null ? 'community' : 'workspace';
  const groupName = groups.get(-principal);
  return {
    roleId,
    roleName: ownName ?? roleName(roleId),
    givenIn: everywhere ? 'everywhere' : within,
    ...(groupName !== undefined && { groupId: -principal, groupName }),
  };
}

/** Returns the roles of the principals in the first communities by name, the strongest role first. */
async function listWays(db: TenantExecutor, principals: readonly number[]): Promise<WayRow[]> {
  return db.query<WayRow>(
    `WITH given AS MATERIALIZED (${givenRolesSql({ principals: '$2::bigint[]' })}),
          first AS (SELECT ${c.id} AS id, ${c.name} AS name, ${c.name_key} AS name_key FROM communities c
                     WHERE c.tenant_id = $1 AND ${c.id} IN (SELECT given.community_id FROM given
                                                             WHERE given.role_id IS NOT NULL)
                     ORDER BY ${c.name_key}, ${c.id} LIMIT $3)
     SELECT DISTINCT first.id AS "communityId", first.name AS "communityName", first.name_key, given.principal,
            given.role_id AS "roleId", ${roleBitsSql('given.role_id')} AS bits, given.workspace_id AS "workspaceId",
            given.everywhere,
            (SELECT ${o.name} FROM own_roles o WHERE o.tenant_id = $1 AND ${o.id} = given.role_id) AS "ownName"
       FROM given JOIN first ON first.id = given.community_id
      WHERE given.role_id IS NOT NULL
      ORDER BY first.name_key, first.id, given.role_id, given.principal DESC, given.everywhere`,
    [db.tenantId, principals, leavingLimits.listed],
  );
}
