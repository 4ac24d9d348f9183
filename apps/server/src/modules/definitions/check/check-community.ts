/**
 * Finds faults in the definition of a community (operation checkCommunity): states and transitions
 * in which posts are trapped, and required fields that cannot be filled in. The rules of
 * transitions decide whether somebody may run one.
 */
import {
  type CheckCommunityResponse,
  type CommunityFinding,
  definitionLimits,
  firstOwnRole,
  RoleId,
} from '@portico/contract';
import { counted } from '@portico/platform/text';
import { mapInTurns } from '@portico/platform/turns';
import { bitsOf, countsAs, heldRoles, nobody } from '../../../kernel/access/index.ts';
import { notFound } from '../../../kernel/errors.ts';
import type { Actor, Scope } from '../../../kernel/scope.ts';
import {
  type CommunityDefinition,
  type FieldDefinition,
  getWholeDefinition,
  isDemandedOnScreen,
  isRequired,
  isRequiredOnScreen,
  loadPresentation,
  type Presentation,
  requireCommunityEditor,
  seesField,
  type WorkflowDefinition,
  type WorkflowScreen,
  type WorkflowState,
  type WorkflowTransition,
} from '../../communities/index.ts';
import { contradictedField, type FieldCondition, impliedConditions, isChoice, typeOf } from '../../fields/index.ts';
import { availableRule, openRule, screenRule, transitionCase } from '../../post-parts/index.ts';
import {
  countPostsInUnusedStates,
  findRolesAndGroups,
  type HeldRole,
  type RolesAndGroups,
} from './check.repository.ts';

/**
 * Checks the definition of a community.
 * @throws PorticoError NOT_FOUND where the caller neither sees nor may edit it; FORBIDDEN
 */
export async function checkCommunity(scope: Scope, communityId: number): Promise<CheckCommunityResponse> {
  requireCommunityEditor(scope.actor, communityId);
  const definition = await getWholeDefinition(scope, communityId);
  if (!definition) throw notFound();
  return { findings: await findingsOf(scope, definition) };
}

/** Returns the faults of a definition. */
export async function findingsOf(scope: Scope, definition: CommunityDefinition): Promise<CommunityFinding[]> {
  const presentation = await loadPresentation(scope, [definition]);
  const { workflow } = definition;
  const people = await findRolesAndGroups(scope.db, definition.id, workflow ? groupsOf(workflow) : []);
  return [
    ...(workflow ? await new WorkflowCheck(definition, workflow, people, presentation).findings() : []),
    ...definition.fields
      .filter((field) => isRequired(field) && hasNoValues(field, presentation))
      .map((field) => withoutValues(field, 'New posts need a value of the field')),
    ...(await neverShown(definition.fieldById)),
    ...(workflow ? await neverShown(workflow.fieldById) : []),
    ...(workflow ? await unusedStates(scope, definition.id, workflow) : []),
  ];
}

/** Returns findings for states out of use that still hold posts, which no transition moves on. */
async function unusedStates(
  scope: Scope,
  communityId: number,
  { states }: WorkflowDefinition,
): Promise<CommunityFinding[]> {
  const unused = states.filter(({ deleted }) => deleted);
  const posts = await countPostsInUnusedStates(
    scope.db,
    communityId,
    unused.map(({ id }) => id),
  );
  return unused.flatMap((state) => {
    const count = posts.get(state.id) ?? 0;
    if (count === 0) return [];
    const number =
      count > definitionLimits.counted ? `more than ${definitionLimits.counted} posts` : counted(count, 'post');
    const what = `is out of use and holds ${number}, which no transition moves on; an edit of the workflow can`;
    return [of(state, 'POSTS_IN_UNUSED_STATE', what)];
  });
}

/** Returns the groups that the workflow names. */
const groupsOf = ({ states, transitions }: WorkflowDefinition): number[] => [
  ...new Set([...states.flatMap((state) => state.editGroupIds), ...transitions.flatMap(({ groupIds }) => groupIds)]),
];

