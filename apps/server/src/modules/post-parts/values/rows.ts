/** Converts stored values to the typed rows that filters, orders and substring search read (migration 0004). Pure. */
import { normaliseParts } from '@portico/platform/text';
import { holdsObjects, type StoredValue, textTypeOf, typeOf } from '../../fields/index.ts';
import type { FieldRule } from './field-rules.ts';

/** A row of `post_values`, without tenant and post. */
export interface ValueRow {
  fieldId: number;
  ord: number;
  empty: boolean;
  /** A string beyond 2^53. */
  big: number | string | null;
  num: number | null;
  txt: string | null;
  ref: number | null;
}

/** A row of `post_texts`, without tenant and post. */
export interface TextRow {
  fieldId: number;
  /**
   * `normaliseText` of the whole text: `norm LIKE likePattern(normaliseText(x))` finds substrings
   * (docs/decisions/lists.md).
   */
  norm: string;
}

/** True for fields that have value rows. */
export function isIndexed(field: FieldRule): boolean {
  return field.searchable || field.sortable;
}

/**
 * Returns the value rows of one field: an empty list unless it is searchable or sortable, one row
 * with `empty` when it has no value, one per element for lists, else one.
 */
export function valueRows(field: FieldRule, value: StoredValue | undefined): ValueRow[] {
  if (!isIndexed(field)) return [];
  const base: ValueRow = { fieldId: field.id, ord: 0, empty: false, big: null, num: null, txt: null, ref: null };
  if (value === undefined) return [{ ...base, empty: true }];
  const { column, columnValues } = typeOf(field);
  return columnValues(value).map((element, ord) => ({ ...base, ord, [column]: element }));
}

/**
 * Creates the text row of one field, if it is a searchable text with a value. Works in parts, since
 * texts may be long.
 */
export function* textRow(field: FieldRule, value: StoredValue | undefined): Generator<void, TextRow | undefined> {
  const type = textTypeOf(field);
  if (!field.searchable || value === undefined || !type) return undefined;
  return { fieldId: field.id, norm: yield* normaliseParts(type.plainText(value)) };
}

/**
 * True for fields that open a private post to their people (metadata `extends_post_visibility`;
 * docs/decisions/people.md).
 */
export function extendsVisibility(field: FieldRule): boolean {
  return holdsObjects(field) && field.metadata.extends_post_visibility === 'true';
}
