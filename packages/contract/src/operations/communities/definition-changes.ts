/** Changes of definitions while posts hold data, for the builders of communities. */
import { FieldType } from '../../codes/field-types.ts';
import { defineOperations } from '../define.ts';
import { examples } from '../examples.ts';

const refusals = { 400: 'ValidationErrorResponse', 403: null, 404: null, 409: null } as const;

const community = '/admin/manage/communities/{communityId}';

const decide =
  'If posts hold data that the change removes, the operation, or its dry run, returns 400 ' +
  '`MAPPING_REQUIRED` with their number and examples, until `onExisting` decides about that ' +
  'data.';

export const definitionChangeOperations = defineOperations('communities', {
  removeField: {
    method: 'POST',
    path: `${community}/definition-fields/{fieldId}/remove`,
    body: 'RemoveFieldRequest',
    responses: { 200: 'RemoveFieldResponse', ...refusals },
    permission: 'editCommunity',
    extension: true,
    summary: 'Remove a custom field',
    description:
      'Removes a field of posts or of screens from forms, lists, filters, search and exports, ' +
      `at once. ${decide} A field on which other fields depend is not removed. In a large ` +
      'community the posts are updated in the background.',
    requestExamples: examples<'RemoveFieldRequest'>({
      keep: { summary: 'Keep the values, out of sight', value: { onExisting: 'keep', occToken: 7 } },
      map: { summary: 'Another field takes them over', value: { onExisting: 'map', intoFieldId: 18, occToken: 7 } },
    }),
    clientMethod: 'removeField',
    command: { form: 'getCommunityForEdit', examples: ['2 17', '2 17 --on-existing keep --dry-run'] },
  },
  changeFieldType: {
    method: 'POST',
    path: `${community}/definition-fields/{fieldId}/type`,
    body: 'ChangeFieldTypeRequest',
    responses: { 200: 'ChangeFieldTypeResponse', ...refusals },
    permission: 'editCommunity',
    extension: true,
    summary: 'Change the type of a custom field',
    description:
      'Replaces the field by a field of the new type, with its label, external id, settings ' +
      `and the values that the new type can hold. ${decide} In a large community values are ` +
      'copied in the background; until then, the former field is read and written.',
    requestExamples: examples<'ChangeFieldTypeRequest'>({
      list: { summary: 'A choice becomes a list', value: { type: FieldType.ENUM_LIST, occToken: 7 } },
      choice: {
        summary: 'A text becomes a choice',
        value: {
          type: FieldType.ENUM,
          enumValues: [{ label: 'High' }, { label: 'Low' }],
          onExisting: 'clear',
          occToken: 7,
        },
      },
    }),
    clientMethod: 'changeFieldType',
    command: {
      form: 'getCommunityForEdit',
      needsValue: true,
      examples: [
        `2 17 --type ${FieldType.TEXT_AREA}`,
        `2 17 --type ${FieldType.ENUM} --enum-values '[{"label": "High"}]' --dry-run`,
      ],
    },
  },
  listDefinitionChanges: {
    method: 'GET',
    path: `${community}/definition-changes`,
    responses: { 200: 'ListDefinitionChangesResponse', 403: null, 404: null },
    permission: 'editCommunity',
    extension: true,
    summary: 'List the changes of a definition that update posts',
    description: 'Returns the changes with their progress, the newest first.',
    clientMethod: 'definitionChanges',
    command: {
      rows: 'changes',
      columns: ['id', 'kind', 'status', 'postsDone', 'posts', 'startedAt'],
      examples: ['2', '2 --output json'],
    },
  },
  cancelDefinitionChange: {
    method: 'DELETE',
    path: `${community}/definition-changes/{changeId}`,
    responses: { 200: 'CancelDefinitionChangeResponse', 403: null, 404: null, 409: null },
    permission: 'editCommunity',
    extension: true,
    summary: 'Cancel a change of a definition',
    description:
      'Stops the change; the definition stays unchanged. Values and states of posts that the ' +
      'change has already replaced stay replaced. If the change has ended, the operation ' +
      'returns 409.',
    clientMethod: 'cancelDefinitionChange',
    command: { examples: ['2 5', '2 5 --dry-run'] },
  },
  listDefinitionVersions: {
    method: 'GET',
    path: `${community}/definition-versions`,
    responses: { 200: 'ListDefinitionVersionsResponse', 403: null, 404: null },
    permission: 'editCommunity',
    extension: true,
    summary: 'List the versions of a definition',
    description:
      'Returns the author and the time of each version, the newest first. ' +
      '`getDefinitionVersion` returns the changes of a version: comparing all versions would ' +
      'cost as much as reading each.',
    clientMethod: 'definitionVersions',
    command: {
      rows: 'versions',
      columns: ['version', 'madeByName', 'madeAt', 'present'],
      examples: ['2', '2 --output json'],
    },
  },
  getDefinitionVersion: {
    method: 'GET',
    path: `${community}/definition-versions/{version}`,
    responses: { 200: 'GetDefinitionVersionResponse', 403: null, 404: null },
    permission: 'editCommunity',
    extension: true,
    summary: 'Read a version of a definition',
    description: 'Returns the parts of the version, and its changes to the previous version.',
    clientMethod: 'definitionVersion',
    command: { examples: ['2 7', '2 7 --output yaml'] },
  },
  restoreDefinitionVersion: {
    method: 'POST',
    path: `${community}/definition-versions/{version}/restore`,
    body: 'RestoreDefinitionVersionRequest',
    responses: { 200: 'RestoreDefinitionVersionResponse', ...refusals },
    permission: 'editCommunity',
    extension: true,
    summary: 'Go back to a version of a definition',
    description:
      'Restores settings, fields, workflow and screens of the version, by a new change. ' +
      `Removed fields come back with their kept values. ${decide}`,
    requestExamples: examples<'RestoreDefinitionVersionRequest'>({
      back: { summary: 'Restore, and keep data without a place', value: { onExisting: 'keep', occToken: 9 } },
    }),
    clientMethod: 'restoreDefinitionVersion',
    command: { form: 'getCommunityForEdit', examples: ['2 7', '2 7 --on-existing keep --dry-run'] },
  },
});
