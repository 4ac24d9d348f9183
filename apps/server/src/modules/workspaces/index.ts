/** Workspaces: they hold communities, and people who belong to all of them. */
export { createWorkspace, ensureWorkspace, setWorkspaceMembers } from './create-workspace.ts';
export { handOverMembership } from './hand-over-membership.ts';
export { loadWorkspaceViews } from './read-workspace.ts';
export type { NewMember } from './workspaces.repository.ts';
export { workspaceHandlers } from './workspaces.routes.ts';
