/** Workspaces and their forms. */
import { defineOperations } from '../define.ts';
import { examples } from '../examples.ts';

export const workspacesOperations = defineOperations('workspaces', {
  getWorkspaceForEdit: {
    method: 'GET',
    path: '/admin/manage/workspaces/{workspaceId}/edit',
    responses: { 200: 'GetWorkspaceForEditResponse', 403: null, 404: null },
    permission: 'manageDigitalWorplace',
    summary: "Read a workspace's form",
    description:
      'Returns names, texts, pictures, administrators and members of a workspace, complete and ' +
      'with exact counts, and the `occToken` for the next edit.',
    clientMethod: 'readForEdit',
    formerMethod: 'form',
    command: { examples: ['1', '1 --output yaml'] },
  },
  editWorkspace: {
    method: 'PUT',
    path: '/admin/manage/workspaces/{workspaceId}/{occToken}',
    body: 'EditWorkspaceRequest',
    responses: { 200: 'GetWorkspaceForEditResponse', 403: null, 404: null },
    permission: 'manageDigitalWorplace',
    summary: 'Edit a workspace',
    description:
      'Sets the texts, replaces pictures with earlier uploads, and adds or removes people ' +
      'through the add and remove lists. Returns the updated form.',
    clientMethod: 'replace',
    formerMethod: 'edit',
    command: {
      form: 'getWorkspaceForEdit',
      needsValue: true,
      examples: ['1 --add-user-ids 17', '1 --name "Research and development" --dry-run'],
    },
  },
  listWorkspaces: {
    method: 'POST',
    path: '/admin/data/workspaces',
    body: 'ListWorkspacesRequest',
    responses: { 200: 'ListWorkspacesResponse', 403: null },
    permission: 'manageDigitalWorplace',
    paging: 'page',
    extension: true,
    summary: 'List workspaces',
    description: 'Returns the active workspaces of the tenant, by name; with `archivedToo` also archived workspaces.',
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
    description: 'Creates a workspace, which holds communities. Add its people by editing it.',
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
      'An archived workspace stays readable, and so do its communities, which are archived ' +
      'with it. Edits of the workspace, and new communities in it, return 403 ' +
      '`WORKSPACE_ARCHIVED`; its communities can be moved out of it, and it can be deleted ' +
      'when it is empty. Lists of workspaces omit it unless they request archived workspaces. ' +
      'After it is restored, its communities are as before: communities that were archived ' +
      'themselves stay archived.',
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
    description: 'Deletes an empty workspace; a workspace with communities returns 409. Returns an empty body.',
    clientMethod: 'delete',
    command: { confirms: true, examples: ['3', '3 --yes --dry-run'] },
  },
});
