/** Queries that the descriptions of the data set share. */
import type pg from 'pg';
import type { NumberRange } from './dataset.ts';
import { COMMON_WORD, MEDIUM_WORD, RARE_WORD } from './words.ts';

/** Shares of the values that quantiles are given for. */
export const SHARES = [0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99, 0.999] as const;

/** Numbers as JavaScript has them: bigint comes as text. */
export async function numbers<T extends object>(owner: pg.Client, sql: string, values: unknown[]): Promise<T[]> {
  const { rows } = await owner.query<Record<string, unknown>>(sql, values);
  const number = (value: unknown) => (typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value);
  return rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, number(value)])) as T);
}

/** Words of texts in a table and how many rows hold them. `where` limits the rows of `from`; $3 to $5 are the words. */
export async function countWords(owner: pg.Client, from: string, text: string, values: unknown[]) {
  const words = [COMMON_WORD, MEDIUM_WORD, RARE_WORD];
  const holding = words.map((_, index) => `count(*) FILTER (WHERE ${text} LIKE $${index + 3}) AS w${index}`).join(', ');
  const patterns = words.map((word) => `%${word}%`);
  const [row] = await numbers<Record<string, number>>(owner, `SELECT ${holding} FROM ${from}`, [
    ...values,
    ...patterns,
  ]);
  const word = (index: number) => ({ word: words[index]!, count: row![`w${index}`]! });
  return { common: word(0), medium: word(1), rare: word(2) };
}

export function rangeOf(row: { min: number; max: number; quantiles: readonly (number | string)[] }): NumberRange {
  const quantiles = row.quantiles.map((value, index) => ({ share: SHARES[index]!, value: Number(value) }));
  return { min: Number(row.min), max: Number(row.max), quantiles };
}

/** At most fifty of either end. */
export function ends<T>(items: readonly T[]): T[] {
  return items.length <= 100 ? [...items] : [...items.slice(0, 50), ...items.slice(-50)];
}
