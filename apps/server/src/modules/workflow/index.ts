/** The workflow of posts. */
export { editScreenData } from './edit-screen-data.ts';
export { executeOperation } from './execute-operation.ts';
export { getPostCapabilities, getScreenForEdit } from './read-screen.ts';
export { workflowHandlers } from './workflow.routes.ts';
