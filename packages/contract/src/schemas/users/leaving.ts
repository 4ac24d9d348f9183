/** Leaving of a person: the preview, and the hand-over to a successor. */

import { AdminCapability } from '../../codes/codes.ts';
import { communityPermissions } from '../../codes/permissions.ts';
import { bulkLimits, leavingLimits } from '../../limits.ts';
import * as t from '../fields.ts';

/** Words for the state of the account afterwards. */
const leavingEnds = ['keep', 'block', 'delete', 'erase'] as const;

const stays =
  'They stay where the community is archived, where the successor has no role, in drafts of the leaver, and, if the successor is the caller, in posts that the caller does not see.';

const names = communityPermissions.map(({ name }) => name);

export const leavingTypes = {
  UserAccessDetailsResponse: t.type('Rights and roles of a person, with their sources.', {
    userId: t.int64('Id of the user.'),
    state: t.word(
      ['active', 'blocked', 'deleted', 'erased'],
      'State of the account; a role has no effect unless it is active.',
    ),
    adminCapabilities: t.wordList(Object.values(AdminCapability), 'Rights that the account holds itself.'),
    groups: t.list('UserLeavingGroup', 'Groups that the person is a member of, with the rights that each gives.'),
    communities: t.list(
      'UserCommunityAccess',
      `Communities in which the person has a role, by name; the first ${leavingLimits.listed}.`,
    ),
  }),
  GroupAccessResponse: t.type('Rights and roles that a group gives to its members.', {
    groupId: t.int64('Id of the group.'),
    name: t.text('Its name.'),
    adminCapabilities: t.wordList(Object.values(AdminCapability), 'Rights through the group.'),
    roles: t.list(
      'GroupAccessRole',
      `Roles and memberships as they were given to the group; the first ${leavingLimits.listed}.`,
    ),
    communities: t.list(
      'UserCommunityAccess',
      `Communities in which the group has a role, by name; the first ${leavingLimits.listed}.`,
    ),
    workflowSteps: t.list(
      'GroupAccessStep',
      'Transitions that members may run, and states in which they may edit the screen, because the workflow ' +
        `names the group; by community and order of the states; the first ${leavingLimits.listed}.`,
    ),
  }),
  GroupAccessRole: t.type('A role or membership that was given to a group.', {
    communityId: t.int64('The community. Absent for workspaces, and for a role in every community.'),
    communityName: t.text('Its name.'),
    workspaceId: t.int64('The workspace. Absent for communities, and for a role in every community.'),
    workspaceName: t.text('Its name.'),
    everywhere: t.flag('Whether it is a role in every community.'),
    roleId: t.int32('Id of the role. Absent for plain membership of a workspace.'),
    roleName: t.text('Name of the role. Absent for plain membership of a workspace.'),
  }),
  GroupAccessStep: t.type('A place in a workflow that names a group.', {
    communityId: t.int64('The community.'),
    communityName: t.text('Its name.'),
    stateId: t.int64('The state of the posts.'),
    stateName: t.text('Its name.'),
    transitionId: t.int64('The transition from this state. Absent where members edit the screen of the state.'),
    transitionName: t.text('Its name.'),
  }),
  UserCommunityAccess: t.type('Access of a person or group to a community.', {
    communityId: t.int64('Id of the community.'),
    communityName: t.text('Its name.'),
    permissions: t.wordList(names, 'Permissions of all the roles together.'),
    ways: t.list('UserAccessWay', 'Each way by which a role was given, the strongest role first.'),
  }),
  UserAccessWay: t.type('A way by which a person or group has a role.', {
    roleId: t.int64('Id of the role.'),
    roleName: t.text('Name of the role.'),
    givenIn: t.word(
      ['community', 'workspace', 'everywhere'],
      'Source of the role: in the community itself, by its workspace, or in every community.',
    ),
    groupId: t.int64('The group that gives the role to the person; absent for a role that is held directly.'),
    groupName: t.text('Its name.'),
  }),
  UserLeavingResponse: t.type(
    'Objects that name a person: posts, open tasks, fields, roles and groups. Posts that the ' +
      'caller does not see are only counted.',
    {
      userId: t.int64('Id of the user.'),
      state: t.word(['active', 'blocked', 'deleted', 'erased'], 'State of the account.'),
      postsCount: t.bigCount('Posts that the person wrote, drafts not counted.'),
      draftsCount: t.bigCount('Drafts and scheduled posts of the person, which nobody else sees.'),
      openTasksCount: t.bigCount(
        'Open tasks that are assigned to the person, requests to acknowledge a post not counted.',
      ),
      unseenOpenTasksCount: t.bigCount('Number of them in posts that the caller does not see.'),
      openAcknowledgementsCount: t.bigCount('Posts that the person is asked to acknowledge. Nobody takes these over.'),
      fields: t.list(
        'UserLeavingField',
        `Fields that hold the person, by community and label; the first ${leavingLimits.listed}.`,
      ),
      roles: t.list(
        'UserLeavingRole',
        `Roles and memberships that were given to the person directly; the first ${leavingLimits.listed}.`,
      ),
      groups: t.list('UserLeavingGroup', 'Groups that the person is a member of.'),
      adminCapabilities: t.wordList(Object.values(AdminCapability), 'Rights that the account holds itself.'),
      managedUsersCount: t.bigCount('People with the person as the manager in their profile.'),
    },
  ),
  UserLeavingField: t.type('A field that holds the person in posts of a community.', {
    fieldId: t.int64('Id of the field.'),
    label: t.text('Label of the field.'),
    communityId: t.int64('Community of the posts.'),
    communityName: t.text('Name of that community.'),
    postsCount: t.bigCount('Posts that hold the person in this field.'),
    unseenPostsCount: t.bigCount('Number of them that the caller does not see.'),
    canHandOver: t.flag(
      'Whether a successor may take it over. False for fields that say who did something: transitions set them from who runs them, or ask for them in their screen.',
    ),
  }),
  UserLeavingRole: t.type('A role or membership that was given to the person directly.', {
    communityId: t.int64('The community. Absent for workspaces, and for a role in every community.'),
    communityName: t.text('Its name.'),
    workspaceId: t.int64('The workspace. Absent for communities, and for a role in every community.'),
    workspaceName: t.text('Its name.'),
    everywhere: t.flag('Whether it is a role in every community.'),
    roleId: t.int32('Id of the role. Absent for plain membership of a workspace.'),
    roleName: t.text('Name of the role. Absent for plain membership of a workspace.'),
    canHandOver: t.flag('Whether the caller may give this role.'),
  }),
  UserLeavingGroup: t.type('A group that the person is a member of.', {
    groupId: t.int64('Id of the group.'),
    name: t.text('Its name.'),
    adminCapabilities: t.wordList(Object.values(AdminCapability), 'Rights through the group.'),
  }),
  LeaveUserRequest: t.type('Successor, objects to hand over, and treatment of the account.', {
    account: t.required(
      t.word(
        leavingEnds,
        'Treatment of the account: it stays unchanged (`keep`), or it is blocked, deleted or ' +
          'erased, like `blockUser`, `deleteUser` and `eraseUser` do.',
      ),
    ),
    successorUserId: t.int64('The active user who takes over. Needed for everything below.'),
    tasks: t.flag('Whether the successor takes over the open tasks. Default: true if there is a successor.'),
    fieldIds: t.ids('Fields in which the successor takes the place of the leaver.', {
      maxItems: leavingLimits.chosen,
    }),
    communityIds: t.ids('Communities in which the successor takes over the role that was given to the leaver there.', {
      maxItems: leavingLimits.chosen,
    }),
    workspaceIds: t.ids('Workspaces in which the successor takes over the roles and the membership of the leaver.', {
      maxItems: leavingLimits.chosen,
    }),
    everywhere: t.flag('Whether the successor takes over the role of the leaver in every community.'),
  }),
  LeaveUserResponse: t.type('Handed over objects, and objects that stay. Counts of posts name none of them.', {
    userId: t.int64('Id of the user.'),
    state: t.word(['active', 'blocked', 'deleted', 'erased'], 'State of the account afterwards.'),
    rolesCount: t.count('Roles and memberships that the successor took over.'),
    tasksCount: t.count('Open tasks that the successor took over.'),
    fieldPostsCount: t.count('Posts in which the successor took the place of the leaver in a field.'),
    leftTasksCount: t.bigCount(`Open tasks that nobody took over although that was asked. ${stays}`),
    leftFieldPostsCount: t.bigCount(
      `Posts that still hold the user in one of the chosen fields. ${stays} A post counts once for each field.`,
    ),
    notRunCount: t.count(
      `Posts that were not begun within ${bulkLimits.seconds} seconds. Send the same request again for them.`,
    ),
  }),
};
