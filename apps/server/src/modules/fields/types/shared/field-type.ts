/**
 * Server-side facts about a type of field, in addition to the published ones (`FieldTypeFacts` of
 * the contract).
 */
import type { FieldTypeFacts, JsonValue, TextFormat } from '@portico/contract';

/** A value in its stored form. */
export type StoredValue = number | string | boolean | number[];

/** Parts of a field's definition on which its values depend. */
export interface FieldMetadata {
  readonly metadata: Readonly<Record<string, string>>;
}

/** A key of the metadata that fields of a type have. */
export interface MetadataKey {
  accepts(text: string): boolean;
  /** Accepted values, as a sentence. */
  readonly message: string;
  /** Value for readers if the definition has none. */
  readonly default?: string;
  /** Whether fields of the type must have it. */
  readonly required?: true;
}

/** Source of sample values. */
export interface SampleSource extends FieldMetadata {
  readonly random: {
    /** Returns a number from 0 up to, but not including, 1. */
    next(): number;
    /** Returns a whole number, both bounds included. */
    int(from: number, to: number): number;
    /** @param probability 0 to 1 */
    chance(probability: number): boolean;
    pick<T>(list: readonly T[]): T;
    /** Returns different elements of a list, at most `count`. */
    some<T>(list: readonly T[], count: number): T[];
  };
  /** Earliest date of samples. Epoch milliseconds. */
  readonly at: number;
  readonly sentences: readonly string[];
  /** Prefix of the addresses of links. */
  readonly site: string;
  /** Ids from which values are chosen. */
  readonly ids: readonly number[];
}

/** PostgreSQL types of the columns. */
export const columnTypes = { big: 'bigint', num: 'double precision', txt: 'text', ref: 'bigint' } as const;

interface AnyType {
  /**
   * Reads a written value that is neither null nor an empty string.
   * @param deltaFormat format of rich text
   * @returns the stored form, undefined for an empty value
   * @throws ValueError
   */
  parse(value: unknown, field: FieldMetadata, deltaFormat: TextFormat): StoredValue | undefined;
  /** Returns the entries of a stored value in `post_values`, a row for each element. */
  columnValues(value: StoredValue): readonly (number | string)[];
  /** Returns a value in words, for use outside of a form. Not used for ids. */
  words(value: JsonValue): string;
  /** Whether a value is clear without the label of its field. */
  readonly readsAlone?: true;
  /** Whether requests cannot write values unless the definition allows it. */
  readonly readonlyByDefault?: true;
  readonly metadata?: Readonly<Record<string, MetadataKey>>;
  /**
   * Returns a key of the metadata that contradicts another one, with the accepted values as a
   * sentence.
   */
  metadataFault?(field: FieldMetadata): { key: string; message: string } | undefined;
  /** Returns a valid value in its stored form; undefined when there is nothing to choose from. */
  sample(from: SampleSource): StoredValue | undefined;
}

/** Numbers and dates. */
export interface NumberType extends AnyType {
  readonly filter: 'number';
  readonly column: 'big' | 'num';
  /**
   * Reads the parameter of a filter. @returns the value for comparison with the column @throws
   * ValueError
   */
  readParameter(value: JsonValue): number | string;
  /** Reads a bound of an interval; default: like any parameter. @throws ValueError */
  readBound?(value: JsonValue): number | string;
}

export interface FlagType extends AnyType {
  readonly filter: 'flag';
  readonly column: 'big';
}

/** Text that filters and search find. */
export interface TextType extends AnyType {
  readonly filter: 'text';
  readonly column: 'txt';
  plainText(value: StoredValue): string;
  /** Returns SQL of the plain text, given SQL of the stored value as text. */
  plainTextSql(stored: string): string;
}

/** Ids of values of lists, or of people, groups and posts. */
export interface ReferenceType extends AnyType {
  readonly filter: 'choice' | 'objects';
  readonly column: 'ref';
}

/** Export of the file of a type: the server's handling of its values. */
export type FieldTypeImplementation = NumberType | FlagType | TextType | ReferenceType;

/** A type of field: its published facts, and the server's handling of its values. */
export type FieldTypeSpec = FieldTypeFacts & FieldTypeImplementation;
