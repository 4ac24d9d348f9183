/** Reads conditions on fields, and values that transitions set, from forms. Pure. */
import { definitionLimits, type FieldConditionForm, TextFormat, type TransitionValueForm } from '@portico/contract';
import { asList } from '@portico/platform/as-list';
import type { FieldError, FieldErrors } from '../../kernel/errors.ts';
import {
  conditionOperatorsOf,
  entityKind,
  type FieldCondition,
  holdsObjects,
  isChoice,
  type StoredValue,
  typeOf,
  ValueError,
} from '../fields/index.ts';
import type { FieldDefinition, TransitionValue } from './definition-types.ts';
import { tooMany } from './field-rows.ts';
import { isRestricted } from './seen-by.ts';

type Fields = ReadonlyMap<number, FieldDefinition>;

const unknownField = (field: string): FieldError => ({
  field,
  code: 'UNKNOWN_REFERENCE',
  defaultMessage: 'There is no such field in the form.',
});

/**
 * Reads values as they are written into a field. Values of its own list must exist; entries of a
 * catalog are not looked up.
 */
function readValues(
  at: string,
  field: FieldDefinition,
  values: readonly unknown[],
  errors: FieldErrors,
): (number | string | boolean)[] {
  const { list } = typeOf(field);
  return values.flatMap((value, index) => {
    try {
      // Each element for a list field is a single value or a list of values.
      const written = list && !Array.isArray(value) ? [value] : value;
      const stored = typeOf(field).parse(written, field, TextFormat.DELTA);
      const elements = asList<number | string | boolean>(stored);
      const known = (id: unknown) => field.catalogId !== null || field.enumValueById.has(id as number);
      if (!isChoice(field) || elements.every(known)) return elements;
      errors.add(`${at}[${index}]`, 'UNKNOWN_REFERENCE', 'The field has no such value.');
    } catch (error) {
      if (!(error instanceof ValueError)) throw error;
      errors.add(`${at}[${index}]`, error.code, error.message);
    }
    return [];
  });
}

interface Taken {
  readonly text: string;
  fits(count: number): boolean;
}

const AT_LEAST_ONE: Taken = { text: 'at least one value', fits: (count) => count > 0 };
const ONE: Taken = { text: 'one value', fits: (count) => count === 1 };
const NONE: Taken = { text: 'no values', fits: (count) => count === 0 };

/** Returns how many values an operator takes. */
function takenBy(operator: string): Taken {
  if (operator === 'in' || operator === 'notIn') return AT_LEAST_ONE;
  return operator.startsWith('at') ? ONE : NONE;
}

/** @param fields the fields that conditions may name */
export function readConditions(
  path: string,
  forms: readonly FieldConditionForm[],
  fields: Fields,
  errors: FieldErrors,
): FieldCondition[] {
  return forms.flatMap(({ fieldId, operator, values = [] }, index) => {
    const at = `${path}[${index}]`;
    if (fieldId === undefined || operator === undefined) return [];
    const field = fields.get(fieldId);
    if (!field) {
      errors.push(unknownField(`${at}.fieldId`));
      return [];
    }
    const allowed = conditionOperatorsOf[typeOf(field).kind];
    if (!allowed.includes(operator as FieldCondition['operator'])) {
      const defaultMessage = `Conditions on this field take: ${allowed.join(', ')}.`;
      errors.add(`${at}.operator`, 'INVALID_VALUE', defaultMessage, [...allowed]);
      return [];
    }
    if (values.length > definitionLimits.conditionValues) {
      errors.push(tooMany(`${at}.values`, definitionLimits.conditionValues));
      return [];
    }
    const read = readValues(`${at}.values`, field, values, errors);
    const takes = takenBy(operator);
    if (!takes.fits(values.length)) {
      const defaultMessage = `The operator ${operator} takes ${takes.text}.`;
      errors.add(`${at}.values`, 'INVALID_VALUE', defaultMessage);
    }
    return { fieldId, operator: operator as FieldCondition['operator'], values: read };
  });
}

/** Presents conditions for forms. */
export function presentConditions(conditions: readonly FieldCondition[]): FieldConditionForm[] {
  return conditions.map(({ fieldId, operator, values }) => ({ fieldId, operator, values: [...values] }));
}

/** @param fields the fields that transitions may set: fields of screens */
export function readTransitionValues(
  path: string,
  forms: readonly TransitionValueForm[],
  fields: Fields,
  errors: FieldErrors,
): TransitionValue[] {
  const seen = new Set<number>();
  return forms.flatMap(({ fieldId, source = 'value', values = [] }, index): TransitionValue[] => {
    const at = `${path}[${index}]`;
    if (fieldId === undefined) return [];
    const field = fields.get(fieldId);
    if (!field) {
      errors.push(unknownField(`${at}.fieldId`));
      return [];
    }
    if (seen.has(fieldId)) errors.add(`${at}.fieldId`, 'DUPLICATE_VALUE');
    if (isRestricted(field)) {
      const defaultMessage = 'A transition sets only fields that everybody sees.';
      errors.add(`${at}.fieldId`, 'INVALID_VALUE', defaultMessage);
    }
    seen.add(fieldId);
    const { kind, list } = typeOf(field);
    const refuse = (name: string, defaultMessage: string) =>
      errors.add(`${at}.${name}`, 'INVALID_VALUE', defaultMessage);
    if (source === 'now' && kind !== 'day' && kind !== 'instant') refuse('source', 'Only dates take the moment.');
    if (source === 'actor' && !holdsPeople(field)) refuse('source', 'Only fields of people take whoever runs it.');
    if (source !== 'value') {
      if (values.length > 0) refuse('values', 'Only the source value takes values.');
      return [{ fieldId, source: source as 'now' | 'actor' }];
    }
    if (kind === 'objects' && values.length > 0) {
      refuse('values', 'Fields of people, groups and posts take the source actor, or no value.');
      return [];
    }
    if (values.length > (list ? definitionLimits.conditionValues : 1)) {
      errors.push(tooMany(`${at}.values`, list ? definitionLimits.conditionValues : 1));
      return [];
    }
    const read = readValues(`${at}.values`, field, values, errors);
    const value = (list ? read : read[0]) as StoredValue | undefined;
    return [{ fieldId, source: 'value', value: read.length > 0 && value !== undefined ? value : undefined }];
  });
}

/** Presents the values that transitions set, for forms. */
export function presentTransitionValues(sets: readonly TransitionValue[]): TransitionValueForm[] {
  return sets.map(({ fieldId, source, value }) => ({
    fieldId,
    source,
    ...(value !== undefined && { values: Array.isArray(value) ? [...value] : [value] }),
  }));
}

/** Returns whether the values of a field are people. */
export function holdsPeople(field: FieldDefinition): boolean {
  return holdsObjects(field) && entityKind(field) === 'user';
}
