/**
 * Who may run which transition and edit which screen (issue 5, "Workflow"; behaviour §9). A transition is open to roles
 * in the community, to members of groups and to the post's author; a role that is named opens it to every stronger role
 * too (1 manager, 2 contributor, 3 reader). Without any of the three nobody may run it. Work on a post ends in a
 * terminal state: nothing leads out of it; its screen may still be edited by whom the state names.
 */
import type { Actor, RoleId } from '../../../platform/scope.ts';

/** A state, as far as the rules look at it. */
export interface PolicyState {
  id: number;
  terminal: boolean;
  deleted: boolean;
  screenId: number | null;
  editRoles: readonly number[];
  editGroupIds: readonly number[];
  editByAuthor: boolean;
}

/** A transition, as far as the rules look at it. */
export interface PolicyTransition {
  id: number;
  fromStateId: number;
  toStateId: number;
  deleted: boolean;
  roles: readonly number[];
  groupIds: readonly number[];
  byAuthor: boolean;
}

/** A workflow, as far as the rules look at it. */
export interface PolicyWorkflow<S extends PolicyState = PolicyState, T extends PolicyTransition = PolicyTransition> {
  states: readonly S[];
  transitions: readonly T[];
}

/** The facts about a post that decide. */
interface Position {
  communityId: number;
  creatorId: number;
  draft: boolean;
  deleted: boolean;
  stateId: number | null;
}

function opensToRoleOrGroup(
  rule: { roles: readonly number[]; groupIds: readonly number[] },
  role: RoleId,
  actor: Actor,
): boolean {
  return rule.roles.some((named) => role <= named) || rule.groupIds.some((id) => actor.groupIds.includes(id));
}

/** States that lie open: known, and not the end of the work. */
function leavable<S extends PolicyState>(workflow: PolicyWorkflow<S>): Map<number, S> {
  return new Map(workflow.states.filter((state) => !state.terminal).map((state) => [state.id, state]));
}

function targets(workflow: PolicyWorkflow): Set<number> {
  return new Set(workflow.states.filter((state) => !state.deleted).map((state) => state.id));
}

/**
 * The transitions that the caller may run on a post now, in the order of the workflow.
 * @param workflow undefined for a community without one
 */
export function permittedTransitions<T extends PolicyTransition>(
  actor: Actor,
  workflow: PolicyWorkflow<PolicyState, T> | undefined | null,
  post: Position,
): T[] {
  const role = actor.roles.get(post.communityId);
  if (!workflow || role === undefined || post.draft || post.deleted || post.stateId === null) return [];
  if (!leavable(workflow).has(post.stateId)) return [];
  const reachable = targets(workflow);
  return workflow.transitions.filter(
    (transition) =>
      !transition.deleted &&
      transition.fromStateId === post.stateId &&
      reachable.has(transition.toStateId) &&
      (opensToRoleOrGroup(transition, role, actor) || (transition.byAuthor && post.creatorId === actor.userId)),
  );
}

/** The state whose screen the caller may edit now, or undefined (capability canEditWorkflowScreenData). */
export function editableScreenOf<S extends PolicyState>(
  actor: Actor,
  workflow: PolicyWorkflow<S> | undefined | null,
  post: Position,
): S | undefined {
  const role = actor.roles.get(post.communityId);
  if (!workflow || role === undefined || post.draft || post.deleted || post.stateId === null) return undefined;
  const state = workflow.states.find((one) => one.id === post.stateId);
  if (!state || state.screenId === null) return undefined;
  const open = opensToRoleOrGroup({ roles: state.editRoles, groupIds: state.editGroupIds }, role, actor);
  return open || (state.editByAuthor && post.creatorId === actor.userId) ? state : undefined;
}

/** States of posts on which the caller could run a transition: what the list filter `toManageProcesses` asks for. */
export interface RunnableStates {
  /** Whoever wrote the post. */
  any: number[];
  /** Only where the caller wrote the post. */
  own: number[];
}

/** The same rule for lists: in which states of one community's workflow the caller has a transition to run (ruling 19). */
export function runnableTransitions(
  actor: Actor,
  communityId: number,
  workflow: PolicyWorkflow | undefined | null,
): RunnableStates {
  const role = actor.roles.get(communityId);
  if (!workflow || role === undefined) return { any: [], own: [] };
  const from = leavable(workflow);
  const reachable = targets(workflow);
  const any = new Set<number>();
  const own = new Set<number>();
  for (const transition of workflow.transitions) {
    if (transition.deleted || !from.has(transition.fromStateId) || !reachable.has(transition.toStateId)) continue;
    if (opensToRoleOrGroup(transition, role, actor)) any.add(transition.fromStateId);
    else if (transition.byAuthor) own.add(transition.fromStateId);
  }
  return { any: [...any], own: [...own].filter((id) => !any.has(id)) };
}
