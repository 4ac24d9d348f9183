/** Common parts of the forms of workflows. */
import type {
  WorkflowAccessForm,
  WorkflowScreenForm,
  WorkflowStateForm,
  WorkflowTransitionForm,
} from '@portico/contract';
import { GIVES_ROLES, knownGroupSql, Parameters, type WriteScope } from '../../kernel/access/index.ts';
import { type FieldErrors, unknownElements } from '../../kernel/errors.ts';
import { sqlColumns } from '../columns.ts';
import type { FieldDefinition, WorkflowDefinition } from './definition-types.ts';
import { holdsPeople, readConditions, readTransitionValues } from './read-conditions.ts';
import { textsOf } from './read-field-form.ts';
import { unknownAudience } from './roles/roles.repository.ts';
import type { NewScreen, NewState, NewTransition, OpenTo } from './workflow-input.ts';

const g = sqlColumns('groups', 'g');

interface NamesPeople {
  states?: readonly WorkflowStateForm[];
  transitions?: readonly WorkflowTransitionForm[];
}

/** Returns the access settings of the states and transitions in a form. */
const accessIn = ({ states = [], transitions = [] }: NamesPeople): WorkflowAccessForm[] => [
  ...states.flatMap(({ edit }) => edit ?? []),
  ...transitions.flatMap(({ run }) => run ?? []),
];

/**
 * Returns ids of the groups in a form that exist and that the writer knows or the workflow already
 * names.
 */
async function knownGroups(
  { tx, actor }: WriteScope,
  access: readonly WorkflowAccessForm[],
  present: WorkflowDefinition | undefined,
): Promise<Set<number>> {
  const named = access.flatMap(({ groupIds }) => groupIds ?? []);
  if (named.length === 0) return new Set();
  const { states = [], transitions = [] } = present ?? {};
  const kept = [
    ...states.flatMap(({ editGroupIds }) => editGroupIds),
    ...transitions.flatMap(({ groupIds }) => groupIds),
  ];
  const parameters = new Parameters([tx.tenantId, [...new Set(named)], kept]);
  const rows = await tx.query<{ id: number }>(
    `SELECT ${g.id} FROM groups g WHERE g.tenant_id = $1 AND ${g.id} = ANY ($2::bigint[]) AND ${g.deleted_at} IS NULL
        AND (${g.id} = ANY ($3::bigint[]) OR ${knownGroupSql('g', actor, parameters, GIVES_ROLES)})`,
    parameters.values,
  );
  return new Set(rows.map(({ id }) => id));
}

/** Objects that states and transitions may name. */
interface NamedByWorkflow {
  /** Ids of existing groups. */
  readonly groups: ReadonlySet<number>;
  /** Ids of roles that do not exist. */
  readonly unknownRoles: ReadonlySet<number>;
  /**
   * Fields that conditions of transitions may test: fields of the screens, and of posts if a single
   * community has the workflow.
   */
  readonly fields: ReadonlyMap<number, FieldDefinition>;
  /** Fields that transitions may set: fields of the screens. */
  readonly screenFields: ReadonlyMap<number, FieldDefinition>;
}

/**
 * Returns the objects that the states and transitions of a form may name. @param present the edited
 * workflow
 */
export async function namedBy(
  write: WriteScope,
  form: NamesPeople,
  fields: Pick<NamedByWorkflow, 'fields' | 'screenFields'>,
  present?: WorkflowDefinition,
): Promise<NamedByWorkflow> {
  const access = accessIn(form);
  const roles = [...new Set(access.flatMap((one) => one.roles ?? []))];
  return {
    ...fields,
    groups: await knownGroups(write, access, present),
    unknownRoles: await unknownAudience(write.tx, roles),
  };
}

function readAccess(
  field: string,
  { roles, groupIds = [], byAuthor, fieldIds = [] }: WorkflowAccessForm,
  { groups, unknownRoles, fields }: NamedByWorkflow,
  errors: FieldErrors,
): OpenTo {
  const unknown = new Set(groupIds.filter((id) => !groups.has(id)));
  errors.push(...unknownElements(`${field}.groupIds`, groupIds, unknown, 'There is no such group.'));
  const noRole = 'There is no such role; listRoles names them.';
  errors.push(...unknownElements(`${field}.roles`, roles ?? [], unknownRoles, noRole));
  const others = new Set(
    fieldIds.filter((id) => {
      const held = fields.get(id);
      return !held || !holdsPeople(held);
    }),
  );
  errors.push(...unknownElements(`${field}.fieldIds`, fieldIds, others, 'There is no such field of people.'));
  return { groupIds, fieldIds, ...(roles && { roles }), ...(byAuthor !== undefined && { byAuthor }) };
}

export function readStates(
  states: readonly WorkflowStateForm[],
  named: NamedByWorkflow,
  errors: FieldErrors,
): NewState[] {
  return states.map(({ name, description, color, initial, terminal, externalId, metadata, screen, edit }, index) => ({
    name: name?.trim() ?? '',
    ...(description?.trim() && { description: description.trim() }),
    ...(color && { color }),
    ...(initial !== undefined && { initial }),
    ...(terminal !== undefined && { terminal }),
    ...textsOf(undefined, externalId),
    ...(metadata && { metadata }),
    ...(screen && { screen }),
    ...(edit && { edit: readAccess(`states[${index}].edit`, edit, named, errors) }),
  }));
}

export function readTransitions(
  transitions: readonly WorkflowTransitionForm[],
  named: NamedByWorkflow,
  errors: FieldErrors,
): NewTransition[] {
  return transitions.map(({ name, from, to, externalId, metadata, screen, run, conditions = [], sets = [] }, index) => {
    const at = `transitions[${index}]`;
    return {
      name: name?.trim() ?? '',
      from: from?.trim() ?? '',
      to: to?.trim() ?? '',
      ...textsOf(undefined, externalId),
      ...(metadata && { metadata }),
      ...(screen && { screen }),
      ...(run && { run: readAccess(`${at}.run`, run, named, errors) }),
      conditions: readConditions(`${at}.conditions`, conditions, named.fields, errors),
      sets: readTransitionValues(`${at}.sets`, sets, named.screenFields, errors),
    };
  });
}

export function readScreens(screens: readonly WorkflowScreenForm[]): NewScreen[] {
  return screens.map(({ name, message, fields }) => ({
    name: name?.trim() ?? '',
    ...(message !== undefined && { message }),
    fields: (fields ?? []).map(({ label, fieldId, required }) => ({
      label: label?.trim() ?? '',
      ...(fieldId !== undefined && { fieldId }),
      ...(required !== undefined && { required }),
    })),
  }));
}
