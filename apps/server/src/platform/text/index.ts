/** Text in one normal form: sort keys, search documents and terms, LIKE patterns. Lengths of texts. */
export * from './length.ts';
export * from './normalise.ts';
