import { defineOperations } from './define.ts';
import { examples } from './examples.ts';

/** Workspaces, for the builders of communities. */
export const workspaceOperations = defineOperations('workspaces', {
  listWorkspaces: {
    method: 'POST',
    path: '/admin/data/workspaces',
    body: 'ListWorkspacesRequest',
    responses: { 200: 'ListWorkspacesResponse', 403: null },
    permission: 'manageDigitalWorplace',
    paging: 'page',
    extension: true,
    summary: 'List workspaces',
    description:
      'The workspaces of the tenant that are in use, by name; with `archivedToo` also those that are archived.',
    clientMethod: 'list',
    command: {
      columns: ['workspaceId', 'name', 'communitiesCount'],
      examples: ['--all', '--name-filter research --output json'],
    },
  },
  createWorkspace: {
    method: 'POST',
    path: '/admin/manage/workspaces',
    body: 'CreateWorkspaceRequest',
    responses: { 200: 'CreateWorkspaceResponse', 400: 'ValidationErrorResponse', 403: null },
    permission: 'manageDigitalWorplace',
    extension: true,
    summary: 'Create a workspace',
    description: 'A workspace holds communities. Its people are added by editing it.',
    requestExamples: examples<'CreateWorkspaceRequest'>({
      workspace: { summary: 'A workspace', value: { name: 'Operations', translations: { it: 'Operazioni' } } },
    }),
    clientMethod: 'create',
    command: { examples: ['--name Operations', '--name Operations --external-id ops --dry-run'] },
  },
  archiveWorkspace: {
    method: 'PUT',
    path: '/admin/manage/workspaces/{workspaceId}/archived',
    body: 'ArchiveWorkspaceRequest',
    responses: { 200: 'ArchiveWorkspaceResponse', 400: 'ValidationErrorResponse', 403: null, 404: null },
    permission: 'manageDigitalWorplace',
    extension: true,
    summary: 'Archive a workspace, or restore it',
    description:
      'A workspace that is archived can be read as before, and so can its communities, which are archived with it. Its edit, and new communities in it, are a 403 `WORKSPACE_ARCHIVED`; its communities can be moved out of it, and it can be deleted when it is empty. Lists of workspaces leave it out unless they ask for archived ones. Restored, its communities are as they were: those that were archived themselves stay so.',
    clientMethod: 'archive',
    command: { examples: ['3 --archived', '3 --no-archived --dry-run'] },
  },
  deleteWorkspace: {
    method: 'DELETE',
    path: '/admin/manage/workspaces/{workspaceId}',
    responses: { 200: null, 403: null, 404: null, 409: null },
    permission: 'manageDigitalWorplace',
    extension: true,
    summary: 'Delete a workspace',
    description: 'Deletes a workspace that holds no community; one that does is a 409. Answers with an empty body.',
    clientMethod: 'delete',
    command: { confirms: true, examples: ['3', '3 --yes --dry-run'] },
  },
});

/** Communities, for their builders. */
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
      'By name: for holders of the right `manageDigitalWorplace` all communities of the tenant, for others those that they manage. It does not show posts: the right alone gives no sight of them.',
    clientMethod: 'managed',
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
    description: 'What can be edited about a community, and the `occToken` to send back.',
    clientMethod: 'form',
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
      'A community without custom fields and without a workflow. Its creator becomes its manager; the audit log says so.',
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
      'Texts, colour and limit that are left out are emptied; switches and the cover keep their value. The `occToken` of the form goes into the body; a stale one is a 409.',
    clientMethod: 'edit',
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
      'Deletes a community that never held a post, with its fields and roles; one that holds posts is a 409. Answers with an empty body.',
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
      'A community that is archived, or whose workspace is, can be read as before. Every write to it or its posts is a 403 `COMMUNITY_ARCHIVED`; what people choose for themselves stays open, and so do its members and its deletion. It is in no list of communities in which one may write. Posts that were scheduled stay drafts.',
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
      'The answer says who sees the community by the move and who no longer does; with `dryRun=true` it says so and changes nothing. Streams and lists of these people follow at once.',
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
    summary: 'List who has a role in a community',
    description:
      'Users and groups to whom a role was given in the community itself, by its workspace, or in every community, by role; each with who gave it. Who has roles in several of these ways is there for each. For everybody who sees the community, and for those who may edit it.',
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
      'Each named user or group gets the named role in place of the present one; everybody else keeps theirs. Whoever gives a role to themselves is shown so in the list of members.',
    clientMethod: 'editMembers',
    command: {
      examples: [`2 --user-roles '[{"userId": 17, "roleId": 2}]'`, '2 --remove-user-ids 17,18 --dry-run'],
    },
  },
});
