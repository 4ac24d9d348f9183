/** Operations on workspaces. */
import type { Handlers } from '../../kernel/operations.ts';
import { editWorkspace } from './edit-workspace.ts';
import { readWorkspaceForm, type WorkspaceLinks } from './read-workspace.ts';

/** The operations, with pictures where {@link WorkspaceLinks} says how they are served. */
export function createWorkspaceHandlers(links: WorkspaceLinks = {}) {
  return {
    getWorkspaceForEdit: async ({ scope, params }) => readWorkspaceForm(scope, params.workspaceId, links),

    editWorkspace: async ({ scope, params, body }) =>
      editWorkspace(scope, params.workspaceId, params.occToken, body, links),
  } satisfies Handlers;
}

/** The operations without pictures. */
export const workspaceHandlers = createWorkspaceHandlers();
