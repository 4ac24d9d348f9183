/**
 * Parameters of a filter on a custom field, read by the type of the field (contract: CustomFieldFilter;
 * docs/decisions/lists.md).
 */
import { FieldType, FilterType, type JsonValue, operatorParameters, operatorsByFieldType } from '@portico/contract';
import type { FieldError } from '../../../../kernel/errors.ts';
import { isLongerThan } from '../../../../platform/text/index.ts';
import { parseDateInput, TimeInputError } from '../../../../platform/time/index.ts';

/** Why a parameter was refused. */
export class ParameterError extends Error {
  override name = 'ParameterError';
  readonly code: FieldError['code'];

  constructor(code: FieldError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

const typeNames = namesOf(FieldType);
const operatorNames = namesOf(FilterType);

function namesOf(codes: Readonly<Record<string, number>>): ReadonlyMap<number, string> {
  return new Map(Object.entries(codes).map(([name, code]) => [code, name]));
}

/** Name of a field type, for messages. */
export function typeName(type: FieldType): string {
  return typeNames.get(type) ?? String(type);
}

/** The operator of a filter. @throws ParameterError that lists the operators which fit the type */
export function readOperator(type: FieldType, typeId: number | undefined): FilterType {
  const allowed = operatorsByFieldType[type];
  const operator = allowed.find((code) => code === typeId);
  if (operator !== undefined) return operator;
  const choice = allowed.map((code) => `${code} (${operatorNames.get(code)})`).join(', ');
  const asked =
    typeId === undefined
      ? 'No operator'
      : `Operator ${typeId}${operatorNames.has(typeId) ? ` (${operatorNames.get(typeId)})` : ''}`;
  throw new ParameterError(
    'OPERATOR_NOT_ALLOWED',
    `${asked} on a field of type ${typeName(type)}; possible are ${choice}.`,
  );
}

/** Checks how many parameters there are. @throws ParameterError */
export function checkCount(operator: FilterType, parameters: readonly JsonValue[]): void {
  const { min, max } = operatorParameters[operator];
  if (parameters.length >= min && parameters.length <= max) return;
  const wanted = min === max ? `exactly ${min}` : `${min} to ${max}`;
  throw new ParameterError(
    'INVALID_VALUE',
    `${operatorNames.get(operator)} takes ${wanted} parameters, not ${parameters.length}.`,
  );
}

const INTEGER = /^[+-]?\d{1,19}$/;
const DECIMAL = /^[+-]?(?:\d{1,40}(?:\.\d{0,40})?|\.\d{1,40})(?:[eE][+-]?\d{1,3})?$/;
const MAX_INT64 = 2n ** 63n - 1n;

/** A whole number within 64 bits. @returns a number, or a string of digits beyond 2^53 */
function wholeNumber(value: JsonValue): number | string {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  if (typeof value === 'string' && INTEGER.test(value.trim())) {
    const big = BigInt(value.trim().replace(/^\+/, ''));
    if (big <= MAX_INT64 && big >= -MAX_INT64 - 1n)
      return Number.isSafeInteger(Number(big)) ? Number(big) : String(big);
  }
  throw new ParameterError('INVALID_VALUE', 'send a whole number within 64 bits; beyond 2^53 as a string of digits.');
}

function decimalNumber(value: JsonValue): number {
  const number = typeof value === 'string' && DECIMAL.test(value.trim()) ? Number(value) : value;
  if (typeof number === 'number' && Number.isFinite(number)) return number === 0 ? 0 : number;
  throw new ParameterError('INVALID_VALUE', 'send a number.');
}

function date(value: JsonValue, type: 'DATE' | 'DATETIME'): number {
  try {
    return parseDateInput(value, type);
  } catch (error) {
    if (!(error instanceof TimeInputError)) throw error;
    throw new ParameterError('INVALID_DATE', 'send epoch milliseconds or ISO 8601 text.');
  }
}

/** A value of a field with an order: number or date. @returns what the value row holds, a string beyond 2^53 */
export function readNumber(type: FieldType, value: JsonValue): number | string {
  switch (type) {
    case FieldType.INT:
    case FieldType.BIGINT:
      return wholeNumber(value);
    case FieldType.DATE:
      return date(value, 'DATE');
    case FieldType.DATETIME:
      return date(value, 'DATETIME');
    default:
      return decimalNumber(value);
  }
}

/** A bound of an interval on dates: the moment itself, also where the field holds days. */
export function readBound(type: FieldType, value: JsonValue): number | string {
  if (type === FieldType.DATE && typeof value === 'number') return date(value, 'DATETIME');
  return readNumber(type, value);
}

/** The one id of an object. */
export function readId(value: JsonValue): number {
  const number = typeof value === 'string' && INTEGER.test(value.trim()) ? Number(value) : value;
  if (typeof number === 'number' && Number.isSafeInteger(number)) return number;
  throw new ParameterError('INVALID_VALUE', 'send ids: whole numbers, not objects.');
}

export function readFlag(value: JsonValue): boolean {
  if (value === true || value === 'true') return true;
  if (value === false || value === 'false') return false;
  throw new ParameterError('INVALID_VALUE', 'send true or false.');
}

/** @throws ParameterError for a text that is longer than `most` code points, and for what is no text */
export function readText(value: JsonValue, most: number): string {
  if (typeof value === 'string') {
    if (!isLongerThan(value, most)) return value;
    throw new ParameterError('TEXT_TOO_LONG', `send a text of at most ${most} characters (code points).`);
  }
  if (typeof value === 'number') return String(value);
  throw new ParameterError('INVALID_VALUE', 'send a text.');
}
