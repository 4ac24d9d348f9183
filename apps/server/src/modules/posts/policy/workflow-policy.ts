/**
 * Who may run which transition and edit which screen. A transition is open to roles
 * in the community, to members of groups and to the post's author; a role that is named opens it to every stronger role
 * too, since the strongest role of a person counts (docs/decisions/people.md) and more rights must never take one
 * away. Without any of
 * the three no one may run it. Work on a post ends in a terminal state: nothing leads out of it; its screen may still be
 * edited by whom the state names.
 */
import type { Actor, CommunityRole } from '../../../kernel/scope.ts';
import type { WorkflowDefinition, WorkflowState, WorkflowTransition } from '../../communities/index.ts';

/** The facts about a post that decide. */
export interface WorkflowFacts {
  communityId: number;
  creatorId: number;
  draft: boolean;
  deleted: boolean;
  stateId: number | null;
}

function opensTo(
  roles: readonly CommunityRole[],
  groupIds: readonly number[],
  role: CommunityRole,
  actor: Actor,
): boolean {
  return roles.some((named) => role <= named) || groupIds.some((id) => actor.groupIds.includes(id));
}

/** Whether a transition can be run at all: from a state that does not end the work, into one that is in use. */
function isAvailable(workflow: WorkflowDefinition, transition: WorkflowTransition): boolean {
  const from = workflow.stateById.get(transition.fromStateId);
  const to = workflow.stateById.get(transition.toStateId);
  return !transition.deleted && from !== undefined && !from.terminal && to !== undefined && !to.deleted;
}

/** The role in which the caller works on a post, or undefined where its workflow is closed to them. */
function workingRole(actor: Actor, post: WorkflowFacts): CommunityRole | undefined {
  return post.draft || post.deleted ? undefined : actor.roles.get(post.communityId);
}

/** Whether a transition is open to the caller on a post, in any state of the post. */
export function mayRunTransition(actor: Actor, transition: WorkflowTransition, post: WorkflowFacts): boolean {
  const role = workingRole(actor, post);
  if (role === undefined) return false;
  const { roles, groupIds, byAuthor } = transition;
  return opensTo(roles, groupIds, role, actor) || (byAuthor && post.creatorId === actor.userId);
}

/** Whether the screen of a state is open to the caller on a post, in any state of the post. */
export function mayEditScreen(actor: Actor, state: WorkflowState, post: WorkflowFacts): boolean {
  const role = workingRole(actor, post);
  if (role === undefined || state.screenId === null) return false;
  return (
    opensTo(state.editRoles, state.editGroupIds, role, actor) || (state.editByAuthor && post.creatorId === actor.userId)
  );
}

/** The transitions that the caller may run on a post now, in the order of the workflow. */
export function permittedTransitions(
  actor: Actor,
  workflow: WorkflowDefinition | null,
  post: WorkflowFacts,
): WorkflowTransition[] {
  if (!workflow || post.stateId === null) return [];
  return workflow.transitions.filter(
    (transition) =>
      transition.fromStateId === post.stateId &&
      isAvailable(workflow, transition) &&
      mayRunTransition(actor, transition, post),
  );
}

/** The state whose screen the caller may edit now, or undefined (capability canEditWorkflowScreenData). */
export function editableScreenState(
  actor: Actor,
  workflow: WorkflowDefinition | null,
  post: WorkflowFacts,
): WorkflowState | undefined {
  if (!workflow || post.stateId === null) return undefined;
  const state = workflow.stateById.get(post.stateId);
  if (!state || state.screenId === null || !workflow.screenById.has(state.screenId)) return undefined;
  return mayEditScreen(actor, state, post) ? state : undefined;
}

/**
 * States of posts on which the caller can run a transition: what the filter `toManageProcesses` asks for
 * (docs/decisions/lists.md).
 */
export interface RunnableStates {
  /** Whoever wrote the post. */
  any: number[];
  /** Only where the caller wrote the post. */
  own: number[];
}

/** The rule of {@link permittedTransitions} for lists of one community's posts. */
export function runnableStates(actor: Actor, communityId: number, workflow: WorkflowDefinition | null): RunnableStates {
  const role = actor.roles.get(communityId);
  if (!workflow || role === undefined) return { any: [], own: [] };
  const any = new Set<number>();
  const own = new Set<number>();
  for (const transition of workflow.transitions) {
    if (!isAvailable(workflow, transition)) continue;
    if (opensTo(transition.roles, transition.groupIds, role, actor)) any.add(transition.fromStateId);
    else if (transition.byAuthor) own.add(transition.fromStateId);
  }
  return { any: [...any], own: [...own].filter((id) => !any.has(id)) };
}

/** States of posts in which the caller is asked for a transition, by what asks them. */
export interface AskedStates {
  /** A transition is open to a group of theirs. */
  byGroup: number[];
  /** A transition is open to their role; they are asked where the post names them. */
  byRole: number[];
  /** A transition is open to the author of the post. */
  byAuthor: number[];
}

/** The rule of {@link permittedTransitions} for lists of posts that wait for the caller. */
export function askedStates(
  actor: Actor,
  definitions: Iterable<{ id: number; workflow: WorkflowDefinition | null }>,
): AskedStates {
  const asked = { byGroup: new Set<number>(), byRole: new Set<number>(), byAuthor: new Set<number>() };
  for (const { id, workflow } of definitions) {
    const role = actor.roles.get(id);
    if (!workflow || role === undefined) continue;
    for (const transition of workflow.transitions) {
      if (!isAvailable(workflow, transition)) continue;
      const { roles, groupIds, byAuthor, fromStateId } = transition;
      if (opensTo([], groupIds, role, actor)) asked.byGroup.add(fromStateId);
      if (opensTo(roles, [], role, actor)) asked.byRole.add(fromStateId);
      if (byAuthor) asked.byAuthor.add(fromStateId);
    }
  }
  return { byGroup: [...asked.byGroup], byRole: [...asked.byRole], byAuthor: [...asked.byAuthor] };
}
