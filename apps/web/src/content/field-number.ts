/** Numbers as the values of a field are shown: with its digits, its unit or its currency. */
import { fieldTypes } from '@portico/sdk';
import type { Formats } from '../texts/index.ts';
import { textOf } from './delta.ts';
import type { ShownField } from './shown-field.ts';

/** A field as far as its numbers depend on it. */
export type NumberField = Pick<ShownField, 'type' | 'metadata'>;

/** Whether numbers of a field can be added up: ratings and texts cannot. */
export const isQuantity = ({ type }: NumberField): boolean => type !== undefined && fieldTypes[type].quantity === true;

/** @param value a number, or the digits of a number too large for JavaScript */
export function numberText(field: NumberField, value: unknown, formats: Formats): string {
  const number = numberIn(value);
  if (number === undefined) return textOf(value);
  const { currency, unit } = field.metadata ?? {};
  return formats.amount(number, digitsOf(field), currency, unit);
}

/** The sum of the values of a field, exact as long as all are whole; undefined if there are none. */
export function sumOf(values: readonly unknown[]): number | bigint | undefined {
  const numbers = values.flatMap((value) => numberIn(value) ?? []);
  if (numbers.length === 0) return undefined;
  if (numbers.every((number) => typeof number === 'bigint' || Number.isSafeInteger(number)))
    return numbers.reduce((sum: bigint, number) => sum + BigInt(number), 0n);
  // Decimals such as 0.1 and 0.2 add up to 0.3, not to the digits behind it.
  return Number(numbers.reduce((sum: number, number) => sum + Number(number), 0).toPrecision(15));
}

function numberIn(value: unknown): number | bigint | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && /^-?\d{1,30}$/.test(value) ? BigInt(value) : undefined;
}

/** Digits after the point in all values of a field, so that amounts line up; undefined if the field does not say. */
function digitsOf({ type, metadata }: NumberField): number | undefined {
  if (type !== undefined && !fieldTypes[type].rules.includes('decimals')) return 0;
  const digits = Number(metadata?.['decimal_digits'] ?? Number.NaN);
  return Number.isInteger(digits) && digits >= 0 ? Math.min(digits, 20) : undefined;
}
