/** Forms of custom fields and workflows, for the builders of communities. */
import { RoleId, ValidationType } from '../../codes/defined-codes.ts';
import { FieldType } from '../../codes/field-types.ts';
import { conditionOperators, definitionLimits, listLimits, roleLimits } from '../../limits.ts';
import * as t from '../fields.ts';
import { changeId, onExisting } from './definition-changes.ts';

/**
 * Roles with access.
 * @param what the object of the access
 */
export const openToRoles = (what: string): t.FieldSchema =>
  t.ids(
    `${what}: these roles in the community and stronger ones. Built-in: ${RoleId.MANAGER} manager, ${RoleId.CONTRIBUTOR} contributor, ${RoleId.READER} reader; a role of the tenant by its id, than which managers are stronger.`,
    { maxItems: roleLimits.roles },
  );

const label = t.name('The displayed text.');
export const writtenLabel = t.required(t.name('The displayed text; must not be empty.'));
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
    'Initial value in forms of new posts, as it is written into the field; for a screen, the ' +
      'initial value in its form. An empty text removes it. Fields of people, groups and posts ' +
      'have none. A new field with its own values gets one by a later edit, when the values have ' +
      'ids.',
  ),
  description: t.text('Instructions for the field: plain text, or rich text as an array of operations in JSON.'),
  externalId: t.text('Identifier of the field in another system; unique in the community.'),
  required: t.flag('Whether posts require a value.'),
  readonly: t.flag('Whether requests cannot write the field.'),
  visibleInPreview: t.flag('Whether lists show the field.'),
  visibleInDetail: t.flag('Whether the page of a post shows the field.'),
  visibleInCreate: t.flag('Whether the form of a new post shows the field.'),
  visibleInEdit: t.flag('Whether the edit form shows the field.'),
  metadata: t.textMap('Further properties, text to text; the table of field types says which keys there are.'),
  enumValues: t.list(
    'FieldValueForm',
    'Values of an enumerated field without a catalog, in order, deleted ones included. Values ' +
      'that can be chosen together have different labels.',
    values,
  ),
  validations: t.list('FieldRuleForm', 'Rules that values must keep, in order; no greatest is below a least.', {
    maxItems: definitionLimits.rules,
  }),
  visibleToRoles: openToRoles(
    'Roles that see the field (empty: everybody; for others it does not exist, its values ' +
      'survive their edits, and search, mentions, hashtags and generated comments omit it)',
  ),
  conditions: t.list(
    'FieldConditionForm',
    'Conditions under which forms show the field, and require its value if it is required: all ' +
      'must hold. They name fields of the same form. If omitted or empty, forms always show it.',
    { maxItems: definitionLimits.conditions },
  ),
};
const position: t.FieldSchema = { ...t.int32('Place of the field in the form, from 1.'), minimum: 1 };
/** Settings that cannot change after a field is created. */
const settled: t.Fields = {
  catalogId: t.int64('Catalog whose entries are the values of an enumerated field.'),
  parentId: t.int64(
    'In hierarchical fields: the enumerated field whose value determines the values that can ' + 'be chosen.',
  ),
  searchable: t.flag('Whether lists can be filtered by the field. A new field is searchable.'),
  sortable: t.flag('Whether lists can be ordered by the field.'),
};
export const fieldType = t.code(FieldType, 'Data type of the field.');

export const definitionFormTypes = {
  FieldValueForm: t.type('A value of an enumerated field.', {
    id: t.int64('Id of the value. If omitted, the value is new.'),
    label: writtenLabel,
    translations: t.nameMap(
      'The label in other languages. An empty object removes them; if omitted, the labels of an existing value stay.',
    ),
    externalId: t.text('Identifier of the value in another system.'),
    parentIds: t.ids('In hierarchical fields: the values of the parent field to which this one belongs.', {
      maxItems: listLimits.parents,
    }),
    deleted: t.flag('True when the value can no longer be chosen; posts that hold it keep it.'),
  }),
  FieldRuleForm: t.type('A rule that values of a field must keep.', {
    validationTypeId: t.required(t.code(ValidationType, 'Kind of rule; see the published table of validation rules.')),
    parameter: t.text('Parameter of the rule as text, for example a limit; omitted for rules without a parameter.'),
  }),
  FieldConditionForm: t.type('A condition on the value of a field.', {
    fieldId: t.required(t.int64('Id of the field whose value is compared.')),
    operator: t.required(
      t.word(
        conditionOperators,
        'Comparison: the field holds one of the values, none of them, no value, any value, or ' +
          'a number or date of at least or at most the one value.',
      ),
    ),
    values: t.anyList(
      'Values as they are written into the field: several for `in` and `notIn`, one for ' +
        '`atLeast` and `atMost`, otherwise none. A FLAG takes `[true]` or `[false]`.',
    ),
  }),
  GetPostFieldForEditResponse: t.type('Editable settings of a custom field.', {
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
    'New settings of a custom field. Omitted description and external id are emptied; other ' +
      'omitted settings keep their value. A list replaces the current list: values that it omits ' +
      'can no longer be chosen.',
    {
      label: writtenLabel,
      ...fieldSettings,
      position,
      searchable: t.flag('Whether lists can be filtered by the field.'),
      sortable: t.flag('Whether lists can be ordered by the field.'),
      onExisting: onExisting(
        ['keep', 'map', 'clear'],
        'Treatment of posts that hold values that the edit takes out of use: with `keep` the ' +
          'values stay there, with their label; with `map` they are replaced as in ' +
          '`valueMapping`; with `clear` they are removed.',
      ),
      valueMapping: t.list(
        'ValueMappingForm',
        'With `map`: replacement of each value that the edit takes out of use.',
        values,
      ),
      occToken: t.formToken,
    },
  ),
  EditPostFieldResponse: t.type('Result of the edit of a custom field.', { changeId, nextOccToken }),
};
