/** Text in one normal form: sort keys, search documents and terms, LIKE patterns. Lengths of texts; names that look alike. */
export * from './length.ts';
export { nearestOf } from './nearest.ts';
export * from './normalise.ts';
