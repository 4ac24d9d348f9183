/** Operation changeFieldType. */

import {
  type ChangeFieldTypeRequest,
  type ChangeFieldTypeResponse,
  definitionLimits,
  type FieldType,
  fieldConversions,
  fieldTypeName,
  fieldTypes,
  type ValidationType,
  validationRules,
} from '@portico/contract';
import { type WriteScope, writeTransaction } from '../../../kernel/access/index.ts';
import { FieldErrors, invalid, notFound } from '../../../kernel/errors.ts';
import { requireFields } from '../../../kernel/missing-fields.ts';
import type { Scope } from '../../../kernel/scope.ts';
import {
  type ChangeFinish,
  changeDefinitions,
  collectsLosses,
  communitiesOf,
  type FieldDefinition,
  type FieldOwner,
  insertField,
  isRestricted,
  keepDefinitions,
  loadFieldsById,
  type NewEnumValue,
  type NewField,
  noteLoss,
  type PostWork,
  putInPlace,
  readValues,
  setDefault,
  startChanges,
} from '../../communities/index.ts';
import { convertValue, isChoice, LOST, metadataProblems, type StoredValue, storedIds } from '../../fields/index.ts';
import { fewPosts, type OpenField, openField, refuseDependants } from './open-definition.ts';
import { isText, labelsOf, workOnPosts } from './work-on-posts.ts';

/**
 * Creates a field of the new type that replaces the former one. Values are copied: the former field
 * keeps its values, so that its version can be restored.
 * @throws PorticoError NOT_FOUND, FORBIDDEN, CONFLICT_STALE_TOKEN, CONFLICT; ValidationError, with
 * MAPPING_REQUIRED where the new type cannot hold values
 */
export async function changeFieldType(
  scope: Scope,
  communityId: number,
  fieldId: number,
  form: ChangeFieldTypeRequest,
): Promise<ChangeFieldTypeResponse> {
  return writeTransaction(scope, 'definitions', async (write) => {
    const open = await openField(write, communityId, fieldId, form.occToken);
    const { field, communityIds, definition, place } = open;
    requireFields(write);
    const type = readType(field, form);
    const errors = new FieldErrors();
    const values = readValues('enumValues', form.enumValues ?? [], errors);
    errors.throwIfAny();
    refuseDependants(open);
    const owner: FieldOwner = place === 'post' ? { communityId } : { workflowId: definition.workflow!.id };
    await keepDefinitions(write, communityIds);
    const { id: successorId } = await insertField(
      write,
      owner,
      successorOf(field, type, values),
      true,
      '',
      field.metadata,
    );
    const collects = collectsLosses(write);
    if (!form.onExisting || collects) await noteLostValues(write, open, successorId, form);
    const strict = form.onExisting || collects ? undefined : true;
    const work: PostWork[] = [{ do: 'copyValues', fromId: fieldId, toId: successorId, strict }];
    const finish = { do: 'replaceField', fieldId, successorId, type } as const;
    const posts = await fewPosts(write, communityIds);
    if (posts) {
      await workOnPosts(write, work, posts);
      await replaceField(write, communityId, finish);
      return { fieldId: successorId, nextOccToken: open.etag + 1 };
    }
    if (communityIds.length > 1)
      throw invalid('fieldId', 'INVALID_VALUE', 'Communities with many posts share the workflow of the field.');
    const [changeId] = await startChanges(write, communityIds, 'changeFieldType', { work, finish }, fieldId);
    return { fieldId: successorId, changeId: changeId!, nextOccToken: open.etag };
  });
}

/** Replaces the former field by the field of the new type, after all values are copied. */
export async function replaceField(
  write: WriteScope,
  communityId: number,
  { fieldId, successorId }: Extract<ChangeFinish, { do: 'replaceField' }>,
): Promise<void> {
  const fields = await loadFieldsById(write.tx, [fieldId, successorId]);
  const [before, after] = [fields.get(fieldId), fields.get(successorId)];
  if (!before || !after) throw notFound();
  const [workflow] = await write.tx.query<{ id: number }>(
    'SELECT workflow_id AS id FROM fields WHERE tenant_id = $1 AND id = $2 AND workflow_id IS NOT NULL',
    [write.tx.tenantId, fieldId],
  );
  const communityIds = await communitiesOf(write, workflow ? { workflowId: workflow.id } : { communityId });
  await changeDefinitions(write, communityIds, async () => {
    await putInPlace(write, before, successorId, keepsList(before, after.type));
    await convertDefault(write, before, after);
    if ((isText(before) || isText(after)) && !isRestricted(before))
      await startChanges(write, communityIds, 'refreshTexts', { work: [{ do: 'refreshTexts' }] }, successorId);
    await startChanges(write, communityIds, 'announce', { work: [{ do: 'announce' }] }, successorId);
  });
}

/**
 * Converts the default of the former field to the new type; drops it if the new type cannot hold
 * it.
 */
async function convertDefault(write: WriteScope, before: FieldDefinition, after: FieldDefinition): Promise<void> {
  const { defaultValue } = before;
  if (defaultValue === null) return;
  const labels = await labelsOf(write, before, isChoice(before) ? storedIds(defaultValue) : []);
  const converted = convertValue(before, after, defaultValue, (id) => labels.get(id));
  if (converted === undefined || converted === LOST) return;
  await setDefault(write.tx, after.id, converted);
}

