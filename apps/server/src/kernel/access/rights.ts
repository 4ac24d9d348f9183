/**
 * Administrative rights: their definition, their holders, and the one policy that protects the
 * holders (docs/security.md).
 *
 * A user holds a right directly or by membership of a group. A caller who lacks a right of an
 * account must not give that right, change the account's credentials or addresses, or link, block,
 * sign out or delete the account. A caller who lacks a right of a group must not change its members
 * or delete it. No user can therefore gain a right by acting on, or as, a user who holds it.
 *
 * A new right is a value of `AdminCapability` and a column of `users` and `groups` in
 * {@link rightColumns}; the policy then covers it without further changes.
 */
import { AdminCapability, firstOwnRole, RoleId } from '@portico/contract';
import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import { forbidden } from '../errors.ts';
import type { Actor, AdministrativeRight } from '../scope.ts';
import { isOpenTo, permissionsOf, roleBitsSql } from './permissions.ts';
import { heldPermissionsSql, STANDING_ROLES } from './roles.ts';

/** The column of `users` and of `groups` that holds each right. */
export const rightColumns: Readonly<Record<AdministrativeRight, string>> = {
  manageUsers: 'manages_users',
  manageDigitalWorplace: 'manages_workplace',
};

/** Every administrative right. */
export const administrativeRights: readonly AdministrativeRight[] = Object.values(AdminCapability);

/** SQL of a text[]: the rights that a row of `users` or `groups` holds itself. */
export function ownRightsSql(alias: string): string {
  const cases = administrativeRights.map((right) => `CASE WHEN ${alias}.${rightColumns[right]} THEN '${right}' END`);
  return `array_remove(ARRAY[${cases.join(', ')}], NULL)`;
}

/**
 * SQL of a text[]: the rights of a user, directly and by groups that are not deleted. The system account, by which operators act, has all.
 * @param alias alias of `users` in the statement, whose $1 is the tenant
 */
export function heldRightsSql(alias: string): string {
  return `CASE WHEN ${alias}.system_account THEN ARRAY[${administrativeRights.map((right) => `'${right}'`).join(', ')}]
    ELSE ${ownRightsSql(alias)} || ARRAY(
      SELECT given FROM group_members rm
        JOIN groups rg ON rg.tenant_id = rm.tenant_id AND rg.id = rm.group_id AND rg.deleted_at IS NULL
        CROSS JOIN LATERAL unnest(${ownRightsSql('rg')}) AS given
       WHERE rm.tenant_id = $1 AND rm.user_id = ${alias}.id) END`;
}

/** Whether a user holds an administrative right. */
export function holds(actor: Pick<Actor, 'rights'>, right: AdministrativeRight): boolean {
  return actor.rights.has(right);
}

/** @throws PorticoError FORBIDDEN without an administrative right */
export function requireRight(actor: Pick<Actor, 'rights'>, right: AdministrativeRight): void {
  if (!holds(actor, right)) throw forbidden(`Missing administrative right: ${right}.`);
}

/**
 * Parts of a write that the policy reads: its transaction, and the caller with the rights read
 * under its lock.
 */
interface Acting {
  readonly tx: TenantExecutor;
  readonly actor: Actor;
}

/**
 * @param held rights of the account or group that is acted upon, or that are given
 * @throws PorticoError FORBIDDEN (403) that names the rights the caller lacks
 */
export function mustHoldRights(actor: Actor, held: Iterable<AdministrativeRight>, whose: string): void {
  const reason = beyondRights(actor, held, whose);
  if (reason) throw forbidden(reason);
}

/**
 * Call it before the rights of an account or group change.
 * @param before rights that it holds itself  @param after rights that it is to hold
 * @throws PorticoError FORBIDDEN (403) that names the rights the caller would give or take without holding them
 */
export function mustHoldRightsThatChange(
  actor: Actor,
  before: readonly AdministrativeRight[],
  after: readonly AdministrativeRight[],
): void {
  const changed = administrativeRights.filter((right) => before.includes(right) !== after.includes(right));
  const missing = changed.filter((right) => !holds(actor, right));
  if (missing.length > 0)
    throw forbidden(`Missing administrative right: ${missing.join(', ')}. Only its holders can give and take it.`);
}

/** Names the rights that the caller lacks; undefined where they lack none. */
function beyondRights(actor: Actor, held: Iterable<AdministrativeRight>, whose: string): string | undefined {
  const missing = [...new Set(held)].filter((right) => !holds(actor, right));
  return missing.length === 0
    ? undefined
    : `${whose} holds ${missing.join(' and ')}; only who holds the same may do this.`;
}

/** Returns the rights of users, directly and by groups; unknown users are omitted. */
export async function rightsOfUsers(
  tx: TenantExecutor,
  userIds: readonly number[],
): Promise<Map<number, AdministrativeRight[]>> {
  const rows = await tx.query<{ id: number; rights: AdministrativeRight[] }>(
    `SELECT u.id, ${heldRightsSql('u')} AS rights FROM users u WHERE u.tenant_id = $1 AND u.id = ANY ($2::bigint[])`,
    [tx.tenantId, userIds],
  );
  return new Map(rows.map(({ id, rights }) => [id, rights]));
}

/** Phrase of {@link mustHoldRights} for an account. */
export const THIS_ACCOUNT = 'This account';

/**
 * Call it before an account's ways of signing in or its addresses change, and before it is blocked, signed out or deleted.
 * @throws PorticoError FORBIDDEN (403) when the user holds a right that the caller lacks
 */
