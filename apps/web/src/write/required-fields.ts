/** Which fields of a form must be filled: those that are required, and those that a condition on other fields demands now. */
import { type PostFieldDefinition, ValidationType } from '@portico/sdk';
import { type FormField, type InputValue, type InputValues, isFilled, kindOf, wireOf } from './input-values.ts';

type Condition = NonNullable<PostFieldDefinition['conditions']>[number];

const hasRule = ({ validations }: FormField, rule: number): boolean =>
  validations?.some(({ validationTypeId }) => validationTypeId === rule) === true;

/** Fields with `required` as it is for these values. */
export function withRequired<F extends FormField>(fields: readonly F[], values: InputValues): F[] {
  const byId = new Map<number | undefined, F>(fields.map((field) => [field.id, field]));
  const isShown = (field: F, asked: readonly F[] = []): boolean =>
    !asked.includes(field) &&
    (field.conditions ?? []).every((condition) => {
      const other = byId.get(condition.fieldId);
      // The server decides about fields that the form does not have.
      if (!other) return false;
      return holds(condition, other, isShown(other, [...asked, field]) ? values[String(other.id)] : undefined);
    });
  return fields.map((field) => {
    if (!hasRule(field, ValidationType.CONDITIONAL)) return { ...field, required: field.required === true };
    const demanded = hasRule(field, ValidationType.REQUIRED) && field.conditions?.length;
    return { ...field, required: Boolean(demanded) && isShown(field) };
  });
}

/** Whether a condition on the value of a field holds. A text that is not yet what the field takes fulfils none but `notEmpty`. */
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

/** @returns undefined for a text that is no number; null for no value */
function writtenOr(field: FormField, value: InputValue): unknown {
  try {
    return wireOf(field, value);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Days and moments as milliseconds, which are written as texts or as numbers; everything else as text. */
function comparable(field: FormField, value: unknown): string {
  const isTime = kindOf(field) === 'day' || kindOf(field) === 'instant';
  return isTime && typeof value === 'string' ? String(Date.parse(value)) : String(value);
}
