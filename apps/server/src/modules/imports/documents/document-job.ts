/** Job of the process that reads documents: files whose rows cannot be read line by line. */
import type { DocumentOptions } from '../source/mapping-types.ts';

/** Document, and the target of its rows. */
export interface DocumentJob {
  /** Path of the document. */
  readonly input: string;
  /** Path of the output file, with one row per line as JSON. */
  readonly output: string;
  readonly format: 'json' | 'xlsx';
  readonly options: DocumentOptions;
  /** Maximum of bytes of the rows. */
  readonly mostBytes: number;
}

/**
 * Result of reading a document: the columns that it names itself, or the reason of a failure, as a
 * phrase.
 */
export type DocumentAnswer =
  | ({ readonly columns?: readonly string[] } & Partial<FoundRows>)
  | { readonly problem: string };

/** Place of the rows in a document. */
export type FoundRows = Pick<DocumentOptions, 'path' | 'shape'>;

/**
 * Thrown when a document has no rows at the place that the mapping names. The message is a phrase.
 */
export class DocumentProblem extends Error {
  override name = 'DocumentProblem';
}
