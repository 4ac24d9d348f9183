/**
 * Form of the workflow of a community (operations getCommunityWorkflowForEdit,
 * editCommunityWorkflow).
 */
import type {
  EditCommunityWorkflowRequest,
  EditCommunityWorkflowResponse,
  GetCommunityWorkflowForEditResponse,
  WorkflowAccessForm,
  WorkflowStateForm,
  WorkflowTransitionForm,
} from '@portico/contract';
import { type WriteScope, writeTransaction } from '../../kernel/access/index.ts';
import { FieldErrors, notFound } from '../../kernel/errors.ts';
import type { Scope } from '../../kernel/scope.ts';
import { requireCommunityEditor, requireDefinitionRight } from './communities.policy.ts';
import { readCommunityHead, refuseStaleCommunity } from './community-rows.ts';
import { checkWorkflow } from './define-workflow.ts';
import type { WorkflowAccess, WorkflowDefinition } from './definition-types.ts';
import { changeDefinitions } from './definition-versions.ts';
import { loadDefinition } from './definitions.repository.ts';
import { getWholeDefinition } from './definitions.ts';
import { communitiesOf } from './field-rows.ts';
import { type Choice, collectsLosses, noteLoss } from './losses.ts';
import { presentConditions, presentTransitionValues } from './read-conditions.ts';
import { namedBy, readScreens, readStates, readTransitions } from './read-workflow-form.ts';
import { screenAccess } from './screen-access.ts';
import type { NewScreen, NewState, NewTransition } from './workflow-input.ts';
import {
  deleteScreens,
  heldInStates,
  replaceScreens,
  replaceStates,
  replaceTransitions,
  updateTitle,
} from './workflow-rows.ts';

const accessOf = ({ roles, groupIds, byAuthor, fieldIds }: WorkflowAccess) =>
  ({ roles: [...roles], groupIds: [...groupIds], byAuthor, fieldIds: [...fieldIds] }) as WorkflowAccessForm;

/**
 * Returns the form of the workflow: states and transitions in use, and the screens.
 * @throws PorticoError NOT_FOUND where the community has no workflow, or the caller neither sees
 * nor may edit it; FORBIDDEN
 */
export async function getCommunityWorkflowForEdit(
  scope: Scope,
  communityId: number,
): Promise<GetCommunityWorkflowForEditResponse> {
  requireCommunityEditor(scope.actor, communityId);
  const definition = await getWholeDefinition(scope, communityId);
  const workflow = definition?.workflow;
  if (!definition || !workflow) throw notFound();
  const screenName = (id: number | null) => {
    const name = id === null ? undefined : workflow.screenById.get(id)?.name;
    return name === undefined ? {} : { screen: name };
  };
  const inUse = ({ fromStateId, toStateId }: { fromStateId: number; toStateId: number }) =>
    [fromStateId, toStateId].every((id) => workflow.stateById.get(id)?.deleted === false);
  return {
    title: workflow.title,
    states: workflow.states
      .filter(({ deleted }) => !deleted)
      .map((state) => ({
        id: state.id,
        name: state.name,
        ...(state.description !== null && { description: state.description }),
        ...(state.color !== null && { color: state.color }),
        initial: state.initial,
        terminal: state.terminal,
        ...(state.externalId !== null && { externalId: state.externalId }),
        metadata: { ...state.metadata },
        ...screenName(state.screenId),
        edit: accessOf(screenAccess(state)),
      })),
    transitions: workflow.transitions.filter(inUse).map((transition) => ({
      id: transition.id,
      name: transition.name,
      from: workflow.stateById.get(transition.fromStateId)?.name ?? '',
      to: workflow.stateById.get(transition.toStateId)?.name ?? '',
      ...(transition.externalId !== null && { externalId: transition.externalId }),
      metadata: { ...transition.metadata },
      ...screenName(transition.screenId),
      run: accessOf(transition),
      conditions: presentConditions(transition.conditions),
      sets: presentTransitionValues(transition.sets),
    })),
    screens: workflow.screens.map(({ id, name, message, fields }) => ({
      id,
      name,
      ...(message !== null && { message }),
      fields: fields.map(({ fieldId, required }) => ({
        label: workflow.fieldById.get(fieldId)?.label ?? '',
        fieldId,
        required,
      })),
    })),
    screenFields: workflow.fields.map(({ id, label, type }) => ({ fieldId: id, label, type })),
    occToken: definition.community.etag,
  };
}

