// Generated from the declarations in src/schemas by `npm run generate`. Do not edit.
import type { RefusedGroupMembers } from './extensions.generated.ts';
import type { User } from './users.generated.ts';

/** A label of groups. */
export interface Tag {
  /** Id of the label. */
  id?: number;
  /** Name of the label. */
  name?: string;
  /** Whether people other than administrators see the label. */
  visible?: boolean;
  /** True when the label was removed. */
  deleted?: boolean;
}

/** A group of users. */
export interface Group {
  /** Id of the group. */
  id?: number;
  /** Name of the group. */
  name?: string;
  /** Address that reaches the group. */
  email?: string;
  /** What the group is for. */
  description?: string;
  /** When the group was created. Epoch milliseconds, UTC. */
  creationTimestamp?: number;
  /** When the group was last changed. Epoch milliseconds, UTC. */
  lastModifyTimestamp?: number;
  /** True when people can mention the group; false for one that only administrators use. */
  visible?: boolean;
  /** True for a group that the portal itself keeps. */
  systemAccount?: boolean;
  /** True when the group was removed. */
  deleted?: boolean;
  /** Identifier of the group in another system. */
  externalId?: string;
  /** Version of the group, to be sent with an edit. */
  occToken?: number;
  /** How many users belong to the group. */
  membersCount?: number;
  /** Labels that administrators gave the group. */
  tags?: Tag[];
  /** Whether the user asked about belongs to the group. False in the list of groups, also where nobody was asked about. */
  checkUserMemberResult?: boolean;
}

/** A group in the administrative list. */
export interface ListSystemGroupsElement {
  /** Id of the group. */
  id?: number;
  /** Name of the group. */
  name?: string;
  /** Address that reaches the group. */
  email?: string;
  /** What the group is for. */
  description?: string;
  /** When the group was created. Epoch milliseconds, UTC. */
  creationTimestamp?: number;
  /** When the group was last changed. Epoch milliseconds, UTC. */
  lastModifyTimestamp?: number;
  /** True when people can mention the group; false for one that only administrators use. */
  visible?: boolean;
  /** True for a group that the portal itself keeps. */
  systemAccount?: boolean;
  /** True when the group was removed. */
  deleted?: boolean;
  /** Identifier of the group in another system. */
  externalId?: string;
  /** Version of the group, to be sent with an edit. */
  occToken?: number;
  /** How many users belong to the group. */
  membersCount?: number;
  /** Labels that administrators gave the group. */
  tags?: Tag[];
  /** Whether the user asked about belongs to the group. False in the list of groups, also where nobody was asked about. */
  checkUserMemberResult?: boolean;
}

/** Filters, order and paging of the list of groups. */
export interface ListSystemGroupsRequest {
  /** `nextPageToken` of the page before, unchanged; left out for the first page. */
  pageToken?: string;
  /** How many items a page holds at most: at least 1; more than 500 is cut to 500. Default 20. */
  pageSize?: number;
  /** Asks for `totalItemsCount`, which costs a count. Default false. */
  calculateTotalItemsCount?: boolean;
  /** Only groups that give all of these administrative rights. Each one of: manageUsers, manageDigitalWorplace. */
  adminCapabilities?: ('manageUsers' | 'manageDigitalWorplace')[];
  /** Words looked for in name and e-mail address, ignoring case and accents. */
  fullTextFilter?: string;
  /** Only groups in one of these states; left out or empty, all that are not deleted. 0 means active too. 1 = ACTIVE, 2 = DELETED. */
  statusFilter?: (0 | 1 | 2)[];
  /** Only groups that belong to one of these workspaces. */
  workspaceIds?: number[];
  /** Leaves out the groups to which this user belongs. */
  excludeGroupByMemberUserId?: number;
  /** What to order by. One of: name, email. Default `name`. */
  orderTypeId?: 'name' | 'email';
  /** Direction of the order: true runs from the highest to the lowest. Default true. */
  orderDesc?: boolean;
}

/** A page of groups for administrators. */
export interface ListSystemGroupsResponse {
  /** The elements of this page. */
  items?: ListSystemGroupsElement[];
  /** Token of the next page; absent on the last one. */
  nextPageToken?: string;
  /** How many elements all pages hold together; present only when it was asked for. */
  totalItemsCount?: number;
}

/** A page of groups. */
export interface ListGroupsResponse {
  /** The elements of this page. */
  items?: Group[];
  /** Token of the next page; absent on the last one. */
  nextPageToken?: string;
  /** How many elements all pages hold together; present only when it was asked for. */
  totalItemsCount?: number;
}

/** Paging of the members of a group. */
export interface ListGroupMembersRequest {
  /** `nextPageToken` of the page before, unchanged; left out for the first page. */
  pageToken?: string;
  /** How many items a page holds at most: at least 1; more than 500 is cut to 500. Default 20. */
  pageSize?: number;
  /** Asks for `totalItemsCount`, which costs a count. Default false. */
  calculateTotalItemsCount?: boolean;
}

/** A page of the members of a group. */
export interface ListGroupMembersResponse {
  /** The elements of this page. */
  items?: User[];
  /** Token of the next page; absent on the last one. */
  nextPageToken?: string;
  /** How many elements all pages hold together; present only when it was asked for. */
  totalItemsCount?: number;
}

