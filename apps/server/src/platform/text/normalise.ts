/** Text: normal form, sort keys and search. Everything the rest of the server uses of this folder. */
export { normaliseText, storableText, unicodeForm } from './fold.ts';
export {
  escapeLike,
  likePattern,
  matchesSearch,
  searchDocument,
  searchTerms,
} from './search.ts';
export { compareSortKeys, cutCodePoints, SORT_KEY_LENGTH, sortKey, sortKeyWithTies } from './sort-key.ts';