/**
 * Replaces the states and transitions of the workflow by the given ones: an id updates, no id
 * creates, and an omitted state or transition goes out of use. The change applies to all
 * communities that share the workflow.
 * @throws PorticoError NOT_FOUND, FORBIDDEN, CONFLICT_STALE_TOKEN; ValidationError, with
 * MAPPING_REQUIRED where posts are in omitted states
 * @param treatments treatment of the posts in omitted states, by id; default: `onExisting` of the form
 */
export async function editCommunityWorkflow(
  scope: Scope,
  communityId: number,
  form: EditCommunityWorkflowRequest,
  treatments?: ReadonlyMap<number, Choice>,
): Promise<EditCommunityWorkflowResponse> {
  return writeTransaction(scope, 'definitions', async (write) => {
    requireCommunityEditor(write.actor, communityId);
    const head = await readCommunityHead(write.tx, communityId);
    const definition = await loadDefinition(write.tx, communityId);
    const workflow = definition?.workflow;
    if (!head || !workflow) throw notFound();
    const sharing = await communitiesOf(write, { workflowId: workflow.id });
    requireDefinitionRight(write.actor, sharing);
    const { occToken } = form;
    if (occToken !== undefined && occToken !== head.etag) await refuseStaleCommunity(write.tx, communityId);
    const whole = occToken !== undefined && form.states !== undefined && form.transitions !== undefined;
    const errors = new FieldErrors(whole ? undefined : write.missing);
    const ofPosts = sharing.length === 1 ? [...definition.fieldById] : [];
    const named = await namedBy(
      write,
      form,
      { fields: new Map([...workflow.fieldById, ...ofPosts]), screenFields: workflow.fieldById },
      workflow,
    );
    const states = withIds(form.states ?? [], readStates(form.states ?? [], named, errors)).map((state, index) =>
      keptState(workflow, state, form.states?.[index]),
    );
    const transitions = withIds(form.transitions ?? [], readTransitions(form.transitions ?? [], named, errors)).map(
      (transition, index) => keptTransition(workflow, transition, form.transitions?.[index]),
    );
    const screens = form.screens && withIds(form.screens, namedFields(readScreens(form.screens), workflow, errors));
    if (screens) checkIds('screens', screens, new Set(workflow.screenById.keys()), errors);
    checkIds('states', states, new Set(workflow.states.map(({ id }) => id)), errors);
    checkIds('transitions', transitions, new Set(workflow.transitionById.keys()), errors);
    errors.throwIfAny(write.missing);
    const title = form.title ?? workflow.title;
    checkWorkflow({ title, states, transitions, screens: screens ?? present(workflow) }, write.missing);
    await noteOrphans(write, workflow, sharing, form, treatments);
    return changeDefinitions(write, sharing, async () => {
      await updateTitle(write.tx, workflow.id, title.trim());
      const screenIds = screens
        ? await replaceScreens(write, workflow.id, screens)
        : new Map(workflow.screens.map(({ id, name }) => [name, id]));
      const stateIds = await replaceStates(write, workflow.id, states, screenIds);
      const transitionIds = await replaceTransitions(write, workflow.id, transitions, stateIds, screenIds);
      if (screens) await deleteScreens(write.tx, workflow.id, [...screenIds.values()]);
      return {
        stateIds: [...stateIds.values()],
        transitionIds,
        screenIds: [...screenIds.values()],
        nextOccToken: head.etag + 1,
      };
    });
  });
}

/**
 * Returns a state with its present metadata and fields of people where the form does not mention
 * them.
 */
function keptState(
  workflow: WorkflowDefinition,
  state: NewState & { id?: number },
  sent: WorkflowStateForm | undefined,
) {
  const before = workflow.stateById.get(state.id ?? 0);
  if (!before) return state;
  const { edit } = state;
  return {
    ...state,
    ...(sent?.metadata === undefined && { metadata: before.metadata }),
    ...(edit && sent?.edit?.fieldIds === undefined && { edit: { ...edit, fieldIds: before.editFieldIds } }),
  };
}

