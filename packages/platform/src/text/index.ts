/**
 * Text in one normal form: sort keys, search documents and terms, LIKE patterns. Lengths of texts; names that look alike; escapes of
 * workbooks. */
export { counted } from './counted.ts';
export { normaliseParts, normaliseText, storableText, unicodeForm } from './fold.ts';
export { endOfString } from './json-strings.ts';
export { exceededLimit, type StructureLimits } from './json-structure.ts';
export * from './length.ts';
export { readAsAscii } from './look-alike.ts';
export { editDistance, type Nearest, nearestOf, unknownName } from './nearest.ts';
export {
  escapeLike,
  likePattern,
  searchDocument,
  searchDocumentParts,
  searchTerms,
} from './search.ts';
export { compareSortKeys, cutCodePoints, sortKey, sortKeyWithTies } from './sort-key.ts';
export { isOfPairs, type TextWord, textWords } from './words.ts';
export { decodeXString, encodeXString } from './xstring.ts';
