/**
 * Creates and edits custom fields of posts and of screens (operations createPostField,
 * getPostFieldForEdit, editPostField, createScreenField, getScreenFieldForEdit, editScreenField).
 */
import {
  type CreatePostFieldRequest,
  type CreatePostFieldResponse,
  definitionLimits,
  type EditPostFieldRequest,
  type EditPostFieldResponse,
  FieldType,
  type FieldValueForm,
  type GetPostFieldForEditResponse,
  ValidationType,
} from '@portico/contract';
import { finishInTurns } from '@portico/platform/parts';
import { writeTransaction } from '../../kernel/access/index.ts';
import { FieldErrors, notFound } from '../../kernel/errors.ts';
import type { Scope } from '../../kernel/scope.ts';
import { readTranslations } from '../../kernel/text-input.ts';
import { circularFieldIds, type FieldCondition, holdsText, isChoice } from '../fields/index.ts';
import { startChanges } from './background-changes.ts';
import { requireCommunityEditor, requireDefinitionRight } from './communities.policy.ts';
import { readCommunityHead, refuseStaleCommunity } from './community-rows.ts';
import { choosableIds, keptDefault, readDefault } from './default-values.ts';
import { addField } from './define-fields.ts';
import { checkField, descriptionDelta, type NewField, type NewValidation } from './definition-input.ts';
import type { CommunityDefinition, FieldDefinition, WorkflowTransition } from './definition-types.ts';
import { changeDefinitions } from './definition-versions.ts';
import { loadDefinition } from './definitions.repository.ts';
import { getWholeDefinition } from './definitions.ts';
import { externalIdTaken, moveField, replaceEnumValues, replaceValidations, updateField } from './field-changes.ts';
import { type FaultyField, refuseFaults } from './field-faults.ts';
import type { FieldOwner } from './field-owner.ts';
import { communitiesOf, tooMany, unknownPicker, unknownRoles } from './field-rows.ts';
import { presentConditions, readConditions } from './read-conditions.ts';
import { readRules, readSectionNames, readValues, textsOf } from './read-field-form.ts';
import { dependsOnHidden, isRestricted, isSeenByMore } from './seen-by.ts';

/** Owner of a field: the posts of a community, or the screens of its workflow. */
export type FieldPlace = 'post' | 'screen';

const isFieldType = (type: number | undefined): type is FieldType =>
  (Object.values(FieldType) as (number | undefined)[]).includes(type);

/**
 * Returns the form of a field. @throws PorticoError NOT_FOUND where the community has no workflow
 */
function formOf(definition: CommunityDefinition | undefined, place: FieldPlace) {
  const form = place === 'post' ? definition : definition?.workflow;
  if (!definition || !form) throw notFound();
  const owner: FieldOwner = place === 'post' ? { communityId: definition.id } : { workflowId: form.id };
  return { definition, owner, fields: form.fields, fieldById: form.fieldById };
}

/**
 * Returns the form of a custom field.
 * @throws PorticoError NOT_FOUND where the field does not exist, or the caller neither sees nor may
 * edit the community; FORBIDDEN
 */
export async function getFieldForEdit(
  scope: Scope,
  place: FieldPlace,
  communityId: number,
  fieldId: number,
): Promise<GetPostFieldForEditResponse> {
  requireCommunityEditor(scope.actor, communityId);
  const { definition, fields, fieldById } = formOf(await getWholeDefinition(scope, communityId), place);
  const field = fieldById.get(fieldId);
  if (!field) throw notFound();
  return {
    label: field.label,
    translations: { ...field.translations },
    ...(field.section !== null && { section: field.section }),
    sectionTranslations: { ...field.sectionTranslations },
    ...(field.defaultValue !== null && { defaultValue: field.defaultValue }),
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
    position: fields.indexOf(field) + 1,
    metadata: { ...field.metadata },
    enumValues: field.enumValues.map(({ id, label, translations, externalId, parentIds, deleted }) => ({
      id,
      label,
      translations: { ...translations },
      ...(externalId !== null && { externalId }),
      parentIds: [...parentIds],
      deleted,
    })),
    validations: field.validations.map(({ typeId, parameter }) => ({
      validationTypeId: typeId,
      ...(parameter !== null && { parameter }),
    })),
    conditions: presentConditions(field.conditions),
    visibleToRoles: [...field.visibleRoles],
    occToken: definition.community.etag,
  };
}

/**
 * Time at which fields are checked against each other: with each field, or by
 * {@link checkFieldsAgree} after all fields.
 */
type Agreement = 'now' | 'later';

/**
 * Adds a custom field to the posts of a community or to the screens of its workflow, after the last
 * field.
 * @throws PorticoError NOT_FOUND, FORBIDDEN; ValidationError
 */
