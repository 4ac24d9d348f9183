/** The work of the process that reads documents: files whose rows cannot be read line by line. */
import type { DocumentOptions } from '../mapping-types.ts';

/** A document, and where its rows are written to. */
export interface DocumentJob {
  /** Path of the document. */
  readonly input: string;
  /** Path of the file that gets the rows, one in each line as JSON. */
  readonly output: string;
  readonly format: 'json' | 'xlsx';
  readonly options: DocumentOptions;
  /** Most bytes of the rows. */
  readonly mostBytes: number;
}

/** The result of reading a document: the columns that it names itself, or why it cannot be read, as a phrase. */
export type DocumentAnswer = { readonly columns?: readonly string[] } | { readonly problem: string };

/** A document that has no rows where the mapping says. Its message is a phrase. */
export class DocumentProblem extends Error {
  override name = 'DocumentProblem';
}
