/**
 * Resolves custom data and screen data by label, external id or number to the map by field id of
 * the interface.
 */
import type { BigIntValue, JsonValue } from '@portico/contract';
import { type Field, factsOf, holdsIds, operandValue } from './filters.ts';
import type { Operand } from './inputs.ts';
import { isDelta } from './name-check.ts';
import { findNamed, unknownName } from './names.ts';

/** Values by field: numbers of fields, labels or external ids as keys. */
export type NamedValues = Readonly<Record<string, unknown>>;

/**
 * @param plainDeltas rich text is plain in this body (`deltaAreaFormat` 2); otherwise plain text is
 *   converted to a delta
 * @throws UnknownNameError for a field, or a value of a list, that does not exist
 * @throws ConfigurationError for a value that does not fit the type of its field
 */
export function resolveValues(
  fields: readonly Field[],
  values: NamedValues,
  plainDeltas = false,
): Record<string, JsonValue> {
  const resolved: Record<string, JsonValue> = {};
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) continue;
    const field = findNamed(fields, name);
    if (field?.id === undefined) throw unknownName('field', fields, name);
    resolved[String(field.id)] = writtenValue(field, value, plainDeltas);
  }
  return resolved;
}

function writtenValue(field: Field, value: unknown, plainDeltas: boolean): JsonValue {
  if (value === null) return null;
  if (factsOf(field)?.kind === 'richText' && typeof value === 'string') {
    return plainDeltas || isDelta(value) ? value : JSON.stringify([{ insert: `${value}\n` }]);
  }
  if (holdsIds(field)) {
    const list = Array.isArray(value) ? value : [value];
    return list.map((item) => operandValue(field, referenceOf(item)));
  }
  if (typeof value === 'object' && !(value instanceof Date)) return value as JsonValue;
  return operandValue(field, value as Operand);
}

/**
 * Value of a BIGINT field as one type: the interface uses a number within ±(2^53 − 1) and a string
 * of digits beyond.
 * @returns undefined for a field without a value
 * @throws SyntaxError or RangeError if the value is no whole number
 */
export function bigIntOf(value: BigIntValue | null | undefined): bigint | undefined {
  return value === null || value === undefined ? undefined : BigInt(value);
}

/** References are read as objects and written as ids. */
function referenceOf(item: unknown): Operand {
  return typeof item === 'object' && item !== null && 'id' in item ? (item as { id: number }).id : (item as Operand);
}

/**
 * Converts custom data from the form of answers to the form of requests: objects become their ids;
 * other values stay.
 */
export function writableValues(read: NamedValues | undefined): Record<string, JsonValue> {
  return Object.fromEntries(Object.entries(read ?? {}).map(([id, value]) => [id, writable(value)]));
}

function writable(value: unknown): JsonValue {
  if (Array.isArray(value)) return value.map(writable);
  if (typeof value === 'object' && value !== null && typeof (value as { id?: unknown }).id === 'number') {
    return (value as { id: number }).id;
  }
  return (value ?? null) as JsonValue;
}
