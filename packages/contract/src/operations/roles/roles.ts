/** Roles: built in, and made by a tenant of permissions. */
import { defineOperations } from '../define.ts';
import { examples } from '../examples.ts';

export const roleOperations = defineOperations('roles', {
  listRoles: {
    method: 'GET',
    path: '/admin/data/roles',
    responses: { 200: 'ListRolesResponse' },
    permission: 'authenticated',
    extension: true,
    summary: 'List roles and permissions',
    description: 'Returns the built-in roles, the roles of the tenant, and the permissions that roles consist of.',
    clientMethod: 'list',
    command: { examples: ['', '--output json'] },
  },
  createRole: {
    method: 'POST',
    path: '/admin/manage/roles',
    body: 'CreateRoleRequest',
    responses: { 200: 'CreateRoleResponse', 400: 'ValidationErrorResponse', 403: null, 409: null },
    permission: 'manageDigitalWorplace',
    extension: true,
    summary: 'Create a role',
    description:
      'Creates a role of the tenant from permissions. Like built-in roles, it is given in a ' +
      'community or in a workspace. A tenant has at most 100 roles.',
    requestExamples: examples<'CreateRoleRequest'>({
      moderator: {
        summary: 'Reads, comments and moderates comments',
        value: { name: 'Moderator', permissions: ['readPublicPosts', 'moderateComments'] },
      },
      auditor: {
        summary: 'Sees every post and writes nothing',
        value: { name: 'Auditor', permissions: ['readAllPosts'] },
      },
    }),
    clientMethod: 'create',
    command: {
      examples: [
        '--name Auditor --permissions readAllPosts',
        '--name Moderator --permissions readPublicPosts,moderateComments --dry-run',
      ],
    },
  },
  editRole: {
    method: 'PUT',
    path: '/admin/manage/roles/{roleId}',
    body: 'EditRoleRequest',
    responses: { 200: 'EditRoleResponse', 400: 'ValidationErrorResponse', 403: null, 404: null, 409: null },
    permission: 'manageDigitalWorplace',
    extension: true,
    summary: 'Edit a role of the tenant',
    description:
      'Changes the role; its holders have the new permissions at once. Built-in roles return ' +
      '404. Send the `occToken` of the list in the body; a stale token returns 409.',
    clientMethod: 'replace',
    formerMethod: 'edit',
    command: {
      examples: [
        '101 --name Auditor --permissions readAllPosts --occ-token 1',
        '101 --name Auditor --permissions readAllPosts,comment --occ-token 2 --dry-run',
      ],
    },
  },
  deleteRole: {
    method: 'DELETE',
    path: '/admin/manage/roles/{roleId}',
    responses: { 200: null, 403: null, 404: null, 409: null },
    permission: 'manageDigitalWorplace',
    extension: true,
    summary: 'Delete a role of the tenant',
    description:
      'Deletes a role that nobody holds; a role with holders returns a 409 `CONFLICT` that ' +
      'names their number and place.',
    clientMethod: 'delete',
    command: { confirms: true, examples: ['101', '101 --yes --dry-run'] },
  },
  listMembersEverywhere: {
    method: 'POST',
    path: '/admin/data/members-everywhere',
    body: 'ListCommunityMembersRequest',
    responses: { 200: 'ListCommunityMembersResponse', 403: null },
    permission: 'manageDigitalWorplace',
    paging: 'page',
    extension: true,
    summary: 'List the holders of roles in every community',
    description:
      'Returns users, service accounts and groups with a role in all communities of the ' +
      'tenant, including future communities.',
    clientMethod: 'everywhere',
    command: {
      columns: ['user.id', 'user.lastName', 'group.id', 'group.name', 'roleId'],
      examples: ['', '--all --output json'],
    },
  },
  editMembersEverywhere: {
    method: 'PUT',
    path: '/admin/manage/members-everywhere',
    body: 'EditCommunityMembersRequest',
    responses: { 200: 'EditMembersEverywhereResponse', 400: 'ValidationErrorResponse', 403: null },
    permission: 'manageDigitalWorplace',
    extension: true,
    summary: 'Give and take roles in every community',
    description:
      'Gives roles in all communities of the tenant, including future communities, in addition ' +
      'to the roles in single communities. Users and groups that are not named keep their ' +
      'roles.',
    requestExamples: examples<'EditCommunityMembersRequest'>({
      auditors: { summary: 'A group of auditors', value: { groupRoles: [{ groupId: 12, roleId: 101 }] } },
    }),
    clientMethod: 'updateEverywhere',
    formerMethod: 'editEverywhere',
    command: {
      needsValue: true,
      examples: ['--group-roles \'[{"groupId":12,"roleId":101}]\'', '--remove-group-ids 12 --dry-run'],
    },
  },
});
