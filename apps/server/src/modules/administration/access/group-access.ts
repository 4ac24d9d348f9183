/** Rights and roles that a group gives, and workflows that name it (operation getGroupAccess). */
import { type GroupAccessResponse, type GroupAccessRole, type GroupAccessStep, leavingLimits } from '@portico/contract';
import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import { ownRightsSql, requireRight, roleName } from '../../../kernel/access/index.ts';
import { notFound } from '../../../kernel/errors.ts';
import type { AdministrativeRight, Scope } from '../../../kernel/scope.ts';
import { sqlColumns } from '../../columns.ts';
import { type GivenRole, listGivenRoles } from '../leaving/leaving.repository.ts';
import { readCommunityAccess } from './ways.ts';

const c = sqlColumns('communities', 'c');
const g = sqlColumns('groups', 'g');
const s = sqlColumns('workflow_states', 's');
const t = sqlColumns('workflow_transitions', 't');

/**
 * Explains the access that members have through a group.
 * @throws PorticoError FORBIDDEN without manageUsers, NOT_FOUND
 */
export async function readGroupAccess(scope: Scope, groupId: number): Promise<GroupAccessResponse> {
  const { actor, db } = scope;
  requireRight(actor, 'manageUsers');
  const group = await readGroupRights(db, groupId);
  if (!group) throw notFound();
  const roles = await listGivenRoles(db, -groupId, leavingLimits.listed);
  const communities = await readCommunityAccess(db, [-groupId], new Map());
  const workflowSteps = await listSteps(db, groupId);
  return {
    groupId,
    name: group.name,
    adminCapabilities: group.rights,
    roles: roles.map(presentRole),
    communities,
    workflowSteps: workflowSteps.map(presentStep),
  };
}

async function readGroupRights(
  db: TenantExecutor,
  groupId: number,
): Promise<{ name: string; rights: AdministrativeRight[] } | undefined> {
  const [group] = await db.query<{ name: string; rights: AdministrativeRight[] }>(
    `SELECT ${g.name}, ${ownRightsSql('g')} AS rights FROM groups g
      WHERE g.tenant_id = $1 AND ${g.id} = $2 AND ${g.deleted_at} IS NULL`,
    [db.tenantId, groupId],
  );
  return group;
}

function presentRole({ roleId, ownName, ...where }: GivenRole): GroupAccessRole {
  return {
    communityId: where.communityId ?? undefined,
    communityName: where.communityName ?? undefined,
    workspaceId: where.workspaceId ?? undefined,
    workspaceName: where.workspaceName ?? undefined,
    everywhere: where.communityId === null && where.workspaceId === null,
    ...(roleId !== null && { roleId, roleName: ownName ?? roleName(roleId) }),
  };
}

/** A state, or a transition from it, that names the group. */
interface StepRow {
  communityId: number;
  communityName: string;
  stateId: number;
  stateName: string;
  /** null: the screen of the state. */
  transitionId: number | null;
  transitionName: string | null;
}

/** Lists the first states and transitions of workflows in use that name a group. */
async function listSteps(db: TenantExecutor, groupId: number): Promise<StepRow[]> {
  return db.query<StepRow>(
    `WITH named AS MATERIALIZED (
       SELECT ${s.workflow_id} AS workflow_id, ${s.id} AS state_id, ${s.name} AS state, ${s.position} AS place,
              NULL::bigint AS transition_id, NULL::text AS transition, NULL::integer AS step
         FROM workflow_states s
        WHERE s.tenant_id = $1 AND ${s.edit_group_ids} @> ARRAY[$2::bigint] AND NOT ${s.deleted}
       UNION ALL
       SELECT ${s.workflow_id}, ${s.id}, ${s.name}, ${s.position}, ${t.id}, ${t.name}, ${t.position}
         FROM workflow_transitions t
         JOIN workflow_states s ON s.tenant_id = t.tenant_id AND ${s.id} = ${t.from_state_id}
        WHERE t.tenant_id = $1 AND s.tenant_id = $1 AND ${t.group_ids} @> ARRAY[$2::bigint]
          AND NOT ${t.deleted} AND NOT ${s.deleted})
     SELECT ${c.id} AS "communityId", ${c.name} AS "communityName", n.state_id AS "stateId", n.state AS "stateName",
            n.transition_id AS "transitionId", n.transition AS "transitionName"
       FROM named n JOIN communities c ON ${c.workflow_id} = n.workflow_id
      WHERE c.tenant_id = $1
      ORDER BY ${c.name_key}, ${c.id}, n.place, n.state_id, n.step NULLS FIRST, n.transition_id LIMIT $3`,
    [db.tenantId, groupId, leavingLimits.listed],
  );
}

function presentStep({ transitionId, transitionName, ...state }: StepRow): GroupAccessStep {
  return transitionId === null ? state : { ...state, transitionId, transitionName: transitionName! };
}
