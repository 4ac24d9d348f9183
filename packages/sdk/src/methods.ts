/** The methods of the client and their types, derived from the operations of the contract. */
import type {
  Domain,
  DryRun,
  ExportFormat,
  ExportTimes,
  OperationId,
  OperationIo,
  operations,
} from '@portico/contract';
import type { RequestOptions } from './transport.ts';

type Table = typeof operations;

export type MethodDomain = Domain;

type PagingName = 'pageToken' | 'pageSize' | 'calculateTotalItemsCount';
/** Paging inputs are sent in the body if there is one. */
type QueryOf<K extends OperationId> = OperationIo[K]['body'] extends undefined
  ? OperationIo[K]['query']
  : Omit<OperationIo[K]['query'], PagingName>;
type BodyOf<K extends OperationId> = OperationIo[K]['body'] extends undefined ? unknown : OperationIo[K]['body'];
type Flat<T> = { [P in keyof T]: T[P] };

/** Names of workflow states, hashtags and fields, in addition to ids (see names.ts). */
export interface NamedFilters {
  /** Conditions on custom fields by label, external id or number: `{ Status: 'Draft', 'Due date': { from, to } }`. */
  where?: Where;
  /** Workflow states by name, external id or number. */
  state?: string | number | readonly (string | number)[];
  /** Hashtags by name, external id or number. */
  hashtags?: string | number | readonly (string | number)[];
  /** A name of the interface (`postTitle`), or the label or external id of a sortable custom field. */
  orderBy?: string;
}

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
      readonly from?: Operand | null;
      readonly to?: Operand | null;
      readonly equals?: Operand;
      readonly contains?: Operand;
      readonly in?: readonly Operand[];
      readonly inOrEmpty?: readonly Operand[];
      readonly empty?: true;
    };

export type Where = Readonly<Record<string, Condition>>;

/**
 * Only the server knows the orders of users and groups: an unknown order returns 400 and is no type
 * error.
 */
interface OpenOrder<T> {
  orderTypeId?: T | (string & {});
}

type WithNames<K, T> = K extends 'listCommunityPostsFiltered' | 'listCommunityPosts'
  ? Omit<T, 'orderBy'> & NamedFilters
  : K extends 'listSystemUsers' | 'listSystemGroups'
    ? Omit<T, 'orderTypeId'> & OpenOrder<'orderTypeId' extends keyof T ? T['orderTypeId'] : never>
    : T;

/**
 * Input of a method: path parameters, query parameters and the fields of the body in one plain
 * object.
 */
export type Input<K extends OperationId> = WithNames<K, Flat<OperationIo[K]['params'] & QueryOf<K> & BodyOf<K>>>;

/**
 * Result of a method: the body of the answer; undefined if it is empty. Writes add `dryRun` on
 * request.
 */
export type Output<K extends OperationId> = Table[K]['kind'] extends 'write'
  ? OperationIo[K]['response'] extends undefined
    ? { dryRun?: DryRun } | undefined
    : OperationIo[K]['response'] & { dryRun?: DryRun }
  : OperationIo[K]['response'];

type NeedsInput<K extends OperationId> = keyof OperationIo[K]['params'] extends never ? false : true;

type Method<K extends OperationId> =
  NeedsInput<K> extends true
    ? (input: Input<K>, options?: RequestOptions) => Promise<Output<K>>
    : (input?: Input<K>, options?: RequestOptions) => Promise<Output<K>>;

type ItemOf<K extends OperationId> = OperationIo[K]['response'] extends { items?: (infer I)[] } ? I : never;
/** Input of an iterator: the input of the list, and the maximum number of items. */
export type IterateInput<K extends OperationId> = Omit<Input<K>, 'calculateTotalItemsCount'> & { limit?: number };

type Iterate<K extends OperationId> =
  NeedsInput<K> extends true
    ? (input: IterateInput<K>, options?: RequestOptions) => AsyncGenerator<ItemOf<K>, void, undefined>
    : (input?: IterateInput<K>, options?: RequestOptions) => AsyncGenerator<ItemOf<K>, void, undefined>;

/** Options of the export of a list. */
export interface ExportOptions extends RequestOptions {
  /** Default `csv`. */
  format?: ExportFormat;
  /** Columns by name, for posts also `customData.12`; absent for the default columns. */
  columns?: readonly string[];
  /** IANA name of the time zone of times; absent for the caller's. */
  timezone?: string;
  /** Form of times in CSV and workbooks: local time (default), or with the offset. */
  times?: ExportTimes;
}

/** The file of a list as a stream. */
type Export<K extends OperationId> =
  NeedsInput<K> extends true
    ? (input: ExportInput<K>, options?: ExportOptions) => Promise<ReadableStream<Uint8Array>>
    : (input?: ExportInput<K>, options?: ExportOptions) => Promise<ReadableStream<Uint8Array>>;
type ExportInput<K extends OperationId> = Omit<Input<K>, PagingName | 'fields'>;
type ExportName<N extends string> = N extends `list${infer Rest}` ? `export${Rest}` : `export${Capitalize<N>}`;

type IteratorName<N extends string> = N extends `list${infer Rest}` ? `iterate${Rest}` : `iterate${Capitalize<N>}`;
type PagedIn<T extends Readonly<Record<string, OperationId>>> = {
  [N in keyof T]: Table[T[N]]['paging'] extends 'page' ? N : never;
}[keyof T];

/** The methods of one domain. */
export type DomainMethods<T extends Readonly<Record<string, OperationId>>> = {
  readonly [N in keyof T]: Method<T[N]>;
} & {
  readonly [N in PagedIn<T> & string as IteratorName<N>]: Iterate<T[N]>;
} & {
  readonly [N in PagedIn<T> & string as ExportName<N>]: Export<T[N]>;
};

/** Name of the iterator of a list. */
export function iteratorName(method: string): string {
  if (method.startsWith('list')) return `iterate${method.slice('list'.length)}`;
  return `iterate${method.charAt(0).toUpperCase()}${method.slice(1)}`;
}

/** Name of the export of a list. */
export function exportName(method: string): string {
  return iteratorName(method).replace('iterate', 'export');
}

const pagingNames: ReadonlySet<string> = new Set<PagingName>(['pageToken', 'pageSize', 'calculateTotalItemsCount']);

/** The parts of a request. */
interface Parts {
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  /** undefined for operations without a body. */
  body: Record<string, unknown> | undefined;
}

/** Splits a plain input into path, query and body. Undefined values are omitted. */
export function splitInput(
  operation: { pathParams: object; query: object; bodyless: boolean },
  input: Readonly<Record<string, unknown>>,
): Parts {
  const parts: Parts = { params: {}, query: {}, body: operation.bodyless ? undefined : {} };
  for (const [name, value] of Object.entries(input)) {
    if (value === undefined) continue;
    if (Object.hasOwn(operation.pathParams, name)) parts.params[name] = value;
    else if (Object.hasOwn(operation.query, name) && !(parts.body && pagingNames.has(name))) parts.query[name] = value;
    else if (parts.body) parts.body[name] = value;
    else throw new TypeError(`"${name}" is not an input of this operation`);
  }
  return parts;
}
