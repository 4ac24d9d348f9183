/**
 * Paging by keyset: the one implementation. A page token carries the sort key of the last item and is bound to the
 * operation, the caller, the filters and the order (docs/decisions/lists.md): used with others it is a 400. Page size
 * and load flags
 * may change from page to page.
 */
import { defaultPageSize, maximumPageSize } from '@portico/contract';
import { stableHash } from '../../platform/tokens/index.ts';
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

/** One column of a sort key. */
export interface SortColumn {
  /** SQL of the value; never NULL. */
  sql: string;
  desc: boolean;
}

/** `ORDER BY` of a sort key. */
export function orderBySql(columns: readonly SortColumn[]): string {
  return columns.map((column) => `${column.sql} ${column.desc ? 'DESC' : 'ASC'}`).join(', ');
}

/**
 * The condition "comes after this key". One row comparison when all columns run the same way (an index range), else the
 * expanded form.
 * @param placeholders SQL of the key's values, one per column
 */
export function afterKeySql(columns: readonly SortColumn[], placeholders: readonly string[]): string {
  const directions = new Set(columns.map((column) => column.desc));
  if (directions.size === 1) {
    const operator = columns[0]!.desc ? '<' : '>';
    return `(${columns.map((column) => column.sql).join(', ')}) ${operator} (${placeholders.join(', ')})`;
  }
  const cases = columns.map((column, index) => {
    const equal = columns.slice(0, index).map((before, position) => `${before.sql} = ${placeholders[position]}`);
    return `(${[...equal, `${column.sql} ${column.desc ? '<' : '>'} ${placeholders[index]}`].join(' AND ')})`;
  });
  return `(${cases.join(' OR ')})`;
}
