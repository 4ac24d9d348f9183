/**
 * Edits of fields and workflows that also change the data of posts (editPostField,
 * editCommunityWorkflow).
 */
import type {
  EditCommunityWorkflowRequest,
  EditCommunityWorkflowResponse,
  EditPostFieldRequest,
  EditPostFieldResponse,
} from '@portico/contract';
import { joining, writeTransaction } from '../../../kernel/access/index.ts';
import { FieldErrors, invalid } from '../../../kernel/errors.ts';
import type { Scope } from '../../../kernel/scope.ts';
import {
  type ChangeFinish,
  type Choice,
  collectsLosses,
  communitiesOf,
  editCommunityWorkflow,
  editField,
  type FieldDefinition,
  type FieldPlace,
  heldInStates,
  loadDefinition,
  noteLoss,
  type PostWork,
  readConditions,
  rehearse,
  type StateMove,
  startChanges,
  type WorkflowDefinition,
} from '../../communities/index.ts';
import { countHeld, fewPosts, openDefinition, openField } from './open-definition.ts';
import { workOnPosts } from './work-on-posts.ts';

/** Settings of edits that are steps of a larger change. */
interface StepOptions {
  /** The definition changes at once; many posts follow in the background. */
  readonly follow?: true;
}

/**
 * Edits a field; see `editField`. Values of its list that the edit takes out of use are mapped in
 * posts or removed from them, and rows are written for lists that filter or order by the field
 * after the edit.
 * @throws as `editField`; CONFLICT; ValidationError MAPPING_REQUIRED where posts hold removed
 * values
 */
export async function editFieldWithData(
  scope: Scope,
  place: FieldPlace,
  communityId: number,
  fieldId: number,
  form: EditPostFieldRequest,
  { agreement = 'now', follow }: StepOptions & { readonly agreement?: 'now' | 'later' } = {},
): Promise<EditPostFieldResponse> {
  return writeTransaction(scope, 'definitions', async (write) => {
    const within: Scope = joining(write);
    const edit = () => editField(within, place, communityId, fieldId, form, agreement);
    const definition = await loadDefinition(write.tx, communityId);
    const field = (place === 'post' ? definition : definition?.workflow)?.fieldById.get(fieldId);
    const removed = field ? valuesTakenAway(field, form) : [];
    const indexed = field && indexedAnew(field, form);
    if (!field || form.occToken !== definition!.community.etag || (removed.length === 0 && !indexed)) return edit();
    const { communityIds } = await openField(write, communityId, fieldId, form.occToken);
    const held =
      removed.length === 0
        ? { posts: 0, values: 0, examples: [] }
        : await countHeld(write, field, communityIds, removed);
    const moves = readValueMoves(field, form, removed);
    if (held.posts > 0) {
      if (!form.onExisting && !collectsLosses(write)) await rehearse(write, edit);
      await noteLoss(write, {
        kind: 'values',
        id: fieldId,
        held,
        ofField: { ...field, communityId },
        chosen: form.onExisting,
        what: `Posts that hold values of "${field.label}" which are left out`,
        choices: ['keep', 'map', 'clear'],
      });
    }
    const work: PostWork[] = [];
    if (held.posts > 0 && (form.onExisting ?? 'keep') !== 'keep')
      work.push({ do: 'moveValues', fieldId, values: moves });
    if (indexed) work.push({ do: 'indexField', fieldId, ...indexed });
    if (work.length === 0) return edit();
    const posts = await fewPosts(write, communityIds);
    if (posts || follow) {
      const result = await edit();
      if (form.onExisting && held.posts > 0) work.push({ do: 'announce' });
      if (posts) await workOnPosts(write, work, posts);
      else await startChanges(write, communityIds, 'editField', { work }, fieldId);
      return result;
    }
    if (communityIds.length > 1) throw sharedByMany();
    await rehearse(write, edit);
    const finish: ChangeFinish = { do: 'editField', place, fieldId, form: { ...form, onExisting: 'keep' } };
    const [changeId] = await startChanges(write, communityIds, 'editField', { work, finish }, fieldId);
    return { changeId: changeId!, nextOccToken: definition!.community.etag };
  });
}

