/**
 * Changes of definitions while posts hold data: at once if posts are few, else in the background.
 */
export { changeFieldType } from './change-field-type.ts';
export { definitionChangeHandlers } from './definition-changes.routes.ts';
export { removeField } from './remove-field.ts';
export { workOnChange } from './work-on-change.ts';
