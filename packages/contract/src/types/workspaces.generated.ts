// Generated from the declarations in src/schemas by `npm run generate`. Do not edit.
import type { Group, ListGroupsResponse } from './groups.generated.ts';
import type { ListUsersResponse, User } from './users.generated.ts';

/** A workspace: it holds communities. */
export interface Workspace {
  /** Id of the workspace. */
  id?: number;
  /** Name of the workspace. */
  name?: string;
  /** Shows the logo. Absolute, short-lived address; absent when there is no picture. */
  logoTemporaryContentViewLink?: string;
  /** Whether the workspace has a description. */
  hasDetailInfo?: boolean;
  /** Reference of the logo in the storage. */
  logoContentRef?: string;
}

/** A role that users and groups can hold. */
export interface Role {
  /** Id of the role: 1 = manager, 2 = contributor, 3 = reader, 4 = workspace administrator, 5 = guest. */
  id?: number;
  /** Name of the role. */
  name?: string;
  /** What the role allows. */
  description?: string;
  /** True when the role is no longer given. */
  deleted?: boolean;
}

/** A role held by a user. */
export interface UserRoleAssociation {
  /** Id of the assignment, by which it is removed. */
  roleAssociationId?: number;
  /** The role. */
  role?: Role;
  /** Who holds it. */
  user?: User;
}

/** A role held by a group. */
export interface GroupRoleAssociation {
  /** Id of the assignment, by which it is removed. */
  roleAssociationId?: number;
  /** The role. */
  role?: Role;
  /** Which group holds it. */
  group?: Group;
}

/** A role held by a user or by a group. */
export interface MemberRoleAssociation {
  /** Id of the assignment, by which it is removed. */
  roleAssociationId?: number;
  /** The role. */
  role?: Role;
  /** The user who holds it, if it is one. */
  user?: User;
  /** The group that holds it, if it is one. */
  group?: Group;
}

/** A user or group that belongs to a workspace. */
export interface SystemMember {
  /** Identifier of the member within the list: `user-` or `group-` and an id. */
  id?: string;
  /** Name of the user or group. */
  name?: string;
  /** The user, if the member is one. */
  user?: User;
  /** The group, if the member is one. */
  group?: Group;
  /** Administrative roles of the member. */
  adminRoles?: Role[];
  /** Whether the member has a role in a community of the workspace. */
  communityMember?: boolean;
  /** Whether the member belongs to the workspace itself. */
  workspaceMember?: boolean;
  /** Whether the member holds a valid licence. */
  hasActiveLicense?: boolean;
}

/** Roles held by users. */
export interface ListUserRoleAssociationsResponse {
  /** The elements of this page. */
  items?: UserRoleAssociation[];
  /** Token of the next page; absent on the last one. */
  nextPageToken?: string;
  /** How many elements all pages hold together; present only when it was asked for. */
  totalItemsCount?: number;
}

/** Roles held by groups. */
export interface ListGroupRoleAssociationsResponse {
  /** The elements of this page. */
  items?: GroupRoleAssociation[];
  /** Token of the next page; absent on the last one. */
  nextPageToken?: string;
  /** How many elements all pages hold together; present only when it was asked for. */
  totalItemsCount?: number;
}

/** Roles held by users and groups. */
export interface ListMemberRoleAssociationsResponse {
  /** The elements of this page. */
  items?: MemberRoleAssociation[];
  /** Token of the next page; absent on the last one. */
  nextPageToken?: string;
  /** How many elements all pages hold together; present only when it was asked for. */
  totalItemsCount?: number;
}

/** Members of a workspace, users and groups together. */
export interface ListMembersResponse {
  /** The elements of this page. */
  items?: SystemMember[];
  /** Token of the next page; absent on the last one. */
  nextPageToken?: string;
  /** How many elements all pages hold together; present only when it was asked for. */
  totalItemsCount?: number;
}

