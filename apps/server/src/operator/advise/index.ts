/** The index adviser (docs/adr/0010-index-adviser.md). */
export {
  type AdvisedIndex,
  adviseIndexes,
  type IndexAdvice,
  type RecommendedIndex,
  type SlowShape,
} from './advise-indexes.ts';
export { type BuildOptions, buildIndexes, dropIndexes } from './build-indexes.ts';
