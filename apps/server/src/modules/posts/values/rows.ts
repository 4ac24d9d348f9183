/** From stored values to the typed rows that filters, orders and substring search walk (migration 0004). Pure. */
import { FieldType } from '@portico/contract';
import { normaliseText, sortKeyWithTies } from '../../../platform/text/normalise.ts';
import type { FieldRule } from './field-rules.ts';
import { isReferenceType, isTextType, type StoredValue, storedIds, storedText } from './parse.ts';

/** One row of `post_values`, without tenant and post. */
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

/** One row of `post_texts`, without tenant and post. */
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
 * The value rows of one field: none unless it is searchable or sortable, one with `empty` when it has no value, one per
 * element for lists, else one.
 */
export function valueRows(field: FieldRule, value: StoredValue | undefined): ValueRow[] {
  if (!isIndexed(field)) return [];
  const base: ValueRow = { fieldId: field.id, ord: 0, empty: false, big: null, num: null, txt: null, ref: null };
  if (value === undefined) return [{ ...base, empty: true }];
  if (isReferenceType(field.type)) return storedIds(value).map((ref, ord) => ({ ...base, ord, ref }));
  if (isTextType(field.type)) return [{ ...base, txt: sortKeyWithTies(storedText(field.type, value)) }];
  if (field.type === FieldType.DECIMAL || field.type === FieldType.FEEDBACK) return [{ ...base, num: value as number }];
  if (field.type === FieldType.FLAG) return [{ ...base, big: value ? 1 : 0 }];
  return [{ ...base, big: value as number | string }];
}

/** The text row of one field, if it is a searchable text with a value. */
export function textRow(field: FieldRule, value: StoredValue | undefined): TextRow | undefined {
  if (!field.searchable || value === undefined || !isTextType(field.type)) return undefined;
  return { fieldId: field.id, norm: normaliseText(storedText(field.type, value)) };
}

/** True for fields whose people see a private post (metadata `extends_post_visibility`; docs/decisions/people.md). */
export function extendsVisibility(field: FieldRule): boolean {
  return field.type === FieldType.GENERIC_ENTITY_LIST && field.metadata.extends_post_visibility === 'true';
}
