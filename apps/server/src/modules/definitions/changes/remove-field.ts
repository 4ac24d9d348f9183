/** Operation removeField. */
import { fieldConversions, type RemoveFieldRequest, type RemoveFieldResponse } from '@portico/contract';
import { type WriteScope, writeTransaction } from '../../../kernel/access/index.ts';
import { invalid } from '../../../kernel/errors.ts';
import type { Scope } from '../../../kernel/scope.ts';
import {
  changeDefinitions,
  isBeingFilled,
  isRestricted,
  noteLoss,
  type PostWork,
  retireField,
  startChanges,
} from '../../communities/index.ts';
import { isChoice, typeOf } from '../../fields/index.ts';
import { countHeld, fewPosts, type OpenField, openField, refuseDependants } from './open-definition.ts';
import { isText, workOnPosts } from './work-on-posts.ts';

/**
 * Takes a field out of use. The definition loses it at once, and nobody writes its values from then
 * on, so the work on its values may follow in the background.
 * @throws PorticoError NOT_FOUND, FORBIDDEN, CONFLICT_STALE_TOKEN, CONFLICT; ValidationError, with
 * MAPPING_REQUIRED where posts hold values
 */
export async function removeField(
  scope: Scope,
  communityId: number,
  fieldId: number,
  form: RemoveFieldRequest,
): Promise<RemoveFieldResponse> {
  return writeTransaction(scope, 'definitions', async (write) => {
    const open = await openField(write, communityId, fieldId, form.occToken);
    const { field, communityIds } = open;
    refuseDependants(open);
    const into = targetOf(open, form);
    const held = await countHeld(write, field, communityIds);
    const filled = await isBeingFilled(write.tx, communityIds, fieldId);
    const holds = held.posts > 0 || filled;
    if (holds)
      await noteLoss(write, {
        kind: 'field',
        id: fieldId,
        held,
        ofField: { ...field, communityId },
        chosen: form.onExisting,
        what: `Posts that hold a value of "${field.label}"${filled ? ', to which an earlier change in the background adds' : ''}`,
        choices: ['keep', 'map', 'clear'],
      });
    const changeId = await changeDefinitions(write, communityIds, async () => {
      await retireField(write, fieldId);
      const work: PostWork[] = [];
      if (into !== undefined) work.push({ do: 'copyValues', fromId: fieldId, toId: into, onlyEmpty: true });
      if (field.metadata['extends_post_visibility'] === 'true') work.push({ do: 'dropGrants', fieldId });
      if (form.onExisting === 'clear') work.push({ do: 'clearField', fieldId });
      if (into !== undefined) work.push({ do: 'announce' });
      const followed = holds ? await follow(write, communityIds, fieldId, work) : undefined;
      if (isText(field) && !isRestricted(field) && holds)
        await startChanges(write, communityIds, 'refreshTexts', { work: [{ do: 'refreshTexts' }] }, fieldId);
      return followed;
    });
    return { changeId, nextOccToken: open.etag + 1 };
  });
}

/**
 * Processes the posts at once if they are few, else in the background. @returns the change in the
 * background
 */
async function follow(
  write: WriteScope,
  communityIds: readonly number[],
  fieldId: number,
  work: readonly PostWork[],
): Promise<number | undefined> {
  if (work.length === 0) return undefined;
  const posts = await fewPosts(write, communityIds);
  if (!posts) return (await startChanges(write, communityIds, 'removeField', { work }, fieldId))[0];
  await workOnPosts(write, work, posts);
  return undefined;
}

/** Returns the field that takes over the values. */
function targetOf({ field, form }: OpenField, { onExisting, intoFieldId }: RemoveFieldRequest): number | undefined {
  if (onExisting !== 'map') return undefined;
  if (intoFieldId === undefined)
    throw invalid('intoFieldId', 'REQUIRED_FIELD', 'Send the field that takes the values over.');
  const into = form.find(({ id }) => id === intoFieldId && id !== field.id);
  if (!into) throw invalid('intoFieldId', 'UNKNOWN_REFERENCE', 'Another field of the same form.');
  const alike =
    into.type === field.type && (!isChoice(field) || (field.catalogId !== null && into.catalogId === field.catalogId));
  const byText = !isChoice(into) || !isChoice(field);
  const converts = fieldConversions[field.type][into.type] !== undefined && byText;
  if (!alike && !converts)
    throw invalid(
      'intoFieldId',
      'INVALID_VALUE',
      `Its type cannot take over values of this field (${typeOf(field).kind}).`,
    );
  return into.id;
}
