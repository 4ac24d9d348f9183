/** Communities, for their builders. */
import { defineOperations } from '../define.ts';
import { examples } from '../examples.ts';

export const communityFormOperations = defineOperations('communities', {
  listManagedCommunities: {
    method: 'POST',
    path: '/admin/data/communities',
    body: 'ListManagedCommunitiesRequest',
    responses: { 200: 'ListManagedCommunitiesResponse' },
    permission: 'authenticated',
    paging: 'page',
    extension: true,
    summary: 'List the communities that the caller may edit',
    description:
      'Returns communities by name: for holders of the right `manageDigitalWorplace` all ' +
      'communities of the tenant, for others the communities that they manage. The right alone ' +
      'gives no access to posts.',
    clientMethod: 'managed',
    successor: "list({ with: 'manage' })",
    command: {
      columns: ['id', 'name', 'workspaceId', 'draft', 'membersCount'],
      examples: ['--all', '--workspace-id 1 --output csv --fields id,name'],
    },
  },
  getCommunityForEdit: {
    method: 'GET',
    path: '/admin/manage/communities/{communityId}',
    responses: { 200: 'GetCommunityForEditResponse', 403: null, 404: null },
    permission: 'editCommunity',
    extension: true,
    summary: "Read a community's form",
    description: 'Returns the editable settings of a community, and the `occToken` to send back.',
    clientMethod: 'readForEdit',
    formerMethod: 'form',
    command: { examples: ['2', '2 --output yaml'] },
  },
  createCommunity: {
    method: 'POST',
    path: '/admin/manage/communities',
    body: 'CreateCommunityRequest',
    responses: { 200: 'CreateCommunityResponse', 400: 'ValidationErrorResponse', 403: null },
    permission: 'manageDigitalWorplace',
    extension: true,
    summary: 'Create a community',
    description:
      'Creates a community without custom fields and without a workflow. Its creator becomes ' +
      'its manager; the audit log records this.',
    requestExamples: examples<'CreateCommunityRequest'>({
      community: {
        summary: 'A community that is being prepared',
        value: { workspaceId: 1, name: 'Purchasing', colorCode: '#2f6f4f', draft: true },
      },
    }),
    clientMethod: 'create',
    command: {
      examples: ['--workspace-id 1 --name Purchasing --draft', '--workspace-id 1 --name Ideas --dry-run'],
    },
  },
  editCommunity: {
    method: 'PUT',
    path: '/admin/manage/communities/{communityId}',
    body: 'EditCommunityRequest',
    responses: { 200: 'EditCommunityResponse', 400: 'ValidationErrorResponse', 403: null, 404: null, 409: null },
    permission: 'editCommunity',
    extension: true,
    summary: 'Edit a community',
    description:
      'Omitted texts, colour and limit are emptied; omitted switches and the cover keep their ' +
      'value. Send the `occToken` of the form in the body; a stale token returns 409.',
    clientMethod: 'replace',
    formerMethod: 'edit',
    command: {
      form: 'getCommunityForEdit',
      needsValue: true,
      examples: ['2 --name Purchasing', '2 --no-draft --dry-run'],
    },
  },
  deleteCommunity: {
    method: 'DELETE',
    path: '/admin/manage/communities/{communityId}',
    responses: { 200: null, 403: null, 404: null, 409: null },
    permission: 'manageDigitalWorplace',
    extension: true,
    summary: 'Delete a community',
    description:
      'Deletes a community that never held a post, with its fields and roles; a community with ' +
      'posts returns 409. Returns an empty body.',
    clientMethod: 'delete',
    command: { confirms: true, examples: ['2', '2 --yes --dry-run'] },
  },
  archiveCommunity: {
    method: 'PUT',
    path: '/admin/manage/communities/{communityId}/archived',
    body: 'ArchiveCommunityRequest',
    responses: { 200: 'ArchiveCommunityResponse', 400: 'ValidationErrorResponse', 403: null, 404: null },
    permission: 'manageDigitalWorplace',
    extension: true,
    summary: 'Archive a community, or restore it',
    description:
      'A community stays readable when it, or its workspace, is archived. Every write to it or ' +
      'its posts returns 403 `COMMUNITY_ARCHIVED`; personal choices, its members and its ' +
      'deletion stay open. Lists of communities open to writing omit it. Scheduled posts stay ' +
      'drafts.',
    clientMethod: 'archive',
    command: { examples: ['2 --archived', '2 --no-archived --dry-run'] },
  },
  moveCommunity: {
    method: 'PUT',
    path: '/admin/manage/communities/{communityId}/workspace',
    body: 'MoveCommunityRequest',
    responses: { 200: 'MoveCommunityResponse', 400: 'ValidationErrorResponse', 403: null, 404: null },
    permission: 'manageDigitalWorplace',
    extension: true,
    summary: 'Move a community to another workspace',
    description:
      'Returns the people who see the community after the move, and the people who no longer ' +
      'do; with `dryRun=true` it changes nothing. Streams and lists of these people follow at ' +
      'once.',
    clientMethod: 'move',
    command: { confirms: true, examples: ['2 --workspace-id 3 --dry-run', '2 --workspace-id 3 --yes'] },
  },
  listCommunityMembers: {
    method: 'POST',
    path: '/admin/data/communities/{communityId}/members',
    body: 'ListCommunityMembersRequest',
    responses: { 200: 'ListCommunityMembersResponse', 404: null },
    permission: 'seeCommunityMembers',
    paging: 'page',
    extension: true,
    summary: 'List the holders of roles in a community',
    description:
      'Returns the users and groups with a role in the community itself, by its workspace, or ' +
      'in every community, by role; each with the person who gave it. A user or group with ' +
      'roles in several of these ways is listed once for each. Available to everybody who sees ' +
      'the community or may edit it.',
    clientMethod: 'members',
    command: {
      columns: ['roleId', 'givenIn', 'user.id', 'user.lastName', 'group.name', 'givenToOneself'],
      examples: ['2 --all', '2 --output csv --fields roleId,user.id,group.id'],
    },
  },
  editCommunityMembers: {
    method: 'PUT',
    path: '/admin/manage/communities/{communityId}/members',
    body: 'EditCommunityMembersRequest',
    responses: { 200: 'EditCommunityMembersResponse', 400: 'ValidationErrorResponse', 403: null, 404: null },
    permission: 'editCommunity',
    extension: true,
    summary: 'Give and take roles in a community',
    description:
      'Replaces the role of each named user or group; all others keep theirs. The list of ' +
      'members shows the roles that people gave to themselves.',
    clientMethod: 'updateMembers',
    formerMethod: 'editMembers',
    command: {
      examples: [`2 --user-roles '[{"userId": 17, "roleId": 2}]'`, '2 --remove-user-ids 17,18 --dry-run'],
    },
  },
});
