/**
 * Parameters of a filter on a custom field, read by the type of the field (contract: CustomFieldFilter;
 * docs/decisions/lists.md).
 */
import {
  type FieldType,
  FilterType,
  fieldTypeName,
  type JsonValue,
  operatorParameters,
  operatorsByFieldType,
} from '@portico/contract';
import { counted, isLongerThan } from '@portico/platform/text';
import { ValueError } from '../../../fields/index.ts';

const operatorNames = new Map<number, string>(Object.entries(FilterType).map(([name, code]) => [code, name]));

/** The operator of a filter. @throws ValueError that lists the operators which fit the type */
export function readOperator(type: FieldType, typeId: number | undefined): FilterType {
  const allowed = operatorsByFieldType[type];
  const operator = allowed.find((code) => code === typeId);
  if (operator !== undefined) return operator;
  const choice = allowed.map((code) => `${code} (${operatorNames.get(code)})`).join(', ');
  const asked =
    typeId === undefined
      ? 'No operator'
      : `Operator ${typeId}${operatorNames.has(typeId) ? ` (${operatorNames.get(typeId)})` : ''}`;
  throw new ValueError(
    'OPERATOR_NOT_ALLOWED',
    `${asked} on a field of type ${fieldTypeName(type)}; possible are ${choice}.`,
  );
}

/** Checks the number of parameters. @throws ValueError */
export function checkCount(operator: FilterType, parameters: readonly JsonValue[]): void {
  const { min, max } = operatorParameters[operator];
  if (parameters.length >= min && parameters.length <= max) return;
  const wanted = min === max ? `exactly ${counted(min, 'parameter')}` : `${min} to ${counted(max, 'parameter')}`;
  throw new ValueError('INVALID_VALUE', `${operatorNames.get(operator)} takes ${wanted}, not ${parameters.length}.`);
}

/**
 * @throws ValueError for a text that is longer than `most` code points, and for a value that is not
 *   a text
 */
export function readText(value: JsonValue, most: number): string {
  if (typeof value === 'string') {
    if (!isLongerThan(value, most)) return value;
    throw new ValueError('TEXT_TOO_LONG', `send a text of at most ${most} characters (code points).`);
  }
  if (typeof value === 'number') return String(value);
  throw new ValueError('INVALID_VALUE', 'send a text.');
}
