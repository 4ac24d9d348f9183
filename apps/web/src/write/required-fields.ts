/**
 * Required fields of a form: fields with `required`, and fields whose conditions on other fields
 * hold now.
 */
import { ValidationType } from '@portico/sdk';
import type { ShownField } from '../content/shown-field.ts';
import { type FormField, type InputValue, type InputValues, isFilled, kindOf, wireOf } from './input-values.ts';

type Condition = NonNullable<ShownField['conditions']>[number];

const hasRule = ({ validations }: FormField, rule: number): boolean =>
  validations?.some(({ validationTypeId }) => validationTypeId === rule) === true;

/** Returns the fields with `required` computed for these values. */
export function withRequired<F extends FormField>(fields: readonly F[], values: InputValues): F[] {
  const byId = new Map<number | undefined, F>(fields.map((field) => [field.id, field]));
  const isShown = (field: F, asked: readonly F[] = []): boolean =>
    !asked.includes(field) &&
    (field.conditions ?? []).every((condition) => {
      const other = byId.get(condition.fieldId);
      // The server checks conditions on fields outside of the form.
      if (!other) return false;
      return holds(condition, other, isShown(other, [...asked, field]) ? values[String(other.id)] : undefined);
    });
  return fields.map((field) => {
    if (!hasRule(field, ValidationType.CONDITIONAL)) return { ...field, required: field.required === true };
    const demanded = hasRule(field, ValidationType.REQUIRED) && field.conditions?.length;
    return { ...field, required: Boolean(demanded) && isShown(field) };
  });
}

/**
 * Whether a condition on the value of a field holds. A text that is not yet a valid value fulfils
 * only `notEmpty`.
 */
function holds({ operator, values = [] }: Condition, field: FormField, value: InputValue): boolean {
  if (operator === 'empty' || operator === 'notEmpty') return isFilled(value) === (operator === 'notEmpty');
  const written = writtenOr(field, value);
  if (written === undefined) return false;
  const elements = Array.isArray(written) ? written : [written];
  if (operator === 'in' || operator === 'notIn') {
    const named = new Set(values.map((one) => comparable(field, one)));
    return elements.some((one) => named.has(comparable(field, one))) === (operator === 'in');
  }
  const [own, bound] = [Number(comparable(field, elements[0])), Number(comparable(field, values[0]))];
  return operator === 'atLeast' ? own >= bound : own <= bound;
}

/** @returns undefined if the text is no number; null for no value */
function writtenOr(field: FormField, value: InputValue): unknown {
  try {
    return wireOf(field, value);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/**
 * Returns days and moments as milliseconds, whether written as texts or as numbers; everything else
 * as text.
 */
function comparable(field: FormField, value: unknown): string {
  const isTime = kindOf(field) === 'day' || kindOf(field) === 'instant';
  return isTime && typeof value === 'string' ? String(Date.parse(value)) : String(value);
}
