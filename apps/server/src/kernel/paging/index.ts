/**
 * Paging by keyset: the one implementation. A page token carries the sort key of the last item and is bound to the
 * operation, the caller, the filters and the order (docs/decisions/lists.md): used with others it is a 400. Page size
 * and load flags
 * may change from page to page.
 */
import { defaultPageSize, maximumPageSize } from '@portico/contract';
import { countRows } from '@portico/platform/db/count-rows';
import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import { stableHash } from '@portico/platform/tokens';
import { Parameters } from '../access/index.ts';
import { invalid, PorticoError } from '../errors.ts';
import type { Scope } from '../scope.ts';

/** Paging inputs as they come in a body (or, where the contract says so, in the query; the body wins). */
export interface PagingInput {
  pageToken?: string | null;
  pageSize?: number | null;
  calculateTotalItemsCount?: boolean | null;
}

/** A page asked for. */
export interface PageRequest<Key extends readonly unknown[]> {
  /** Items on the page; ask the database for one more to learn whether another page exists. */
  readonly size: number;
  /** Sort key of the last item of the page before, or undefined for the first page. */
  readonly after: Key | undefined;
  readonly withTotal: boolean;
  /** Makes the token of the next page. @param key sort key of this page's last item */
  tokenAfter(key: Key): string;
}

/** The paged envelope. */
export interface Page<T> {
  items: T[];
  nextPageToken?: string;
  totalItemsCount?: number;
}

interface TokenPayload {
  h: string;
  k: readonly unknown[];
}

/**
 * Reads the paging inputs of a request.
 * @param operation operation id the token is bound to
 * @param binding filters, order and ids the list depends on; any JSON. Leave out load flags.
 * @throws ValidationError for a page size below 1, PorticoError PAGE_TOKEN_INVALID or PAGE_TOKEN_FILTERS_CHANGED
 */
export function readPaging<Key extends readonly unknown[]>(
  scope: Scope,
  operation: string,
  input: PagingInput | undefined,
  binding: unknown,
  query?: PagingInput,
): PageRequest<Key> {
  const asked = input?.pageSize ?? query?.pageSize ?? defaultPageSize;
  if (asked < 1)
    throw invalid(
      'pageSize',
      'INVALID_VALUE',
      `pageSize must be at least 1; more than ${maximumPageSize} is cut to ${maximumPageSize}.`,
    );
  const token = input?.pageToken ?? query?.pageToken;
  const hash = stableHash([operation, scope.actor.userId, binding]);
  const signer = scope.settings.opaqueTokens;
  let after: Key | undefined;
  if (token) {
    const payload = signer.verify<TokenPayload>('page', token);
    if (!payload) throw new PorticoError('PAGE_TOKEN_INVALID', { field: 'pageToken' });
    if (payload.h !== hash) throw new PorticoError('PAGE_TOKEN_FILTERS_CHANGED', { field: 'pageToken' });
    after = payload.k as Key;
  }
  return {
    size: Math.min(asked, maximumPageSize),
    after,
    withTotal: (input?.calculateTotalItemsCount ?? query?.calculateTotalItemsCount) === true,
    tokenAfter: (key) => signer.sign('page', { h: hash, k: key } satisfies TokenPayload),
  };
}

/**
 * A page ends with the item whose texts reach so many bytes: an answer holds them several times while it is made, and no request may
 * keep more than 64 MB (docs/security.md).
 */
export const pageBytes = 4 * 1024 * 1024;

/**
 * Returns SQL that ends a page once the column `bytes` sums up to {@link pageBytes}. The first row
 * always stays.
 * @param rows SQL of the rows
 * @param order SQL of their order
 * @returns SQL of a FROM item without its alias; `found` is the number of rows before the cut
 */
export function withinPageBytes(rows: string, order: string): string {
  return `(SELECT * FROM (SELECT r.*, (count(*) OVER ())::int AS found,
       sum(r.bytes) OVER (ORDER BY ${order} ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS bytes_before
     FROM (${rows}) r) s WHERE coalesce(bytes_before, 0) < ${pageBytes})`;
}

/**
 * Cuts `size + 1` rows to a page.
 * @param key sort key of a row, as {@link PageRequest.after} will give it back: only JSON values
 */
export function toPage<Row, Key extends readonly unknown[]>(
  request: PageRequest<Key>,
  rows: readonly Row[],
  key: (row: Row) => Key,
): { rows: Row[]; nextPageToken?: string } {
  if (rows.length <= request.size) return { rows: [...rows] };
  const kept = rows.slice(0, request.size);
  return { rows: kept, nextPageToken: request.tokenAfter(key(kept.at(-1) as Row)) };
}

/** A sort key as page tokens carry it: times are epoch milliseconds. */
export type SortKey = readonly (string | number | boolean)[];

/** A column of a sort key. */
export interface SortColumn {
  /** SQL of the value; never NULL. Times are whole milliseconds, the precision of a key. */
  sql: string;
  desc: boolean;
  type: 'text' | 'smallint' | 'integer' | 'bigint' | 'boolean' | 'timestamptz';
}

/** How page tokens carry values. */
const JSON_TYPES: Readonly<Record<SortColumn['type'], 'string' | 'number' | 'boolean'>> = {
  text: 'string',
  smallint: 'number',
  integer: 'number',
  bigint: 'number',
  boolean: 'boolean',
  timestamptz: 'number',
};

