/** What forms of workflows have in common. */
import type {
  WorkflowAccessForm,
  WorkflowScreenForm,
  WorkflowStateForm,
  WorkflowTransitionForm,
} from '@portico/contract';
import { type FieldError, unknownElements } from '../../kernel/errors.ts';
import type { TenantTx } from '../../platform/db/tenant-db.ts';
import { textsOf } from './read-field-form.ts';
import type { NewScreen, NewState, NewTransition, OpenTo } from './workflow-input.ts';

interface NamesGroups {
  states?: readonly WorkflowStateForm[];
  transitions?: readonly WorkflowTransitionForm[];
}

/** Ids of the groups that a form names, as far as they exist. */
export async function knownGroups(tx: TenantTx, { states = [], transitions = [] }: NamesGroups): Promise<Set<number>> {
  const named = [
    ...states.flatMap(({ edit }) => edit?.groupIds ?? []),
    ...transitions.flatMap(({ run }) => run?.groupIds ?? []),
  ];
  if (named.length === 0) return new Set();
  const rows = await tx.query<{ id: number }>(
    'SELECT id FROM groups WHERE tenant_id = $1 AND id = ANY ($2::bigint[]) AND deleted_at IS NULL',
    [tx.tenantId, [...new Set(named)]],
  );
  return new Set(rows.map(({ id }) => id));
}

function readAccess(
  field: string,
  { roles, groupIds = [], byAuthor }: WorkflowAccessForm,
  groups: ReadonlySet<number>,
  errors: FieldError[],
): OpenTo {
  const unknown = new Set(groupIds.filter((id) => !groups.has(id)));
  errors.push(...unknownElements(`${field}.groupIds`, groupIds, unknown, 'There is no such group.'));
  return { groupIds, ...(roles && { roles }), ...(byAuthor !== undefined && { byAuthor }) };
}

/** @param groups ids of groups that exist */
export function readStates(
  states: readonly WorkflowStateForm[],
  groups: ReadonlySet<number>,
  errors: FieldError[],
): NewState[] {
  return states.map(({ name, description, color, initial, terminal, externalId, screen, edit }, index) => ({
    name: name?.trim() ?? '',
    ...(description?.trim() && { description: description.trim() }),
    ...(color && { color }),
    ...(initial !== undefined && { initial }),
    ...(terminal !== undefined && { terminal }),
    ...textsOf(undefined, externalId),
    ...(screen && { screen }),
    ...(edit && { edit: readAccess(`states[${index}].edit`, edit, groups, errors) }),
  }));
}

/** @param groups ids of groups that exist */
export function readTransitions(
  transitions: readonly WorkflowTransitionForm[],
  groups: ReadonlySet<number>,
  errors: FieldError[],
): NewTransition[] {
  return transitions.map(({ name, from, to, externalId, screen, run }, index) => ({
    name: name?.trim() ?? '',
    from: from?.trim() ?? '',
    to: to?.trim() ?? '',
    ...textsOf(undefined, externalId),
    ...(screen && { screen }),
    ...(run && { run: readAccess(`transitions[${index}].run`, run, groups, errors) }),
  }));
}

export function readScreens(screens: readonly WorkflowScreenForm[]): NewScreen[] {
  return screens.map(({ name, message, fields }) => ({
    name: name?.trim() ?? '',
    ...(message !== undefined && { message }),
    fields: (fields ?? []).map(({ label, required }) => ({
      label: label?.trim() ?? '',
      ...(required !== undefined && { required }),
    })),
  }));
}
