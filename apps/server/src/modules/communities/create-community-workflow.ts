/** Giving a community a workflow of its own (operation createCommunityWorkflow). */
import type {
  CreateCommunityWorkflowRequest,
  CreateCommunityWorkflowResponse,
  WorkflowAccessForm,
} from '@portico/contract';
import { type WriteScope, writeTransaction } from '../../kernel/access/index.ts';
import { type FieldError, notFound, PorticoError, unknownElements, ValidationError } from '../../kernel/errors.ts';
import type { Scope } from '../../kernel/scope.ts';
import { requireCommunityEditor } from './communities.policy.ts';
import { readCommunityHead } from './community-rows.ts';
import {
  attachWorkflow,
  createWorkflow,
  type MadeWorkflow,
  type NewScreenField,
  type NewWorkflow,
  type OpenTo,
} from './define-workflow.ts';
import { needsPrefill } from './prefill-values.ts';
import { newValue, readRules, textsOf } from './read-field-form.ts';

/**
 * Makes a workflow and gives it to a community that has none. Where the community holds so many posts that their empty value
 * rows take several transactions, the workflow is made in one of its own; it comes into use as a whole in the last one.
 * @throws PorticoError NOT_FOUND, FORBIDDEN, CONFLICT where the community has a workflow; ValidationError
 */
export async function createCommunityWorkflow(
  scope: Scope,
  communityId: number,
  form: CreateCommunityWorkflowRequest,
): Promise<CreateCommunityWorkflowResponse> {
  const workflow = await writeTransaction(scope, 'none', (write) => readForm(write, communityId, form));
  const fields = workflow.screenFields?.length ?? 0;
  const large =
    !scope.joined && (await writeTransaction(scope, 'none', (write) => needsPrefill(write, fields, [communityId])));
  const make = async (within: Scope): Promise<CreateCommunityWorkflowResponse> => {
    const made = await createWorkflow(within, workflow, [communityId]);
    await attachWorkflow(within, communityId, made.id);
    return present(within, communityId, made);
  };
  if (large) return make(scope);
  return writeTransaction(scope, 'definitions', async (write) => {
    await requireEmpty(write, communityId);
    return make({ ...scope, actor: write.actor, joined: write.tx });
  });
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
  const db = scope.joined ?? scope.db;
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
): Promise<NewWorkflow> {
  await requireEmpty(write, communityId);
  const errors: FieldError[] = [];
  const groups = await knownGroups(write, form);
  const open = (field: string, access: WorkflowAccessForm): OpenTo => {
    const { roles, groupIds = [], byAuthor } = access;
    const unknown = new Set(groupIds.filter((id) => !groups.has(id)));
    errors.push(...unknownElements(`${field}.groupIds`, groupIds, unknown, 'There is no such group.'));
    return { groupIds, ...(roles && { roles }), ...(byAuthor !== undefined && { byAuthor }) };
  };
  const states = (form.states ?? []).map(({ edit, name, description, color, externalId, ...state }, index) => ({
    ...state,
    name: name?.trim() ?? '',
    ...(description?.trim() && { description: description.trim() }),
    ...(color && { color }),
    ...textsOf(undefined, externalId),
    ...(edit && { edit: open(`states[${index}].edit`, edit) }),
  }));
  const transitions = (form.transitions ?? []).map(({ run, name, from, to, externalId, ...transition }, index) => ({
    ...transition,
    name: name?.trim() ?? '',
    from: from?.trim() ?? '',
    to: to?.trim() ?? '',
    ...textsOf(undefined, externalId),
    ...(run && { run: open(`transitions[${index}].run`, run) }),
  }));
  const screens = (form.screens ?? []).map(({ name, message, fields }) => ({
    name: name?.trim() ?? '',
    ...(message !== undefined && { message }),
    fields: (fields ?? []).map(({ label, required }) => ({
      label: label?.trim() ?? '',
      ...(required !== undefined && { required }),
    })),
  }));
  const screenFields = (form.screenFields ?? []).map((field, index) => {
    const at = `screenFields[${index}]`;
    const { type, label, description, externalId, enumValues, validations, parent, ...settings } = field;
    if (type === undefined) errors.push({ field: `${at}.type`, code: 'REQUIRED_FIELD' });
    return {
      ...settings,
      type,
      label: label?.trim() ?? '',
      ...textsOf(description, externalId),
      enumValues: (enumValues ?? []).map(newValue),
      validations: readRules(`${at}.validations`, validations ?? [], errors),
      ...(parent !== undefined && { parent: parent.trim() }),
    } as NewScreenField;
  });
  if (errors.length > 0) throw new ValidationError(errors);
  return { title: form.title ?? '', states, transitions, screens, screenFields } as NewWorkflow;
}

/** Ids of the groups that the form names, as far as they exist. */
async function knownGroups(write: WriteScope, form: CreateCommunityWorkflowRequest): Promise<Set<number>> {
  const named = [
    ...(form.states ?? []).flatMap(({ edit }) => edit?.groupIds ?? []),
    ...(form.transitions ?? []).flatMap(({ run }) => run?.groupIds ?? []),
  ];
  if (named.length === 0) return new Set();
  const rows = await write.tx.query<{ id: number }>(
    'SELECT id FROM groups WHERE tenant_id = $1 AND id = ANY ($2::bigint[]) AND deleted_at IS NULL',
    [write.tx.tenantId, [...new Set(named)]],
  );
  return new Set(rows.map(({ id }) => id));
}
