/**
 * The rule of `permittedTransitions` for lists: the states in which posts offer the caller a
 * transition, by the reason that opens it to them, and SQL of the conditions on the values of the
 * post.
 */
import type { Actor } from '../../../kernel/scope.ts';
import type { WorkflowDefinition } from '../../communities/index.ts';
import { conditionsSql, type FieldCondition } from '../../fields/index.ts';
import { availableRule, memberCase, openToGroup, openToRole } from './workflow-policy.ts';

/**
 * A state in which posts offer a transition, while the conditions hold and, with `fieldIds`, one of
 * these fields holds the caller.
 */
export interface OpenStep {
  readonly stateId: number;
  readonly conditions: readonly FieldCondition[];
  readonly fieldIds?: readonly number[];
}

/** Returns whether posts of the state offer the step regardless of their values. */
const always = ({ conditions, fieldIds }: OpenStep) => conditions.length === 0 && fieldIds === undefined;

/** Returns the states of steps, each once. */
export const statesOf = (steps: readonly OpenStep[]): number[] => [...new Set(steps.map(({ stateId }) => stateId))];

/** Returns steps without the ones that an unconditional step of the same state makes redundant. */
function reduce(steps: readonly OpenStep[]): OpenStep[] {
  const whole = new Set(statesOf(steps.filter(always)));
  return [
    ...[...whole].map((stateId) => ({ stateId, conditions: [] })),
    ...steps.filter(({ stateId }) => !whole.has(stateId)),
  ];
}

/** Returns whether one of the steps depends on the values of posts. */
export const dependsOnValues = (steps: readonly OpenStep[]): boolean => !steps.every(always);

/**
 * Returns SQL of a boolean: posts offer one of the steps.
 * @param p alias of the posts row
 * @param add adds a value as a parameter and returns its SQL
 */
export function stepsSql(p: string, steps: readonly OpenStep[], actor: Actor, add: (value: unknown) => string): string {
  const states = `${p}.state_id = ANY (${add(statesOf(steps.filter(always)))}::bigint[])`;
  const rest = steps
    .filter((step) => !always(step))
    .map(({ stateId, conditions, fieldIds }) => {
      const holdsMe = (id: number) => {
        const key = `${add(String(id))}::text`;
        return `coalesce(coalesce(${p}.custom_data -> ${key}, ${p}.screen_data -> ${key}) @> to_jsonb(${add(actor.userId)}::bigint), false)`;
      };
      const held = fieldIds === undefined ? [] : [`(${fieldIds.map(holdsMe).join(' OR ')})`];
      return `(${[`${p}.state_id = ${add(stateId)}::bigint`, ...held, conditionsSql(p, conditions, add)].join(' AND ')})`;
    });
  return rest.length === 0 ? states : `(${[states, ...rest].join(' OR ')})`;
}

/** Returns the available transitions, each with the caller as a member who could be asked. */
function stepsFrom(actor: Actor, communityId: number, workflow: WorkflowDefinition) {
  return workflow.transitions
    .map((transition) => ({ transition, about: memberCase(actor, communityId, workflow, transition) }))
    .filter(({ about }) => availableRule.holds(about))
    .map(({ transition, about }) => ({
      transition,
      about,
      step: { stateId: transition.fromStateId, conditions: transition.conditions } satisfies OpenStep,
    }));
}

/** Steps that the caller can run, for the filter `toManageProcesses` (docs/decisions/lists.md). */
interface RunnableSteps {
  /** On posts of any author. */
  any: OpenStep[];
  /** Only on posts of the caller. */
  own: OpenStep[];
}

/** Returns the steps of one community's posts that the caller can run. */
export function runnableSteps(actor: Actor, communityId: number, workflow: WorkflowDefinition | null): RunnableSteps {
  if (!workflow || !actor.roles.has(communityId)) return { any: [], own: [] };
  const any: OpenStep[] = [];
  const own: OpenStep[] = [];
  for (const { transition, about, step } of stepsFrom(actor, communityId, workflow)) {
    const { byAuthor, fieldIds } = transition;
    if (openToRole.holds(about) || openToGroup.holds(about)) any.push(step);
    else {
      if (byAuthor) own.push(step);
      if (fieldIds.length > 0) any.push({ ...step, fieldIds });
    }
  }
  const reduced = reduce(any);
  const whole = new Set(statesOf(reduced.filter(always)));
  return { any: reduced, own: reduce(own).filter(({ stateId }) => !whole.has(stateId)) };
}

/** Steps for which the caller is asked, by the reason. */
interface AskedSteps {
  /** A transition is open to one of their groups. */
  byGroup: OpenStep[];
  /** A transition is open to their role; they are asked where the post names them. */
  byRole: OpenStep[];
  /** A transition is open to the author of the post. */
  byAuthor: OpenStep[];
  /** A transition is open to the people in a field of the post. */
  byField: OpenStep[];
}

/** The rule of `permittedTransitions` for lists of posts that wait for the caller. */
export function askedSteps(
  actor: Actor,
  definitions: Iterable<{ id: number; workflow: WorkflowDefinition | null }>,
): AskedSteps {
  const asked: AskedSteps = { byGroup: [], byRole: [], byAuthor: [], byField: [] };
  for (const { id, workflow } of definitions) {
    if (!workflow || !actor.roles.has(id)) continue;
    for (const { transition, about, step } of stepsFrom(actor, id, workflow)) {
      const { byAuthor, fieldIds } = transition;
      if (openToGroup.holds(about)) asked.byGroup.push(step);
      if (openToRole.holds(about)) asked.byRole.push(step);
      if (byAuthor) asked.byAuthor.push(step);
      if (fieldIds.length > 0) asked.byField.push({ ...step, fieldIds });
    }
  }
  return {
    byGroup: reduce(asked.byGroup),
    byRole: reduce(asked.byRole),
    byAuthor: reduce(asked.byAuthor),
    byField: reduce(asked.byField),
  };
}
