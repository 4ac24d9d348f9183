/** Who has a role in a community (operations listCommunityMembers, editCommunityMembers). */
import type {
  CommunityMember,
  EditCommunityMembersRequest,
  EditCommunityMembersResponse,
  ListCommunityMembersRequest,
  ListCommunityMembersResponse,
} from '@portico/contract';
import { Parameters, writeTransaction } from '../../kernel/access/index.ts';
import { type FieldError, notFound, ValidationError } from '../../kernel/errors.ts';
import { readPaging, toPage } from '../../kernel/paging/index.ts';
import type { CommunityRole, Scope } from '../../kernel/scope.ts';
import type { TenantTx } from '../../platform/db/tenant-db.ts';
import { loadGroupViews, loadUserViews, photoUrls, unknownPrincipals } from '../people/index.ts';
import { mayEditCommunity, requireCommunityEditor, seesCommunity } from './communities.policy.ts';
import { countMembers } from './communities.repository.ts';
import { readCommunityHead } from './community-rows.ts';
import { getDefinition } from './definitions.ts';
import { type PrincipalRole, writeRoles } from './set-community-roles.ts';

interface MemberRow {
  principal: number;
  roleId: CommunityRole;
  givenBy: number | null;
  givenAt: number | null;
}

/** Role, whether the member is a group, and the id of user or group. */
type Key = [number, boolean, number];

/**
 * Users and groups with a role given in the community itself.
 * @throws PorticoError NOT_FOUND where the caller neither sees nor may edit the community
 */
export async function listCommunityMembers(
  scope: Scope,
  communityId: number,
  input: ListCommunityMembersRequest,
): Promise<ListCommunityMembersResponse> {
  const { actor, db } = scope;
  if (!seesCommunity(actor, communityId) && !mayEditCommunity(actor, communityId)) throw notFound();
  if (!(await getDefinition(scope, communityId))) throw notFound();
  const page = readPaging<Key>(scope, 'listCommunityMembers', input, [communityId]);
  const parameters = new Parameters([db.tenantId, communityId]);
  const where = [
    'r.tenant_id = $1',
    'r.community_id = $2',
    `(EXISTS (SELECT FROM users u WHERE u.tenant_id = $1 AND u.id = r.principal AND u.deleted_at IS NULL)
      OR EXISTS (SELECT FROM groups g WHERE g.tenant_id = $1 AND g.id = -r.principal AND g.deleted_at IS NULL))`,
  ];
  const [counted] = page.withTotal
    ? await db.query<{ count: number }>(
        `SELECT count(*) AS count FROM community_roles r WHERE ${where.join(' AND ')}`,
        parameters.values,
      )
    : [];
  if (page.after) {
    const [role, group, id] = page.after;
    where.push(
      `(r.role_id, r.principal < 0, abs(r.principal)) > (${parameters.add(role)}::smallint, ${parameters.add(group)}::boolean, ${parameters.add(id)}::bigint)`,
    );
  }
  const rows = await db.query<MemberRow>(
    `SELECT r.principal, r.role_id AS "roleId", r.given_by AS "givenBy", r.given_at AS "givenAt" FROM community_roles r
      WHERE ${where.join(' AND ')}
      ORDER BY r.role_id, r.principal < 0, abs(r.principal) LIMIT ${parameters.add(page.size + 1)}`,
    parameters.values,
  );
  const shown = toPage(page, rows, ({ roleId, principal }): Key => [roleId, principal < 0, Math.abs(principal)]);
  return {
    items: await present(scope, shown.rows),
    ...(shown.nextPageToken !== undefined && { nextPageToken: shown.nextPageToken }),
    ...(counted && { totalItemsCount: counted.count }),
  };
}

async function present(scope: Scope, rows: readonly MemberRow[]): Promise<CommunityMember[]> {
  const named = rows.flatMap(({ principal, givenBy }) => [principal, givenBy ?? 0]).filter((id) => id > 0);
  const users = await loadUserViews(scope.db, named, { photoUrl: photoUrls(scope) });
  const groups = await loadGroupViews(
    scope.db,
    rows.flatMap(({ principal }) => (principal < 0 ? -principal : [])),
  );
  return rows.map(({ principal, roleId, givenBy, givenAt }) => {
    const user = users.get(principal);
    const group = groups.get(-principal);
    const giver = givenBy === null ? undefined : users.get(givenBy);
    return {
      ...(user && { user }),
      ...(group && { group }),
      roleId,
      ...(giver && { givenByUser: giver }),
      ...(givenAt !== null && { givenTimestamp: givenAt }),
      givenToOneself: givenBy === principal,
    };
  });
}

/**
 * Gives and takes roles in a community.
 * @throws PorticoError NOT_FOUND, FORBIDDEN; ValidationError for unknown users and groups, and for those that are named twice
 */
export async function editCommunityMembers(
  scope: Scope,
  communityId: number,
  form: EditCommunityMembersRequest,
): Promise<EditCommunityMembersResponse> {
  return writeTransaction(scope, 'access', async (write) => {
    requireCommunityEditor(write.actor, communityId);
    if (!(await readCommunityHead(write.tx, communityId))) throw notFound();
    const roles = await readRoles(write.tx, form);
    if (roles.length > 0) await writeRoles(write, communityId, roles);
    const members = await countMembers(write.tx, [communityId]);
    return { membersCount: members.get(communityId) ?? 0 };
  });
}

async function readRoles(tx: TenantTx, form: EditCommunityMembersRequest): Promise<PrincipalRole[]> {
  const errors: FieldError[] = [];
  const wanted: (PrincipalRole & { field: string })[] = [];
  const add = (field: string, principal: number | undefined, role: CommunityRole | null | undefined) => {
    if (principal === undefined) errors.push({ field, code: 'REQUIRED_FIELD' });
    else if (role !== undefined) wanted.push({ field, principal, role });
  };
  const roleOf = (field: string, role: CommunityRole | undefined) => {
    if (role === undefined) errors.push({ field, code: 'REQUIRED_FIELD' });
    return role;
  };
  // Ids below 1 name nobody: a negative one must not be read as one of the other kind.
  const user = (id: number | undefined) => id && Math.max(id, 0);
  const group = (id: number | undefined) => id && -Math.max(id, 0);
  for (const [index, { userId, roleId }] of (form.userRoles ?? []).entries())
    add(`userRoles[${index}].userId`, user(userId), roleOf(`userRoles[${index}].roleId`, roleId));
  for (const [index, { groupId, roleId }] of (form.groupRoles ?? []).entries())
    add(`groupRoles[${index}].groupId`, group(groupId), roleOf(`groupRoles[${index}].roleId`, roleId));
  const unknown = await unknownPrincipals(
    tx,
    wanted.map(({ principal }) => principal),
  );
  for (const { field, principal } of wanted)
    if (unknown.has(principal)) errors.push({ field, code: 'UNKNOWN_REFERENCE' });
  for (const [index, id] of (form.removeUserIds ?? []).entries()) add(`removeUserIds[${index}]`, user(id), null);
  for (const [index, id] of (form.removeGroupIds ?? []).entries()) add(`removeGroupIds[${index}]`, group(id), null);
  const seen = new Set<number>();
  for (const { field, principal } of wanted) {
    if (seen.has(principal)) errors.push({ field, code: 'DUPLICATE_VALUE' });
    seen.add(principal);
  }
  if (errors.length > 0) throw new ValidationError(errors);
  return wanted.map(({ principal, role }) => ({ principal, role }));
}
