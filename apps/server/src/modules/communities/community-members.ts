/**
 * Lists and edits the roles in a community (operations listCommunityMembers, editCommunityMembers).
 */
import {
  type CommunityMember,
  type EditCommunityMembersRequest,
  type EditCommunityMembersResponse,
  type EditMembersEverywhereResponse,
  type ListCommunityMembersRequest,
  type ListCommunityMembersResponse,
  mostSelfAddedUsers,
} from '@portico/contract';
import { countRows } from '@portico/platform/db/count-rows';
import { Parameters, STANDING_ROLES, type WriteScope, writeTransaction } from '../../kernel/access/index.ts';
import { FieldErrors, notFound } from '../../kernel/errors.ts';
import { readPage, readPaging, type SortKey } from '../../kernel/paging/index.ts';
import type { Scope } from '../../kernel/scope.ts';
import { sqlColumns } from '../columns.ts';
import { loadGroupViews, loadUserViews, selfAddedMembers, unknownPrincipals } from '../people/index.ts';
import {
  mayEditCommunity,
  requireCommunityEditor,
  requireDefinitionRight,
  seesCommunity,
} from './communities.policy.ts';
import { countMembers } from './communities.repository.ts';
import { readCommunityHead } from './community-rows.ts';
import { getDefinition } from './definitions.ts';
import { lockedRoles, unknownRole } from './roles/roles.repository.ts';
import { haveRoles, type PrincipalRole, writeRoles } from './set-community-roles.ts';
import { writeStandingRoles } from './set-standing-role.ts';

const g = sqlColumns('groups', 'g');
const u = sqlColumns('users', 'u');

/** Levels at which a role is given, in the order of the list. */
const LEVELS = ['community', 'workspace', 'everywhere'] as const;

interface MemberRow {
  principal: number;
  roleId: number;
  /** Index in {@link LEVELS}. */
  level: number;
  givenBy: number | null;
  givenAt: number | null;
}

/**
 * SQL of rows (principal, role_id, level, given_by, given_at): every role given in the community $2
 * of the tenant $1, as in `givenRolesSql`. If several assignments in the workspace give the same
 * role, one row is returned, preferably an assignment by the principal itself.
 */
const GIVEN = `SELECT r.principal, r.role_id, 0 AS level, r.given_by, r.given_at FROM community_roles r
       WHERE r.tenant_id = $1 AND r.community_id = $2
      UNION ALL
      (SELECT DISTINCT ON (m.principal, coalesce(nullif(m.role_id, 4), c.workspace_member_role))
              m.principal, coalesce(nullif(m.role_id, 4), c.workspace_member_role), 1, m.given_by, m.given_at
         FROM workspace_members m JOIN communities c ON c.tenant_id = m.tenant_id AND c.workspace_id = m.workspace_id
        WHERE m.tenant_id = $1 AND c.tenant_id = $1 AND c.id = $2 AND coalesce(nullif(m.role_id, 4), c.workspace_member_role) IS NOT NULL
        ORDER BY 1, 2, m.given_by IS NOT DISTINCT FROM m.principal DESC, m.id)
      UNION ALL
      SELECT s.principal, s.role_id, 2, s.given_by, s.given_at FROM (${STANDING_ROLES}) s`;

/**
 * Returns users and groups with a role in the community, given there, in its workspace or in every
 * community.
 * @throws PorticoError NOT_FOUND where the caller neither sees nor may edit the community
 */
export async function listCommunityMembers(
  scope: Scope,
  communityId: number,
  input: ListCommunityMembersRequest,
): Promise<ListCommunityMembersResponse> {
  const { actor } = scope;
  if (!seesCommunity(actor, communityId) && !mayEditCommunity(actor, communityId)) throw notFound();
  if (!(await getDefinition(scope, communityId))) throw notFound();
  return listGiven(scope, 'listCommunityMembers', input, { given: GIVEN, values: [communityId] });
}

/**
 * Returns users and groups with a role in every community, also in communities created later
 * (operation listMembersEverywhere).
 * @throws PorticoError FORBIDDEN
 */
export async function listMembersEverywhere(
  scope: Scope,
  input: ListCommunityMembersRequest,
): Promise<ListCommunityMembersResponse> {
  requireDefinitionRight(scope.actor);
  const given = `SELECT s.principal, s.role_id, 2 AS level, s.given_by, s.given_at FROM (${STANDING_ROLES}) s`;
  return listGiven(scope, 'listMembersEverywhere', input, { given, values: [] });
}

/** @param given SQL of rows like {@link GIVEN}  @param values its parameters after the tenant */
async function listGiven(
  scope: Scope,
  operation: 'listCommunityMembers' | 'listMembersEverywhere',
  input: ListCommunityMembersRequest,
  { given, values }: { given: string; values: readonly number[] },
): Promise<ListCommunityMembersResponse> {
  const { db } = scope;
  const page = readPaging<SortKey>(scope, operation, input, [...values]);
  const parameters = new Parameters([db.tenantId, ...values]);
  const where = [
    `(EXISTS (SELECT FROM users u WHERE u.tenant_id = $1 AND ${u.id} = r.principal AND ${u.deleted_at} IS NULL)
      OR EXISTS (SELECT FROM groups g WHERE g.tenant_id = $1 AND ${g.id} = -r.principal AND ${g.deleted_at} IS NULL))`,
  ];
  const { rows, ...paging } = await readPage<MemberRow>(
    db,
    page,
    {
      select: 'r.principal, r.role_id AS "roleId", r.level, r.given_by AS "givenBy", r.given_at AS "givenAt"',
      from: `(${given}) r`,
      where,
      order: [
        { sql: 'r.role_id', desc: false, type: 'integer' },
        { sql: '(r.principal < 0)', desc: false, type: 'boolean' },
        { sql: 'abs(r.principal)', desc: false, type: 'bigint' },
        { sql: 'r.level', desc: false, type: 'integer' },
      ],
    },
    parameters,
  );
  return { items: await present(scope, rows), ...paging };
}

