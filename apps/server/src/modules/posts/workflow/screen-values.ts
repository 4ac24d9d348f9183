/** Values of workflow screens: validation, storage and presentation (docs/decisions/values.md). */

import type { HistoryType, JsonValue, TextFormat } from '@portico/contract';
import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import type { WriteScope } from '../../../kernel/access/index.ts';
import { ValidationError } from '../../../kernel/errors.ts';
import type { Context } from '../../../kernel/scope.ts';
import { staleToken } from '../../../kernel/stale-token.ts';
import {
  type CommunityDefinition,
  type FieldDefinition,
  isDemandedOnScreen,
  usableDefaults,
  type WorkflowDefinition,
  type WorkflowScreen,
  type WorkflowTransition,
} from '../../communities/index.ts';
import { holdsText, momentIn, type StoredValue, sameValue } from '../../fields/index.ts';
import type { PostRow } from '../../post-parts/index.ts';
import {
  addFieldComments,
  checkScreenTexts,
  extendsVisibility,
  refreshPostSearch,
  validateFieldData,
  writeFieldValues,
} from '../../post-parts/index.ts';
import { type HistoryEvent, readAcl, recordHistory, recordPost, updateWorkflow } from '../../records/index.ts';
import { loadReferences, presentValues, Wanted } from '../reading/references.ts';

/** The fields of a screen, in the order of the form. */
export function screenFields(workflow: WorkflowDefinition, screen: WorkflowScreen): FieldDefinition[] {
  return screen.fields.flatMap(({ fieldId }) => workflow.fieldById.get(fieldId) ?? []);
}

/**
 * Returns screen values for a response. @param fields the fields that are shown @param forForm see
 * {@link presentValues}
 */
export async function presentScreenValues(
  scope: Context,
  db: TenantExecutor,
  fields: readonly FieldDefinition[],
  data: Readonly<Record<string, unknown>>,
  forForm = false,
): Promise<Record<string, JsonValue>> {
  const wanted = new Wanted();
  wanted.addValues(fields, data);
  return presentValues(fields, data, await loadReferences(scope, db, wanted), forForm);
}

/** The part of a body about a screen. */
interface ScreenInput {
  screenData?: Readonly<Record<string, unknown>> | undefined;
  /** Omitted fields without a value get their default. */
  applyDefaults?: boolean | undefined;
  deltaAreaFormat?: TextFormat | undefined;
  /** Omitted fields keep their values. */
  keepsOthers?: boolean | undefined;
}

/** The values after a body was applied. */
interface ScreenValues {
  stored: Record<string, unknown>;
  changedFieldIds: number[];
}

/**
 * Validates the values of one screen. The given values replace the screen's: omitted fields are
 * emptied, values of other screens stay. Without `screenData` the screen stays as it is, and its
 * required values must exist already.
 * @param gapsMayStay for an edit in the present state of the post: a required value that was
 *   missing before may stay missing, since only changes are validated (docs/decisions/values.md); a
 *   step requires all values
 * @throws ValidationError with every error
 */
export async function validateScreen(
  write: WriteScope,
  { hidden }: CommunityDefinition,
  workflow: WorkflowDefinition,
  screen: WorkflowScreen,
  current: Readonly<Record<string, unknown>>,
  input: ScreenInput,
  gapsMayStay = false,
): Promise<ScreenValues> {
  const fields = screenFields(workflow, screen);
  const { stored, changedFieldIds, errors } = await validateFieldData({
    write,
    fields,
    defaults: input.applyDefaults ? await usableDefaults(write, fields) : undefined,
    hidden,
    form: workflow.fields,
    input: input.screenData,
    current,
    mode: input.screenData === undefined || input.keepsOthers ? 'patch' : 'replace',
    deltaAreaFormat: input.deltaAreaFormat,
    fieldPath: 'screenData',
    gapsMayStay,
    requiredIds: demandedIds(workflow, screen),
  });
  checkScreenTexts(stored, current, errors);
  if (errors.length > 0) throw new ValidationError(errors.list);
  return { stored, changedFieldIds };
}

