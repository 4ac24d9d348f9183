/** Custom values of posts and of workflow screens: how they are read, checked and kept. */
export { type FieldPath, fieldError } from './errors.ts';
export { type FieldRule, type FieldRules, fieldRules } from './field-rules.ts';
export {
  existingPrincipals,
  holdsPosts,
  loadReferences,
  type References,
  WantedReferences,
} from './references.ts';
export { extendsVisibility, type TextRow, textRow, type ValueRow, valueRows } from './rows.ts';
export {
  insertFieldValues,
  type PostValues,
  refreshPostSearch,
  type SearchSource,
  searchTexts,
  storeSearchTexts,
  writeFieldValues,
} from './store.ts';
export {
  checkFieldData,
  type FieldDataRequest,
  type FieldDataResult,
  type ParsedFieldData,
  parseFieldData,
  validateFieldData,
} from './validate.ts';
