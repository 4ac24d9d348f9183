/** Types of inputs that the generated interfaces share. */
import type { ExportFormat, ExportTimes, JsonValue } from '@portico/contract';
import type { RequestOptions } from './transport.ts';

/** Input of a method without inputs. */
export type NoInput = Readonly<Record<string, never>>;

/** A value to compare with: dates as epoch milliseconds, ISO text or Date. */
export type Operand = string | number | bigint | boolean | Date;

/**
 * A condition on a field. A bare value means the comparison that fits the type: text contains it, a
 * list holds it, else equality.
 */
export type Condition =
  | Operand
  | null
  | readonly Operand[]
  | {
      readonly from?: Operand | null | undefined;
      readonly to?: Operand | null | undefined;
      readonly equals?: Operand | undefined;
      readonly contains?: Operand | undefined;
      readonly in?: readonly Operand[] | undefined;
      readonly inOrEmpty?: readonly Operand[] | undefined;
      readonly empty?: true | undefined;
    };

export type Where = Readonly<Record<string, Condition>>;

/** Names of workflow states, hashtags and fields, in addition to ids (see names.ts). */
export interface NamedFilters {
  /**
   * Conditions on custom fields by label, external id or number:
   * `{ Status: 'Draft', 'Due date': { from, to } }`.
   */
  where?: Where | undefined;
  /** Workflow states by name, external id or number. */
  state?: string | number | readonly (string | number)[] | undefined;
  /** Hashtags by name, external id or number. */
  hashtags?: string | number | readonly (string | number)[] | undefined;
  /** A name of the interface (`postTitle`), or the label or external id of a sortable custom field. */
  orderBy?: string | undefined;
}

/**
 * A value of a custom field: text, number, `bigint`, boolean, `Date`, the label or id of a value of
 * a list, or null to empty the field.
 */
export type FieldInput = JsonValue | Date | bigint | readonly FieldInput[];

/** Values of custom fields by label, external id or number of the field. */
export type FieldValuesInput = Readonly<Record<string, FieldInput | undefined>>;

/** A selection of members: the response has these and the id. */
export interface Selected {
  fields: string | readonly string[];
}

/** A selection of members of the posts of a list. */
export type SelectedOfPosts = Selected | { loadPostDetails: false };

/** An object with selected members; its id is always among them. */
export type PartOf<T> = Partial<T> & Pick<T, 'id' & keyof T>;

/** A page whose items have the selected members. */
export type PageOfParts<Page, Item> = Omit<Page, 'items'> & { items: PartOf<Item>[] };

/** Options of the export of a list. */
export interface ExportOptions extends RequestOptions {
  /** Default `csv`. */
  format?: ExportFormat | undefined;
  /** Columns by name, for posts also `customData.12`; absent for the default columns. */
  columns?: readonly string[] | undefined;
  /** IANA name of the time zone of times; absent for the caller's. */
  timezone?: string | undefined;
  /** Form of times in CSV and workbooks: local time (default), or with the offset. */
  times?: ExportTimes | undefined;
}
