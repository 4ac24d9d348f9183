/** Applies the workflow in the file of a community. */
import { isDeepStrictEqual } from 'node:util';
import type { CommunityFileAccess, CommunityFileWorkflow, EditCommunityWorkflowRequest } from '@portico/contract';
import { invalid, ValidationError } from '../../../kernel/errors.ts';
import { createCommunityWorkflow } from '../../communities/index.ts';
import { editWorkflowWithData } from '../changes/edit-with-data.ts';
import { applyFields, namedFields } from './apply-fields.ts';
import { type NamedFields, resolveConditions, resolveSets } from './file-conditions.ts';
import { defaultRun } from './file-names.ts';
import { isRenamed } from './moved-keys.ts';
import { runAt, type Steps, tokenOf } from './steps.ts';

/** Names in the file that differ from the names in the form of a workflow. */
const NAMES = { fieldId: 'field', fieldIds: 'fields', groupIds: 'groups', externalId: 'key' };

export async function applyWorkflow(steps: Steps, communityId: number): Promise<void> {
  const { within, file, present, choices } = steps;
  const before = present.file.workflow;
  const { workflow } = file;
  if (!workflow) {
    if (before) throw invalid('file.workflow', 'INVALID_VALUE', 'A community that has a workflow keeps one.');
    return;
  }
  const made = before ? undefined : await makeWorkflow(steps, communityId, workflow);
  await applyFields(steps, communityId, 'screen');
  const same = before && isDeepStrictEqual({ ...before, screenFields: [] }, { ...workflow, screenFields: [] });
  if (same && choices.moves.length === 0 && !present.renamed) return;
  const named = await namedFields(steps, communityId);
  const states = made ?? present.ids.states;
  const moves = choices.moves.filter(({ from }) => states.has(from));
  const nameOf = new Map(workflow.states?.map(({ key, name }) => [key, name ?? '']));
  const form = {
    ...workflowForm(workflow, steps, states, named),
    ...(moves.length > 0 && {
      onExisting: 'map' as const,
      stateMapping: moves.map(({ path, from, to, conditions }) => ({
        fromStateId: states.get(from)!,
        to: nameOf.get(to) ?? '',
        conditions: resolveConditions(conditions, named, 'posts', `${path}.conditions`),
      })),
    }),
    occToken: await tokenOf(steps, communityId),
  };
  const options = { follow: true, treatments: choices.statesOf(states) } as const;
  const edit = () => editWorkflowWithData(within, communityId, form, options);
  const paths = moves.map(({ path }) => path);
  await atMoves(paths, () => runAt('file.workflow', NAMES, edit));
}

/** Runs an edit, and reports errors of moves of states at the places of their entries. */
async function atMoves<T>(paths: readonly string[], edit: () => Promise<T>): Promise<T> {
  try {
    return await edit();
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    const place = (field: string) =>
      field.replace(/^file\.workflow\.stateMapping\[(\d+)\]/, (all, index) => paths[Number(index)] ?? all);
    throw new ValidationError(error.errors.map((fault) => ({ ...fault, field: place(fault.field) })));
  }
}

/**
 * Creates the workflow with its states only; transitions and screens follow. @returns the ids of
 * the states by key
 */
async function makeWorkflow({ within }: Steps, communityId: number, workflow: CommunityFileWorkflow) {
  const { title = '', states = [] } = workflow;
  const { stateIds = [] } = await runAt('file.workflow', NAMES, () =>
    createCommunityWorkflow(within, communityId, {
      title,
      states: states.map(({ key = '', edit: _edit, screen: _screen, ...state }) => ({ ...state, externalId: key })),
    }),
  );
  return new Map(states.map(({ key = '' }, index) => [key, stateIds[index]!]));
}

/** Returns the form of the whole workflow: states and transitions refer to each other by name. */
function workflowForm(
  workflow: CommunityFileWorkflow,
  { present, groups, roles: roleIds }: Steps,
  stateIds: ReadonlyMap<string, number>,
  named: NamedFields,
): Omit<EditCommunityWorkflowRequest, 'occToken'> {
  const { title = '', states = [], transitions = [], screens = [] } = workflow;
  const nameOf = new Map(states.map(({ key, name }) => [key, name ?? '']));
  const stateById = present.workflow?.stateById;
  const transitionById = present.workflow?.transitionById;
  const screenIds = new Map(present.workflow?.screens.map(({ id, name }) => [name, id]));
  const access = ({ roles, groups: names = [], byAuthor, fields = [], screenFields = [] }: CommunityFileAccess) => ({
    ...(roles && { roles: roles.map((role) => roleIds.get(role)!) }),
    groupIds: names.map((name) => groups.get(name)!),
    byAuthor: byAuthor ?? false,
    fieldIds: [
      ...fields.flatMap((key) => named.posts.get(key)?.id ?? []),
      ...screenFields.flatMap((key) => named.screens.get(key)?.id ?? []),
    ],
  });
  /** A new object gets its key as external id; an existing one keeps its own. */
  const identity = (
    kind: 'state' | 'transition',
    id: number | undefined,
    existing: { externalId: string | null } | undefined,
    key: string,
  ) => {
    const text = existing && !isRenamed(present, kind, key) ? existing.externalId : key;
    return { ...(id !== undefined && { id }), ...(text !== null && { externalId: text }) };
  };
  return {
    title,
    states: states.map(({ key = '', edit = {}, ...state }) => {
      const id = stateIds.get(key);
      return {
        ...state,
        ...identity('state', id, stateById?.get(id ?? 0), key),
        metadata: state.metadata ?? {},
        edit: access(edit),
      };
    }),
    transitions: transitions.map(({ key = '', from, to, run = defaultRun, conditions, sets, ...transition }, index) => {
      const path = `file.workflow.transitions[${index}]`;
      const id = present.ids.transitions.get(key);
      return {
        ...transition,
        ...identity('transition', id, transitionById?.get(id ?? 0), key),
        metadata: transition.metadata ?? {},
        from: nameOf.get(from) ?? '',
        to: nameOf.get(to) ?? '',
        run: access(run),
        conditions: resolveConditions(conditions ?? [], named, 'posts', `${path}.conditions`),
        sets: resolveSets(sets ?? [], named, `${path}.sets`),
      };
    }),
    screens: screens.map(({ name = '', message, fields = [] }) => ({
      ...(screenIds.has(name) && { id: screenIds.get(name)! }),
      name,
      ...(message !== undefined && { message }),
      fields: fields.map(({ field, required }) => ({
        fieldId: named.screens.get(field ?? '')!.id,
        ...(required !== undefined && { required }),
      })),
    })),
  };
}
