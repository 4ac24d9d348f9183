/** Groups and their members. */
import { AdminCapability } from '../codes/codes.ts';
import { ACTIVE_STATUS_TOO, GroupStatus } from '../codes/defined-codes.ts';
import { groupOrders } from '../filters.ts';
import { listLimits } from '../limits.ts';
import {
  codeList,
  count,
  email,
  type Fields,
  flag,
  ids,
  int64,
  list,
  orderDesc,
  page,
  pageInputs,
  required,
  text,
  time,
  token,
  type,
  word,
  wordList,
} from './fields.ts';

/** What is said of a group wherever one appears. */
export const groupFields: Fields = {
  id: int64('Id of the group.'),
  name: text('Name of the group.'),
  email: text('Address that reaches the group.'),
  description: text('What the group is for.'),
  creationTimestamp: time('When the group was created.'),
  lastModifyTimestamp: time('When the group was last changed.'),
  visible: flag('True when people can mention the group; false for one that only administrators use.'),
  systemAccount: flag('True for a group that the portal itself keeps.'),
  deleted: flag('True when the group was removed.'),
  externalId: text('Identifier of the group in another system.'),
  occToken: token('Version of the group, to be sent with an edit.'),
  membersCount: count('How many users belong to the group.'),
  tags: list('Tag', 'Labels that administrators gave the group.'),
  checkUserMemberResult: flag(
    'Whether the user asked about belongs to the group. False in the list of groups, also where nobody was asked about.',
  ),
};

const nextToken = token('Token for the next edit.');

export const groupTypes = {
  Tag: type('A label of groups.', {
    id: int64('Id of the label.'),
    name: text('Name of the label.'),
    visible: flag('Whether people other than administrators see the label.'),
    deleted: flag('True when the label was removed.'),
  }),
  Group: type('A group of users.', groupFields),
  ListSystemGroupsElement: type('A group in the administrative list.', groupFields),
  ListSystemGroupsRequest: type('Filters, order and paging of the list of groups.', {
    ...pageInputs,
    adminCapabilities: wordList(
      Object.values(AdminCapability),
      'Only groups that give all of these administrative rights.',
    ),
    fullTextFilter: text('Words looked for in name and e-mail address, ignoring case and accents.'),
    statusFilter: codeList(
      GroupStatus,
      'Only groups in one of these states; left out or empty, all that are not deleted. 0 means active too.',
      { also: [ACTIVE_STATUS_TOO] },
    ),
    workspaceIds: ids('Only groups that belong to one of these workspaces.'),
    excludeGroupByMemberUserId: int64('Leaves out the groups to which this user belongs.'),
    orderTypeId: word(groupOrders, 'What to order by.', { default: 'name' }),
    orderDesc: orderDesc(true),
  }),
  ListSystemGroupsResponse: page('ListSystemGroupsElement', 'A page of groups for administrators.'),
  ListGroupsResponse: page('Group', 'A page of groups.'),
  ListGroupMembersRequest: type('Paging of the members of a group.', pageInputs),
  ListGroupMembersResponse: page('User', 'A page of the members of a group.'),
  GetGroupForEditResponse: type('What an administrator can edit about a group.', {
    ...groupFields,
    members: list('User', 'Everyone who belongs to the group.'),
  }),
  CreateGroupRequest: type('A new group.', {
    name: required(text('Name; must not be empty.')),
    email: email('Address that reaches the group.'),
    externalId: text('Identifier of the group in another system, unique.'),
    visible: flag('Whether people can mention the group. Default false.'),
    memberIds: ids('Users who belong to the group from the start.', { maxItems: listLimits.members }),
  }),
  CreateGroupResponse: type('The group that was created.', {
    ...groupFields,
    groupId: int64('Id of the new group, the same as `id`.'),
    nextOccToken: nextToken,
  }),
  EditGroupRequest: type('New content of a group; what is left out is emptied or kept as said per field.', {
    name: required(text('Name; must not be empty.')),
    email: email('Address that reaches the group; emptied when left out.'),
    externalId: text('Identifier of the group in another system, unique; emptied when left out.'),
    visible: flag('Whether people can mention the group; false when left out.'),
    memberIds: ids('All members; left out, the members stay as they are.', { maxItems: listLimits.members }),
    occToken: required(token('Token that the form gave; a stale one is a 409.')),
  }),
  EditGroupResponse: type('Result of the edit of a group.', { nextOccToken: nextToken }),
  DeleteGroupResponse: type('The group that was deleted.', { groupId: int64('Id of the group.') }),
  EditGroupMembersRequest: type('Changes to the members of one group.', {
    id: required(int64('Id of the group.')),
    occToken: token('Token of the group; with a stale one this group is left as it is.'),
    addUserIds: ids('Users to add.', { maxItems: listLimits.members }),
    deleteUserIds: ids('Users to take out.', { maxItems: listLimits.members }),
  }),
  EditMultipleGroupsMembersRequest: type('Changes to the members of several groups.', {
    groupMembers: list('EditGroupMembersRequest', 'The changes, group by group.'),
  }),
  EditMultipleGroupsMembersResponse: type('What became of the changes, group by group.', {
    successGroups: list('Group', 'Groups that were changed, with their new token.'),
    concurrencyErrorGroups: list('Group', 'Groups that were left as they are because their token was stale.'),
  }),
};
