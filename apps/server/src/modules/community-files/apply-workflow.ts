/** Making the workflow what the file of a community says. */
import { isDeepStrictEqual } from 'node:util';
import {
  type ApplyCommunityRequest,
  type CommunityFileAccess,
  type CommunityFileWorkflow,
  type CreateCommunityWorkflowRequest,
  RoleId,
} from '@portico/contract';
import { invalid } from '../../kernel/errors.ts';
import { createCommunityWorkflow, editCommunityWorkflow } from '../communities/index.ts';
import { fieldForm } from './apply-fields.ts';
import { at, type Steps, tokenOf } from './steps.ts';

export async function applyWorkflow(
  steps: Steps,
  communityId: number,
  onExisting: ApplyCommunityRequest['onExisting'],
): Promise<void> {
  const { within, file, present } = steps;
  const before = present.file.workflow;
  if (!file.workflow) {
    if (before) throw invalid('file.workflow', 'INVALID_VALUE', 'A community that has a workflow keeps one.');
    return;
  }
  const form = workflowForm(file.workflow, steps);
  await at('file.workflow', {}, async () => {
    if (!before) {
      await createCommunityWorkflow(within, communityId, { ...form, ...screenForms(file.workflow!, steps) });
      return;
    }
    if (isDeepStrictEqual(before, file.workflow)) return;
    for (const part of ['screens', 'screenFields'] as const)
      if (!isDeepStrictEqual(before[part], file.workflow?.[part]))
        throw invalid(part, 'INVALID_VALUE', 'Screens and their fields are settled when the workflow is created.');
    await editCommunityWorkflow(within, communityId, {
      ...form,
      ...(onExisting && { onExisting }),
      occToken: await tokenOf(steps, communityId),
    });
  });
}

/** States and transitions as their form has them: they name each other by name. */
function workflowForm(workflow: CommunityFileWorkflow, { present, groups }: Steps) {
  const { title = '', states = [], transitions = [] } = workflow;
  const { ids } = present;
  const nameOf = new Map(states.map(({ key, name }) => [key, name ?? '']));
  const stateById = present.workflow?.stateById;
  const transitionById = present.workflow?.transitionById;
  const access = ({ roles, groups: names = [], byAuthor }: CommunityFileAccess) => ({
    ...(roles && { roles: roles.map((role) => RoleId[role]) }),
    groupIds: names.map((name) => groups.get(name)!),
    byAuthor: byAuthor ?? false,
  });
  const identity = (id: number | undefined, externalId: string | null | undefined, key: string | undefined) => {
    const text = id === undefined ? key : externalId;
    return { ...(id !== undefined && { id }), ...(text != null && { externalId: text }) };
  };
  return {
    title,
    states: states.map(({ key = '', edit, ...state }) => {
      const id = ids.states.get(key);
      return {
        ...state,
        ...identity(id, stateById?.get(id ?? 0)?.externalId, key),
        ...(edit && { edit: access(edit) }),
      };
    }),
    transitions: transitions.map(({ key = '', from, to, run, ...transition }) => {
      const id = ids.transitions.get(key);
      return {
        ...transition,
        ...identity(id, transitionById?.get(id ?? 0)?.externalId, key),
        from: nameOf.get(from) ?? '',
        to: nameOf.get(to) ?? '',
        ...(run && { run: access(run) }),
      };
    }),
  };
}

/** Screens and their fields of a new workflow, which name each other by label. */
function screenForms(
  { screens = [], screenFields = [] }: CommunityFileWorkflow,
  { catalogs }: Steps,
): Pick<CreateCommunityWorkflowRequest, 'screens' | 'screenFields'> {
  const labelOf = new Map(screenFields.map(({ key, label }) => [key, label ?? '']));
  return {
    screens: screens.map(({ name, message, fields = [] }) => ({
      name: name ?? '',
      ...(message !== undefined && { message }),
      fields: fields.map(({ field, required }) => ({
        label: labelOf.get(field) ?? '',
        ...(required !== undefined && { required }),
      })),
    })),
    screenFields: screenFields.map((field) => ({
      ...fieldForm(field, catalogs),
      ...(field.parent !== undefined && { parent: labelOf.get(field.parent) ?? '' }),
    })) as NonNullable<CreateCommunityWorkflowRequest['screenFields']>,
  };
}
