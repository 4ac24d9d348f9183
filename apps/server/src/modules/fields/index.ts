/** Types of custom fields: values, conditions, comparisons. */
export {
  circularFieldIds,
  conditionOperatorsOf,
  conditionsHold,
  conditionsSql,
  type FieldCondition,
  type FieldData,
  shownFieldIds,
} from './conditions.ts';
export { contradictedField, impliedConditions } from './contradictions.ts';
export { convertValue, LOST } from './convert.ts';
export {
  holdsIds,
  holdsLongText,
  holdsObjects,
  holdsText,
  isChoice,
  metadataProblems,
  momentIn,
  objectTypes,
  sameValue,
  storedIds,
  textTypeOf,
  typeNamesWhere,
  typeOf,
} from './field-types.ts';
export { conditionInWords, deletedName, elementsInWords, nameOf, valueInWords } from './in-words.ts';
export { brokenRules, crossedRules } from './rules.ts';
export { entityKind } from './types/generic-entity-list.ts';
export { columnTypes, type FieldTypeSpec, type NumberType, type StoredValue } from './types/shared/field-type.ts';
export { isKept, readFilterId } from './types/shared/numbers.ts';
export { MAX_TEXT_LENGTH } from './types/shared/texts.ts';
export { ValueError } from './types/shared/value-error.ts';