export async function createField(
  scope: Scope,
  place: FieldPlace,
  communityId: number,
  form: CreatePostFieldRequest,
  agreement: Agreement = 'now',
): Promise<CreatePostFieldResponse> {
  requireCommunityEditor(scope.actor, communityId);
  // Without a type nothing else can be checked; other missing fields are reported by the insert.
  const errors = new FieldErrors(form.type === undefined ? scope.missing : undefined);
  for (const [index, { id }] of (form.enumValues ?? []).entries()) {
    if (id !== undefined) {
      const defaultMessage = 'The values of a new field have no id.';
      errors.add(`enumValues[${index}].id`, 'INVALID_VALUE', defaultMessage);
    }
  }
  const {
    type,
    enumValues,
    validations,
    conditions: sent,
    visibleToRoles: visibleRoles = [],
    label,
    description,
    externalId,
    translations,
    section,
    sectionTranslations,
    defaultValue: sentDefault,
    ...settings
  } = form;
  const definition = scope.db.inTransaction
    ? await loadDefinition(scope.db, communityId)
    : await getWholeDefinition(scope, communityId);
  const { owner, fieldById } = formOf(definition, place);
  const conditions = readConditions('conditions', sent ?? [], fieldById, errors);
  const rules = withCondition(readRules(validations ?? []), conditions);
  const { catalogId, metadata = {} } = settings;
  const defaulted = {
    type: type as FieldType,
    ...(catalogId !== undefined && { catalogId }),
    metadata,
    validations: rules,
  };
  const defaultValue = isFieldType(type) ? await readDefault(scope.db, defaulted, sentDefault, true, errors) : null;
  const field = {
    ...settings,
    type: type!,
    label: label ?? '',
    translations: readTranslations('translations', translations, errors),
    ...(section?.trim() && { section: section.trim() }),
    sectionTranslations: readSectionNames(section?.trim() || null, sectionTranslations, {}, errors),
    ...(defaultValue !== null && { defaultValue }),
    ...textsOf(description, externalId),
    enumValues: readValues('enumValues', enumValues ?? [], errors),
    validations: rules,
    conditions,
    visibleRoles,
  } as NewField;
  if (isFieldType(type)) refuseFaults('', field, errors);
  if (agreement === 'now')
    checkWhoSees({ ...NEW, visibleRoles, conditions, parentId: form.parentId ?? null }, fieldById.values(), errors);
  errors.throwIfAny(scope.missing);
  // The definition may have changed since it was read.
  const { id, enumValueIds } = await addField(scope, owner, field, async (write) => {
    const now = formOf(await loadDefinition(write.tx, communityId), place).fieldById;
    const faults = new FieldErrors();
    readConditions('conditions', sent ?? [], now, faults);
    if (agreement === 'now')
      checkWhoSees({ ...NEW, visibleRoles, conditions, parentId: form.parentId ?? null }, now.values(), faults);
    faults.throwIfAny();
  });
  const etag = await currentToken(scope, communityId);
  return { fieldId: id, enumValueIds, nextOccToken: etag };
}

/**
 * Adds the rule CONDITIONAL to a field with conditions, for clients that know the rule but not
 * conditions.
 */
function withCondition(
  rules: readonly NewValidation[],
  conditions: readonly FieldCondition[],
): readonly NewValidation[] {
  const marked = rules.some(({ typeId }) => typeId === ValidationType.CONDITIONAL);
  return conditions.length === 0 || marked ? rules : [...rules, { typeId: ValidationType.CONDITIONAL }];
}

/** Returns the token as of the transaction that the scope has joined, or the committed token. */
async function currentToken(scope: Scope, communityId: number): Promise<number> {
  const db = scope.db;
  const [row] = await db.query<{ etag: number }>('SELECT etag FROM communities WHERE tenant_id = $1 AND id = $2', [
    db.tenantId,
    communityId,
  ]);
  return row?.etag ?? 0;
}

/**
 * Edits a custom field. Omitted description and external id are cleared; other omitted properties
 * keep their value.
 * @throws PorticoError NOT_FOUND, FORBIDDEN, CONFLICT_STALE_TOKEN with author and time of the last
 * change; ValidationError
 */
