/** Operations that change definitions while posts hold data. */
import type { Handlers } from '../../../kernel/operations.ts';
import { changeFieldType } from './change-field-type.ts';
import { editFieldWithData, editWorkflowWithData } from './edit-with-data.ts';
import { cancelDefinitionChange, listDefinitionChanges } from './list-changes.ts';
import { removeField } from './remove-field.ts';
import { getDefinitionVersion, listDefinitionVersions, restoreDefinitionVersion } from './versions.ts';

export const definitionChangeHandlers = {
  editPostField: ({ scope, params, body }) =>
    editFieldWithData(scope, 'post', params.communityId, params.fieldId, body),
  editScreenField: ({ scope, params, body }) =>
    editFieldWithData(scope, 'screen', params.communityId, params.screenFieldId, body),
  editCommunityWorkflow: ({ scope, params, body }) => editWorkflowWithData(scope, params.communityId, body),
  removeField: ({ scope, params, body }) => removeField(scope, params.communityId, params.fieldId, body),
  changeFieldType: ({ scope, params, body }) => changeFieldType(scope, params.communityId, params.fieldId, body),
  listDefinitionChanges: ({ scope, params }) => listDefinitionChanges(scope, params.communityId),
  cancelDefinitionChange: ({ scope, params }) => cancelDefinitionChange(scope, params.communityId, params.changeId),
  listDefinitionVersions: ({ scope, params }) => listDefinitionVersions(scope, params.communityId),
  getDefinitionVersion: ({ scope, params }) => getDefinitionVersion(scope, params.communityId, params.version),
  restoreDefinitionVersion: ({ scope, params, body }) =>
    restoreDefinitionVersion(scope, params.communityId, params.version, body),
} satisfies Handlers;
