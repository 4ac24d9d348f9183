/** The workflow of posts. */
export { editScreenData } from './edit-screen-data.ts';
export { executeOperation } from './execute-operation.ts';
export { workflowHandlers } from './workflow.routes.ts';
