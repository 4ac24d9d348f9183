/**
 * Parsed form of a mapping: the source of each part of a post, and the definition of its community.
 */
import type { FieldType, PartUse, ValidationType, Visibility } from '@portico/contract';
import type { CommunityRole, OpenToRole } from '../../../kernel/scope.ts';
import type { FieldDefinition } from '../../communities/index.ts';

/** Source of a value and its conversions, in the order of the properties. */
export interface Source {
  /** Name of the source for reports: the column, or its replacement. */
  readonly name: string;
  /** `row`: a column of the row; `item`: a key of the element of a nested list. */
  readonly from: 'row' | 'item';
  /** Columns whose values are joined in this order; empty if `value` or `template` is given. */
  readonly columns: readonly string[];
  /** Reads every column of the name, if the file has several. */
  readonly repeated?: boolean;
  /** The line on which the row begins. */
  readonly line?: boolean;
  /** Files may lack the column. */
  readonly optional?: boolean;
  /** Text with `{column}` in it. */
  readonly template?: string;
  /** The same value for every row. */
  readonly value?: string | number | boolean;
  /** Splits text into several values. */
  readonly split?: string;
  /** Words that stand for no value. */
  readonly empty: ReadonlySet<string>;
  /** Replaces values. */
  readonly map?: ReadonlyMap<string, string | number | boolean | null>;
  /** Handling of a value that `map` does not name. Default `keep`. */
  readonly unmapped: 'keep' | 'empty' | 'refuse';
  /** Writes dates as text, `YYYY-MM-DD`. */
  readonly as?: 'date';
  readonly pick?: 'first' | 'last';
  /** Puts several values together into one text. */
  readonly join?: string;
  readonly prefix: string;
  readonly suffix: string;
  /** Used when nothing else is left. */
  readonly default?: string | number | boolean;
  readonly date: DateFormat;
  readonly number: NumberMarks;
  readonly words: { readonly yes: readonly string[]; readonly no: readonly string[] };
}

/** The marks of numbers. */
export interface NumberMarks {
  /** Decimal mark; empty if the mapping assigns the point to thousands and names no other. */
  readonly decimal: string;
  /** Whether the mapping names the decimal mark; otherwise whole numbers have none. */
  readonly named: boolean;
  /** Mark between groups of three digits; empty: no mark. */
  readonly thousands: string;
}

/** Date settings: every form that a column may have. */
export interface DateFormat {
  readonly forms: readonly DateForm[];
  /** Zone of a day, and of a date-time without offset. IANA name. */
  readonly timezone: string;
}

/** Form of dates: for example `auto`, `epoch-ms` or the pattern `DD/MM/YYYY HH:mm`. */
export interface DateForm {
  /** Name in the mapping. */
  readonly name: string;
  /** @returns undefined for a value in another format, or for a day that does not exist */
  readonly read: (value: string | number) => WrittenDate | undefined;
}

/** A date as it is written. */
export interface WrittenDate {
  /** The day that is written: `2024-02-29`. */
  readonly day: string;
  /** The time without an offset: `13:00`, with seconds and a fraction where they are written. */
  readonly time?: string;
  /** Epoch milliseconds, if the text states the instant. */
  readonly instant?: number;
}

/**
 * Source of a person: a name (or `Name <address>`, or an address), and optionally an address in a
 * separate column.
 */
export interface PersonSource {
  readonly name: Source;
  readonly email?: Source;
}

export type TextFormatName = 'plain' | 'markdown' | 'delta';

export interface BodySource {
  readonly source: Source;
  readonly format: TextFormatName;
}

export type EntityTarget = 'user' | 'group' | 'post';

/** Custom field and the source of its values. */
export interface FieldMapping {
  /** External id of the field, which identifies it in later imports. */
  readonly key: string;
  /** Field of the community that the key names; absent if the mapping defines the field. */
  readonly known?: FieldDefinition | undefined;
  readonly type: FieldType;
  readonly label: string;
  readonly description?: string;
  readonly required: boolean;
  /** Default: depends on the type (links are read-only). */
  readonly readonly?: boolean;
  readonly searchable: boolean;
  readonly sortable: boolean;
  readonly preview: boolean;
  readonly metadata: Readonly<Record<string, string>>;
  readonly validations: readonly { readonly typeId: ValidationType; readonly parameter?: string }[];
  /** Enumerated fields: the catalog that holds the values; absent: a list of the field's own. */
  readonly catalog?: { readonly name: string; readonly externalId?: string };
  /** Enumerated fields: values to be there from the start, in this order. */
  readonly values: readonly string[];
  /** Enumerated fields: whether values that are not there yet are added (else the row is refused). */
  readonly addValues: boolean;
  /** Hierarchical fields: key of the field above. */
  readonly parent?: string;
  /**
   * References: kind of the target. Posts are named by external id (without its prefix and suffix).
   */
  readonly entity?: EntityTarget;
  /** Rich text: how the file writes it. */
  readonly format: TextFormatName;
  readonly source: Source;
  /** Handling of an invalid value: `refuse` the row, or `drop` the value. */
  readonly onError: 'refuse' | 'drop';
}

