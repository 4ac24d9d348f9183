/** Templates for new posts. */
export { postTemplateHandlers } from './templates.routes.ts';