/**
 * Returns a transition with its present metadata, conditions, values and fields of people where the
 * form does not mention them.
 */
function keptTransition(
  workflow: WorkflowDefinition,
  transition: NewTransition & { id?: number },
  sent: WorkflowTransitionForm | undefined,
) {
  const before = workflow.transitionById.get(transition.id ?? 0);
  if (!before) return transition;
  const { run } = transition;
  return {
    ...transition,
    ...(sent?.metadata === undefined && { metadata: before.metadata }),
    ...(sent?.conditions === undefined && { conditions: before.conditions }),
    ...(sent?.sets === undefined && { sets: before.sets }),
    ...(run && sent?.run?.fieldIds === undefined && { run: { ...run, fieldIds: before.fieldIds } }),
  };
}

/** Returns the screens of a workflow, as far as states and transitions name them. */
const present = (workflow: WorkflowDefinition) => workflow.screens.map(({ name }) => ({ name, fields: [] }));

/**
 * Reads screens whose fields are named by id: each a field of the workflow, at most once per
 * screen.
 */
function namedFields(screens: readonly NewScreen[], workflow: WorkflowDefinition, errors: FieldErrors): NewScreen[] {
  const byLabel = new Map(workflow.fields.map(({ id, label }) => [label, id]));
  return screens.map((screen, index) => {
    const seen = new Set<number>();
    const fields = screen.fields.map((field, place) => {
      const at = `screens[${index}].fields[${place}].${field.fieldId === undefined ? 'label' : 'fieldId'}`;
      const fieldId = field.fieldId ?? byLabel.get(field.label);
      if (fieldId === undefined || !workflow.fieldById.has(fieldId)) {
        errors.add(at, 'UNKNOWN_REFERENCE');
        return field;
      }
      if (seen.has(fieldId)) errors.add(at, 'DUPLICATE_VALUE');
      seen.add(fieldId);
      return { ...field, fieldId };
    });
    return { ...screen, fields };
  });
}

function withIds<T extends object>(form: readonly { id?: number }[], read: readonly T[]): (T & { id?: number })[] {
  return read.map((item, index) => {
    const id = form[index]?.id;
    return id === undefined ? item : { ...item, id };
  });
}

function checkIds(
  path: string,
  items: readonly { id?: number }[],
  known: ReadonlySet<number>,
  errors: FieldErrors,
): void {
  const seen = new Set<number>();
  for (const [index, { id }] of items.entries()) {
    if (id === undefined) continue;
    const field = `${path}[${index}].id`;
    if (!known.has(id)) errors.add(field, 'UNKNOWN_REFERENCE');
    else if (seen.has(id)) errors.add(field, 'DUPLICATE_VALUE');
    seen.add(id);
  }
}

/** Notes the posts in states that the form takes out of use. */
async function noteOrphans(
  write: WriteScope,
  workflow: WorkflowDefinition,
  communityIds: readonly number[],
  form: EditCommunityWorkflowRequest,
  treatments: ReadonlyMap<number, Choice> = new Map(),
): Promise<void> {
  const kept = new Set(form.states?.map(({ id }) => id));
  const left = workflow.states.filter(({ id, deleted }) => !deleted && !kept.has(id));
  const collects = collectsLosses(write);
  if (left.length === 0 || (form.onExisting === 'keep' && !collects)) return;
  for (const states of collects ? left.map((state) => [state]) : [left]) {
    const ids = states.map(({ id }) => id);
    const held = await heldInStates(write.tx, communityIds, ids);
    if (held.posts === 0) continue;
    await noteLoss(write, {
      kind: 'state',
      id: ids[0]!,
      held,
      what: `Posts in states that are left out (${states.map(({ name }) => `"${name}"`).join(', ')})`,
      choices: ['keep', 'map'],
      chosen: treatments.get(ids[0]!),
      field: 'states',
      mapping: 'map with stateMapping',
    });
  }
}