export interface StateMapping {
  readonly name: string;
  readonly description?: string;
  readonly color?: string;
  readonly initial: boolean;
  readonly terminal: boolean;
}

export interface TransitionMapping {
  readonly name: string;
  readonly from: readonly string[];
  readonly to: string;
  readonly roles: readonly OpenToRole[];
  readonly byAuthor: boolean;
}

export interface CommentMapping {
  /** Column that holds a list of comments; absent: one comment from columns of the row. */
  readonly forEach?: string;
  /** Columns of this name each hold a comment. */
  readonly repeated?: string | undefined;
  /** Splits the text of such a column; the last part is the rest. */
  readonly parts?: { readonly names: readonly string[]; readonly separator: string } | undefined;
  readonly text: Source;
  readonly format: TextFormatName;
  readonly author?: PersonSource | undefined;
  readonly at?: Source | undefined;
  /** External id of a comment; default: its place among the comments of the row. */
  readonly externalId?: Source;
}

/** The file of changes: each becomes an event of a post's history. */
export interface ChangesMapping {
  /** Column that holds a list: each element is a change of one post. */
  readonly forEach?: string;
  readonly externalId: Source;
  readonly at: Source;
  readonly author?: PersonSource;
  readonly note?: Source;
}

export interface CsvOptions {
  /** Default: a tab if the file's name ends in `.tsv`, else a comma. */
  readonly delimiter?: string;
  readonly quote: string;
  /**
   * Label of the Encoding Standard. Default: detected from the first bytes of the file, else UTF-8.
   */
  readonly encoding?: string | undefined;
  /** Names of the columns when the file has no line of them. */
  readonly header?: readonly string[];
  /** Lines before the line of column names; default 0. */
  readonly skip?: number;
}

/** Place of the rows in a file that is read as a whole. */
export interface DocumentOptions {
  /** JSON: the names that lead to the list of rows; empty: the document is the list. */
  readonly path: readonly string[];
  /** JSON: the program that wrote the export, if rows are assembled from several lists. */
  readonly shape?: 'trello' | undefined;
  /** JSON: finds the list of rows, or recognises the shape, in place of `path` and `shape`. */
  readonly find?: true;
  /** Workbooks: the sheet, by name or number; the first is 1. */
  readonly sheet: string | number;
  /** Workbooks: number of rows before the column names. */
  readonly skip: number;
  /** Workbooks: names of the columns when the sheet has no row of them. */
  readonly header?: readonly string[] | undefined;
}

export interface CommunityMapping {
  readonly description?: string;
  readonly color?: string;
  readonly externalId?: string;
  readonly defaultVisibility?: Visibility;
  readonly title?: PartUse;
  readonly body?: PartUse;
  readonly events?: boolean;
  /**
   * Role for writers of posts and comments who have none. Default 2 (contributor); null: no role.
   */
  readonly authorRole?: CommunityRole | null;
  /** Addresses of people who become managers of the community. */
  readonly managers: readonly string[];
}

/** Format of a file of rows. */
export type InputFormat = (typeof INPUT_FORMATS)[number];
export const INPUT_FORMATS = ['csv', 'ndjson', 'json', 'xlsx'] as const;

export interface Mapping {
  /** Name under which the import remembers its objects; default: workspace and community. */
  readonly name?: string;
  readonly format?: InputFormat;
  readonly csv: CsvOptions;
  readonly document: DocumentOptions;
  readonly externalId: Source;
  readonly title?: Source;
  readonly body?: BodySource;
  readonly author?: PersonSource;
  readonly created?: Source;
  readonly modified?: Source;
  readonly modifier?: PersonSource;
  readonly visibility?: Source;
  readonly draft?: Source;
  readonly pinned?: Source;
  readonly announcement?: Source;
  readonly watchers?: Source;
  readonly hashtags?: Source;
  readonly state?: Source;
  readonly workflow?: {
    readonly title: string;
    readonly states: readonly StateMapping[];
    readonly transitions: readonly TransitionMapping[];
    /** Whether to add states that rows name and the mapping does not. */
    readonly addStates: boolean;
  };
  readonly community: CommunityMapping;
  readonly fields: readonly FieldMapping[];
  readonly comments: readonly CommentMapping[];
  readonly changes?: ChangesMapping;
}
