/** Advised indexes: their columns, their names, and the existing indexes that serve as well. */
import { createHash } from 'node:crypto';

/** Every advised index is called so, and nothing else is. */
export const ADVISED = 'advised_';

type AdvisedTable = 'posts' | 'post_values' | 'attachments';

/** An index that would help. */
export interface IndexSpec {
  readonly table: AdvisedTable;
  readonly keys: readonly string[];
  /** Further columns, so that the row need not be read; sorted. */
  readonly include: readonly string[];
  /** Predicate of a partial index. */
  readonly where?: 'live' | 'deleted_at IS NULL';
}

/** An index that is there. */
export interface KnownIndex {
  readonly name: string;
  readonly table: string;
  readonly method: string;
  /** Columns; null where it is an expression. */
  readonly keys: readonly (string | null)[];
  readonly include: readonly string[];
  /** As PostgreSQL prints it. */
  readonly where: string | null;
  readonly valid: boolean;
}

/** SQL of the table, columns and predicate of an index: `posts (a, b) INCLUDE (c) WHERE …`. */
export function definitionOf({ table, keys, include, where }: IndexSpec): string {
  const included = include.length > 0 ? ` INCLUDE (${include.join(', ')})` : '';
  return `${table} (${keys.join(', ')})${included}${where ? ` WHERE ${where}` : ''}`;
}

/**
 * Returns the name of an index: its table and columns, and a mark of its definition, so that
 * another definition has another name.
 */
export function nameOf(spec: IndexSpec): string {
  const mark = createHash('sha256').update(definitionOf(spec)).digest('hex').slice(0, 8);
  const about = spec.keys.filter((key) => key !== 'tenant_id' && key !== 'community_id' && key !== 'id');
  return `${ADVISED}${[spec.table, about.join('_') || 'id', mark].join('__')}`;
}

/** Whether two definitions could be one index with more columns. */
export function mergeable(one: IndexSpec, other: IndexSpec): boolean {
  return one.table === other.table && one.where === other.where && one.keys.join() === other.keys.join();
}

/** Merges two indexes into one that serves both. */
export function merged(one: IndexSpec, other: IndexSpec): IndexSpec {
  return { ...one, include: [...new Set([...one.include, ...other.include])].sort() };
}

function samePredicate(printed: string | null, wanted: IndexSpec['where']): boolean {
  return (printed ?? '').replaceAll(/[()]/g, '') === (wanted ?? '');
}

/** Whether an existing index serves the purpose of a wanted one. */
export function serves(index: KnownIndex, wanted: IndexSpec): boolean {
  if (index.table !== wanted.table || index.method !== 'btree' || !index.valid) return false;
  if (!samePredicate(index.where, wanted.where)) return false;
  if (wanted.keys.some((key, at) => index.keys[at] !== key)) return false;
  const held = new Set([...index.keys, ...index.include]);
  return wanted.include.every((column) => held.has(column));
}

/** A wanted index as if it were there. */
export function asKnown(spec: IndexSpec): KnownIndex {
  return { ...spec, name: nameOf(spec), method: 'btree', where: spec.where ?? null, valid: true };
}
