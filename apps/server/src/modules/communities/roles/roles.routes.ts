/** The operations of roles. */

import type { Handlers } from '../../../kernel/operations.ts';
import { editMembersEverywhere, listMembersEverywhere } from '../community-members.ts';
import { listRoles } from './list-roles.ts';
import { createRole, deleteRole, editRole } from './write-roles.ts';

export const roleHandlers = {
  listRoles: ({ scope }) => listRoles(scope),
  createRole: ({ scope, body }) => createRole(scope, body ?? {}),
  editRole: ({ scope, params, body }) => editRole(scope, params.roleId, body ?? {}),
  deleteRole: async ({ scope, params }) => {
    await deleteRole(scope, params.roleId);
    return undefined;
  },
  listMembersEverywhere: ({ scope, body }) => listMembersEverywhere(scope, body ?? {}),
  editMembersEverywhere: ({ scope, body }) => editMembersEverywhere(scope, body ?? {}),
} satisfies Handlers;
