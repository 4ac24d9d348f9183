/** Any JSON value: what `object` without a named type means in maps and lists. */
export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };

/**
 * Value of a BIGINT field: a number within ±(2^53 − 1), beyond it a string of digits. Written either way, and as a number of
 * any size.
 */
export type BigIntValue = number | string;
