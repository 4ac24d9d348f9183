/** Users and groups with a role in a community. */
import { RoleId, roles } from '../codes/defined-codes.ts';
import { listLimits, mostSelfAddedUsers } from '../limits.ts';
import { bigCount, flag, ids, int64, list, page, pageInputs, ref, required, time, type, word } from './fields.ts';

const roleId = int64(
  `Role in the community: ${roles
    .filter(({ id }) => id !== RoleId.WORKSPACE_ADMINISTRATOR)
    .map(({ id, name }) => `${id} = ${name}`)
    .join(', ')}, or a role of the tenant.`,
);

export const communityMemberTypes = {
  CommunityMember: type('A user or group that was given a role in a community.', {
    user: ref('User', 'The user, if the member is one.'),
    group: ref('Group', 'The group, if the member is one.'),
    roleId,
    givenIn: word(
      ['community', 'workspace', 'everywhere'],
      'Where the role was given: in the community itself, by its workspace, or in every community.',
    ),
    givenByUser: ref('User', 'Who gave the role; absent where it is not known.'),
    givenTimestamp: time('When the role was given; absent where it is not known.'),
    givenToOneself: flag('True when the user gave the role to themselves.'),
    selfAddedUsers: list('User', `Of a group: members who put themselves into it, ${mostSelfAddedUsers} at most.`),
  }),
  ListCommunityMembersRequest: type('Paging of the members of a community.', pageInputs),
  ListCommunityMembersResponse: page(
    'CommunityMember',
    'A page of members, by role, users before groups, then by id and where the role was given.',
  ),
  CommunityUserRole: type('A role for a user.', {
    userId: required(int64('Id of the user.')),
    roleId: required(roleId),
  }),
  CommunityGroupRole: type('A role for a group.', {
    groupId: required(int64('Id of the group.')),
    roleId: required(roleId),
  }),
  EditCommunityMembersRequest: type(
    'Roles to give and to take in a community; everybody who is not named keeps theirs.',
    {
      userRoles: list('CommunityUserRole', 'Users and the role that each gets in place of the present one.', {
        maxItems: listLimits.communityMembers,
      }),
      groupRoles: list('CommunityGroupRole', 'Groups and the role that each gets in place of the present one.', {
        maxItems: listLimits.communityMembers,
      }),
      removeUserIds: ids('Users whose role is taken.', { maxItems: listLimits.communityMembers }),
      removeGroupIds: ids('Groups whose role is taken.', { maxItems: listLimits.communityMembers }),
    },
  ),
  EditMembersEverywhereResponse: type('Result of the edit of the roles in every community.', {
    assignmentsCount: bigCount('How many users and groups have such a role.'),
  }),
  EditCommunityMembersResponse: type('Result of the edit of the members of a community.', {
    membersCount: bigCount(
      'How many users have a role in it, given to them, to a group of theirs, or by the workspace.',
    ),
  }),
};
