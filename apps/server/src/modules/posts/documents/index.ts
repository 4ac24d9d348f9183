/** Searching posts by the text of the documents that hang on them. */
export { indexDocuments } from './index-documents.ts';
