/** Custom fields and workflows, for the builders of communities. */
import { RoleId, ValidationType } from '../../codes/defined-codes.ts';
import { FieldType } from '../../codes/field-types.ts';
import { defineOperations } from '../define.ts';
import { examples } from '../examples.ts';

export const definitionFormOperations = defineOperations('communities', {
  createPostField: {
    method: 'POST',
    path: '/admin/manage/communities/{communityId}/fields',
    body: 'CreatePostFieldRequest',
    responses: { 200: 'CreatePostFieldResponse', 400: 'ValidationErrorResponse', 403: null, 404: null },
    permission: 'editCommunity',
    extension: true,
    summary: 'Add a custom field to the posts of a community',
    description: 'Existing posts have no value in the new field. Catalog and parent field cannot change later.',
    requestExamples: examples<'CreatePostFieldRequest'>({
      amount: {
        summary: 'A number that lists can be ordered by',
        value: {
          label: 'Amount',
          type: FieldType.DECIMAL,
          required: true,
          sortable: true,
          validations: [{ validationTypeId: ValidationType.MIN_VALUE, parameter: '0' }],
        },
      },
      priority: {
        summary: 'A choice among values of its own',
        value: {
          label: 'Priority',
          type: FieldType.ENUM,
          enumValues: [{ label: 'High', translations: { it: 'Alta' } }, { label: 'Low' }],
        },
      },
      days: {
        summary: 'A number with a default, in a section, with its label in a further language',
        value: {
          label: 'Days',
          translations: { it: 'Giorni' },
          section: 'Delivery',
          type: FieldType.INT,
          defaultValue: 30,
        },
      },
      reason: {
        summary: 'A text that forms show and require where the FLAG 17 is set',
        value: {
          label: 'Reason',
          type: FieldType.STRING,
          required: true,
          conditions: [{ fieldId: 17, operator: 'in', values: [true] }],
        },
      },
    }),
    clientMethod: 'createField',
    command: {
      examples: [
        `2 --label Amount --type DECIMAL --required --sortable`,
        `2 --label Priority --type ENUM --enum-values '[{"label": "High"}, {"label": "Low"}]' --dry-run`,
        `2 --label Reason --type STRING --conditions '[{"fieldId": 17, "operator": "in", "values": [true]}]'`,
      ],
    },
  },
  getPostFieldForEdit: {
    method: 'GET',
    path: '/admin/manage/communities/{communityId}/fields/{fieldId}',
    responses: { 200: 'GetPostFieldForEditResponse', 403: null, 404: null },
    permission: 'editCommunity',
    extension: true,
    summary: "Read a custom field's form",
    description: 'Returns the editable settings of a custom field of posts, and the `occToken` to send back.',
    clientMethod: 'readFieldForEdit',
    formerMethod: 'fieldForm',
    command: { examples: ['2 17', '2 17 --output yaml'] },
  },
  editPostField: {
    method: 'PUT',
    path: '/admin/manage/communities/{communityId}/fields/{fieldId}',
    body: 'EditPostFieldRequest',
    responses: { 200: 'EditPostFieldResponse', 400: 'ValidationErrorResponse', 403: null, 404: null, 409: null },
    permission: 'editCommunity',
    extension: true,
    summary: 'Edit a custom field',
    description:
      'Omitted description and external id are emptied; other omitted settings keep their ' +
      'value. A list of values replaces the current list: values that it omits can no longer ' +
      'be chosen. If posts hold these values, the edit returns 400 `MAPPING_REQUIRED` with ' +
      'their number, until `onExisting` decides about them. In a community with many posts the ' +
      'edit takes effect when the posts are done; the response then has a `changeId`. Send the ' +
      '`occToken` of the form in the body; a stale token returns 409.',
    clientMethod: 'replaceField',
    formerMethod: 'editField',
    command: {
      form: 'getPostFieldForEdit',
      needsValue: true,
      examples: ['2 17 --label "Net amount"', '2 17 --position 1 --dry-run'],
    },
  },
  createCommunityWorkflow: {
    method: 'POST',
    path: '/admin/manage/communities/{communityId}/workflow',
    body: 'CreateCommunityWorkflowRequest',
    responses: {
      200: 'CreateCommunityWorkflowResponse',
      400: 'ValidationErrorResponse',
      403: null,
      404: null,
      409: null,
    },
    permission: 'editCommunity',
    extension: true,
    summary: 'Give a community a workflow',
    description:
      'Creates states, transitions between them, screens and their fields, which refer to each ' +
      'other by name and label. Existing posts stay without a state. If the community has a ' +
      'workflow already, the operation returns 409.',
    requestExamples: examples<'CreateCommunityWorkflowRequest'>({
      approval: {
        summary: 'A request that a manager approves',
        value: {
          title: 'Approval',
          states: [
            { name: 'Requested', initial: true, color: '#888888' },
            { name: 'Approved', terminal: true, color: '#2f6f4f' },
          ],
          transitions: [
            {
              name: 'Approve',
              from: 'Requested',
              to: 'Approved',
              screen: 'Decision',
              run: { roles: [RoleId.MANAGER] },
            },
          ],
          screens: [{ name: 'Decision', fields: [{ label: 'Reason', required: true }] }],
          screenFields: [{ label: 'Reason', type: FieldType.TEXT_AREA }],
        },
      },
    }),
    clientMethod: 'createWorkflow',
    command: {
      examples: [
        `2 --title Approval --states '[{"name": "Requested", "initial": true}, {"name": "Approved", "terminal": true}]' --transitions '[{"name": "Approve", "from": "Requested", "to": "Approved"}]'`,
        `2 --title Ideas --states '[{"name": "Open", "initial": true}]' --dry-run`,
      ],
    },
  },
  getCommunityWorkflowForEdit: {
    method: 'GET',
    path: '/admin/manage/communities/{communityId}/workflow',
    responses: { 200: 'GetCommunityWorkflowForEditResponse', 403: null, 404: null },
    permission: 'editCommunity',
    extension: true,
    summary: "Read the form of a community's workflow",
    description:
      'Returns the states and transitions in use, screens with their fields, and the ' + '`occToken` to send back.',
    clientMethod: 'readWorkflowForEdit',
    formerMethod: 'workflowForm',
    command: { examples: ['2', '2 --output yaml'] },
  },
  editCommunityWorkflow: {
    method: 'PUT',
    path: '/admin/manage/communities/{communityId}/workflow',
    body: 'EditCommunityWorkflowRequest',
    responses: {
      200: 'EditCommunityWorkflowResponse',
      400: 'ValidationErrorResponse',
      403: null,
      404: null,
      409: null,
    },
    permission: 'editCommunity',
    extension: true,
    summary: 'Edit the workflow of a community',
    description:
      'Updates states, transitions and screens with an id, creates entries without an id, and ' +
      'takes omitted entries out of use. If posts are in omitted states, the edit returns 400 ' +
      '`MAPPING_REQUIRED` with their number, until `onExisting` decides about them. The edit ' +
      'applies to all communities that share the workflow: the caller must manage them all. ' +
      'Send the `occToken` of the form in the body; a stale token returns 409.',
    clientMethod: 'replaceWorkflow',
    formerMethod: 'editWorkflow',
    command: {
      form: 'getCommunityWorkflowForEdit',
      needsValue: true,
      examples: ['2 --title Approvals', `2 --transitions '[]' --dry-run`],
    },
  },
  createScreenField: {
    method: 'POST',
    path: '/admin/manage/communities/{communityId}/workflow/fields',
    body: 'CreatePostFieldRequest',
    responses: { 200: 'CreatePostFieldResponse', 400: 'ValidationErrorResponse', 403: null, 404: null },
    permission: 'editCommunity',
    extension: true,
    summary: 'Add a field to the screens of a workflow',
    description:
      'A screen shows the field after an edit of the workflow adds it to the screen. The field ' +
      'is added for all communities that share the workflow: the caller must manage them all.',
    requestExamples: examples<'CreatePostFieldRequest'>({
      reason: { summary: 'A text', value: { label: 'Reason', type: FieldType.TEXT_AREA } },
    }),
    clientMethod: 'createScreenField',
    command: {
      examples: [
        `2 --label Reason --type ${FieldType.TEXT_AREA}`,
        `2 --label Note --type ${FieldType.STRING} --dry-run`,
      ],
    },
  },
  getScreenFieldForEdit: {
    method: 'GET',
    path: '/admin/manage/communities/{communityId}/workflow/fields/{screenFieldId}',
    responses: { 200: 'GetPostFieldForEditResponse', 403: null, 404: null },
    permission: 'editCommunity',
    extension: true,
    summary: 'Read the form of a field of screens',
    description:
      'Returns the editable settings of a field of the screens of a workflow, and the ' + '`occToken` to send back.',
    clientMethod: 'readScreenFieldForEdit',
    formerMethod: 'screenFieldForm',
    command: { examples: ['2 17', '2 17 --output yaml'] },
  },
  editScreenField: {
    method: 'PUT',
    path: '/admin/manage/communities/{communityId}/workflow/fields/{screenFieldId}',
    body: 'EditPostFieldRequest',
    responses: { 200: 'EditPostFieldResponse', 400: 'ValidationErrorResponse', 403: null, 404: null, 409: null },
    permission: 'editCommunity',
    extension: true,
    summary: 'Edit a field of screens',
    description:
      'Works like `editPostField`, for a field of the screens of a workflow. The edit applies ' +
      'to all communities that share the workflow: the caller must manage them all. Send the ' +
      '`occToken` of the form in the body; a stale token returns 409.',
    clientMethod: 'replaceScreenField',
    formerMethod: 'editScreenField',
    command: {
      form: 'getScreenFieldForEdit',
      needsValue: true,
      examples: ['2 17 --label Grounds', '2 17 --position 1 --dry-run'],
    },
  },
});
