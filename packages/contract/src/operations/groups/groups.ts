/** Groups and their members. */
import { defineOperations } from '../define.ts';
import { examples } from '../examples.ts';
import { userColumns, whoCanBeMentioned } from '../users/users.ts';

export const groupsOperations = defineOperations('groups', {
  listPeopleGroups: {
    method: 'POST',
    path: '/communication/people/data/groups',
    body: 'ListPeopleRequest',
    responses: { 200: 'ListPeopleGroupsResponse', 404: null },
    permission: 'authenticated',
    paging: 'page',
    extension: true,
    summary: 'Find groups',
    description:
      'Returns groups that have a role in a community of the caller, by name and id: for pickers and mentions. With `communityId` only groups with a role in that community, with `postId` only groups that give their members access to that post. Groups that only administrators see are omitted. A community in which the caller has no role, and a post that they do not see, return 404.',
    requestExamples: whoCanBeMentioned,
    clientMethod: 'find',
    command: {
      columns: ['id', 'name', 'email', 'membersCount'],
      examples: ['--full-text-filter sales', '--community-id 2 --all'],
    },
  },
  listSystemGroups: {
    method: 'POST',
    path: '/admin/data/groups',
    body: 'ListSystemGroupsRequest',
    responses: { 200: 'ListSystemGroupsResponse', 403: null },
    permission: 'manageUsers',
    paging: 'page',
    summary: 'List groups',
    description: 'Returns all groups of the tenant, narrowed by any of the filters (they combine by AND).',
    requestExamples: examples<'ListSystemGroupsRequest'>({
      byName: { summary: 'By name', value: { fullTextFilter: 'sales', orderTypeId: 'name', orderDesc: false } },
    }),
    clientMethod: 'list',
    command: {
      columns: ['id', 'name', 'email', 'externalId', 'visible', 'membersCount'],
      examples: ['--all --fields id,name,membersCount', '--full-text-filter sales --count'],
    },
  },
  listGroupsMembers: {
    method: 'POST',
    path: '/admin/data/groups/{groupId}/members',
    body: 'ListGroupMembersRequest',
    responses: { 200: 'ListGroupMembersResponse', 403: null, 404: null },
    permission: 'manageUsers',
    paging: 'page',
    summary: 'List the members of a group',
    description: 'Returns the users of one group, by last name, first name and id.',
    clientMethod: 'members',
    command: { columns: userColumns, examples: ['5 --all', '5 --output csv --fields id,contactEmail'] },
  },
  getGroupAccess: {
    method: 'GET',
    path: '/admin/data/groups/{groupId}/access',
    responses: { 200: 'GroupAccessResponse', 403: null, 404: null },
    permission: 'manageUsers',
    extension: true,
    summary: 'Explain the access by a group',
    description:
      'Returns the administrative rights, roles and memberships that a group gives to its members, ' +
      'the communities where its roles apply with the permissions there, and the transitions and ' +
      'states in workflows that name the group. `getUserAccess` does so for one person.',
    clientMethod: 'access',
    command: {
      rows: 'communities',
      columns: ['communityId', 'communityName', 'permissions'],
      examples: ['5', '5 --output json'],
    },
  },
  getGroupForEdit: {
    method: 'GET',
    path: '/admin/manage/groups/{groupId}/edit',
    responses: { 200: 'GetGroupForEditResponse', 403: null, 404: null },
    permission: 'manageUsers',
    summary: "Read a group's form",
    description:
      'Returns the group with all its members, and the `occToken` to send back. A deleted group returns 404.',
    clientMethod: 'readForEdit',
    formerMethod: 'form',
    command: { examples: ['5', '5 --output json --fields occToken,members'] },
  },
  createGroup: {
    method: 'POST',
    path: '/admin/manage/groups',
    body: 'CreateGroupRequest',
    responses: { 200: 'CreateGroupResponse', 400: 'ValidationErrorResponse', 403: null },
    permission: 'manageUsers',
    summary: 'Create a group',
    description: 'Requires `name`. Returns the whole group, its id and the token for the next edit.',
    clientMethod: 'create',
    command: {
      examples: ['--name Sales --visible --member-ids 17,18', '--name "Night shift" --external-id shift-n --dry-run'],
    },
  },
  editGroup: {
    method: 'PUT',
    path: '/admin/manage/groups/{groupId}',
    body: 'EditGroupRequest',
    responses: { 200: 'EditGroupResponse', 400: 'ValidationErrorResponse', 403: null, 404: null, 409: null },
    permission: 'manageUsers',
    summary: 'Edit a group',
    description:
      'Replaces the group. Requires `name`; omitted `email` and `externalId` are emptied, omitted `visible` becomes false. `memberIds` is the full list of members; if omitted, the members stay unchanged. A stale `occToken` returns 409.',
    clientMethod: 'replace',
    formerMethod: 'edit',
    command: {
      form: 'getGroupForEdit',
      needsValue: true,
      examples: ['5 --name "Sales and support"', '5 --member-ids 17,18,19'],
    },
  },
  deleteGroup: {
    method: 'DELETE',
    path: '/admin/manage/groups/{groupId}',
    responses: { 200: null, 403: null, 404: null },
    permission: 'manageUsers',
    summary: 'Delete a group',
    description:
      'Takes the group out of use; its members lose their rights and roles through it. Returns an empty body.',
    clientMethod: 'delete',
    command: { confirms: true, examples: ['5', '5 --yes --dry-run'] },
  },
  editGroupMembers: {
    method: 'PUT',
    path: '/admin/manage/groups/members',
    body: 'EditMultipleGroupsMembersRequest',
    responses: { 200: 'EditMultipleGroupsMembersResponse', 403: null },
    permission: 'manageUsers',
    summary: 'Add and remove members of many groups',
    description:
      'Each group is changed or rejected on its own: `concurrencyErrorGroups` lists groups with a stale `occToken`, which are unchanged, `refusedGroups` lists groups rejected for another reason, with the reasons, and `successGroups` lists the other groups with their new token. The status is always 200.',
    requestExamples: examples<'EditMultipleGroupsMembersRequest'>({
      three: {
        summary: 'Three groups at once',
        value: {
          groupMembers: [
            { id: 31, occToken: 4, addUserIds: [17] },
            { id: 32, occToken: 9, deleteUserIds: [18, 19] },
            { id: 33, occToken: 2, addUserIds: [4711] },
          ],
        },
      },
    }),
    responseExamples: examples<'EditMultipleGroupsMembersResponse'>({
      mixed: {
        summary: 'Changed, stale and rejected groups',
        value: {
          successGroups: [{ id: 31, name: 'Sales', occToken: 5, membersCount: 12 }],
          concurrencyErrorGroups: [{ id: 32, name: 'Production', occToken: 11, membersCount: 40 }],
          refusedGroups: [
            {
              groupId: 33,
              validationErrors: {
                list: [
                  {
                    code: 'UNKNOWN_REFERENCE',
                    field: 'groupMembers[2].addUserIds[0]',
                    defaultMessage: 'There is no user 4711.',
                    args: [4711],
                  },
                ],
              },
            },
          ],
        },
      },
    }),
    clientMethod: 'updateMembers',
    formerMethod: 'editMembers',
    command: { examples: ['5 --add-user-ids 17,18', '5 --delete-user-ids 19 --dry-run'] },
  },
});
