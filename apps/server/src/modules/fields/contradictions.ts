/** Finds conditions that can never hold together. Pure. */
import { compareValues, type FieldCondition } from './conditions.ts';

type Value = FieldCondition['values'][number];

/** The parts of a field with conditions that are compared. */
interface Conditioned {
  readonly id: number;
  readonly conditions: readonly FieldCondition[];
}

/** Operators that hold only if the field has a value. */
const DEMANDING: ReadonlySet<FieldCondition['operator']> = new Set(['in', 'notEmpty', 'atLeast', 'atMost']);

/**
 * Returns whether no value satisfies all conditions, which are on the same field. @param list
 * whether the field holds several values
 */
function contradicts(conditions: readonly FieldCondition[], list: boolean): boolean {
  const of = (operator: FieldCondition['operator']) => conditions.filter((one) => one.operator === operator);
  const demanding = conditions.some(({ operator }) => DEMANDING.has(operator));
  if (demanding && of('empty').length > 0) return true;
  const refused = new Set(of('notIn').flatMap(({ values }) => values));
  const bounds = (operator: 'atLeast' | 'atMost') => of(operator).map(({ values }) => values[0] as number | string);
  const [least, most] = [bounds('atLeast'), bounds('atMost')];
  if (least.some((low) => most.some((high) => compareValues(low, high) > 0))) return true;
  const fits = (value: Value) =>
    !refused.has(value) &&
    least.every((low) => compareValues(value as number | string, low) >= 0) &&
    most.every((high) => compareValues(value as number | string, high) <= 0);
  const choices = of('in').map(({ values }) => values.filter(fits));
  if (list) return choices.some((values) => values.length === 0);
  const [first, ...rest] = choices;
  const others = rest.map((values) => new Set(values));
  return first !== undefined && !first.some((value) => others.every((values) => values.has(value)));
}

/**
 * Returns the field whose given conditions can never hold together, if any.
 * @param isList whether a field holds several values
 */
export function contradictedField(
  conditions: readonly FieldCondition[],
  isList: (fieldId: number) => boolean,
): number | undefined {
  const byField = Map.groupBy(conditions, ({ fieldId }) => fieldId);
  return [...byField].find(([id, on]) => contradicts(on, isList(id)))?.[0];
}

/**
 * Returns the conditions under which a form shows a field. If a condition demands a value of
 * another field, it includes the conditions of that field, because a hidden field counts as empty.
 * @param fields fields of the form; their conditions form no cycle
 */
export function impliedConditions(field: Conditioned, fields: ReadonlyMap<number, Conditioned>): FieldCondition[] {
  const implied = new Set<number>([field.id]);
  const all = [...field.conditions];
  for (const { fieldId, operator } of all) {
    if (!DEMANDING.has(operator) || implied.has(fieldId)) continue;
    implied.add(fieldId);
    all.push(...(fields.get(fieldId)?.conditions ?? []));
  }
  return all;
}
