/** Workspaces: they hold communities, and people who belong to all of them. */
export { createWorkspace, ensureWorkspace, type NewWorkspace, setWorkspaceMembers } from './create-workspace.ts';
export { editWorkspace } from './edit-workspace.ts';
export { loadWorkspaceViews, type WorkspaceLinks } from './read-workspace.ts';
export type { NewMember } from './workspaces.repository.ts';
export { createWorkspaceHandlers, workspaceHandlers } from './workspaces.routes.ts';
