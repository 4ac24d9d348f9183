/**
 * Rights to run transitions and edit screens. A transition is open to roles in the community, to
 * members of groups, to the post's author and to people in fields of the post. A role opens it to
 * every stronger role too, since the strongest role of a person counts (docs/decisions/people.md)
 * and more rights must never remove one. Without any of these nobody may run it. A post offers it
 * only while its conditions hold. Work on a post ends in a terminal state, from which no transition
 * leads; its screen may still be edited by the people that the state names.
 */
import { firstOwnRole } from '@portico/contract';
import {
  all,
  any,
  anyItem,
  atLeast,
  choose,
  fact,
  hasRole,
  holdsOwnRole,
  never,
  on,
  type Rule,
  type Speaker,
  weakestOf,
} from '../../../kernel/access/index.ts';
import type { Actor } from '../../../kernel/scope.ts';
import {
  screenAccess,
  type WorkflowAccess,
  type WorkflowDefinition,
  type WorkflowState,
  type WorkflowTransition,
} from '../../communities/index.ts';
import { conditionsHold, type FieldCondition, type FieldData } from '../../fields/index.ts';
import { isPublished, isThere, wrotePost } from './post-facts.ts';

/** The facts about a post that decide. */
export interface WorkflowFacts {
  communityId: number;
  creatorId: number;
  draft: boolean;
  deleted: boolean;
  stateId: number | null;
  /** Values of the post and of its screens. */
  customData: FieldData;
  screenData: FieldData;
}

/** An actor and a post with a workflow. */
interface WorkflowCase {
  readonly actor: Pick<Actor, 'roles' | 'ownRoles' | 'principals' | 'userId' | 'groupIds'>;
  readonly community: { readonly id: number };
  readonly workflow: WorkflowDefinition | null;
  readonly post: Omit<WorkflowFacts, 'communityId'>;
}

type OpenCase = WorkflowCase & { readonly openTo: WorkflowAccess };

const openToSomebody = fact<OpenCase>(
  ({ openTo: { roles, groupIds, byAuthor, fieldIds } }) =>
    roles.length > 0 || groupIds.length > 0 || byAuthor || fieldIds.length > 0,
  { kind: 'WORKFLOW', yes: () => 'the workflow opens it to some', no: () => 'the workflow opens it to nobody' },
);

/**
 * By the weakest built-in role that is named: it includes every stronger role, and a custom role of
 * the tenant includes managers.
 */
const byStrength = { 1: atLeast(1), 2: atLeast(2), 3: atLeast(3), 5: never } as const;
const byBuiltIn = choose<OpenCase>(({ openTo: { roles } }) =>
  roles.length === 0 ? never : byStrength[weakestOf(roles)],
);
const byOwnRole = choose<OpenCase>(({ openTo: { roles } }) =>
  any<OpenCase>(...roles.filter((role) => role >= firstOwnRole).map(holdsOwnRole)),
);
export const openToRole = any<OpenCase>(byBuiltIn, byOwnRole);
export const openToGroup = anyItem<OpenCase, number>(
  ({ openTo }) => openTo.groupIds,
  ({ actor }, groupId) => actor.groupIds.includes(groupId),
  (groupId) => ({
    kind: 'GROUP',
    about: () => ({ id: groupId }),
    yes: ({ who, verb, group }) => `${who} ${verb('are', 'is')} in ${group(groupId)}`,
    no: ({ who, verb, group }) => `${who} ${verb('are', 'is')} not in ${group(groupId)}`,
  }),
);
const openToAuthor = choose<OpenCase>(({ openTo }) => (openTo.byAuthor ? wrotePost : never));
/** The reason does not name the field, which the reader may not see. */
const isHeld = fact<OpenCase>(
  ({ actor, openTo, post: { customData, screenData } }) =>
    openTo.fieldIds.some((id) =>
      [customData[String(id)], screenData[String(id)]].some(
        (held) => Array.isArray(held) && (held as unknown[]).includes(actor.userId),
      ),
    ),
  {
    kind: 'WORKFLOW',
    yes: ({ who }) => `the post names ${who} in a field`,
    no: ({ who }) => `the post does not name ${who} in a field`,
  },
);
const openToHeld = choose<OpenCase>(({ openTo }) => (openTo.fieldIds.length > 0 ? isHeld : never));

/** The ways in which a transition or a screen is open to a person. */
export const openByRule = any<OpenCase>(openToRole, openToGroup, openToAuthor, openToHeld);

/** Rule for transitions and screens open to some people: members, on published posts. */
export const openRule = all<OpenCase>(hasRole, isPublished, isThere, openToSomebody, openByRule);

/** An actor, a post and a transition. */
type TransitionCase = OpenCase & { readonly transition: WorkflowTransition };

export function transitionCase(about: WorkflowCase, transition: WorkflowTransition): TransitionCase {
  const { actor, community, workflow, post } = about;
  return { actor, community, workflow, post, transition, openTo: transition };
}

