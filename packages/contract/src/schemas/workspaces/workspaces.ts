/** Workspaces and roles. */
import { roles } from '../../codes/defined-codes.ts';
import { listLimits } from '../../limits.ts';
import * as t from '../fields.ts';

const roleText = roles.map(({ id, name }) => `${id} = ${name}`).join(', ');
const linkText = 'Absolute, short-lived address; absent when there is no picture.';

export const workspaceTypes = {
  Workspace: t.type('A workspace: it holds communities.', {
    id: t.int64('Id of the workspace.'),
    name: t.text('Name of the workspace.'),
    logoTemporaryContentViewLink: t.uri(`Shows the logo. ${linkText}`),
    hasDetailInfo: t.flag('Whether the workspace has a description.'),
    logoContentRef: t.text('Reference of the logo in the storage.'),
  }),
  Role: t.type('A role that users and groups can hold.', {
    id: t.int64(`Id of the role: ${roleText}.`),
    name: t.text('Name of the role.'),
    description: t.text('Permissions of the role.'),
    deleted: t.flag('True when the role is no longer given.'),
  }),
  UserRoleAssociation: t.type('A role held by a user.', {
    roleAssociationId: t.int64('Id of the assignment, by which it is removed.'),
    role: t.ref('Role', 'The role.'),
    user: t.ref('User', 'User who holds it.'),
  }),
  GroupRoleAssociation: t.type('A role held by a group.', {
    roleAssociationId: t.int64('Id of the assignment, by which it is removed.'),
    role: t.ref('Role', 'The role.'),
    group: t.ref('Group', 'Group that holds it.'),
  }),
  MemberRoleAssociation: t.type('A role held by a user or by a group.', {
    roleAssociationId: t.int64('Id of the assignment, by which it is removed.'),
    role: t.ref('Role', 'The role.'),
    user: t.ref('User', 'The user who holds it, if the holder is a user.'),
    group: t.ref('Group', 'The group that holds it, if it is one.'),
  }),
  SystemMember: t.type('A user or group that belongs to a workspace.', {
    id: t.text('Identifier of the member within the list: `user-` or `group-` and an id.'),
    name: t.text('Name of the user or group.'),
    user: t.ref('User', 'The user, if the member is one.'),
    group: t.ref('Group', 'The group, if the member is one.'),
    adminRoles: t.list('Role', 'Administrative roles of the member.'),
    communityMember: t.flag('Whether the member has a role in a community of the workspace.'),
    workspaceMember: t.flag('Whether the member belongs to the workspace itself.'),
    hasActiveLicense: t.flag('Whether the member holds a valid licence.'),
  }),
  ListUserRoleAssociationsResponse: t.page('UserRoleAssociation', 'Roles held by users.'),
  ListGroupRoleAssociationsResponse: t.page('GroupRoleAssociation', 'Roles held by groups.'),
  ListMemberRoleAssociationsResponse: t.page('MemberRoleAssociation', 'Roles held by users and groups.'),
  ListMembersResponse: t.page('SystemMember', 'Members of a workspace, users and groups together.'),
  WorkspaceEditableContentData: t.type('Editable settings of a workspace.', {
    name: t.text('Name of the workspace.'),
    translations: t.textMap('The name by language code.'),
    description: t.textMap('The description by language code.'),
    coverImageContentRef: t.text('Reference of the cover picture in the storage.'),
    logoContentRef: t.text('Reference of the logo in the storage.'),
    adminUsers: t.ref('ListUserRoleAssociationsResponse', 'Users who administer the workspace, all of them.'),
    adminGroups: t.ref('ListGroupRoleAssociationsResponse', 'Groups that administer the workspace, all of them.'),
    adminMembers: t.ref('ListMemberRoleAssociationsResponse', 'Users and groups that administer the workspace.'),
    memberUsers: t.ref('ListUsersResponse', 'Users who belong to the workspace, all of them.'),
    memberGroups: t.ref('ListGroupsResponse', 'Groups that belong to the workspace, all of them.'),
    members: t.ref('ListMembersResponse', 'Users and groups that belong to the workspace.'),
  }),
  GetWorkspaceForEditResponse: t.type("A workspace's form.", {
    contentData: t.ref('WorkspaceEditableContentData', 'The editable properties.'),
    id: t.int64('Id of the workspace.'),
    occToken: t.token('Token to put into the path of the next edit.'),
    archivedTimestamp: t.time('Time since which the workspace is read-only; absent while it is in use.'),
    creatorUser: t.ref('User', 'User who created the workspace.'),
    creationTimestamp: t.time('Time at which the workspace was created.'),
    lastModifyUser: t.ref('User', 'User who last changed the workspace.'),
    lastModifyTimestamp: t.time('Time at which the workspace was last changed.'),
    coverImageTemporaryContentViewLink: t.uri(`Shows the cover picture. ${linkText}`),
    logoTemporaryContentViewLink: t.uri(`Shows the logo. ${linkText}`),
    adminUsersCount: t.count('Number of users who administer the workspace.'),
    adminGroupsCount: t.count('Number of groups that administer the workspace.'),
    memberUsersCount: t.count('Number of users in the workspace.'),
    memberGroupsCount: t.count('Number of groups in the workspace.'),
  }),
  EditWorkspaceRequest: t.type('Changes to a workspace.', {
    name: t.required(t.name('Name; must not be empty.')),
    translations: t.nameMap('The name by language code.'),
    description: t.languageMap('The description by language code.'),
    newCoverImageContentRef: t.upload('Reference of an uploaded picture that becomes the cover.'),
    newLogoContentRef: t.upload('Reference of an uploaded picture that becomes the logo.'),
    addUserRoleAssociations: t.list('CreateUserRoleAssociation', 'Roles to give to users.', {
      maxItems: listLimits.roles,
    }),
    addGroupRoleAssociations: t.list('CreateGroupRoleAssociation', 'Roles to give to groups.', {
      maxItems: listLimits.roles,
    }),
    removeRoleAssociationIds: t.ids('Assignments of roles to remove, by their id.', { maxItems: listLimits.roles }),
    addUserIds: t.ids('Users who become members.', { maxItems: listLimits.members }),
    removeUserIds: t.ids('Users who stop being members.', { maxItems: listLimits.members }),
    addGroupIds: t.ids('Groups that become members.'),
    removeGroupIds: t.ids('Groups that stop being members.'),
  }),
  CreateUserRoleAssociation: t.type('A role to give to a user.', {
    userId: t.required(t.int64('User who gets it.')),
    roleId: t.required(t.int64(`Which role. Built-in: ${roleText}.`)),
  }),
  CreateGroupRoleAssociation: t.type('A role to give to a group.', {
    groupId: t.required(t.int64('Group that gets it.')),
    roleId: t.required(t.int64(`Which role. Built-in: ${roleText}.`)),
  }),
};