export async function editField(
  scope: Scope,
  place: FieldPlace,
  communityId: number,
  fieldId: number,
  form: EditPostFieldRequest,
  agreement: Agreement = 'now',
): Promise<EditPostFieldResponse> {
  return writeTransaction(scope, 'definitions', async (write) => {
    requireCommunityEditor(write.actor, communityId);
    const head = await readCommunityHead(write.tx, communityId);
    if (!head) throw notFound();
    const { definition, owner, fields, fieldById } = formOf(await loadDefinition(write.tx, communityId), place);
    const communityIds = await communitiesOf(write, owner);
    requireDefinitionRight(write.actor, communityIds);
    const before = fieldById.get(fieldId);
    if (!before) throw notFound();
    const { occToken, enumValues, position } = form;
    if (occToken !== undefined && occToken !== head.etag) await refuseStaleCommunity(write.tx, communityId);
    const errors = new FieldErrors(write.missing);
    const conditions = readConditions('conditions', form.conditions ?? [], fieldById, errors);
    if (!form.conditions) conditions.push(...before.conditions);
    else if (agreement === 'now') refuseCircles(fields, before, conditions, errors);
    const rules = rulesOf(form, before, conditions);
    const field: NewField = {
      type: before.type,
      label: form.label ?? '',
      ...textsOf(form.description, form.externalId),
      ...(before.catalogId !== null && { catalogId: before.catalogId }),
      ...(before.parentId !== null && { parentId: before.parentId }),
      metadata: form.metadata ?? before.metadata,
      searchable: form.searchable ?? before.searchable,
      sortable: form.sortable ?? before.sortable,
      enumValues: readValues('enumValues', enumValues ?? [], errors),
      validations: rules ?? [],
      visibleRoles: form.visibleToRoles ?? before.visibleRoles,
    };
    await finishInTurns(checkField('', field, errors, before.validations, before.metadata));
    const enumValuesAfter = field.enumValues?.map((value, index) => {
      const { translations, parentIds: parents } = before.enumValueById.get(enumValues?.[index]?.id ?? 0) ?? {};
      return { ...(translations && { translations }), ...(parents && { parents }), ...value };
    });
    refuseFaults('', { ...field, enumValues: enumValuesAfter ?? [] }, errors, faultyBefore(before));
    const after = { ...before, visibleRoles: field.visibleRoles ?? [], conditions };
    if (agreement === 'now') checkWhoSees(after, fields, errors, definition.workflow?.transitions);
    const description = descriptionDelta('description', form.description, errors);
    const translations = form.translations && readTranslations('translations', form.translations, errors);
    const section = form.section === undefined ? before.section : form.section.trim() || null;
    const sectionTranslations = readSectionNames(section, form.sectionTranslations, before.sectionTranslations, errors);
    const sendsDefault = form.defaultValue !== undefined;
    const defaulted = {
      ...field,
      metadata: field.metadata ?? {},
      validations: rules ?? rulesKept(before),
      choosable: choosableIds(enumValues ?? before.enumValues),
    };
    const defaultValue = await readDefault(
      write.tx,
      defaulted,
      sendsDefault ? form.defaultValue : keptDefault(before, form),
      sendsDefault,
      errors,
    );
    errors.push(...(await unknownRoles(write.tx, 'visibleToRoles', form.visibleToRoles ?? [])));
    errors.push(...(await unknownPicker(write, 'metadata', form.metadata, before.metadata)));
    if (enumValues) checkValues(before, enumValues, errors);
    if (field.externalId !== undefined && (await externalIdTaken(write.tx, owner, fieldId, field.externalId)))
      errors.add('externalId', 'DUPLICATE_VALUE');
    errors.throwIfAny();
    await changeDefinitions(write, communityIds, async () => {
      await updateField(write.tx, fieldId, {
        label: field.label.trim(),
        translations: translations ?? before.translations,
        section,
        sectionTranslations,
        defaultValue,
        description,
        externalId: field.externalId ?? null,
        required: form.required ?? before.required,
        readonly: form.readonly ?? before.readonly,
        visibleInPreview: form.visibleInPreview ?? before.visibleInPreview,
        visibleInDetail: form.visibleInDetail ?? before.visibleInDetail,
        visibleInCreate: form.visibleInCreate ?? before.visibleInCreate,
        visibleInEdit: form.visibleInEdit ?? before.visibleInEdit,
        metadata: field.metadata ?? {},
        conditions,
        visibleRoles: field.visibleRoles ?? [],
        searchable: field.searchable ?? true,
        sortable: field.sortable ?? false,
      });
      if (position !== undefined) await moveField(write.tx, fields, before, position);
      if (rules) await replaceValidations(write, fieldId, rules);
      if (enumValues && before.catalogId === null) await replaceEnumValues(write, owner, before, enumValues);
      if (changesTexts(before, after, enumValues))
        await startChanges(write, communityIds, 'refreshTexts', { work: [{ do: 'refreshTexts' }] });
    });
    return { nextOccToken: head.etag + 1 };
  });
}

/** Whether a change of a field changes the texts by which its posts are found. */
function changesTexts(
  before: FieldDefinition,
  after: FieldDefinition,
  enumValues: readonly FieldValueForm[] | undefined,
): boolean {
  const opened = isRestricted(before) !== isRestricted(after);
  if (!isChoice(before)) return holdsText(before) && opened;
  const renamed = (before.catalogId === null ? (enumValues ?? []) : []).some(({ id, label, translations }) => {
    const value = before.enumValueById.get(id ?? 0);
    if (!value) return false;
    return (
      value.label !== (label ?? '').trim() ||
      (translations !== undefined && JSON.stringify(translations) !== JSON.stringify(value.translations))
    );
  });
  return opened || (renamed && !isRestricted(after));
}