/** What can be edited about a workspace. */
export interface WorkspaceEditableContentData {
  /** Name of the workspace. */
  name?: string;
  /** The name by language code. */
  translations?: Record<string, string>;
  /** The description by language code. */
  description?: Record<string, string>;
  /** Reference of the cover picture in the storage. */
  coverImageContentRef?: string;
  /** Reference of the logo in the storage. */
  logoContentRef?: string;
  /** Users who administer the workspace, all of them. */
  adminUsers?: ListUserRoleAssociationsResponse;
  /** Groups that administer the workspace, all of them. */
  adminGroups?: ListGroupRoleAssociationsResponse;
  /** Users and groups that administer the workspace. */
  adminMembers?: ListMemberRoleAssociationsResponse;
  /** Users who belong to the workspace, all of them. */
  memberUsers?: ListUsersResponse;
  /** Groups that belong to the workspace, all of them. */
  memberGroups?: ListGroupsResponse;
  /** Users and groups that belong to the workspace. */
  members?: ListMembersResponse;
}

/** A workspace's form. */
export interface GetWorkspaceForEditResponse {
  /** What can be edited. */
  contentData?: WorkspaceEditableContentData;
  /** Id of the workspace. */
  id?: number;
  /** Token to put into the path of the next edit. */
  occToken?: number;
  /** Since when the workspace can only be read; absent while it is in use. Epoch milliseconds, UTC. */
  archivedTimestamp?: number;
  /** Who created the workspace. */
  creatorUser?: User;
  /** When the workspace was created. Epoch milliseconds, UTC. */
  creationTimestamp?: number;
  /** Who last changed the workspace. */
  lastModifyUser?: User;
  /** When the workspace was last changed. Epoch milliseconds, UTC. */
  lastModifyTimestamp?: number;
  /** Shows the cover picture. Absolute, short-lived address; absent when there is no picture. */
  coverImageTemporaryContentViewLink?: string;
  /** Shows the logo. Absolute, short-lived address; absent when there is no picture. */
  logoTemporaryContentViewLink?: string;
  /** How many users administer the workspace. */
  adminUsersCount?: number;
  /** How many groups administer the workspace. */
  adminGroupsCount?: number;
  /** How many users belong to the workspace. */
  memberUsersCount?: number;
  /** How many groups belong to the workspace. */
  memberGroupsCount?: number;
}

/** Changes to a workspace. */
export interface EditWorkspaceRequest {
  /** Name; must not be empty. */
  name?: string;
  /** The name by language code. Keys are language codes such as en or pt-BR. */
  translations?: Record<string, string>;
  /** The description by language code. Keys are language codes such as en or pt-BR. */
  description?: Record<string, string>;
  /** Reference of an uploaded picture that becomes the cover. */
  newCoverImageContentRef?: string;
  /** Reference of an uploaded picture that becomes the logo. */
  newLogoContentRef?: string;
  /** Roles to give to users. */
  addUserRoleAssociations?: CreateUserRoleAssociation[];
  /** Roles to give to groups. */
  addGroupRoleAssociations?: CreateGroupRoleAssociation[];
  /** Assignments of roles to take away, by their id. */
  removeRoleAssociationIds?: number[];
  /** Users who become members. */
  addUserIds?: number[];
  /** Users who stop being members. */
  removeUserIds?: number[];
  /** Groups that become members. */
  addGroupIds?: number[];
  /** Groups that stop being members. */
  removeGroupIds?: number[];
}

/** A role to give to a user. */
export interface CreateUserRoleAssociation {
  /** Who gets it. */
  userId?: number;
  /** Which role. Built-in: 1 = manager, 2 = contributor, 3 = reader, 4 = workspace administrator, 5 = guest. */
  roleId?: number;
}

/** A role to give to a group. */
export interface CreateGroupRoleAssociation {
  /** Which group gets it. */
  groupId?: number;
  /** Which role. Built-in: 1 = manager, 2 = contributor, 3 = reader, 4 = workspace administrator, 5 = guest. */
  roleId?: number;
}
