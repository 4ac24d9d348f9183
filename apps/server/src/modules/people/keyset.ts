/**
 * Ordering of the lists of people: empty values last in both directions, ties to the end of the key
 * (docs/decisions/lists.md).
 */

import type { Parameters } from '../../kernel/access/index.ts';
import { afterKeySql, orderBySql, type SortColumn } from '../../kernel/paging/index.ts';

/** One column of a list's sort key. */
export interface KeyColumn extends SortColumn {
  type: 'text' | 'bigint' | 'boolean' | 'timestamptz';
}

/** A key whose values are JSON: texts, numbers, booleans; times as epoch milliseconds. */
export type Key = readonly (string | number | boolean)[];

/** A text or time that may be NULL: first whether it is, then the value. */
export function nullable(sql: string, type: 'text' | 'timestamptz', desc: boolean): KeyColumn[] {
  const filler = type === 'text' ? `''` : `'epoch'::timestamptz`;
  return [
    { sql: `(${sql} IS NULL)`, desc: false, type: 'boolean' },
    { sql: `coalesce(${sql}, ${filler})`, desc, type },
  ];
}

/** A text that is empty instead of NULL. */
export function emptyLast(sql: string, desc: boolean): KeyColumn[] {
  return [
    { sql: `(${sql} = '')`, desc: false, type: 'boolean' },
    { sql, desc, type: 'text' },
  ];
}

/** The key's values, as columns of the statement; read them back with {@link keyOf}. */
export function keySelectSql(columns: readonly KeyColumn[]): string {
  return columns.map((column, index) => `${column.sql} AS "key${index}"`).join(', ');
}

export function keyOf(columns: readonly KeyColumn[], row: object): Key {
  const values = row as Record<string, string | number | boolean>;
  return columns.map((_, index) => values[`key${index}`]!);
}

export const orderSql = (columns: readonly KeyColumn[]) => orderBySql(columns);

/** Conditions "comes after this key"; the first one alone narrows an index on the leading column. */
export function afterSql(columns: readonly KeyColumn[], key: Key, parameters: Parameters): string[] {
  const placeholders = columns.map(({ type }, index) => {
    const value = key[index]!;
    return `${parameters.add(type === 'timestamptz' ? new Date(value as number) : value)}::${type}`;
  });
  const [first] = columns;
  return [`${first!.sql} ${first!.desc ? '<=' : '>='} ${placeholders[0]}`, afterKeySql(columns, placeholders)];
}