async function present(scope: Scope, rows: readonly MemberRow[]): Promise<CommunityMember[]> {
  const groupIds = rows.flatMap(({ principal }) => (principal < 0 ? -principal : []));
  const groups = await loadGroupViews(scope.db, groupIds);
  const joined = await selfAddedMembers(scope.db, groupIds, mostSelfAddedUsers);
  const named = rows.flatMap(({ principal, givenBy }) => [principal, givenBy ?? 0]).filter((id) => id > 0);
  const users = await loadUserViews(scope, scope.db, [...named, ...[...joined.values()].flat()]);
  return rows.map(({ principal, roleId, level, givenBy, givenAt }) => {
    const user = users.get(principal);
    const group = groups.get(-principal);
    const giver = givenBy === null ? undefined : users.get(givenBy);
    const selfAdded = (joined.get(-principal) ?? []).flatMap((id) => users.get(id) ?? []);
    return {
      user,
      group,
      roleId,
      givenIn: LEVELS[level]!,
      givenByUser: giver,
      givenTimestamp: givenAt ?? undefined,
      givenToOneself: givenBy === principal,
      selfAddedUsers: selfAdded.length > 0 ? selfAdded : undefined,
    };
  });
}

/**
 * Sets and deletes roles in a community.
 * @throws PorticoError NOT_FOUND, FORBIDDEN; ValidationError for users and groups that are unknown
 * or named twice
 */
export async function editCommunityMembers(
  scope: Scope,
  communityId: number,
  form: EditCommunityMembersRequest,
): Promise<EditCommunityMembersResponse> {
  return writeTransaction(scope, 'access', async (write) => {
    requireCommunityEditor(write.actor, communityId);
    if (!(await readCommunityHead(write.tx, communityId, true))) throw notFound();
    const roles = await readRoles(write, form, communityId);
    if (roles.length > 0) await writeRoles(write, communityId, roles);
    const members = await countMembers(write.tx, [communityId]);
    return { membersCount: members.get(communityId) ?? 0 };
  });
}

/**
 * Sets and deletes roles in every community, also in communities created later (operation
 * editMembersEverywhere).
 * @throws PorticoError FORBIDDEN; ValidationError as {@link editCommunityMembers}
 */
export async function editMembersEverywhere(
  scope: Scope,
  form: EditCommunityMembersRequest,
): Promise<EditMembersEverywhereResponse> {
  return writeTransaction(scope, 'access', async (write) => {
    requireDefinitionRight(write.actor);
    const roles = await readRoles(write, form);
    await writeStandingRoles(write, 'users', roles);
    await writeStandingRoles(write, 'groups', roles);
    const assignmentsCount = await countRows(write.tx, `(${STANDING_ROLES}) s`, [write.tx.tenantId]);
    return { assignmentsCount };
  });
}

/** @param communityId community of the roles; omitted: every community */
async function readRoles(
  write: WriteScope,
  form: EditCommunityMembersRequest,
  communityId?: number,
): Promise<PrincipalRole[]> {
  const errors = new FieldErrors(write.missing);
  const wanted: (PrincipalRole & { field: string })[] = [];
  const add = (field: string, principal: number | undefined, role: number | null | undefined) => {
    if (principal !== undefined && role !== undefined) wanted.push({ field, principal, role });
  };
  const known = await lockedRoles(
    write.tx,
    [...(form.userRoles ?? []), ...(form.groupRoles ?? [])].flatMap(({ roleId }) => roleId ?? []),
  );
  const roleOf = (field: string, role: number | undefined) => {
    if (role !== undefined && !known.has(role)) errors.push(unknownRole(field));
    return role;
  };
  // Maps ids below 1 to 0, the id of nobody: a negative user id would denote a group, and the
  // reverse.
  const user = (id: number | undefined) => id && Math.max(id, 0);
  const group = (id: number | undefined) => id && -Math.max(id, 0);
  for (const [index, { userId, roleId }] of (form.userRoles ?? []).entries())
    add(`userRoles[${index}].userId`, user(userId), roleOf(`userRoles[${index}].roleId`, roleId));
  for (const [index, { groupId, roleId }] of (form.groupRoles ?? []).entries())
    add(`groupRoles[${index}].groupId`, group(groupId), roleOf(`groupRoles[${index}].roleId`, roleId));
  const principals = wanted.map(({ principal }) => principal);
  const kept = communityId === undefined ? [] : await haveRoles(write, communityId, principals);
  const unknown = await unknownPrincipals(write, principals, kept);
  for (const { field, principal } of wanted) if (unknown.has(principal)) errors.add(field, 'UNKNOWN_REFERENCE');
  for (const [index, id] of (form.removeUserIds ?? []).entries()) add(`removeUserIds[${index}]`, user(id), null);
  for (const [index, id] of (form.removeGroupIds ?? []).entries()) add(`removeGroupIds[${index}]`, group(id), null);
  const seen = new Set<number>();
  for (const { field, principal } of wanted) {
    if (seen.has(principal)) errors.add(field, 'DUPLICATE_VALUE');
    seen.add(principal);
  }
  errors.throwIfAny();
  return wanted.map(({ principal, role }) => ({ principal, role }));
}