const sharedByMany = () =>
  invalid(
    'onExisting',
    'INVALID_VALUE',
    'Communities with many posts share the workflow: their posts are not changed together.',
  );

/** Returns the values of a field's own list that can be chosen now but not after the edit. */
function valuesTakenAway(field: FieldDefinition, { enumValues }: EditPostFieldRequest): number[] {
  if (!enumValues || field.catalogId !== null) return [];
  const kept = new Set(enumValues.filter(({ deleted }) => !deleted).map(({ id }) => id));
  return field.enumValues.filter(({ id, deleted }) => !deleted && !kept.has(id)).map(({ id }) => id);
}

/** Returns the index settings after an edit that newly makes the field searchable or sortable. */
function indexedAnew(
  field: FieldDefinition,
  { searchable = field.searchable, sortable = field.sortable }: EditPostFieldRequest,
): { searchable: boolean; sortable: boolean } | undefined {
  const more = (searchable && !field.searchable) || (sortable && !field.sortable);
  return more ? { searchable, sortable } : undefined;
}

function readValueMoves(
  field: FieldDefinition,
  { onExisting, valueMapping, enumValues = [] }: EditPostFieldRequest,
  removed: readonly number[],
): (readonly [number, number | null])[] {
  if (onExisting !== 'map') return removed.map((id) => [id, null] as const);
  if (!valueMapping) throw invalid('valueMapping', 'REQUIRED_FIELD', 'Say what each value becomes that is left out.');
  const errors = new FieldErrors();
  const kept = new Set(enumValues.filter(({ deleted }) => !deleted).map(({ id }) => id));
  const moves = new Map<number, number | null>();
  for (const [index, { fromId, toId }] of valueMapping.entries()) {
    const at = `valueMapping[${index}]`;
    if (fromId === undefined) errors.add(`${at}.fromId`, 'REQUIRED_FIELD');
    else if (!removed.includes(fromId))
      errors.add(`${at}.fromId`, 'UNKNOWN_REFERENCE', 'A value that the edit leaves out.');
    else if (moves.has(fromId)) errors.add(`${at}.fromId`, 'DUPLICATE_VALUE');
    if (toId !== undefined && (!kept.has(toId) || !field.enumValueById.has(toId)))
      errors.add(`${at}.toId`, 'UNKNOWN_REFERENCE', 'A value that the edit keeps.');
    if (fromId !== undefined) moves.set(fromId, toId ?? null);
  }
  const missing = removed.filter((id) => !moves.has(id));
  if (errors.length === 0 && missing.length > 0)
    errors.add('valueMapping', 'REQUIRED_FIELD', `Say what these values become, too: ${missing.join(', ')}.`, missing);
  errors.throwIfAny();
  return [...moves];
}

/**
 * Edits a workflow; see `editCommunityWorkflow`. With `map` posts change their states when the edit
 * takes effect.
 * @param treatments treatment of the posts in omitted states, by id; default: `onExisting` of the
 * form for all
 * @throws as `editCommunityWorkflow`; CONFLICT
 */
