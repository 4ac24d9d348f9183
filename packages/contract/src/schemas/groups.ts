/** Groups and their members. */
import { AdminCapability } from '../codes/codes.ts';
import { ACTIVE_STATUS_TOO, GroupStatus } from '../codes/defined-codes.ts';
import { groupOrders } from '../filters.ts';
import { listLimits } from '../limits.ts';
import * as t from './fields.ts';

/** Facts about a group, wherever one appears. */
export const groupFields: t.Fields = {
  id: t.int64('Id of the group.'),
  name: t.text('Name of the group.'),
  email: t.text('Address that reaches the group.'),
  description: t.text('What the group is for.'),
  creationTimestamp: t.time('When the group was created.'),
  lastModifyTimestamp: t.time('When the group was last changed.'),
  visible: t.flag('True when people can mention the group; false for one that only administrators use.'),
  systemAccount: t.flag('True for a group that the portal itself keeps.'),
  deleted: t.flag('True when the group was removed.'),
  externalId: t.text('Identifier of the group in another system.'),
  occToken: t.token('Version of the group, to be sent with an edit.'),
  membersCount: t.count('How many users belong to the group.'),
  tags: t.list('Tag', 'Labels that administrators gave the group.'),
  checkUserMemberResult: t.flag(
    'Whether the user asked about belongs to the group. False in the list of groups, also where nobody was asked about.',
  ),
};

const writtenRights = (rest: string) =>
  t.wordList(
    Object.values(AdminCapability),
    `Administrative rights that members hold by the group; ${rest} Only rights that the caller holds are given or taken.`,
  );
const nextToken = t.token('Token for the next edit.');

export const groupTypes = {
  Tag: t.type('A label of groups.', {
    id: t.int64('Id of the label.'),
    name: t.text('Name of the label.'),
    visible: t.flag('Whether people other than administrators see the label.'),
    deleted: t.flag('True when the label was removed.'),
  }),
  Group: t.type('A group of users.', groupFields),
  ListSystemGroupsElement: t.type('A group in the administrative list.', groupFields),
  ListSystemGroupsRequest: t.type('Filters, order and paging of the list of groups.', {
    ...t.pageInputs,
    adminCapabilities: t.wordList(
      Object.values(AdminCapability),
      'Only groups that give all of these administrative rights.',
    ),
    fullTextFilter: t.text('Words looked for in name and e-mail address, ignoring case and accents.'),
    statusFilter: t.codeList(
      GroupStatus,
      'Only groups in one of these states; left out or empty, all that are not deleted. 0 means active too.',
      { also: [ACTIVE_STATUS_TOO] },
    ),
    workspaceIds: t.filterIds('Only groups that belong to one of these workspaces.'),
    excludeGroupByMemberUserId: t.int64('Leaves out the groups to which this user belongs.'),
    orderTypeId: t.word(groupOrders, 'What to order by.', { default: 'name' }),
    orderDesc: t.orderDesc(true),
  }),
  ListSystemGroupsResponse: t.page('ListSystemGroupsElement', 'A page of groups for administrators.'),
  ListGroupsResponse: t.page('Group', 'A page of groups.'),
  ListGroupMembersRequest: t.type('Paging of the members of a group.', t.pageInputs),
  ListGroupMembersResponse: t.page('User', 'A page of the members of a group.'),
  GetGroupForEditResponse: t.type('What an administrator can edit about a group.', {
    ...groupFields,
    adminCapabilities: t.wordList(
      Object.values(AdminCapability),
      'Administrative rights that members hold by the group.',
    ),
    members: t.list('User', 'Everyone who belongs to the group.'),
  }),
  CreateGroupRequest: t.type('A new group.', {
    name: t.required(t.name('Name; must not be empty.')),
    email: t.email('Address that reaches the group.'),
    externalId: t.text('Identifier of the group in another system, unique.'),
    visible: t.flag('Whether people can mention the group. Default false.'),
    adminCapabilities: writtenRights('none when left out.'),
    memberIds: t.ids('Users who belong to the group from the start.', { maxItems: listLimits.members }),
  }),
  CreateGroupResponse: t.type('The group that was created.', {
    ...groupFields,
    groupId: t.int64('Id of the new group, the same as `id`.'),
    nextOccToken: nextToken,
  }),
  EditGroupRequest: t.type('New content of a group; what is left out is emptied or kept as said per field.', {
    name: t.required(t.name('Name; must not be empty.')),
    email: t.email('Address that reaches the group; emptied when left out.'),
    externalId: t.text('Identifier of the group in another system, unique; emptied when left out.'),
    visible: t.flag('Whether people can mention the group; false when left out.'),
    adminCapabilities: writtenRights(
      'kept when left out, an empty list takes all. None is taken from the last person who holds it and can sign in.',
    ),
    memberIds: t.ids('All members; left out, the members stay as they are.', { maxItems: listLimits.members }),
    occToken: t.required(t.token('Token that the form gave; a stale one is a 409.')),
  }),
  EditGroupResponse: t.type('Result of the edit of a group.', { nextOccToken: nextToken }),
  DeleteGroupResponse: t.type('The group that was deleted.', { groupId: t.int64('Id of the group.') }),
  EditGroupMembersRequest: t.type('Changes to the members of one group.', {
    id: t.required(t.int64('Id of the group.')),
    occToken: t.token('Token of the group, needed; with a stale one this group is left as it is.'),
    addUserIds: t.ids('Users to add.', { maxItems: listLimits.members }),
    deleteUserIds: t.ids('Users to take out.', { maxItems: listLimits.members }),
  }),
  EditMultipleGroupsMembersRequest: t.type('Changes to the members of several groups.', {
    groupMembers: t.list('EditGroupMembersRequest', 'The changes, group by group.'),
  }),
  EditMultipleGroupsMembersResponse: t.type('What became of the changes, group by group.', {
    successGroups: t.list('Group', 'Groups that were changed, with their new token.'),
    concurrencyErrorGroups: t.list('Group', 'Groups that were left as they are because their token was stale.'),
    refusedGroups: t.list('RefusedGroupMembers', 'Groups that were left as they are for another reason.'),
  }),
};

export const groupMembersTypes = {
  RefusedGroupMembers: t.type('Why the members of one of many groups were left as they are.', {
    groupId: t.int64('Id of the group, as it was sent.'),
    validationErrors: t.ref(
      'ValidationErrors',
      'The reasons; each names its input, such as `groupMembers[2].addUserIds[0]`. `FORBIDDEN` where the caller may not do this.',
    ),
  }),
};
