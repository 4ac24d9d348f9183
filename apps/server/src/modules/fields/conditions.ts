/** Conditions on the values of fields, in TypeScript for one post and in SQL for lists. Pure. */
import type { ConditionOperator, FieldKind } from '@portico/contract';
import { compare } from '@portico/platform/compare';
import type { StoredValue } from './types/shared/field-type.ts';

/** A condition on the stored value of a field. */
export interface FieldCondition {
  readonly fieldId: number;
  readonly operator: ConditionOperator;
  /**
   * Stored values: several for `in` and `notIn`, one for `atLeast` and `atMost`, otherwise none.
   */
  readonly values: readonly (number | string | boolean)[];
}

/** Values of a post or of a form, by the id of the field as text. */
export type FieldData = Readonly<Record<string, unknown>>;

const ordered: readonly ConditionOperator[] = ['empty', 'notEmpty', 'in', 'notIn', 'atLeast', 'atMost'];
const listed: readonly ConditionOperator[] = ['empty', 'notEmpty', 'in', 'notIn'];
const present: readonly ConditionOperator[] = ['empty', 'notEmpty'];

/** Operators that compare values of a kind. */
export const conditionOperatorsOf: Readonly<Record<FieldKind, readonly ConditionOperator[]>> = {
  number: ordered,
  day: ordered,
  instant: ordered,
  text: listed,
  flag: listed,
  choice: listed,
  richText: present,
  objects: present,
};

/**
 * Compares two values; exact also for digits beyond 2^53. @returns a number less than, equal to or
 * greater than 0
 */
export function compareValues(a: number | string, b: number | string): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return compare(BigInt(a), BigInt(b));
}

function holds({ operator, values }: FieldCondition, value: StoredValue | undefined): boolean {
  if (operator === 'empty') return value === undefined;
  if (operator === 'notEmpty') return value !== undefined;
  if (operator === 'in' || operator === 'notIn') {
    const elements: readonly unknown[] = Array.isArray(value) ? value : [value];
    return elements.some((element) => (values as readonly unknown[]).includes(element)) === (operator === 'in');
  }
  if (value === undefined) return false;
  const order = compareValues(value as number | string, values[0] as number | string);
  return operator === 'atLeast' ? order >= 0 : order <= 0;
}

/**
 * Returns whether all conditions hold. @param data values of posts and of screens; ids of fields
 * differ between the two
 */
export function conditionsHold(conditions: readonly FieldCondition[], ...data: readonly FieldData[]): boolean {
  return conditions.every((condition) => {
    const key = String(condition.fieldId);
    const found = data.find((values) => values[key] !== undefined && values[key] !== null);
    return holds(condition, found?.[key] as StoredValue | undefined);
  });
}

/**
 * Returns SQL of {@link conditionsHold} for posts.
 * @param p alias of the posts row @param add adds a value as a parameter and returns its SQL
 */
export function conditionsSql(
  p: string,
  conditions: readonly FieldCondition[],
  add: (value: unknown) => string,
): string {
  if (conditions.length === 0) return 'true';
  return conditions.map((condition) => conditionSql(p, condition, add)).join(' AND ');
}

function conditionSql(
  p: string,
  { fieldId, operator, values }: FieldCondition,
  add: (value: unknown) => string,
): string {
  const key = `${add(String(fieldId))}::text`;
  const value = `coalesce(${p}.custom_data -> ${key}, ${p}.screen_data -> ${key})`;
  if (operator === 'empty') return `${value} IS NULL`;
  if (operator === 'notEmpty') return `${value} IS NOT NULL`;
  if (operator === 'in' || operator === 'notIn') {
    const list = add(values.map((one) => JSON.stringify(one)));
    return `${operator === 'in' ? '' : 'NOT '}coalesce(${value} @> ANY (${list}::text[]::jsonb[]), false)`;
  }
  const bound = `${add(String(values[0]))}::text::numeric`;
  return `coalesce((${value} #>> '{}')::numeric ${operator === 'atLeast' ? '>=' : '<='} ${bound}, false)`;
}

/**
 * Returns the ids of the fields that a form shows: fields whose conditions hold. In the conditions
 * of other fields, a hidden field counts as empty.
 * @param fields all fields of the form
 */
export function shownFieldIds(
  fields: readonly { readonly id: number; readonly conditions: readonly FieldCondition[] }[],
  data: FieldData,
): Set<number> {
  const shown = new Set<number>();
  const byId = new Map(fields.map((field) => [field.id, field]));
  const decided = new Map<number, boolean>();
  const isShown = (id: number): boolean => {
    const known = decided.get(id);
    if (known !== undefined) return known;
    decided.set(id, false);
    const conditions = byId.get(id)?.conditions ?? [];
    const result = conditions.every((condition) =>
      holds(
        condition,
        isShown(condition.fieldId) ? (data[String(condition.fieldId)] as StoredValue | undefined) : undefined,
      ),
    );
    decided.set(id, result);
    return result;
  };
  for (const { id } of fields) if (isShown(id)) shown.add(id);
  return shown;
}

/** Returns the ids of fields whose conditions form a cycle. */
export function circularFieldIds(
  fields: readonly { readonly id: number; readonly conditions: readonly FieldCondition[] }[],
): number[] {
  const above = new Map(fields.map(({ id, conditions }) => [id, conditions.map(({ fieldId }) => fieldId)]));
  return fields.flatMap(({ id }) => {
    const seen = new Set<number>();
    const waiting = [...(above.get(id) ?? [])];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (next === id) return id;
      if (seen.has(next)) continue;
      seen.add(next);
      waiting.push(...(above.get(next) ?? []));
    }
    return [];
  });
}