/** What an administrator can edit about a group. */
export interface GetGroupForEditResponse {
  /** Id of the group. */
  id?: number;
  /** Name of the group. */
  name?: string;
  /** Address that reaches the group. */
  email?: string;
  /** What the group is for. */
  description?: string;
  /** When the group was created. Epoch milliseconds, UTC. */
  creationTimestamp?: number;
  /** When the group was last changed. Epoch milliseconds, UTC. */
  lastModifyTimestamp?: number;
  /** True when people can mention the group; false for one that only administrators use. */
  visible?: boolean;
  /** True for a group that the portal itself keeps. */
  systemAccount?: boolean;
  /** True when the group was removed. */
  deleted?: boolean;
  /** Identifier of the group in another system. */
  externalId?: string;
  /** Version of the group, to be sent with an edit. */
  occToken?: number;
  /** How many users belong to the group. */
  membersCount?: number;
  /** Labels that administrators gave the group. */
  tags?: Tag[];
  /** Whether the user asked about belongs to the group. False in the list of groups, also where nobody was asked about. */
  checkUserMemberResult?: boolean;
  /** Administrative rights that members hold by the group. Each one of: manageUsers, manageDigitalWorplace. */
  adminCapabilities?: ('manageUsers' | 'manageDigitalWorplace')[];
  /** Everyone who belongs to the group. */
  members?: User[];
}

/** A new group. */
export interface CreateGroupRequest {
  /** Name; must not be empty. */
  name?: string;
  /** Address that reaches the group. */
  email?: string;
  /** Identifier of the group in another system, unique. */
  externalId?: string;
  /** Whether people can mention the group. Default false. */
  visible?: boolean;
  /** Administrative rights that members hold by the group; none when left out. Only rights that the caller holds are given or taken. Each one of: manageUsers, manageDigitalWorplace. */
  adminCapabilities?: ('manageUsers' | 'manageDigitalWorplace')[];
  /** Users who belong to the group from the start. */
  memberIds?: number[];
}

/** The group that was created. */
export interface CreateGroupResponse {
  /** Id of the group. */
  id?: number;
  /** Name of the group. */
  name?: string;
  /** Address that reaches the group. */
  email?: string;
  /** What the group is for. */
  description?: string;
  /** When the group was created. Epoch milliseconds, UTC. */
  creationTimestamp?: number;
  /** When the group was last changed. Epoch milliseconds, UTC. */
  lastModifyTimestamp?: number;
  /** True when people can mention the group; false for one that only administrators use. */
  visible?: boolean;
  /** True for a group that the portal itself keeps. */
  systemAccount?: boolean;
  /** True when the group was removed. */
  deleted?: boolean;
  /** Identifier of the group in another system. */
  externalId?: string;
  /** Version of the group, to be sent with an edit. */
  occToken?: number;
  /** How many users belong to the group. */
  membersCount?: number;
  /** Labels that administrators gave the group. */
  tags?: Tag[];
  /** Whether the user asked about belongs to the group. False in the list of groups, also where nobody was asked about. */
  checkUserMemberResult?: boolean;
  /** Id of the new group, the same as `id`. */
  groupId?: number;
  /** Token for the next edit. */
  nextOccToken?: number;
}

/** New content of a group; what is left out is emptied or kept as said per field. */
export interface EditGroupRequest {
  /** Name; must not be empty. */
  name?: string;
  /** Address that reaches the group; emptied when left out. */
  email?: string;
  /** Identifier of the group in another system, unique; emptied when left out. */
  externalId?: string;
  /** Whether people can mention the group; false when left out. */
  visible?: boolean;
  /** Administrative rights that members hold by the group; kept when left out, an empty list takes all. None is taken from the last person who holds it and can sign in. Only rights that the caller holds are given or taken. Each one of: manageUsers, manageDigitalWorplace. */
  adminCapabilities?: ('manageUsers' | 'manageDigitalWorplace')[];
  /** All members; left out, the members stay as they are. */
  memberIds?: number[];
  /** Token that the form gave; a stale one is a 409. */
  occToken?: number;
}

/** Result of the edit of a group. */
export interface EditGroupResponse {
  /** Token for the next edit. */
  nextOccToken?: number;
}

/** The group that was deleted. */
export interface DeleteGroupResponse {
  /** Id of the group. */
  groupId?: number;
}

/** Changes to the members of one group. */
export interface EditGroupMembersRequest {
  /** Id of the group. */
  id?: number;
  /** Token of the group, needed; with a stale one this group is left as it is. */
  occToken?: number;
  /** Users to add. */
  addUserIds?: number[];
  /** Users to take out. */
  deleteUserIds?: number[];
}

/** Changes to the members of several groups. */
export interface EditMultipleGroupsMembersRequest {
  /** The changes, group by group. */
  groupMembers?: EditGroupMembersRequest[];
}

/** What became of the changes, group by group. */
export interface EditMultipleGroupsMembersResponse {
  /** Groups that were changed, with their new token. */
  successGroups?: Group[];
  /** Groups that were left as they are because their token was stale. */
  concurrencyErrorGroups?: Group[];
  /** Groups that were left as they are for another reason. */
  refusedGroups?: RefusedGroupMembers[];
}
