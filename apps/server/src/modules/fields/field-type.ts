/** What the server needs to know about a type of field, beside what is published (`FieldTypeFacts` of the contract). */
import type { FieldTypeFacts, JsonValue, TextFormat } from '@portico/contract';

/** A value in its stored form. */
export type StoredValue = number | string | boolean | number[];

/** The part of a field's definition that its values depend on. */
export interface FieldMetadata {
  readonly metadata: Readonly<Record<string, string>>;
}

/** A key of the metadata that fields of a type have. */
export interface MetadataKey {
  accepts(text: string): boolean;
  /** What is accepted, as a sentence. */
  readonly message: string;
  /** What readers see where the definition has none. */
  readonly default?: string;
  /** Whether fields of the type must have it. */
  readonly required?: true;
}

/** What sample values are drawn from. */
export interface SampleSource extends FieldMetadata {
  readonly random: {
    /** A number from 0 up to, not including, 1. */
    next(): number;
    /** A whole number, both bounds included. */
    int(from: number, to: number): number;
    /** @param probability 0 to 1 */
    chance(probability: number): boolean;
    pick<T>(list: readonly T[]): T;
    /** Different elements of a list, at most `count`. */
    some<T>(list: readonly T[], count: number): T[];
  };
  /** Dates lie after this. Epoch milliseconds. */
  readonly at: number;
  readonly sentences: readonly string[];
  /** Links start with this address. */
  readonly site: string;
  /** What values that are ids are chosen from. */
  readonly ids: readonly number[];
}

/** PostgreSQL types of the columns. */
export const columnTypes = { big: 'bigint', num: 'double precision', txt: 'text', ref: 'bigint' } as const;

interface AnyType {
  /**
   * Reads a written value that is neither null nor an empty string.
   * @param deltaFormat how rich text is written
   * @returns the stored form, undefined for an empty value
   * @throws ValueError
   */
  parse(value: unknown, field: FieldMetadata, deltaFormat: TextFormat): StoredValue | undefined;
  /** What `post_values` holds of a stored value, a row for each element. */
  columnValues(value: StoredValue): readonly (number | string)[];
  /** A value as people read it, outside of a form. Not used for ids. */
  words(value: JsonValue): string;
  /** Whether a value is understood without the label of its field. */
  readonly readsAlone?: true;
  /** Whether requests cannot write values unless the definition says so. */
  readonly readonlyByDefault?: true;
  readonly metadata?: Readonly<Record<string, MetadataKey>>;
  /** A key of the metadata that contradicts another one, and what is accepted as a sentence. */
  metadataFault?(field: FieldMetadata): { key: string; message: string } | undefined;
  /** A valid value in its stored form; undefined when there is nothing to choose from. */
  sample(from: SampleSource): StoredValue | undefined;
}

/** Numbers and dates. */
export interface NumberType extends AnyType {
  readonly filter: 'number';
  readonly column: 'big' | 'num';
  /** Reads the parameter of a filter. @returns what the column holds @throws ValueError */
  readParameter(value: JsonValue): number | string;
  /** Reads a bound of an interval; default: as any parameter. @throws ValueError */
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
  /** SQL of the plain text, given SQL of the stored value as text. */
  plainTextSql(stored: string): string;
}

/** Ids: of values of lists, or of people, groups and posts. */
export interface ReferenceType extends AnyType {
  readonly filter: 'choice' | 'objects';
  readonly column: 'ref';
}

/** What the file of a type exports: how the server treats its values. */
export type FieldTypeImplementation = NumberType | FlagType | TextType | ReferenceType;

/** Everything about a type of field: what is published, and how the server treats its values. */
export type FieldTypeSpec = FieldTypeFacts & FieldTypeImplementation;
