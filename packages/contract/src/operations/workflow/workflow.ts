/** Workflow screens and transitions. */
import { defineOperations, valueErrors } from '../define.ts';
import { examples } from '../examples.ts';
import { sampleTime } from '../sample-values.ts';

export const workflowOperations = defineOperations('workflow', {
  getPostWorkflowScreenDataForEdit: {
    method: 'GET',
    path: '/communication/posts/manage/post-workflow-screen-data-for-edit/{postId}',
    query: {
      workflowOperationId: {
        type: 'integer',
        description: 'Id of a permitted transition, for its screen. Default: the screen of the current state.',
      },
    },
    responses: { 200: 'GetPostWorkflowScreenDataForEditResponse', 403: null, 404: null },
    permission: 'editWorkflowScreen',
    summary: 'Read a workflow screen with its values',
    description:
      'Returns the fields of the screen, their current values, and the screen token that all ' +
      'transitions of the post share.',
    clientMethod: 'screen',
    command: { examples: ['4711 --output yaml', '4711 --workflow-operation-id 31 --output json'] },
  },
  executePostWorkflowOperation: {
    method: 'POST',
    path: '/communication/posts/manage/execute-post-workflow-operation/{postId}/{workflowOperationId}',
    body: 'ExecutePostWorkflowOperationRequest',
    responses: { 200: 'ExecutePostWorkflowOperationResponse', ...valueErrors, 409: null },
    permission: 'runWorkflowOperation',
    summary: 'Run a workflow transition',
    description:
      'Moves the post to the next state. A transition with a screen takes its values and the ' +
      '`screenOccToken`; a transition without a screen takes `{}`. Returns the new state and ' +
      'the next possible transitions.',
    requestExamples: examples<'ExecutePostWorkflowOperationRequest'>({
      none: { summary: 'A transition without a screen', value: {} },
      screen: { summary: 'A transition with a screen', value: { screenOccToken: 3, screenData: { 4205: sampleTime } } },
    }),
    clientMethod: 'execute',
    command: {
      form: 'getPostWorkflowScreenDataForEdit',
      customFields: 'screenData',
      examples: ['4711 "Start work"', '4711 31 --field Note="On my way" --dry-run'],
    },
  },
  editPostWorkflowScreenData: {
    method: 'PUT',
    path: '/communication/posts/manage/edit-post-workflow-screen-data/{postId}/{screenOccToken}',
    body: 'EditPostWorkflowScreenDataRequest',
    responses: { 200: 'EditPostWorkflowScreenDataResponse', ...valueErrors, 409: null },
    permission: 'editWorkflowScreen',
    summary: 'Edit the workflow screen of a post',
    description: 'Replaces the values of the screen of the current state without changing the state.',
    clientMethod: 'replaceScreen',
    formerMethod: 'editScreen',
    command: {
      form: 'getPostWorkflowScreenDataForEdit',
      needsValue: true,
      customFields: 'screenData',
      examples: ['4711 --field Note="Waiting for the part"', "4711 --field 'Due date=' --dry-run"],
    },
  },
});