/** Returns whether a field has no value to choose. Large catalogs are assumed to have one. */
function hasNoValues(field: FieldDefinition, { catalogs }: Presentation): boolean {
  if (!isChoice(field)) return false;
  if (field.catalogId === null) return field.enumValues.every((value) => value.deleted);
  const catalog = catalogs.get(field.catalogId);
  return !catalog || catalog.deleted || catalog.entries?.every((entry) => entry.deleted) === true;
}

function withoutValues(field: FieldDefinition, need: string): CommunityFinding {
  const text = `${need} “${field.label}”, which has no value to choose.`;
  return { kind: 'REQUIRED_FIELD_WITHOUT_VALUES', fieldId: field.id, fieldLabel: field.label, text };
}

type Fields = ReadonlyMap<number, FieldDefinition>;

/** Returns the label of a field on which conditions contradict each other. */
function contradicted(conditions: readonly FieldCondition[], fields: Fields): string | undefined {
  const isList = (id: number) => {
    const field = fields.get(id);
    return field !== undefined && typeOf(field).list === true;
  };
  const id = contradictedField(conditions, isList);
  return id === undefined ? undefined : (fields.get(id)?.label ?? String(id));
}

/** Returns findings for fields that their form never shows. */
function neverShown(fields: Fields): Promise<CommunityFinding[]> {
  return mapInTurns([...fields.values()], (field): CommunityFinding | undefined => {
    const on = contradicted(impliedConditions(field, fields), fields);
    if (on === undefined) return undefined;
    const text = `No form ever shows the field “${field.label}”: its conditions on the field “${on}” contradict each other, or those of a field between them.`;
    return { kind: 'CONTRADICTORY_CONDITIONS', fieldId: field.id, fieldLabel: field.label, text };
  });
}

/**
 * Returns sample people: one for each role with an account, one with the weakest role for each
 * group with a member, and an author for each role that creates posts.
 */
function representatives(communityId: number, { roles, groupIds }: RolesAndGroups): Actor[] {
  const person = (userId: number, role: HeldRole, groups: number[]) => somebody(communityId, userId, role, groups);
  const weakest = roles.find(({ bits }) => countsAs(bits) === Math.max(...roles.map((one) => countsAs(one.bits))));
  return [
    ...roles.map((role) => person(STRANGER, role, [])),
    ...(weakest === undefined ? [] : groupIds.map((id) => person(STRANGER, weakest, [id]))),
    // Authors have a role that creates posts.
    ...roles.filter(({ bits }) => bits & bitsOf(['createPosts'])).map((role) => person(AUTHOR, role, [])),
  ];
}
const AUTHOR = 1;
const STRANGER = 2;

const somebody = (communityId: number, userId: number, { id, bits }: HeldRole, groupIds: number[] = []): Actor => ({
  ...nobody(userId),
  groupIds,
  principals: [userId, ...groupIds.map((group) => -group)],
  ...heldRoles([{ communityId, bits }]),
  ...(id >= firstOwnRole && { ownRoles: new Map([[communityId, [id]]]) }),
});

class WorkflowCheck {
  readonly #definition: CommunityDefinition;
  readonly #workflow: WorkflowDefinition;
  readonly #people: readonly Actor[];
  readonly #presentation: Presentation;
  /** Values of a post, each of which holds the stranger. */
  readonly #held: Readonly<Record<string, number[]>>;

  constructor(
    definition: CommunityDefinition,
    workflow: WorkflowDefinition,
    people: RolesAndGroups,
    presentation: Presentation,
  ) {
    this.#definition = definition;
    this.#workflow = workflow;
    this.#people = representatives(definition.id, people);
    this.#presentation = presentation;
    const fields = [...definition.fields, ...workflow.fields];
    this.#held = Object.fromEntries(fields.map(({ id }) => [String(id), [STRANGER]]));
  }

