/** Forms of custom fields and workflows, for the builders of communities. */
import { RoleId, ValidationType } from '../codes/defined-codes.ts';
import { FieldType } from '../codes/field-types.ts';
import { conditionOperators, definitionLimits, listLimits, roleLimits } from '../limits.ts';
import { changeId, onExisting } from './definition-changes.ts';
import * as t from './fields.ts';

/**
 * Roles with access.
 * @param what the object of the access
 */
export const openToRoles = (what: string): t.FieldSchema =>
  t.ids(
    `${what}: these roles in the community and stronger ones. Built-in: ${RoleId.MANAGER} manager, ${RoleId.CONTRIBUTOR} contributor, ${RoleId.READER} reader; a role of the tenant by its id, than which managers are stronger.`,
    { maxItems: roleLimits.roles },
  );

const label = t.name('What people see.');
export const writtenLabel = t.required(t.name('What people see; must not be empty.'));
const nextOccToken = t.token('Token of the community for the next edit.');
const values = { maxItems: definitionLimits.fieldValues };

/** Editable settings of a field. */
export const fieldSettings: t.Fields = {
  translations: t.nameMap('The label in other languages. An empty object takes them away.'),
  section: t.name(
    'Name of the section of the form that holds the field. Fields with the same name are shown together, where the first of them is. An empty text takes the field out of its section.',
    { maxLength: definitionLimits.sectionName },
  ),
  sectionTranslations: t.nameMap(
    'The name of the section in other languages. An empty object takes them away; outside of sections there are none.',
  ),
  defaultValue: t.jsonValue(
    'The value that forms of new posts begin with, as it is written into the field; of a screen, the value that its form begins with. An empty text takes it away. Fields of people, groups and posts have none, and a new field with values of its own gets one by an edit, when they have ids.',
  ),
  description: t.text('How to fill the field in: plain text, or rich text as an array of operations in JSON.'),
  externalId: t.text('Identifier of the field in another system; unique in the community.'),
  required: t.flag('Whether posts need a value.'),
  readonly: t.flag('Whether requests cannot write the field.'),
  visibleInPreview: t.flag('Whether lists show the field.'),
  visibleInDetail: t.flag('Whether the page of a post shows the field.'),
  visibleInCreate: t.flag('Whether the form of a new post shows the field.'),
  visibleInEdit: t.flag('Whether the edit form shows the field.'),
  metadata: t.textMap('Further properties, text to text; the table of field types says which keys there are.'),
  enumValues: t.list(
    'FieldValueForm',
    'Values of an enumerated field without a catalog, in order, deleted ones included. Those that can be chosen beside each other have different labels.',
    values,
  ),
  validations: t.list('FieldRuleForm', 'Rules that values must keep, in order; no greatest is below a least.', {
    maxItems: definitionLimits.rules,
  }),
  visibleToRoles: openToRoles(
    'Who sees the field (empty: everybody; for others it does not exist, its values survive their edits, and search, mentions, hashtags and generated comments leave it out)',
  ),
  conditions: t.list(
    'FieldConditionForm',
    'When forms show the field, and demand a value where it is required: all of these hold. They name fields of the same form. Left out or empty: always.',
    { maxItems: definitionLimits.conditions },
  ),
};
const position: t.FieldSchema = { ...t.int32('Place of the field in the form, from 1.'), minimum: 1 };
/** Settings that cannot change after a field is created. */
const settled: t.Fields = {
  catalogId: t.int64('Catalog whose entries are the values of an enumerated field.'),
  parentId: t.int64('In hierarchical fields: the enumerated field whose value decides which values can be chosen.'),
  searchable: t.flag('Whether lists can be filtered by the field. A new field is searchable.'),
  sortable: t.flag('Whether lists can be ordered by the field.'),
};
export const fieldType = t.code(FieldType, 'Data type of the field.');

export const definitionFormTypes = {
  FieldValueForm: t.type('A value of an enumerated field.', {
    id: t.int64('Id of the value. Left out, the value is new.'),
    label: writtenLabel,
    translations: t.nameMap(
      'The label in other languages. An empty object takes them away; left out, those of a value that is there stay.',
    ),
    externalId: t.text('Identifier of the value in another system.'),
    parentIds: t.ids('In hierarchical fields: the values of the parent field to which this one belongs.', {
      maxItems: listLimits.parents,
    }),
    deleted: t.flag('True when the value can no longer be chosen; posts that hold it keep it.'),
  }),
  FieldRuleForm: t.type('A rule that values of a field must keep.', {
    validationTypeId: t.required(
      t.code(ValidationType, 'What the rule asks; see the published table of validation rules.'),
    ),
    parameter: t.text('Parameter of the rule as text, for example a limit; left out for rules that take none.'),
  }),
  FieldConditionForm: t.type('A condition on the value of a field.', {
    fieldId: t.required(t.int64('Id of the field whose value is compared.')),
    operator: t.required(
      t.word(
        conditionOperators,
        'How it is compared: it holds one of the values, none of them, no value, any value, or a number or date of at least or at most the one value.',
      ),
    ),
    values: t.anyList(
      'Values as they are written into the field: several for `in` and `notIn`, one for `atLeast` and `atMost`, none otherwise. A FLAG takes `[true]` or `[false]`.',
    ),
  }),
  GetPostFieldForEditResponse: t.type('What can be edited about a custom field.', {
    label,
    ...fieldSettings,
    position,
    type: { ...fieldType, description: `${fieldType.description} Read-only here.` },
    catalogId: t.int64('Catalog whose entries are the values. Read-only here.'),
    parentId: t.int64('The field above, in hierarchical fields. Read-only here.'),
    searchable: t.flag('Whether lists can be filtered by the field.'),
    sortable: t.flag('Whether lists can be ordered by the field.'),
    occToken: t.token('Token of the community, to send back with the next edit.'),
  }),
  CreatePostFieldRequest: t.type('A new custom field of posts or of screens; it comes after the others.', {
    label: writtenLabel,
    type: t.required(fieldType),
    ...fieldSettings,
    ...settled,
  }),
  CreatePostFieldResponse: t.type('The field that was created.', {
    fieldId: t.int64('Id of the field; the key in custom data, and `columnId` in filters.'),
    enumValueIds: t.ids('Ids of its own values, in the order in which they were sent.'),
    nextOccToken,
  }),
  EditPostFieldRequest: t.type(
    'New settings of a custom field. Description and external id that are left out are emptied; the others keep their value. A list replaces the present one: values that it leaves out can no longer be chosen.',
    {
      label: writtenLabel,
      ...fieldSettings,
      position,
      searchable: t.flag('Whether lists can be filtered by the field.'),
      sortable: t.flag('Whether lists can be ordered by the field.'),
      onExisting: onExisting(
        ['keep', 'map', 'clear'],
        'What becomes of values of the list that the edit takes out of use, in posts that hold them: with `keep` they stay there, with their label; with `map` they become those that `valueMapping` says; with `clear` they are taken out.',
      ),
      valueMapping: t.list(
        'ValueMappingForm',
        'With `map`: what each value becomes that the edit takes out of use.',
        values,
      ),
      occToken: t.required(t.token('Token that the form gave; a stale one is a 409.')),
    },
  ),
  EditPostFieldResponse: t.type('Result of the edit of a custom field.', { changeId, nextOccToken }),
};
