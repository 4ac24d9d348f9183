/** Operations on workspaces. */
import type { Handlers } from '../../../kernel/operations.ts';
import { archiveWorkspace } from './archive-workspace.ts';
import { createWorkspace } from './create-workspace.ts';
import { deleteWorkspace } from './delete-workspace.ts';
import { editWorkspace } from './edit-workspace.ts';
import { listWorkspaces } from './list-workspaces.ts';
import { readWorkspaceForm } from './read-workspace.ts';

export const workspaceHandlers = {
  listWorkspaces: async ({ scope, body }) => listWorkspaces(scope, body),

  createWorkspace: async ({ scope, body }) => ({
    workspaceId: await createWorkspace(scope, body),
    nextOccToken: 1,
  }),

  archiveWorkspace: async ({ scope, params, body }) => archiveWorkspace(scope, params.workspaceId, body),

  deleteWorkspace: async ({ scope, params }) => {
    await deleteWorkspace(scope, params.workspaceId);
    return undefined;
  },

  getWorkspaceForEdit: async ({ scope, params }) => readWorkspaceForm(scope, params.workspaceId),

  editWorkspace: async ({ scope, params, body }) => editWorkspace(scope, params.workspaceId, params.occToken, body),
} satisfies Handlers;