export async function mustHoldRightsOfUser({ tx, actor }: Acting, userId: number): Promise<void> {
  mustHoldRights(actor, (await rightsOfUsers(tx, [userId])).get(userId) ?? [], THIS_ACCOUNT);
}

/**
 * Returns the groups that hold a right which the actor lacks, with the error that names the right;
 * unknown and deleted groups hold no rights.
 */
export async function groupsBeyondRights(
  { tx, actor }: Acting,
  groupIds: readonly number[],
): Promise<Map<number, string>> {
  if (groupIds.length === 0) return new Map();
  const rows = await tx.query<{ id: number; rights: AdministrativeRight[] }>(
    `SELECT g.id, ${ownRightsSql('g')} AS rights FROM groups g
      WHERE g.tenant_id = $1 AND g.id = ANY ($2::bigint[]) AND g.deleted_at IS NULL`,
    [tx.tenantId, groupIds],
  );
  return new Map(
    rows.flatMap(({ id, rights }) => {
      const reason = beyondRights(actor, rights, 'This group');
      return reason ? [[id, reason] as const] : [];
    }),
  );
}

/**
 * To be called before a group's members change or it is deleted.
 * @throws PorticoError FORBIDDEN (403) when the group holds a right that the caller lacks
 */
export async function mustHoldRightsOfGroup(acting: Acting, groupId: number): Promise<void> {
  const { tx, actor } = acting;
  const [row] = await tx.query<{ rights: AdministrativeRight[] }>(
    `SELECT ${ownRightsSql('g')} AS rights FROM groups g WHERE g.tenant_id = $1 AND g.id = $2`,
    [tx.tenantId, groupId],
  );
  mustHoldRights(actor, row?.rights ?? [], 'This group');
}

/**
 * The groups through which the actor would gain a role in a community or workspace. Holders of manageDigitalWorplace can
 * give roles anyway: they gain none.
 */
export async function groupsGivingRoles({ tx, actor }: Acting, groupIds: readonly number[]): Promise<Set<number>> {
  const others = groupIds.filter((id) => !actor.groupIds.includes(id));
  if (others.length === 0 || holds(actor, 'manageDigitalWorplace')) return new Set();
  const rows = await tx.query<{ groupId: number; communityId: number; permissions: number; ownRoles: number[] | null }>(
    `SELECT g.id AS "groupId", given.community_id AS "communityId", given.permissions, given.own_roles AS "ownRoles"
       FROM unnest($2::bigint[]) AS g (id)
       CROSS JOIN LATERAL (${heldPermissionsSql('ARRAY[-g.id]')}) given`,
    [tx.tenantId, others],
  );
  const gained = new Set<number>();
  for (const { groupId, communityId, permissions, ownRoles } of rows) {
    const more =
      (permissions & ~permissionsOf(actor, communityId)) !== 0 ||
      ownRoles?.some((id) => !isOpenTo(actor, communityId, [id]));
    if (!actor.roles.has(communityId) || more) gained.add(groupId);
  }
  // A role in a workspace is one even while the workspace has no community.
  const workspaces = await tx.query<{ groupId: number }>(
    `SELECT -m.principal AS "groupId" FROM workspace_members m
      WHERE m.tenant_id = $1 AND m.principal = ANY ($2::bigint[]) AND m.role_id IS NOT NULL
        AND NOT EXISTS (SELECT FROM workspace_members mine
              WHERE mine.tenant_id = $1 AND mine.workspace_id = m.workspace_id
                AND mine.principal = ANY ($3::bigint[]) AND mine.role_id IS NOT NULL
                AND (mine.role_id = m.role_id OR (m.role_id < ${firstOwnRole} AND ${RoleId.WORKSPACE_ADMINISTRATOR} NOT IN (m.role_id, mine.role_id)
                  AND ${roleBitsSql('m.role_id')} & ~(${roleBitsSql('mine.role_id')}) = 0)))`,
    [tx.tenantId, others.map((id) => -id), actor.principals],
  );
  for (const { groupId } of workspaces) gained.add(groupId);
  // A role in every community also applies to communities created later.
  const everywhere = await tx.query<{ groupId: number }>(
    `SELECT g.group_id AS "groupId" FROM group_standing_roles g
      WHERE g.tenant_id = $1 AND g.group_id = ANY ($2::bigint[])
        AND (g.role_id >= ${firstOwnRole} AND NOT EXISTS (SELECT FROM (${STANDING_ROLES}) same
              WHERE same.principal = ANY ($3::bigint[]) AND same.role_id IN (g.role_id, ${RoleId.MANAGER}))
          OR ${roleBitsSql('g.role_id')} & ~coalesce((SELECT bit_or(${roleBitsSql('mine.role_id')})
              FROM (${STANDING_ROLES}) mine WHERE mine.principal = ANY ($3::bigint[])), 0) <> 0)`,
    [tx.tenantId, others, actor.principals],
  );
  for (const { groupId } of everywhere) gained.add(groupId);
  return gained;
}

/** Why nobody puts themselves into a group that gives them a role. */
export const GAINS_ROLE =
  'This group has a role in a community that you do not have. Ask another user administrator, or a user with the right manageDigitalWorplace.';

/**
 * To be called before the actor themselves is put into a group.
 * @throws PorticoError FORBIDDEN (403) when they would gain a role
 */
export async function mustNotGainRoles(acting: Acting, groupId: number): Promise<void> {
  if ((await groupsGivingRoles(acting, [groupId])).size === 0) return;
  throw forbidden(GAINS_ROLE);
}
