/** Workspace → wire. */

import type {
  GetWorkspaceForEditResponse,
  Group,
  GroupRoleAssociation,
  MemberRoleAssociation,
  SystemMember,
  User,
  UserRoleAssociation,
  Workspace,
} from '@portico/contract';
import { mapInTurns, Turns } from '@portico/platform/turns';
import { pictureLink } from '../../../kernel/file-links.ts';
import type { Context } from '../../../kernel/scope.ts';
import { presentRole, type rolesById } from '../roles/list-roles.ts';
import type { MemberRow, WorkspaceRow } from './workspaces.repository.ts';

/** A workspace as embedded in other objects. */
export function presentWorkspace(row: WorkspaceRow, scope: Context): Workspace {
  const logo = pictureLink(scope, row.logoContentRef);
  return {
    id: row.id,
    name: row.name,
    logoTemporaryContentViewLink: logo,
    hasDetailInfo: Object.values(row.description).some((text) => text !== ''),
    logoContentRef: row.logoContentRef ?? undefined,
  };
}

/** Data of the form besides the workspace. */
interface FormFacts {
  members: readonly MemberRow[];
  users: ReadonlyMap<number, User>;
  groups: ReadonlyMap<number, Group>;
  /** Roles of the tenant that are assigned. */
  roles: Awaited<ReturnType<typeof rolesById>>;
}

/** Returns a complete list: all items and their number (docs/decisions/lists.md). */
function whole<T>(items: T[]): { items: T[]; totalItemsCount: number } {
  return { items, totalItemsCount: items.length };
}

/**
 * Returns the form of a workspace. Administrators (`admin…`) are users and groups with any role
 * assigned in the workspace; members (`member…`) have plain membership; `members` are all of them,
 * each once.
 */
export async function presentWorkspaceForm(
  row: WorkspaceRow,
  scope: Context,
  facts: FormFacts,
): Promise<GetWorkspaceForEditResponse> {
  const userOf = (member: MemberRow) => facts.users.get(member.principal);
  const groupOf = (member: MemberRow) => facts.groups.get(-member.principal);
  const adminUsers: UserRoleAssociation[] = [];
  const adminGroups: GroupRoleAssociation[] = [];
  const adminMembers: MemberRoleAssociation[] = [];
  const memberUsers: User[] = [];
  const memberGroups: Group[] = [];
  const turns = new Turns();
  for (const member of facts.members) {
    if (turns.isOver) await turns.next();
    const user = userOf(member);
    const group = groupOf(member);
    if (member.roleId === null) {
      if (user) memberUsers.push(user);
      if (group) memberGroups.push(group);
      continue;
    }
    const association = { roleAssociationId: member.id, role: presentRole(member.roleId, facts.roles) };
    if (user) adminUsers.push({ ...association, user });
    if (group) adminGroups.push({ ...association, group });
    adminMembers.push({ ...association, ...(user && { user }), ...(group && { group }) });
  }
  const byPrincipal = Map.groupBy(facts.members, (member) => member.principal);
  const members = await mapInTurns([...byPrincipal.values()], (rows) =>
    presentMember(rows, facts, userOf(rows[0]!), groupOf(rows[0]!)),
  );
  const cover = pictureLink(scope, row.coverContentRef);
  const logo = pictureLink(scope, row.logoContentRef);
  const creator = facts.users.get(row.creatorId);
  const modifier = facts.users.get(row.modifierId);
  return {
    contentData: {
      name: row.name,
      translations: { ...row.translations },
      description: { ...row.description },
      coverImageContentRef: row.coverContentRef ?? undefined,
      logoContentRef: row.logoContentRef ?? undefined,
      adminUsers: whole(adminUsers),
      adminGroups: whole(adminGroups),
      adminMembers: whole(adminMembers),
      memberUsers: whole(memberUsers),
      memberGroups: whole(memberGroups),
      members: whole(members),
    },
    id: row.id,
    occToken: row.version,
    archivedTimestamp: row.archivedAt ?? undefined,
    creatorUser: creator,
    creationTimestamp: row.createdAt,
    lastModifyUser: modifier,
    lastModifyTimestamp: row.modifiedAt,
    coverImageTemporaryContentViewLink: cover,
    logoTemporaryContentViewLink: logo,
    adminUsersCount: adminUsers.length,
    adminGroupsCount: adminGroups.length,
    memberUsersCount: memberUsers.length,
    memberGroupsCount: memberGroups.length,
  };
}

function presentMember(
  rows: readonly MemberRow[],
  facts: FormFacts,
  user: User | undefined,
  group: Group | undefined,
): SystemMember {
  const first = rows[0]!;
  return {
    id: user ? `user-${user.id}` : `group-${-first.principal}`,
    name: user ? [user.firstName, user.lastName].filter(Boolean).join(' ') : (group?.name ?? ''),
    user,
    group,
    adminRoles: rows.flatMap((row) => (row.roleId === null ? [] : presentRole(row.roleId, facts.roles))),
    communityMember: first.inCommunity,
    workspaceMember: rows.some((row) => row.roleId === null),
    hasActiveLicense: first.licensed,
  };
}
