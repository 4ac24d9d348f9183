/** Rights and roles of a person with their sources (operation getUserAccess). */
import {
  leavingLimits,
  type UserAccessDetailsResponse,
  type UserAccessWay,
  type UserCommunityAccess,
} from '@portico/contract';
import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import { givenRolesSql, permissionsIn, requireRight, roleBitsSql, roleName } from '../../../kernel/access/index.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { sqlColumns } from '../../columns.ts';
import { readAccountState } from '../../people/index.ts';
import { listRights } from '../leaving/leaving.repository.ts';

const c = sqlColumns('communities', 'c');
const o = sqlColumns('own_roles', 'o');

/** A role of the person in a community, by one way. */
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
 * Explains the access of a person everywhere.
 * @throws PorticoError FORBIDDEN without manageUsers, NOT_FOUND
 */
export async function readUserAccess(scope: Scope, userId: number): Promise<UserAccessDetailsResponse> {
  const { actor, db } = scope;
  requireRight(actor, 'manageUsers');
  const state = await readAccountState(db, userId);
  const [account, ...groups] = await listRights(db, userId);
  const names = new Map(groups.map(({ groupId, name }) => [groupId!, name]));
  const rows = await listWays(db, [userId, ...[...names.keys()].map((id) => -id)]);
  return {
    userId,
    state,
    adminCapabilities: account!.rights,
    groups: groups.map(({ groupId, name, rights }) => ({ groupId: groupId!, name, adminCapabilities: rights })),
    communities: [...Map.groupBy(rows, ({ communityId }) => communityId).values()].map((ways) =>
      presentCommunity(ways, names),
    ),
  };
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
  return {
    roleId,
    roleName: ownName ?? roleName(roleId),
    givenIn: everywhere ? 'everywhere' : within,
    ...(principal < 0 && { groupId: -principal, groupName: groups.get(-principal)! }),
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
