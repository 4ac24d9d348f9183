/** Converts values of a field to another type (`fieldConversions` of the contract). Pure. */
import { TextFormat } from '@portico/contract';
import { isChoice, momentIn, storedIds, textTypeOf, typeOf } from './field-types.ts';
import type { FieldMetadata, StoredValue } from './types/shared/field-type.ts';
import { ValueError } from './types/shared/value-error.ts';

/** Properties of a field on which a conversion depends. */
interface ConvertedField extends FieldMetadata {
  readonly type: Parameters<typeof typeOf>[0]['type'];
  readonly enumValues: readonly { readonly id: number; readonly label: string; readonly deleted: boolean }[];
}

/** Result if the other type cannot hold the value. */
export const LOST = Symbol('lost');

const key = (label: string) => label.trim().toLowerCase();

/**
 * @param labelOf label of a value of the former field's list or catalog
 * @returns the value in the other field; undefined for none
 */
export function convertValue(
  from: ConvertedField,
  to: ConvertedField,
  value: StoredValue,
  labelOf: (id: number) => string | undefined,
): StoredValue | undefined | typeof LOST {
  if (isChoice(from) && isChoice(to)) return withinChoices(to, storedIds(value));
  const text = isChoice(from)
    ? storedIds(value)
        .map((id) => labelOf(id) ?? String(id))
        .join(', ')
    : undefined;
  if (isChoice(to)) return chosen(to, text ?? textTypeOf(from)?.plainText(value) ?? typeOf(from).words(value as never));
  const day = typeOf(to).kind === 'day' && typeof value === 'number' ? momentIn(to, value) : undefined;
  const written = day ?? (textTypeOf(to) || textTypeOf(from) ? (text ?? inWords(from, value)) : value);
  try {
    return typeOf(to).parse(written, to, TextFormat.PLAIN_TEXT);
  } catch (error) {
    if (error instanceof ValueError) return LOST;
    throw error;
  }
}

function inWords(from: ConvertedField, value: StoredValue): string {
  return (textTypeOf(from)?.plainText(value) ?? typeOf(from).words(value as never)).trim();
}

function withinChoices(to: ConvertedField, ids: readonly number[]): StoredValue | undefined | typeof LOST {
  if (ids.length === 0) return undefined;
  if (typeOf(to).list) return [...ids];
  return ids.length === 1 ? ids[0] : LOST;
}

function chosen(to: ConvertedField, text: string): StoredValue | undefined | typeof LOST {
  if (text.trim() === '') return undefined;
  const byLabel = new Map(to.enumValues.filter(({ deleted }) => !deleted).map(({ id, label }) => [key(label), id]));
  const whole = byLabel.get(key(text));
  if (whole !== undefined) return typeOf(to).list ? [whole] : whole;
  if (!typeOf(to).list) return LOST;
  const ids = text.split(/[,;\n]/).map((part) => byLabel.get(key(part)));
  return ids.every((id) => id !== undefined) ? [...new Set(ids)] : LOST;
}
