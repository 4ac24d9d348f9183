/** Text in one normal form: sort keys, search documents and terms, LIKE patterns. */
export * from './normalise.ts';