/** A text or time that may be NULL: last in both directions (docs/decisions/lists.md). */
export function nullable(sql: string, type: 'text' | 'timestamptz', desc: boolean): SortColumn[] {
  const filler = type === 'text' ? `''` : `'epoch'::timestamptz`;
  return [
    { sql: `(${sql} IS NULL)`, desc: false, type: 'boolean' },
    { sql: `coalesce(${sql}, ${filler})`, desc, type },
  ];
}

/** An identifier of another system: empty ones last in both directions, case counts second (docs/decisions/lists.md). */
export function byExternalId(sql: string, desc: boolean): SortColumn[] {
  return [
    { sql: `(${sql} IS NULL)`, desc: false, type: 'boolean' },
    { sql: `coalesce(lower(${sql} COLLATE "C"), '')`, desc, type: 'text' },
    { sql: `coalesce(${sql}, '') COLLATE "C"`, desc, type: 'text' },
  ];
}

/** `ORDER BY` of a sort key. */
export function orderBySql(columns: readonly SortColumn[]): string {
  return columns.map((column) => `${column.sql} ${column.desc ? 'DESC' : 'ASC'}`).join(', ');
}

/**
 * Returns the conditions "comes after this key", or no conditions without a key. A single row
 * comparison if all columns have the same direction (an index range), else the expanded form with a
 * condition that narrows an index on the leading column.
 * @throws PorticoError PAGE_TOKEN_INVALID for a key of other columns
 */
export function afterKeySql(
  columns: readonly SortColumn[],
  key: readonly unknown[] | undefined,
  parameters: Parameters,
): string[] {
  if (!key) return [];
  // A token of another version of the server may carry another key.
  if (key.length !== columns.length || columns.some(({ type }, index) => typeof key[index] !== JSON_TYPES[type]))
    throw new PorticoError('PAGE_TOKEN_INVALID', { field: 'pageToken' });
  const values = columns.map(
    ({ type }, index) =>
      `${parameters.add(type === 'timestamptz' ? new Date(key[index] as number) : key[index])}::${type}`,
  );
  const [first] = columns;
  if (columns.every((column) => column.desc === first!.desc)) {
    const operator = first!.desc ? '<' : '>';
    return [`(${columns.map((column) => column.sql).join(', ')}) ${operator} (${values.join(', ')})`];
  }
  const cases = columns.map((column, index) => {
    const equal = columns.slice(0, index).map((before, position) => `${before.sql} = ${values[position]}`);
    return `(${[...equal, `${column.sql} ${column.desc ? '<' : '>'} ${values[index]}`].join(' AND ')})`;
  });
  return [`${first!.sql} ${first!.desc ? '<=' : '>='} ${values[0]}`, `(${cases.join(' OR ')})`];
}

/** A list as SQL. */
interface PagedList {
  /** Selected columns; a function adds parameters that the count does not need. */
  readonly select: string | ((parameters: Parameters) => string);
  readonly from: string;
  readonly where: readonly string[];
  /** Ends with columns that are unique for a row. */
  readonly order: readonly SortColumn[];
  /** Bytes of the texts of a row, where these are long: they bound the page. */
  readonly bytes?: string;
}

/**
 * Reads a page of a list, and counts the list where the caller asks for it.
 * @param listParameters of `from` and `where`; not changed
 * @returns the rows, and the other members of the answer
 */
export async function readPage<Row extends object>(
  db: TenantExecutor,
  page: PageRequest<SortKey>,
  { select, from, where, order, bytes }: PagedList,
  listParameters: Parameters,
): Promise<Omit<Page<Row>, 'items'> & { rows: Row[] }> {
  // A copy: the caller may read another page with the same parameters.
  const parameters = new Parameters(listParameters.values);
  const keys = order.map(({ sql }, index) => `${sql} AS "key${index}"`).join(', ');
  const conditions = [...where, ...afterKeySql(order, page.after, parameters)];
  const shown = typeof select === 'string' ? select : select(parameters);
  const list = `SELECT ${shown}, ${keys}${bytes ? `, ${bytes} AS bytes` : ''} FROM ${from} WHERE ${conditions.join(' AND ')}
      ORDER BY ${orderBySql(order)} LIMIT ${parameters.add(page.size + 1)}`;
  const sorted = orderBySql(order.map((column, index) => ({ ...column, sql: `"key${index}"` })));
  const found = await db.query<Row & Record<string, SortKey[number]> & { found?: number }>(
    bytes ? `SELECT * FROM ${withinPageBytes(list, sorted)} t ORDER BY ${sorted}` : list,
    parameters.values,
  );
  const keyOf = (row: Record<string, SortKey[number]>) => order.map((_, index) => row[`key${index}`]!);
  const last = found.at(-1);
  return {
    ...toPage(page, found, keyOf),
    ...(last?.found !== undefined && found.length < last.found && { nextPageToken: page.tokenAfter(keyOf(last)) }),
    ...(page.withTotal && {
      totalItemsCount: await countRows(db, `${from} WHERE ${where.join(' AND ')}`, listParameters.values),
    }),
  };
}
