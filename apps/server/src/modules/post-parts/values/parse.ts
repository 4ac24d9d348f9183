/**
 * Converts the written form of a custom value to the stored one (docs/decisions/values.md). Pure:
 * ids are looked up later.
 *
 * Stored values are kept in `posts.custom_data` and `posts.screen_data`, keyed by the field's id as
 * text; a field without a value has no key. The file of each type in modules/fields/types documents
 * its stored form.
 */
import type { TextFormat } from '@portico/contract';
import { type StoredValue, typeOf } from '../../fields/index.ts';
import type { FieldRule } from './field-rules.ts';

/**
 * Reads one written value.
 * @param deltaFormat 1: rich text is a delta; 2: it is plain text, in every field of the body
 * @returns the stored form, undefined for an empty value
 * @throws ValueError
 */
export function parseValue(field: FieldRule, value: unknown, deltaFormat: TextFormat): StoredValue | undefined {
  if (value === null || value === undefined || value === '') return undefined;
  return typeOf(field).parse(value, field, deltaFormat);
}
