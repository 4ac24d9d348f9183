/** The index adviser (docs/adr/0010-index-adviser.md). */
export {
  adviseIndexes,
  type IndexAdvice,
  type RecommendedIndex,
} from './advise-indexes.ts';
export { type BuildOptions, buildIndexes, dropIndexes } from './build-indexes.ts';