/** Returns the fields of a screen that must have a value. */
function demandedIds(workflow: WorkflowDefinition, screen: WorkflowScreen): Set<number> {
  const required = screen.fields.filter((onScreen) => {
    const field = workflow.fieldById.get(onScreen.fieldId);
    return field !== undefined && isDemandedOnScreen(field, onScreen);
  });
  return new Set(required.map((onScreen) => onScreen.fieldId));
}

/** Returns the values after a transition has set its own. */
export function setValues(
  write: WriteScope,
  workflow: WorkflowDefinition,
  { sets }: WorkflowTransition,
  values: ScreenValues,
): ScreenValues {
  if (sets.length === 0) return values;
  const stored = { ...values.stored };
  const changed = new Set(values.changedFieldIds);
  for (const { fieldId, source, value } of sets) {
    const field = workflow.fieldById.get(fieldId);
    if (!field) continue;
    const key = String(fieldId);
    let set: StoredValue | undefined = value;
    if (source === 'actor') set = [write.actor.userId];
    else if (source === 'now') set = momentIn(field, write.now);
    if (sameValue(set, stored[key])) continue;
    changed.add(fieldId);
    if (set === undefined) delete stored[key];
    else stored[key] = set;
  }
  return { stored, changedFieldIds: [...changed] };
}

/** A step or an edit of a screen, checked and ready to be written. */
interface WorkflowStep {
  post: PostRow;
  definition: CommunityDefinition;
  workflow: WorkflowDefinition;
  /** State after the step. */
  stateId: number;
  /** The screen that was filled in, if any. */
  screen: WorkflowScreen | undefined;
  values: ScreenValues;
  event: Pick<HistoryEvent, 'typeId' | 'transitionId'> & { typeId: HistoryType };
}

/** The result of a step. */
interface StepResult {
  /** The post as the step left it. */
  post: PostRow;
  /** All values of its screens, as in responses. */
  screenData: Record<string, JsonValue>;
  /** Whether the transition changed more of the post than its workflow state: comments, or who sees it. */
  postDataHasChanged: boolean;
}

/** Writes a step: the post's row, typed values, search, history, comments that fields ask for, and the change row. */
export async function applyStep(write: WriteScope, step: WorkflowStep): Promise<StepResult> {
  const { post, workflow, values, screen } = step;
  const changed = workflow.fields.filter((field) => values.changedFieldIds.includes(field.id));
  const readers = changed.some(extendsVisibility) ? await readAcl(write, post.id) : undefined;
  if (!(await updateWorkflow(write, post, { stateId: step.stateId, screenData: values.stored }))) {
    throw await staleScreen(write, post);
  }
  await writeFieldValues(write, post.id, workflow.fields, values.stored, values.changedFieldIds);
  if (changed.some(holdsText)) await refreshPostSearch(write, post.id);
  const shown = screen ? pick(values.stored, screen) : {};
  await recordHistory(write, {
    ...step.event,
    postId: post.id,
    communityId: post.communityId,
    details: { screenData: screen ? shown : undefined, screenFieldIds: values.changedFieldIds },
  });
  const after: PostRow = {
    ...post,
    stateId: step.stateId,
    screenData: values.stored,
    screenVersion: post.screenVersion + 1,
    screenTokenBy: write.actor.userId,
    screenTokenAt: write.now,
    modifiedAt: write.now,
  };
  const screenData = await presentScreenValues(write, write.tx, workflow.fields, values.stored);
  const comments = await addFieldComments(
    write,
    after,
    step.event.typeId,
    changed.map((field) => ({ field, value: screenData[String(field.id)] })),
  );
  const readersChanged = await recordPost(write, post, { readers, compare: true });
  return { post: after, screenData, postDataHasChanged: comments > 0 || readersChanged };
}

function pick(data: Readonly<Record<string, unknown>>, screen: WorkflowScreen): Record<string, unknown> {
  const keys = screen.fields.map((field) => String(field.fieldId));
  return Object.fromEntries(keys.filter((key) => data[key] !== undefined).map((key) => [key, data[key]]));
}

/** Returns the 409 that names the present screen token, its author and time. */
export const staleScreen = ({ tx }: WriteScope, { screenVersion, screenTokenBy, screenTokenAt }: PostRow) =>
  staleToken(tx, { version: screenVersion, modifierId: screenTokenBy, modifiedAt: screenTokenAt });