export async function editWorkflowWithData(
  scope: Scope,
  communityId: number,
  form: EditCommunityWorkflowRequest,
  { follow, treatments }: StepOptions & { readonly treatments?: ReadonlyMap<number, Choice> } = {},
): Promise<EditCommunityWorkflowResponse> {
  if (form.onExisting !== 'map') return editCommunityWorkflow(scope, communityId, form, treatments);
  return writeTransaction(scope, 'definitions', async (write) => {
    const { definition, etag } = await openDefinition(write, communityId, form.occToken);
    const { workflow } = definition;
    const kept: EditCommunityWorkflowRequest = { ...form, onExisting: 'keep' };
    const edit = () => editCommunityWorkflow(joining(write), communityId, kept, treatments);
    if (!workflow) return edit();
    const sharing = await communitiesOf(write, { workflowId: workflow.id });
    const mapping = readStateMapping(definition.fieldById, workflow, form, treatments);
    const from = [...new Set(mapping.map(({ fromStateId }) => fromStateId))];
    const few = await fewPosts(write, sharing);
    if (few || follow) {
      const result = await edit();
      const ids = new Map((form.states ?? []).map(({ name }, index) => [name?.trim(), result.stateIds![index]!]));
      const moves = mapping.map(({ fromStateId, to, conditions }) => ({
        from: fromStateId,
        to: ids.get(to)!,
        conditions,
      }));
      const work: PostWork[] = [{ do: 'moveStates', moves }, { do: 'announce' }];
      if (few) await workOnPosts(write, work, few);
      else if ((await heldInStates(write.tx, sharing, from)).posts > 0)
        await startChanges(write, sharing, 'editWorkflow', { work });
      return result;
    }
    await rehearse(write, edit);
    const moves = mapping.map(({ fromStateId, to, conditions }, index): StateMove => {
      const id = form.states?.find(({ name }) => name?.trim() === to)?.id;
      if (id !== undefined) return { from: fromStateId, to: id, conditions };
      throw invalid(
        `stateMapping[${index}].to`,
        'INVALID_VALUE',
        'In a community with many posts add the state first, by an edit of its own.',
      );
    });
    if ((await heldInStates(write.tx, sharing, from)).posts === 0) return edit();
    if (sharing.length > 1) throw sharedByMany();
    const work: PostWork[] = [{ do: 'moveStates', moves }];
    const finish: ChangeFinish = { do: 'editWorkflow', form: kept };
    const [changeId] = await startChanges(write, [communityId], 'editWorkflow', { work, finish });
    return { changeId: changeId!, nextOccToken: etag };
  });
}

function readStateMapping(
  ofPosts: WorkflowDefinition['fieldById'],
  workflow: WorkflowDefinition,
  { states = [], stateMapping }: EditCommunityWorkflowRequest,
  treatments?: ReadonlyMap<number, Choice>,
) {
  if (!stateMapping)
    throw invalid('stateMapping', 'REQUIRED_FIELD', 'Say where the posts of each state are afterwards.');
  const errors = new FieldErrors();
  const names = new Set(states.map(({ name }) => name?.trim()));
  const fields = new Map([...workflow.fieldById, ...ofPosts]);
  const mapping = stateMapping.map(({ fromStateId, to, conditions }, index) => {
    const at = `stateMapping[${index}]`;
    if (fromStateId === undefined) errors.add(`${at}.fromStateId`, 'REQUIRED_FIELD');
    else if (!workflow.stateById.has(fromStateId)) errors.add(`${at}.fromStateId`, 'UNKNOWN_REFERENCE');
    if (!to?.trim()) errors.add(`${at}.to`, 'REQUIRED_FIELD');
    else if (!names.has(to.trim())) errors.add(`${at}.to`, 'UNKNOWN_REFERENCE');
    return {
      fromStateId: fromStateId ?? 0,
      to: to?.trim() ?? '',
      conditions: readConditions(`${at}.conditions`, conditions ?? [], fields, errors),
    };
  });
  const kept = new Set(states.map(({ id }) => id));
  const mapped = new Set(
    mapping.filter(({ conditions }) => conditions.length === 0).map(({ fromStateId }) => fromStateId),
  );
  const wanted = (id: number) => !treatments || treatments.get(id) === 'map';
  const missing = workflow.states.filter(
    ({ id, deleted }) => !deleted && !kept.has(id) && !mapped.has(id) && wanted(id),
  );
  if (errors.length === 0 && missing.length > 0)
    errors.add(
      'stateMapping',
      'REQUIRED_FIELD',
      `Say where the posts of these states are afterwards, without conditions in the last entry: ${missing.map(({ name }) => name).join(', ')}.`,
      missing.map(({ name }) => name),
    );
  errors.throwIfAny();
  return mapping;
}
