/** Workspaces and roles (specification: Admin edit-form responses; 7.5). */
import { roles } from '../codes/defined-codes.ts';
import { listLimits } from '../limits.ts';
import {
  count,
  flag,
  ids,
  int64,
  languageMap,
  list,
  page,
  ref,
  required,
  text,
  textMap,
  time,
  token,
  type,
  upload,
  uri,
} from './fields.ts';

const roleText = roles.map(({ id, name }) => `${id} = ${name}`).join(', ');
const linkText = 'Absolute, short-lived address; absent when there is no picture.';

export const workspaceTypes = {
  Workspace: type('A workspace: it holds communities.', {
    id: int64('Id of the workspace.'),
    name: text('Name of the workspace.'),
    logoTemporaryContentViewLink: uri(`Shows the logo. ${linkText}`),
    hasDetailInfo: flag('Whether the workspace has a description.'),
    logoContentRef: text('Reference of the logo in the storage.'),
  }),
  Role: type('A role that users and groups can hold.', {
    id: int64(`Id of the role: ${roleText}.`),
    name: text('Name of the role.'),
    description: text('What the role allows.'),
    deleted: flag('True when the role is no longer given.'),
  }),
  UserRoleAssociation: type('A role held by a user.', {
    roleAssociationId: int64('Id of the assignment, by which it is removed.'),
    role: ref('Role', 'The role.'),
    user: ref('User', 'Who holds it.'),
  }),
  GroupRoleAssociation: type('A role held by a group.', {
    roleAssociationId: int64('Id of the assignment, by which it is removed.'),
    role: ref('Role', 'The role.'),
    group: ref('Group', 'Which group holds it.'),
  }),
  MemberRoleAssociation: type('A role held by a user or by a group.', {
    roleAssociationId: int64('Id of the assignment, by which it is removed.'),
    role: ref('Role', 'The role.'),
    user: ref('User', 'The user who holds it, if it is one.'),
    group: ref('Group', 'The group that holds it, if it is one.'),
  }),
  SystemMember: type('A user or group that belongs to a workspace.', {
    id: text('Identifier of the member within the list: `user-` or `group-` and an id.'),
    name: text('Name of the user or group.'),
    user: ref('User', 'The user, if the member is one.'),
    group: ref('Group', 'The group, if the member is one.'),
    adminRoles: list('Role', 'Administrative roles of the member.'),
    communityMember: flag('Whether the member has a role in a community of the workspace.'),
    workspaceMember: flag('Whether the member belongs to the workspace itself.'),
    hasActiveLicense: flag('Whether the member holds a valid licence.'),
  }),
  ListUserRoleAssociationsResponse: page('UserRoleAssociation', 'Roles held by users.'),
  ListGroupRoleAssociationsResponse: page('GroupRoleAssociation', 'Roles held by groups.'),
  ListMemberRoleAssociationsResponse: page('MemberRoleAssociation', 'Roles held by users and groups.'),
  ListMembersResponse: page('SystemMember', 'Members of a workspace, users and groups together.'),
  WorkspaceEditableContentData: type('What can be edited about a workspace.', {
    name: text('Name of the workspace.'),
    translations: textMap('The name by language code.'),
    description: textMap('The description by language code.'),
    coverImageContentRef: text('Reference of the cover picture in the storage.'),
    logoContentRef: text('Reference of the logo in the storage.'),
    adminUsers: ref('ListUserRoleAssociationsResponse', 'Users who administer the workspace, all of them.'),
    adminGroups: ref('ListGroupRoleAssociationsResponse', 'Groups that administer the workspace, all of them.'),
    adminMembers: ref('ListMemberRoleAssociationsResponse', 'Users and groups that administer the workspace.'),
    memberUsers: ref('ListUsersResponse', 'Users who belong to the workspace, all of them.'),
    memberGroups: ref('ListGroupsResponse', 'Groups that belong to the workspace, all of them.'),
    members: ref('ListMembersResponse', 'Users and groups that belong to the workspace.'),
  }),
  GetWorkspaceForEditResponse: type("A workspace's form.", {
    contentData: ref('WorkspaceEditableContentData', 'What can be edited.'),
    id: int64('Id of the workspace.'),
    occToken: token('Token to put into the path of the next edit.'),
    creatorUser: ref('User', 'Who created the workspace.'),
    creationTimestamp: time('When the workspace was created.'),
    lastModifyUser: ref('User', 'Who last changed the workspace.'),
    lastModifyTimestamp: time('When the workspace was last changed.'),
    coverImageTemporaryContentViewLink: uri(`Shows the cover picture. ${linkText}`),
    logoTemporaryContentViewLink: uri(`Shows the logo. ${linkText}`),
    adminUsersCount: count('How many users administer the workspace.'),
    adminGroupsCount: count('How many groups administer the workspace.'),
    memberUsersCount: count('How many users belong to the workspace.'),
    memberGroupsCount: count('How many groups belong to the workspace.'),
  }),
  EditWorkspaceRequest: type('Changes to a workspace.', {
    name: required(text('Name; must not be empty.')),
    translations: languageMap('The name by language code.'),
    description: languageMap('The description by language code.'),
    newCoverImageContentRef: upload('Reference of an uploaded picture that becomes the cover.'),
    newLogoContentRef: upload('Reference of an uploaded picture that becomes the logo.'),
    addUserRoleAssociations: list('CreateUserRoleAssociation', 'Roles to give to users.', {
      maxItems: listLimits.roles,
    }),
    addGroupRoleAssociations: list('CreateGroupRoleAssociation', 'Roles to give to groups.', {
      maxItems: listLimits.roles,
    }),
    removeRoleAssociationIds: ids('Assignments of roles to take away, by their id.', { maxItems: listLimits.roles }),
    addUserIds: ids('Users who become members.', { maxItems: listLimits.members }),
    removeUserIds: ids('Users who stop being members.', { maxItems: listLimits.members }),
    addGroupIds: ids('Groups that become members.'),
    removeGroupIds: ids('Groups that stop being members.'),
  }),
  CreateUserRoleAssociation: type('A role to give to a user.', {
    userId: required(int64('Who gets it.')),
    roleId: required(int64(`Which role. Built-in: ${roleText}.`)),
  }),
  CreateGroupRoleAssociation: type('A role to give to a group.', {
    groupId: required(int64('Which group gets it.')),
    roleId: required(int64(`Which role. Built-in: ${roleText}.`)),
  }),
};