const stateFact = (
  stateId: (about: TransitionCase) => number | null,
  holds: (state: WorkflowState | undefined, about: TransitionCase) => boolean,
  yes: (name: string) => string,
  no: (name: string) => string,
): Rule<TransitionCase> => {
  const stateOf = (about: TransitionCase) => about.workflow?.stateById.get(stateId(about) ?? 0);
  const say = (text: (name: string) => string) => (_: unknown, about: TransitionCase) =>
    text(stateOf(about)?.name ?? 'unknown');
  return fact<TransitionCase>((about) => holds(stateOf(about), about), {
    kind: 'STATE',
    about: (about) => {
      const state = stateOf(about);
      return state && { id: state.id, name: state.name };
    },
    yes: say(yes),
    no: say(no),
  });
};
const fromState = ({ transition }: TransitionCase) => transition.fromStateId;
const inState = stateFact(
  fromState,
  (state, { post }) => state !== undefined && state.id === post.stateId,
  (name) => `the post is in the state “${name}”`,
  (name) => `the post is not in the state “${name}”, from which the transition leads`,
);
const fromGoesOn = stateFact(
  fromState,
  (state) => state !== undefined && !state.terminal,
  (name) => `work goes on in the state “${name}”`,
  (name) => `work ends in the state “${name}”`,
);
const toInUse = stateFact(
  ({ transition }) => transition.toStateId,
  (state) => state !== undefined && !state.deleted,
  (name) => `the state “${name}” is in use`,
  (name) => `the state “${name}” is out of use`,
);
const inUse = fact<TransitionCase>(({ transition }) => !transition.deleted, {
  kind: 'WORKFLOW',
  yes: () => 'the transition is in use',
  no: () => 'the transition is out of use',
});

/** Returns the rule of one condition of a transition, which can explain its result. */
function conditionFact(condition: FieldCondition): Rule<TransitionCase> {
  const text = (holds: boolean) => (speaker: Speaker) =>
    speaker.condition(condition, holds) ??
    `a condition on a field that you cannot see is ${holds ? 'fulfilled' : 'not fulfilled'}`;
  return fact(({ post }) => conditionsHold([condition], post.customData, post.screenData), {
    kind: 'WORKFLOW',
    yes: text(true),
    no: text(false),
  });
}
const conditionsRule: Rule<TransitionCase> = {
  holds: ({ transition, post }) => conditionsHold(transition.conditions, post.customData, post.screenData),
  explain: (about) => all(...about.transition.conditions.map(conditionFact)).explain(about),
};

/**
 * Whether a transition can be run at all: from a state that is not terminal, into a state in use.
 */
export const availableRule = all<TransitionCase>(inUse, fromGoesOn, toInUse);

/** Rule to run a transition of a post now. */
export const transitionRule = all<TransitionCase>(inState, availableRule, openRule, conditionsRule);

const caseOf = (actor: Actor, workflow: WorkflowDefinition | null, post: WorkflowFacts): WorkflowCase => ({
  actor,
  community: { id: post.communityId },
  workflow,
  post,
});

/** Returns whether a transition is open to the caller on a post, in any state of the post. */
export function mayRunTransition(actor: Actor, transition: WorkflowTransition, post: WorkflowFacts): boolean {
  return openRule.holds(transitionCase(caseOf(actor, null, post), transition));
}

/**
 * Returns whether the screen of a state is open to the caller on a post, in any state of the post.
 */
export function mayEditScreen(actor: Actor, state: WorkflowState, post: WorkflowFacts): boolean {
  return state.screenId !== null && openRule.holds({ ...caseOf(actor, null, post), openTo: screenAccess(state) });
}

const stateOfPost = ({ workflow, post }: WorkflowCase) => workflow?.stateById.get(post.stateId ?? 0);
const hasScreen = fact<WorkflowCase>(
  (about) => {
    const screenId = stateOfPost(about)?.screenId ?? null;
    return screenId !== null && about.workflow?.screenById.has(screenId) === true;
  },
  {
    kind: 'STATE',
    about: (about) => {
      const state = stateOfPost(about);
      return state && { id: state.id, name: state.name };
    },
    yes: (_, about) => `the state “${stateOfPost(about)?.name}” has a screen`,
    no: (_, about) => {
      const state = stateOfPost(about);
      return state ? `the state “${state.name}” has no screen` : 'the post is in no state of a workflow';
    },
  },
);
const screenOpen = on<WorkflowCase, OpenCase>((about) => {
  const state = stateOfPost(about);
  const { actor, community, workflow, post } = about;
  const openTo = state ? screenAccess(state) : { roles: [], groupIds: [], byAuthor: false, fieldIds: [] };
  return { actor, community, workflow, post, openTo };
}, openRule);

/** Rule to edit the screen of the present state of a post. */
export const screenRule = all<WorkflowCase>(hasScreen, screenOpen);

/** Returns the transitions that the caller may run on a post now, in the order of the workflow. */
export function permittedTransitions(
  actor: Actor,
  workflow: WorkflowDefinition | null,
  post: WorkflowFacts,
): WorkflowTransition[] {
  if (!workflow || post.stateId === null) return [];
  const about = caseOf(actor, workflow, post);
  return workflow.transitions.filter(
    (transition) =>
      // Most transitions start in other states; the comparison only skips the rule, which checks
      // the same.
      transition.fromStateId === post.stateId && transitionRule.holds(transitionCase(about, transition)),
  );
}

/**
 * Returns the state whose screen the caller may edit now, or undefined (capability
 * canEditWorkflowScreenData).
 */
export function editableScreenState(
  actor: Actor,
  workflow: WorkflowDefinition | null,
  post: WorkflowFacts,
): WorkflowState | undefined {
  const about = caseOf(actor, workflow, post);
  return screenRule.holds(about) ? stateOfPost(about) : undefined;
}

/**
 * Returns the case of a member and a transition without a particular post: no facts about posts are
 * used.
 */
export function memberCase(
  actor: Actor,
  id: number,
  workflow: WorkflowDefinition,
  transition: WorkflowTransition,
): TransitionCase {
  const { fromStateId: stateId } = transition;
  const post = { creatorId: actor.userId, draft: false, deleted: false, stateId, customData: {}, screenData: {} };
  return transitionCase({ actor, community: { id }, workflow, post }, transition);
}
