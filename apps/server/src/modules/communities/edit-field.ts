/** Making and editing custom fields of posts (operations createPostField, getPostFieldForEdit, editPostField). */
import {
  type CreatePostFieldRequest,
  type CreatePostFieldResponse,
  definitionLimits,
  type EditPostFieldRequest,
  type EditPostFieldResponse,
  type FieldValueForm,
  type GetPostFieldForEditResponse,
} from '@portico/contract';
import { writeTransaction } from '../../kernel/access/index.ts';
import { type FieldError, notFound, ValidationError } from '../../kernel/errors.ts';
import type { Scope } from '../../kernel/scope.ts';
import { requireCommunityEditor } from './communities.policy.ts';
import { readCommunityHead, refuseStaleCommunity } from './community-rows.ts';
import { addField } from './define-fields.ts';
import { checkField, descriptionDelta, type NewField } from './definition-input.ts';
import type { CommunityDefinition, FieldDefinition } from './definition-types.ts';
import { loadDefinitions } from './definitions.repository.ts';
import { getDefinition } from './definitions.ts';
import { externalIdTaken, moveField, replaceEnumValues, replaceValidations, updateField } from './field-changes.ts';
import { tooMany, touchCommunities } from './field-rows.ts';
import { newValue, readRules, textsOf } from './read-field-form.ts';

function fieldOf(definition: CommunityDefinition | undefined, fieldId: number): FieldDefinition {
  const field = definition?.fieldById.get(fieldId);
  if (!field) throw notFound();
  return field;
}

/**
 * The form of a custom field.
 * @throws PorticoError NOT_FOUND where there is no such field, or the caller neither sees nor may edit the community; FORBIDDEN
 */
export async function getPostFieldForEdit(
  scope: Scope,
  communityId: number,
  fieldId: number,
): Promise<GetPostFieldForEditResponse> {
  requireCommunityEditor(scope.actor, communityId);
  const definition = await getDefinition(scope, communityId);
  const field = fieldOf(definition, fieldId);
  return {
    label: field.label,
    type: field.type,
    ...(field.description !== null && { description: field.description }),
    ...(field.externalId !== null && { externalId: field.externalId }),
    ...(field.catalogId !== null && { catalogId: field.catalogId }),
    ...(field.parentId !== null && { parentId: field.parentId }),
    required: field.required,
    readonly: field.readonly,
    searchable: field.searchable,
    sortable: field.sortable,
    visibleInPreview: field.visibleInPreview,
    visibleInDetail: field.visibleInDetail,
    visibleInCreate: field.visibleInCreate,
    visibleInEdit: field.visibleInEdit,
    position: (definition?.fields.indexOf(field) ?? 0) + 1,
    metadata: { ...field.metadata },
    enumValues: field.enumValues.map(({ id, label, externalId, parentIds, deleted }) => ({
      id,
      label,
      ...(externalId !== null && { externalId }),
      parentIds: [...parentIds],
      deleted,
    })),
    validations: field.validations.map(({ typeId, parameter }) => ({
      validationTypeId: typeId,
      ...(parameter !== null && { parameter }),
    })),
    occToken: definition?.community.etag ?? 0,
  };
}

/**
 * Adds a custom field to the posts of a community, after the others.
 * @throws PorticoError NOT_FOUND, FORBIDDEN; ValidationError
 */
export async function createPostField(
  scope: Scope,
  communityId: number,
  form: CreatePostFieldRequest,
): Promise<CreatePostFieldResponse> {
  requireCommunityEditor(scope.actor, communityId);
  const errors: FieldError[] = [];
  if (form.type === undefined) errors.push({ field: 'type', code: 'REQUIRED_FIELD' });
  for (const [index, { id }] of (form.enumValues ?? []).entries()) {
    if (id !== undefined) {
      const defaultMessage = 'The values of a new field have no id.';
      errors.push({ field: `enumValues[${index}].id`, code: 'INVALID_VALUE', defaultMessage });
    }
  }
  const { type, enumValues, validations, label, description, externalId, ...settings } = form;
  const field = {
    ...settings,
    type: type!,
    label: label ?? '',
    ...textsOf(description, externalId),
    enumValues: (enumValues ?? []).map(newValue),
    validations: readRules('validations', validations ?? [], errors),
  } as NewField;
  if (errors.length > 0) throw new ValidationError(errors);
  const { id, enumValueIds } = await addField(scope, { communityId }, field);
  const etag = await currentToken(scope, communityId);
  return { fieldId: id, enumValueIds, nextOccToken: etag };
}

