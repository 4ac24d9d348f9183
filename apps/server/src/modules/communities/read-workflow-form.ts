/** What forms of workflows have in common. */
import type {
  WorkflowAccessForm,
  WorkflowScreenForm,
  WorkflowStateForm,
  WorkflowTransitionForm,
} from '@portico/contract';
import { GIVES_ROLES, knownGroupSql, Parameters, type WriteScope } from '../../kernel/access/index.ts';
import { type FieldError, unknownElements } from '../../kernel/errors.ts';
import { unknownAudience } from '../roles/index.ts';
import type { FieldDefinition, WorkflowDefinition } from './definition-types.ts';
import { holdsPeople, readConditions, readTransitionValues } from './read-conditions.ts';
import { textsOf } from './read-field-form.ts';
import type { NewScreen, NewState, NewTransition, OpenTo } from './workflow-input.ts';

interface NamesPeople {
  states?: readonly WorkflowStateForm[];
  transitions?: readonly WorkflowTransitionForm[];
}

/** What forms of states and transitions say of whom they are open to. */
const accessIn = ({ states = [], transitions = [] }: NamesPeople): WorkflowAccessForm[] => [
  ...states.flatMap(({ edit }) => edit ?? []),
  ...transitions.flatMap(({ run }) => run ?? []),
];

/** Ids of the groups that a form names, as far as they exist and the writer knows them or the workflow names them already. */
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
    `SELECT g.id FROM groups g WHERE g.tenant_id = $1 AND g.id = ANY ($2::bigint[]) AND g.deleted_at IS NULL
        AND (g.id = ANY ($3::bigint[]) OR ${knownGroupSql('g', actor, parameters, GIVES_ROLES)})`,
    parameters.values,
  );
  return new Set(rows.map(({ id }) => id));
}

/** What states and transitions may name. */
interface NamedByWorkflow {
  /** Ids of groups that exist. */
  readonly groups: ReadonlySet<number>;
  /** Ids of roles that there are not. */
  readonly unknownRoles: ReadonlySet<number>;
  /** Fields on whose values transitions may depend: of the screens, and of posts where one community has the workflow. */
  readonly fields: ReadonlyMap<number, FieldDefinition>;
  /** Fields that transitions may set: of the screens. */
  readonly screenFields: ReadonlyMap<number, FieldDefinition>;
}

/** What the states and transitions of a form may name. @param present the workflow that is edited */
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
  errors: FieldError[],
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
  errors: FieldError[],
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
  errors: FieldError[],
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