  /** Works in turns: each of a thousand transitions is tried for hundreds of people. */
  async findings(): Promise<CommunityFinding[]> {
    const states = this.#workflow.states.filter(({ deleted }) => !deleted);
    const inUse = new Set(states.map(({ id }) => id));
    const transitions = this.#workflow.transitions.filter(
      ({ fromStateId, toStateId }) => inUse.has(fromStateId) && inUse.has(toStateId),
    );
    const ofEach = async (all: readonly WorkflowTransition[], find: (one: WorkflowTransition) => CommunityFinding[]) =>
      (await mapInTurns(all, find)).flat();
    const closed = await ofEach(transitions, (transition) => this.#forNobody(transition));
    const never = await ofEach(transitions, (transition) => this.#neverOffered(transition));
    const blocked = new Set([...closed, ...never].map(({ transitionId }) => transitionId));
    const open = transitions.filter(({ id }) => !blocked.has(id));
    const begin = states.filter(({ initial }) => initial);
    const reached = follow(begin, open, 'fromStateId', 'toStateId');
    const left = new Set(open.map(({ fromStateId }) => fromStateId));
    const ends = states.some(({ terminal }) => terminal);
    const last = states.filter(({ id, terminal }) => terminal || !left.has(id));
    // Follows the transitions backwards, from the states in which posts end.
    const ending = follow(last, open, 'toStateId', 'fromStateId');
    const found = (kind: StateFinding, what: string, is: (state: WorkflowState) => boolean) =>
      states.filter(is).map((state) => of(state, kind, what));
    const unseen = await ofEach(open, (transition) => this.#unseenFields(transition));
    return [
      ...found(
        'UNREACHABLE_STATE',
        'is never reached: no transition that somebody may run leads there',
        ({ id }) => !reached.has(id),
      ),
      ...found(
        'DEAD_END',
        'has no way out and is not terminal: no transition that somebody may run leads on',
        ({ id, terminal }) => !terminal && !left.has(id),
      ),
      ...found(
        'NO_WAY_TO_AN_END',
        'leads to no terminal state: posts that come there go round for ever',
        ({ id }) => ends && !ending.has(id),
      ),
      ...closed,
      ...never,
      ...found('SCREEN_FOR_NOBODY', 'has a screen that nobody may edit', (state) => this.#hasClosedScreen(state)),
      ...this.#usedScreens(states, transitions).flatMap((screen) => this.#screenFindings(screen)),
      ...unseen,
    ];
  }

  #neverOffered({ id, name, conditions }: WorkflowTransition): CommunityFinding[] {
    const fields = new Map([...this.#definition.fieldById, ...this.#workflow.fieldById]);
    const on = contradicted(conditions, fields);
    if (on === undefined) return [];
    const text = `No post ever offers the transition “${name}”: its conditions on the field “${on}” contradict each other.`;
    return [{ kind: 'CONTRADICTORY_CONDITIONS', transitionId: id, transitionName: name, text }];
  }

  /**
   * Returns findings for fields that the screen of a transition demands, but that nobody with
   * access to the transition sees.
   */
  #unseenFields(transition: WorkflowTransition): CommunityFinding[] {
    const screen = this.#workflow.screenById.get(transition.screenId ?? 0);
    const run = this.#people.filter((actor) =>
      openRule.holds(transitionCase(this.#case(actor, transition.fromStateId), transition)),
    );
    return (screen?.fields ?? []).flatMap((onScreen): CommunityFinding[] => {
      const field = this.#workflow.fieldById.get(onScreen.fieldId);
      if (!field || !isDemandedOnScreen(field, onScreen)) return [];
      if (run.some((actor) => seesField(actor, this.#definition.id, field))) return [];
      const [place, of] = [
        { screenId: screen!.id, screenName: screen!.name, fieldId: field.id, fieldLabel: field.label },
        { transitionId: transition.id, transitionName: transition.name },
      ];
      const text = `The screen “${screen!.name}” needs a value of the field “${field.label}”, which nobody sees who may run the transition “${transition.name}”: it is run without.`;
      return [{ kind: 'REQUIRED_FIELD_HIDDEN', ...of, ...place, text }];
    });
  }

  #forNobody(transition: WorkflowTransition): CommunityFinding[] {
    const about = (actor: Actor) => transitionCase(this.#case(actor, transition.fromStateId), transition);
    const { roles, groupIds, byAuthor, fieldIds, fromStateId, toStateId } = transition;
    const available = availableRule.holds(
      about(somebody(this.#definition.id, STRANGER, { id: RoleId.READER, bits: bitsOf(['readPublicPosts']) })),
    );
    if (available && this.#people.some((actor) => openRule.holds(about(actor)))) return [];
    const [from, to] = [fromStateId, toStateId].map((id) => this.#workflow.stateById.get(id)?.name);
    const open = roles.length > 0 || groupIds.length > 0 || byAuthor || fieldIds.length > 0;
    const whyClosed = open
      ? 'nobody in the community has one of the roles, or is in one of the groups, that it is open to'
      : 'it is open to no role, no group and not to authors';
    const why = available ? whyClosed : `work ends in the state “${from}”`;
    return [
      {
        kind: 'TRANSITION_FOR_NOBODY',
        transitionId: transition.id,
        transitionName: transition.name,
        text: `Nobody can run the transition “${transition.name}” (“${from}” to “${to}”): ${why}.`,
      },
    ];
  }

  #hasClosedScreen(state: WorkflowState): boolean {
    if (state.screenId === null || !this.#workflow.screenById.has(state.screenId)) return false;
    return !this.#people.some((actor) => screenRule.holds(this.#case(actor, state.id)));
  }

  /**
   * Returns a person and a post in a state; the post was written by the author among the people,
   * and each of its fields holds the stranger.
   */
  #case(actor: Actor, stateId: number) {
    const { community } = this.#definition;
    return {
      actor,
      community,
      workflow: this.#workflow,
      post: {
        creatorId: AUTHOR,
        draft: false,
        deleted: false,
        stateId,
        customData: this.#held,
        screenData: {},
      },
    };
  }

  #usedScreens(states: readonly WorkflowState[], transitions: readonly WorkflowTransition[]): WorkflowScreen[] {
    const ids = new Set([...states, ...transitions].map(({ screenId }) => screenId));
    return this.#workflow.screens.filter(({ id }) => ids.has(id));
  }

  #screenFindings(screen: WorkflowScreen): CommunityFinding[] {
    return screen.fields.flatMap((onScreen) => {
      const field = this.#workflow.fieldById.get(onScreen.fieldId);
      if (!field || !isRequiredOnScreen(field, onScreen)) return [];
      const about = { screenId: screen.id, screenName: screen.name };
      if (hasNoValues(field, this.#presentation))
        return [{ ...about, ...withoutValues(field, `The screen “${screen.name}” needs a value of the field`) }];
      if (!field.readonly && field.visibleInEdit) return [];
      const text = `The screen “${screen.name}” needs a value of the field “${field.label}”, which nobody can ${field.readonly ? 'write' : 'see in forms'}.`;
      return [{ ...about, kind: 'REQUIRED_FIELD_HIDDEN', fieldId: field.id, fieldLabel: field.label, text }];
    });
  }
}

type StateFinding =
  | 'UNREACHABLE_STATE'
  | 'DEAD_END'
  | 'NO_WAY_TO_AN_END'
  | 'SCREEN_FOR_NOBODY'
  | 'POSTS_IN_UNUSED_STATE';

const of = ({ id, name }: WorkflowState, kind: StateFinding, what: string): CommunityFinding => ({
  kind,
  stateId: id,
  stateName: name,
  text: `The state “${name}” ${what}.`,
});

type End = 'fromStateId' | 'toStateId';

/**
 * Returns ids of the states that transitions reach from the given ones. @param start the end of a
 * transition from which to follow it
 */
function follow(
  states: readonly WorkflowState[],
  transitions: readonly WorkflowTransition[],
  start: End,
  end: End,
): Set<number> {
  const reached = new Set(states.map(({ id }) => id));
  for (const from of reached)
    for (const transition of transitions) if (transition[start] === from) reached.add(transition[end]);
  return reached;
}
