/** Creates the workflow of a community (operation createCommunityWorkflow). */
import type {
  CreateCommunityWorkflowRequest,
  CreateCommunityWorkflowResponse,
  WorkflowScreenForm,
} from '@portico/contract';
import { joining, type WriteScope, writeTransaction } from '../../kernel/access/index.ts';
import { FieldErrors, notFound, PorticoError } from '../../kernel/errors.ts';
import type { Scope } from '../../kernel/scope.ts';
import { readTranslations } from '../../kernel/text-input.ts';
import { requireCommunityEditor } from './communities.policy.ts';
import { readCommunityHead } from './community-rows.ts';
import { attachWorkflow, createWorkflow } from './define-workflow.ts';
import { loadDefinition } from './definitions.repository.ts';
import { refuseFaults } from './field-faults.ts';
import { needsPrefill } from './prefill-values.ts';
import { readRules, readSectionNames, readValues, textsOf } from './read-field-form.ts';
import { namedBy, readScreens, readStates, readTransitions } from './read-workflow-form.ts';
import { dependsOnHidden, isSeenByMore } from './seen-by.ts';
import type { MadeWorkflow, NewScreenField, NewWorkflow } from './workflow-input.ts';

/**
 * Creates a workflow for a community without one. Where the posts of the community need so many
 * empty value rows that they take several transactions, the workflow is created in its own
 * transaction, and the last transaction brings it into use as a whole.
 * @throws PorticoError NOT_FOUND, FORBIDDEN, CONFLICT where the community has a workflow;
 * ValidationError
 */
export async function createCommunityWorkflow(
  scope: Scope,
  communityId: number,
  form: CreateCommunityWorkflowRequest,
): Promise<CreateCommunityWorkflowResponse> {
  // The insert reports missing fields with its own errors; the reads before it commit without them.
  const reading: Scope = { ...scope, missing: undefined };
  const workflow = await writeTransaction(reading, 'none', (write) =>
    readForm(write, communityId, form, scope.missing),
  );
  const fields = workflow.screenFields?.length ?? 0;
  const large =
    !scope.db.inTransaction &&
    (await writeTransaction(reading, 'none', (write) => needsPrefill(write, fields, [communityId])));
  const make = async (within: Scope): Promise<CreateCommunityWorkflowResponse> => {
    const made = await createWorkflow(within, workflow, [communityId]);
    await attachWorkflow(within, communityId, made.id, async (write) => {
      // The definition may have changed since the form was read.
      await readForm(write, communityId, form, write.missing);
    });
    return present(within, communityId, made);
  };
  if (large) return make(scope);
  return writeTransaction(scope, 'definitions', (write) => make(joining(write)));
}

async function requireEmpty(write: WriteScope, communityId: number): Promise<void> {
  requireCommunityEditor(write.actor, communityId);
  if (!(await readCommunityHead(write.tx, communityId))) throw notFound();
  const [row] = await write.tx.query<{ workflowId: number | null }>(
    'SELECT workflow_id AS "workflowId" FROM communities WHERE tenant_id = $1 AND id = $2',
    [write.tx.tenantId, communityId],
  );
  if (row?.workflowId != null)
    throw new PorticoError('CONFLICT', {
      message: 'The community has a workflow already; it cannot have another one.',
    });
}

async function present(
  scope: Scope,
  communityId: number,
  made: MadeWorkflow,
): Promise<CreateCommunityWorkflowResponse> {
  const db = scope.db;
  const [row] = await db.query<{ etag: number }>('SELECT etag FROM communities WHERE tenant_id = $1 AND id = $2', [
    db.tenantId,
    communityId,
  ]);
  return {
    workflowId: made.id,
    stateIds: [...made.states.values()],
    transitionIds: made.transitionIds,
    ...(row && { nextOccToken: row.etag }),
  };
}

async function readForm(
  write: WriteScope,
  communityId: number,
  form: CreateCommunityWorkflowRequest,
  missing: Scope['missing'],
): Promise<NewWorkflow> {
  await requireEmpty(write, communityId);
  // A screen field without a type cannot be checked; other missing fields are reported by the insert.
  const untyped = form.screenFields?.some(({ type }) => type === undefined);
  const errors = new FieldErrors(untyped ? missing : undefined);
  const fields = (await loadDefinition(write.tx, communityId))?.fieldById ?? new Map();
  const named = await namedBy(write, form, { fields, screenFields: new Map() });
  const screenFields = (form.screenFields ?? []).map((field, index) => {
    const at = `screenFields[${index}]`;
    const {
      type,
      label,
      description,
      externalId,
      enumValues,
      validations,
      parent,
      translations,
      section,
      sectionTranslations,
      visibleToRoles: visibleRoles = [],
      ...settings
    } = field;
    return {
      ...settings,
      type,
      label: label?.trim() ?? '',
      translations: readTranslations(`${at}.translations`, translations, errors),
      ...(section?.trim() && { section: section.trim() }),
      sectionTranslations: readSectionNames(section?.trim() || null, sectionTranslations, {}, errors, at),
      ...textsOf(description, externalId),
      enumValues: readValues(`${at}.enumValues`, enumValues ?? [], errors),
      validations: readRules(validations ?? []),
      visibleRoles,
      ...(parent !== undefined && { parent: parent.trim() }),
    } as NewScreenField;
  });
  for (const [index, field] of screenFields.entries()) {
    checkSeenWithParent(`screenFields[${index}].visibleToRoles`, field, screenFields.slice(0, index), errors);
    if (field.type !== undefined) refuseFaults(`screenFields[${index}]`, field, errors);
  }
  const workflow = {
    title: form.title ?? '',
    states: readStates(form.states ?? [], named, errors),
    transitions: readTransitions(form.transitions ?? [], named, errors),
    screens: readScreens(withoutIds(form.screens ?? [], errors)),
    screenFields,
  };
  errors.throwIfAny(missing);
  return workflow;
}

/**
 * Requires that everybody who sees a field also sees its parent. @param before the fields before
 * it, including its parent
 */
function checkSeenWithParent(
  path: string,
  field: NewScreenField,
  before: readonly NewScreenField[],
  errors: FieldErrors,
): void {
  const above = before.find(({ label }) => label === field.parent);
  if (above && isSeenByMore(field, above)) errors.add(path, 'INVALID_VALUE', dependsOnHidden(above.label));
}

/** Checks the screens of a new workflow: neither the screens nor their fields have ids yet. */
function withoutIds(screens: readonly WorkflowScreenForm[], errors: FieldErrors): readonly WorkflowScreenForm[] {
  for (const [index, { id, fields = [] }] of screens.entries()) {
    const refuse = (field: string) =>
      errors.add(field, 'INVALID_VALUE', 'The screens of a new workflow and their fields have no ids.');
    if (id !== undefined) refuse(`screens[${index}].id`);
    for (const [place, { fieldId }] of fields.entries())
      if (fieldId !== undefined) refuse(`screens[${index}].fields[${place}].fieldId`);
  }
  return screens;
}
