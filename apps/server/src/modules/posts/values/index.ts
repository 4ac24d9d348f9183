/** Custom values of posts and of workflow screens: reading, validation and storage. */
export type { FieldPath } from './errors.ts';
export { type FieldRule, fieldRules } from './field-rules.ts';
export {
  loadReferences,
  WantedReferences,
} from './references.ts';
export { extendsVisibility } from './rows.ts';
export {
  insertFieldValues,
  refreshChangedSearch,
  refreshPostSearch,
  searchTexts,
  storeSearchTexts,
  writeFieldValues,
} from './store.ts';
export { checkScreenTexts, checkTextsTogether } from './text-limit.ts';
export {
  checkFieldData,
  type FieldDataResult,
  parseFieldData,
  validateFieldData,
} from './validate.ts';
