/** Groups and their members. */
import { AdminCapability } from '../../codes/codes.ts';
import { ACTIVE_STATUS_TOO, GroupStatus } from '../../codes/defined-codes.ts';
import { groupOrders } from '../../filters.ts';
import { listLimits } from '../../limits.ts';
import * as t from '../fields.ts';

/** Facts about a group, wherever one appears. */
export const groupFields: t.Fields = {
  id: t.int64('Id of the group.'),
  name: t.text('Name of the group.'),
  email: t.text('Address that reaches the group.'),
  description: t.text('Purpose of the group.'),
  creationTimestamp: t.time('Time at which the group was created.'),
  lastModifyTimestamp: t.time('Time at which the group was last changed.'),
  visible: t.flag('True when people can mention the group; false for a group that only administrators use.'),
  systemAccount: t.flag('True for a group that the portal itself keeps.'),
  deleted: t.flag('True when the group was removed.'),
  externalId: t.text('Identifier of the group in another system.'),
  occToken: t.token('Version of the group, to be sent with an edit.'),
  membersCount: t.count('Number of users in the group.'),
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
      'Only groups in one of these states. If omitted or empty, all groups that are not deleted. 0 also means active.',
      { also: [ACTIVE_STATUS_TOO] },
    ),
    workspaceIds: t.filterIds('Only groups that belong to one of these workspaces.'),
    roleIds: t.filterIds(
      'Only groups that were given one of these roles: in a community, in a workspace, or everywhere.',
    ),
    excludeGroupByMemberUserId: t.int64('Leaves out the groups to which this user belongs.'),
    orderTypeId: t.word(groupOrders, 'Sort order.', { default: 'name' }),
    orderDesc: t.orderDesc(true),
  }),
  ListSystemGroupsResponse: t.page('ListSystemGroupsElement', 'A page of groups for administrators.'),
  ListGroupsResponse: t.page('Group', 'A page of groups.'),
  ListGroupMembersRequest: t.type('Paging of the members of a group.', t.pageInputs),
  ListGroupMembersResponse: t.page('User', 'A page of the members of a group.'),
  GetGroupForEditResponse: t.type('Properties of a group that an administrator can edit.', {
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
    adminCapabilities: writtenRights('Default: none.'),
    memberIds: t.ids('Users who belong to the group from the start.', { maxItems: listLimits.members }),
  }),
  CreateGroupResponse: t.type('The group that was created.', {
    ...groupFields,
    groupId: t.int64('Id of the new group, the same as `id`.'),
    nextOccToken: nextToken,
  }),
  EditGroupRequest: t.type('New content of a group; omitted fields are emptied or kept, as described for each field.', {
    name: t.required(t.name('Name; must not be empty.')),
    email: t.email('Address that reaches the group; emptied if omitted.'),
    externalId: t.text('Identifier of the group in another system, unique; emptied if omitted.'),
    visible: t.flag('Whether people can mention the group; false if omitted.'),
    adminCapabilities: writtenRights(
      'kept if omitted; an empty list removes all. A right is never removed from its last holder who can sign in.',
    ),
    memberIds: t.ids('All members; if omitted, the members stay unchanged.', { maxItems: listLimits.members }),
    occToken: t.formToken,
  }),
  EditGroupResponse: t.type('Result of the edit of a group.', { nextOccToken: nextToken }),
  DeleteGroupResponse: t.type('The group that was deleted.', { groupId: t.int64('Id of the group.') }),
  EditGroupMembersRequest: t.type('Changes to the members of one group.', {
    id: t.required(t.int64('Id of the group.')),
    occToken: t.token('Token of the group, required; with a stale token this group stays unchanged.'),
    addUserIds: t.ids('Users to add.', { maxItems: listLimits.members }),
    deleteUserIds: t.ids('Users to take out.', { maxItems: listLimits.members }),
  }),
  EditMultipleGroupsMembersRequest: t.type('Changes to the members of several groups.', {
    groupMembers: t.list('EditGroupMembersRequest', 'The changes, group by group.'),
  }),
  EditMultipleGroupsMembersResponse: t.type('Outcome of the changes, group by group.', {
    successGroups: t.list('Group', 'Groups that were changed, with their new token.'),
    concurrencyErrorGroups: t.list('Group', 'Groups that stay unchanged because their token was stale.'),
    refusedGroups: t.list('RefusedGroupMembers', 'Groups that stay unchanged for another reason.'),
  }),
};

export const groupMembersTypes = {
  RefusedGroupMembers: t.type('Reason why the members of one of many groups stay unchanged.', {
    groupId: t.int64('Id of the group, as it was sent.'),
    validationErrors: t.ref(
      'ValidationErrors',
      'The reasons; each names its input, such as `groupMembers[2].addUserIds[0]`. `FORBIDDEN` ' +
        'if the caller may not do this.',
    ),
  }),
};
