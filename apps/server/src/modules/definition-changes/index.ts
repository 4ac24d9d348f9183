/** Changes of definitions while posts hold data: at once where posts are few, else in the background. */
export { definitionChangeHandlers } from './definition-changes.routes.ts';
export { workOnChange } from './work-on-change.ts';