/** The token as of the transaction that the scope has joined, or as committed. */
async function currentToken(scope: Scope, communityId: number): Promise<number> {
  const db = scope.joined ?? scope.db;
  const [row] = await db.query<{ etag: number }>('SELECT etag FROM communities WHERE tenant_id = $1 AND id = $2', [
    db.tenantId,
    communityId,
  ]);
  return row?.etag ?? 0;
}

/**
 * Edits a custom field of posts. Description and external id that are left out are emptied; the others keep their value.
 * @throws PorticoError NOT_FOUND, FORBIDDEN, CONFLICT_STALE_TOKEN with who changed the community and when; ValidationError
 */
export async function editPostField(
  scope: Scope,
  communityId: number,
  fieldId: number,
  form: EditPostFieldRequest,
): Promise<EditPostFieldResponse> {
  return writeTransaction(scope, 'definitions', async (write) => {
    requireCommunityEditor(write.actor, communityId);
    const head = await readCommunityHead(write.tx, communityId);
    if (!head) throw notFound();
    const definition = (await loadDefinitions(write.tx, [communityId])).get(communityId);
    const before = fieldOf(definition, fieldId);
    const { occToken, enumValues, position } = form;
    if (occToken !== undefined && occToken !== head.etag) await refuseStaleCommunity(write.tx, communityId);
    const errors: FieldError[] = [];
    if (occToken === undefined) {
      const defaultMessage = 'Send the occToken that the form gave.';
      errors.push({ field: 'occToken', code: 'REQUIRED_FIELD', defaultMessage });
    }
    const rules = form.validations && readRules('validations', form.validations, errors);
    const field: NewField = {
      type: before.type,
      label: form.label ?? '',
      ...textsOf(form.description, form.externalId),
      ...(before.catalogId !== null && { catalogId: before.catalogId }),
      ...(before.parentId !== null && { parentId: before.parentId }),
      metadata: form.metadata ?? before.metadata,
      enumValues: (enumValues ?? []).map(newValue),
      validations: rules ?? [],
    };
    checkField('', field, errors);
    const description = descriptionDelta('description', form.description, errors);
    if (enumValues) checkValues(before, enumValues, errors);
    if (field.externalId !== undefined && (await externalIdTaken(write.tx, communityId, fieldId, field.externalId)))
      errors.push({ field: 'externalId', code: 'DUPLICATE_VALUE' });
    if (errors.length > 0) throw new ValidationError(errors);
    await write.tx.willWrite('communities', [communityId]);
    await updateField(write.tx, fieldId, {
      label: field.label.trim(),
      description,
      externalId: field.externalId ?? null,
      required: form.required ?? before.required,
      readonly: form.readonly ?? before.readonly,
      visibleInPreview: form.visibleInPreview ?? before.visibleInPreview,
      visibleInDetail: form.visibleInDetail ?? before.visibleInDetail,
      visibleInCreate: form.visibleInCreate ?? before.visibleInCreate,
      visibleInEdit: form.visibleInEdit ?? before.visibleInEdit,
      metadata: field.metadata ?? {},
    });
    if (position !== undefined) await moveField(write.tx, definition?.fields ?? [], before, position);
    if (rules) await replaceValidations(write, fieldId, rules);
    if (enumValues && before.catalogId === null) await replaceEnumValues(write, before, enumValues);
    await touchCommunities(write, [communityId]);
    return { nextOccToken: head.etag + 1 };
  });
}

function checkValues(before: FieldDefinition, values: readonly FieldValueForm[], errors: FieldError[]): void {
  const seen = new Set<number>();
  for (const [index, { id }] of values.entries()) {
    if (id === undefined) continue;
    const field = `enumValues[${index}].id`;
    if (!before.enumValueById.has(id)) errors.push({ field, code: 'UNKNOWN_REFERENCE' });
    else if (seen.has(id)) errors.push({ field, code: 'DUPLICATE_VALUE' });
    seen.add(id);
  }
  const kept = before.enumValues.filter(({ id }) => !seen.has(id)).length;
  if (values.length + kept > definitionLimits.fieldValues)
    errors.push(tooMany('enumValues', definitionLimits.fieldValues));
}
