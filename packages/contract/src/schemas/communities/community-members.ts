/** Users and groups with a role in a community. */
import { RoleId, roles } from '../../codes/defined-codes.ts';
import { listLimits, mostSelfAddedUsers } from '../../limits.ts';
import * as t from '../fields.ts';

const roleId = t.int64(
  `Role in the community: ${roles
    .filter(({ id }) => id !== RoleId.WORKSPACE_ADMINISTRATOR)
    .map(({ id, name }) => `${id} = ${name}`)
    .join(', ')}, or a role of the tenant.`,
);

export const communityMemberTypes = {
  CommunityMember: t.type('A user or group that was given a role in a community.', {
    user: t.ref('User', 'The user, if the member is one.'),
    group: t.ref('Group', 'The group, if the member is one.'),
    roleId,
    givenIn: t.word(
      ['community', 'workspace', 'everywhere'],
      'Source of the role: in the community itself, by its workspace, or in every community.',
    ),
    givenByUser: t.ref('User', 'User who gave the role; absent if unknown.'),
    givenTimestamp: t.time('Time when the role was given; absent if unknown.'),
    givenToOneself: t.flag('True when the user gave the role to themselves.'),
    selfAddedUsers: t.list('User', `For a group: members who added themselves to it, at most ${mostSelfAddedUsers}.`),
  }),
  ListCommunityMembersRequest: t.type('Paging of the members of a community.', t.pageInputs),
  ListCommunityMembersResponse: t.page(
    'CommunityMember',
    'A page of members, by role, users before groups, then by id and where the role was given.',
  ),
  CommunityUserRole: t.type('A role for a user.', {
    userId: t.required(t.int64('Id of the user.')),
    roleId: t.required(roleId),
  }),
  CommunityGroupRole: t.type('A role for a group.', {
    groupId: t.required(t.int64('Id of the group.')),
    roleId: t.required(roleId),
  }),
  EditCommunityMembersRequest: t.type('Roles to give and to remove in a community; all others keep theirs.', {
    userRoles: t.list('CommunityUserRole', 'Users and the role that each gets in place of the present one.', {
      maxItems: listLimits.communityMembers,
    }),
    groupRoles: t.list('CommunityGroupRole', 'Groups and the role that each gets in place of the present one.', {
      maxItems: listLimits.communityMembers,
    }),
    removeUserIds: t.ids('Users whose role is removed.', { maxItems: listLimits.communityMembers }),
    removeGroupIds: t.ids('Groups whose role is removed.', { maxItems: listLimits.communityMembers }),
  }),
  EditMembersEverywhereResponse: t.type('Result of the edit of the roles in every community.', {
    assignmentsCount: t.bigCount('Number of users and groups with such a role.'),
  }),
  EditCommunityMembersResponse: t.type('Result of the edit of the members of a community.', {
    membersCount: t.bigCount(
      'Number of users with a role in it, given to them, to one of their groups, or by the workspace.',
    ),
  }),
};
