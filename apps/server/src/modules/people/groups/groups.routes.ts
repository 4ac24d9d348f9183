/** The operations of groups. */

import type { Handlers } from '../../../kernel/operations.ts';
import { createGroup, deleteGroup, editGroup } from '../users/edit-group.ts';
import { editGroupMembers } from '../users/edit-group-members.ts';
import { getGroupForEdit, listGroups } from '../users/list-groups.ts';
import { listPeopleGroups } from '../users/list-people.ts';
import { listGroupMembers } from '../users/list-users.ts';

export const groupHandlers = {
  listPeopleGroups: ({ scope, body }) => listPeopleGroups(scope, body ?? {}),
  listSystemGroups: ({ scope, body }) => listGroups(scope, body ?? {}),
  listGroupsMembers: ({ scope, params, body }) => listGroupMembers(scope, params.groupId, body ?? {}),
  getGroupForEdit: ({ scope, params }) => getGroupForEdit(scope, params.groupId),
  createGroup: ({ scope, body }) => createGroup(scope, body ?? {}),
  editGroup: ({ scope, params, body }) => editGroup(scope, params.groupId, body ?? {}),
  deleteGroup: async ({ scope, params }) => {
    await deleteGroup(scope, params.groupId);
    return undefined;
  },
  editGroupMembers: ({ scope, body }) => editGroupMembers(scope, body ?? {}),
} satisfies Handlers;
