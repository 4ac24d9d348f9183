/** The operations of the workflow, and the capabilities of a post. */
import type { Handlers } from '../../../kernel/operations.ts';
import { editScreenData } from './edit-screen-data.ts';
import { executeOperation } from './execute-operation.ts';
import { getScreenForEdit } from './read-screen.ts';

export const workflowHandlers = {
  getPostWorkflowScreenDataForEdit: ({ scope, params, query }) =>
    getScreenForEdit(scope, params.postId, query.workflowOperationId),
  executePostWorkflowOperation: ({ scope, params, body }) =>
    executeOperation(scope, params.postId, params.workflowOperationId, body),
  editPostWorkflowScreenData: ({ scope, params, body }) =>
    editScreenData(scope, params.postId, params.screenOccToken, body),
} satisfies Handlers;
