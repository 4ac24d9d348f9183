/** Applies the workflow in the file of a community. */
import { isDeepStrictEqual } from 'node:util';
import type {
  ApplyCommunityRequest,
  CommunityFileAccess,
  CommunityFileWorkflow,
  EditCommunityWorkflowRequest,
} from '@portico/contract';
import { invalid } from '../../../kernel/errors.ts';
import { createCommunityWorkflow, editCommunityWorkflow } from '../../communities/index.ts';
import { applyFields, namedFields } from './apply-fields.ts';
import { type NamedFields, resolveConditions, resolveSets } from './file-conditions.ts';
import { defaultRun } from './file-names.ts';
import { runAt, type Steps, tokenOf } from './steps.ts';

/** Names in the file that differ from the names in the form of a workflow. */
const NAMES = { fieldId: 'field', fieldIds: 'fields', groupIds: 'groups', externalId: 'key' };

export async function applyWorkflow(
  steps: Steps,
  communityId: number,
  onExisting: ApplyCommunityRequest['onExisting'],
): Promise<void> {
  const { within, file, present } = steps;
  const before = present.file.workflow;
  const { workflow } = file;
  if (!workflow) {
    if (before) throw invalid('file.workflow', 'INVALID_VALUE', 'A community that has a workflow keeps one.');
    return;
  }
  const made = before ? undefined : await makeWorkflow(steps, communityId, workflow);
  await applyFields(steps, communityId, 'screen');
  if (before && isDeepStrictEqual({ ...before, screenFields: [] }, { ...workflow, screenFields: [] })) return;
  const named = await namedFields(steps, communityId);
  await runAt('file.workflow', NAMES, async () =>
    editCommunityWorkflow(
      within,
      communityId,
      {
        ...workflowForm(workflow, steps, made ?? present.ids.states, named),
        ...(onExisting && { onExisting }),
        occToken: await tokenOf(steps, communityId),
      },
      ['keep'],
    ),
  );
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
  const identity = (id: number | undefined, existing: { externalId: string | null } | undefined, key: string) => {
    const text = existing ? existing.externalId : key;
    return { ...(id !== undefined && { id }), ...(text !== null && { externalId: text }) };
  };
  return {
    title,
    states: states.map(({ key = '', edit = {}, ...state }) => {
      const id = stateIds.get(key);
      return {
        ...state,
        ...identity(id, stateById?.get(id ?? 0), key),
        metadata: state.metadata ?? {},
        edit: access(edit),
      };
    }),
    transitions: transitions.map(({ key = '', from, to, run = defaultRun, conditions, sets, ...transition }) => {
      const id = present.ids.transitions.get(key);
      return {
        ...transition,
        ...identity(id, transitionById?.get(id ?? 0), key),
        metadata: transition.metadata ?? {},
        from: nameOf.get(from) ?? '',
        to: nameOf.get(to) ?? '',
        run: access(run),
        conditions: resolveConditions(conditions ?? [], named, 'posts'),
        sets: resolveSets(sets ?? [], named),
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