/**
 * Checks the fields of a form against each other, after edits that postponed the check.
 * @throws ValidationError whose paths begin with the position of the field, as `[0]`
 */
export function checkFieldsAgree(definition: CommunityDefinition, place: FieldPlace): void {
  const { fields } = formOf(definition, place);
  const faults = new FieldErrors();
  for (const [index, field] of fields.entries()) {
    const errors = new FieldErrors();
    refuseCircles(fields, field, field.conditions, errors);
    checkWhoSees(field, fields, errors, definition.workflow?.transitions);
    faults.push(...errors.list.map((error) => ({ ...error, field: `[${index}].${error.field}` })));
  }
  faults.throwIfAny();
}

/** Id of a new field, which no stored field has. */
const NEW = { id: 0 };

/**
 * Requires that everybody who sees a field also sees the fields on which it depends, and that
 * transitions set only fields that everybody sees. Otherwise a visible field would reveal a hidden
 * one.
 * @param fields present fields of the form
 */
function checkWhoSees(
  field: Pick<FieldDefinition, 'id' | 'visibleRoles' | 'conditions' | 'parentId'>,
  fields: Iterable<FieldDefinition>,
  errors: FieldErrors,
  transitions: readonly WorkflowTransition[] = [],
): void {
  const refuse = (defaultMessage: string) => errors.add('visibleToRoles', 'INVALID_VALUE', defaultMessage);
  const dependsOn = ({ conditions, parentId }: Pick<FieldDefinition, 'conditions' | 'parentId'>, id: number) =>
    parentId === id || conditions.some(({ fieldId }) => fieldId === id);
  for (const other of fields) {
    if (other.id === field.id) continue;
    if (dependsOn(field, other.id) && isSeenByMore(field, other)) refuse(dependsOnHidden(other.label));
    if (dependsOn(other, field.id) && isSeenByMore(other, field))
      refuse(`The field "${other.label}", which more see, depends on it.`);
  }
  if (isRestricted(field) && transitions.some(({ sets }) => sets.some(({ fieldId }) => fieldId === field.id)))
    refuse('A transition sets the field.');
}

/** Returns the rules after an edit; undefined if they are unchanged. */
function rulesOf(
  { validations, conditions: sent }: EditPostFieldRequest,
  before: FieldDefinition,
  conditions: readonly FieldCondition[],
): readonly NewValidation[] | undefined {
  if (validations) return withCondition(readRules(validations), conditions);
  if (!sent || conditions.length > 0 === before.conditions.length > 0) return undefined;
  return withCondition(
    rulesKept(before).filter(({ typeId }) => typeId !== ValidationType.CONDITIONAL),
    conditions,
  );
}

/** Returns the properties of a present field that are checked for faults. */
function faultyBefore(field: FieldDefinition): FaultyField {
  const { type, metadata, enumValues } = field;
  const values = enumValues.map(({ label, translations, parentIds, deleted }) => {
    return { label, translations, parents: parentIds, deleted };
  });
  return { type, metadata, validations: rulesKept(field), enumValues: values };
}

/** Returns the rules of a field as a form sends them. */
function rulesKept({ validations }: FieldDefinition): NewValidation[] {
  return validations.map(({ typeId, parameter }) => ({ typeId, ...(parameter !== null && { parameter }) }));
}

function refuseCircles(
  fields: readonly FieldDefinition[],
  before: FieldDefinition,
  conditions: readonly FieldCondition[],
  errors: FieldErrors,
): void {
  const after = fields.map((field) => (field === before ? { id: field.id, conditions } : field));
  const circle = circularFieldIds(after);
  if (!circle.includes(before.id)) return;
  errors.add(
    'conditions',
    'INVALID_VALUE',
    `The conditions of fields lead back to the field itself (${circle.join(', ')}).`,
    circle,
  );
}

function checkValues(before: FieldDefinition, values: readonly FieldValueForm[], errors: FieldErrors): void {
  const seen = new Set<number>();
  for (const [index, { id }] of values.entries()) {
    if (id === undefined) continue;
    const field = `enumValues[${index}].id`;
    if (!before.enumValueById.has(id)) errors.add(field, 'UNKNOWN_REFERENCE');
    else if (seen.has(id)) errors.add(field, 'DUPLICATE_VALUE');
    seen.add(id);
  }
  const kept = before.enumValues.filter(({ id }) => !seen.has(id)).length;
  if (values.length + kept > definitionLimits.fieldValues)
    errors.push(tooMany('enumValues', definitionLimits.fieldValues));
}