/** Returns whether the successor takes over the list of values, with their ids. */
function keepsList(field: FieldDefinition, type: FieldType): boolean {
  return isChoice(field) && isChoice({ type }) && field.catalogId === null;
}

function readType(field: FieldDefinition, { type, enumValues }: ChangeFieldTypeRequest): FieldType {
  const allowed = Object.keys(fieldConversions[field.type]).map((code) => Number(code) as FieldType);
  if (!allowed.includes(type as FieldType))
    throw invalid(
      'type',
      'INVALID_VALUE',
      allowed.length === 0
        ? 'A field of this type stays of its type.'
        : `A field of this type may become: ${allowed.map(fieldTypeName).join(', ')}.`,
      allowed,
    );
  const makesList = isChoice({ type: type as FieldType }) && !isChoice(field);
  if (enumValues?.length && !makesList)
    throw invalid('enumValues', 'INVALID_VALUE', 'Only a text that becomes a choice is given values.');
  const named = (enumValues ?? []).findIndex(({ id }) => id !== undefined);
  if (named >= 0) throw invalid(`enumValues[${named}].id`, 'INVALID_VALUE', 'The values of a new field have no id.');
  if (makesList && !enumValues?.length) throw invalid('enumValues', 'REQUIRED_FIELD', 'Send the values of the choice.');
  return type as FieldType;
}

/**
 * Returns the settings of the field that the new type has. @param values choices created from a
 * text field
 */
function successorOf(field: FieldDefinition, type: FieldType, values: readonly NewEnumValue[]): NewField {
  const { sortable, metadataKeys = {} } = fieldTypes[type];
  const dropped = new Set(Object.keys(fieldTypes[field.type].metadataKeys ?? {}));
  const kept = Object.entries(field.metadata).filter(([key]) => !dropped.has(key) || Object.hasOwn(metadataKeys, key));
  const metadata = Object.fromEntries(kept);
  for (const { key } of metadataProblems({ type, metadata }, field.metadata)) delete metadata[key];
  const applies = (typeId: ValidationType) =>
    validationRules.find(({ id }) => id === typeId)?.fieldTypes.includes(type);
  const keepsCatalog = isChoice({ type }) && field.catalogId !== null;
  return {
    type,
    label: field.label,
    translations: field.translations,
    section: field.section ?? undefined,
    sectionTranslations: field.sectionTranslations,
    description: field.description ?? undefined,
    catalogId: keepsCatalog ? field.catalogId! : undefined,
    required: field.required,
    readonly: field.readonly,
    searchable: field.searchable,
    sortable: field.sortable && sortable,
    visibleInPreview: field.visibleInPreview,
    visibleInDetail: field.visibleInDetail,
    visibleInCreate: field.visibleInCreate,
    visibleInEdit: field.visibleInEdit,
    metadata,
    enumValues: values.map(({ label, translations, externalId }) => ({
      label,
      translations,
      externalId: externalId || undefined,
    })),
    validations: field.validations
      .filter(({ typeId }) => applies(typeId))
      .map(({ typeId, parameter }) => ({ typeId, parameter: parameter ?? undefined })),
    conditions: field.conditions,
    visibleRoles: field.visibleRoles,
  };
}

/** Notes values that the new type cannot hold, among the first posts that have one. */
async function noteLostValues(
  write: WriteScope,
  { field, communityIds, definition }: OpenField,
  successorId: number,
  { onExisting }: ChangeFieldTypeRequest,
): Promise<void> {
  const successor = (await loadFieldsById(write.tx, [successorId])).get(successorId)!;
  if (fieldConversions[field.type][successor.type] === 'exact') return;
  const data = field.owner === 'post' ? 'custom_data' : 'screen_data';
  // Deleted posts have no rows in post_values; restored, they hold the value again.
  const indexed = `id IN ((SELECT v.post_id FROM post_values v
     WHERE v.tenant_id = $1 AND v.field_id = $3 AND NOT v.empty LIMIT ${definitionLimits.counted})
    UNION ALL SELECT d.id FROM posts d
     WHERE d.tenant_id = $1 AND d.community_id = ANY ($2::bigint[]) AND NOT d.live AND d.deleted_at IS NOT NULL) AND`;
  const rows = await write.tx.query<{ id: number; value: StoredValue }>(
    `SELECT id, ${data} -> $3::bigint::text AS value FROM posts
      WHERE tenant_id = $1 AND community_id = ANY ($2::bigint[]) AND ${field.searchable || field.sortable ? indexed : ''}
            ${data} -> $3::bigint::text IS NOT NULL LIMIT ${definitionLimits.counted}`,
    [write.tx.tenantId, communityIds, field.id],
  );
  const ids = isChoice(field) ? rows.flatMap(({ value }) => storedIds(value)) : [];
  const labels = await labelsOf(write, field, ids);
  const lost = rows.filter(({ value }) => convertValue(field, successor, value, (id) => labels.get(id)) === LOST);
  if (lost.length === 0) return;
  const held = { posts: lost.length, values: lost.length, examples: lost.slice(0, 20).map(({ id }) => id) };
  await noteLoss(write, {
    kind: 'type',
    id: field.id,
    held,
    ofField: { ...field, communityId: definition.id },
    chosen: onExisting,
    what: `Posts whose value of "${field.label}" the new type cannot hold`,
    choices: ['clear'],
  });
}
