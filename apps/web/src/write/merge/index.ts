/** Conflicts between two people who edited the same: loaded when there is one. */
export { ConflictPanel } from './conflict-panel.tsx';
export { mergeFields } from './merge-fields.ts';
export { mergeValues } from './merge-values.ts';
