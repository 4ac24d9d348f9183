/** Returns values as readable text. */
import type { JsonValue } from '@portico/contract';
import type { FieldCondition } from './conditions.ts';
import { holdsIds, typeOf } from './field-types.ts';
import type { FieldMetadata } from './types/shared/field-type.ts';

/** A field with the parts that the text of its values needs. */
interface ToldField extends FieldMetadata {
  readonly type: Parameters<typeof typeOf>[0]['type'];
  readonly enumValueById: ReadonlyMap<number, { readonly label: string }>;
}

/**
 * Returns the name of an object: the label of an entry, the name of a person or group, the title of
 * a post. Marks deleted people and groups.
 */
export function nameOf(value: JsonValue): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return String(value);
  const { label, firstName, lastName, name, title, membersCount, deleted } = value as Record<string, unknown>;
  const person = [firstName, lastName].filter((part) => typeof part === 'string').join(' ');
  const told = [label, person, name, title].find((part) => typeof part === 'string' && part !== '')?.toString() ?? '';
  return deleted === true && (person !== '' || membersCount !== undefined) ? `${told}${DELETED}` : told;
}

/** Mark after the name of a deleted person or group. */
const DELETED = ' (deleted)';

/**
 * @returns the name of a deleted person or group in the form of {@link nameOf}, without the mark;
 * undefined for another text
 */
export function deletedName(told: string): string | undefined {
  const text = told.trim();
  return text.endsWith(DELETED) ? text.slice(0, -DELETED.length).trim() || undefined : undefined;
}

/**
 * Returns a value in words. @param value as clients read it: references as objects; undefined for
 * an empty value
 */
export function valueInWords(field: ToldField, value: JsonValue | undefined): string {
  if (Array.isArray(value)) return elementsInWords(field, value).join(', ');
  if (value === undefined || value === null) return '';
  return holdsIds(field) ? nameOf(ownLabel(field, value)) : typeOf(field).words(value);
}

/** Returns the elements of a list value in words. */
export function elementsInWords(field: ToldField, value: readonly JsonValue[]): string[] {
  return value.map((one) => nameOf(typeof one === 'number' ? ownLabel(field, one) : one));
}

/** Returns a clause, without a full stop, that says whether a condition on a field holds. */
export function conditionInWords(
  field: ToldField & { readonly label: string },
  { operator, values }: Pick<FieldCondition, 'operator' | 'values'>,
  holds: boolean,
): string {
  const words = values.map((value) => valueInWords(field, value));
  const told = words.map((word) => `“${word}”`).join(', ');
  const [yes, no] = {
    empty: ['is empty', 'is not empty'],
    notEmpty: ['is not empty', 'is empty'],
    in: [`holds one of ${told}`, `holds none of ${told}`],
    notIn: [`holds none of ${told}`, `holds one of ${told}`],
    atLeast: [`is at least ${words}`, `is not at least ${words}`],
    atMost: [`is at most ${words}`, `is not at most ${words}`],
  }[operator];
  return `the field “${field.label}” ${holds ? yes : no}`;
}

function ownLabel(field: ToldField, id: JsonValue): JsonValue {
  return field.enumValueById.get(Number(id))?.label ?? id;
}
