/** Full-text search of posts by the text of attached documents. */
export { indexDocuments } from './index-documents.ts';
