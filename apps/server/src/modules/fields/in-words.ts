/** Values as people read them. */
import type { JsonValue } from '@portico/contract';
import type { FieldCondition } from './conditions.ts';
import type { FieldMetadata } from './field-type.ts';
import { holdsIds, typeOf } from './field-types.ts';

/** What a value of a field is told with. */
interface ToldField extends FieldMetadata {
  readonly type: Parameters<typeof typeOf>[0]['type'];
  readonly enumValueById: ReadonlyMap<number, { readonly label: string }>;
}

/**
 * Tells what people know an object by: the label of an entry, the name of a person or group, the title of a post. A person or group
 * that was deleted is marked so.
 */
export function nameOf(value: JsonValue): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return String(value);
  const { label, firstName, lastName, name, title, membersCount, deleted } = value as Record<string, unknown>;
  const person = [firstName, lastName].filter((part) => typeof part === 'string').join(' ');
  const told = [label, person, name, title].find((part) => typeof part === 'string' && part !== '')?.toString() ?? '';
  return deleted === true && (person !== '' || membersCount !== undefined) ? `${told}${DELETED}` : told;
}

/** Marks the name of a person or group that was deleted. */
const DELETED = ' (deleted)';

/** @returns the name of a deleted person or group as {@link nameOf} tells it, without the mark; undefined for another text */
export function deletedName(told: string): string | undefined {
  const text = told.trim();
  return text.endsWith(DELETED) ? text.slice(0, -DELETED.length).trim() || undefined : undefined;
}

/** A value in words. @param value as it is read: references as objects; undefined for none */
export function valueInWords(field: ToldField, value: JsonValue | undefined): string {
  if (Array.isArray(value)) return elementsInWords(field, value).join(', ');
  if (value === undefined || value === null) return '';
  return holdsIds(field) ? nameOf(ownLabel(field, value)) : typeOf(field).words(value);
}

/** The elements of a value that is a list, in words. */
export function elementsInWords(field: ToldField, value: readonly JsonValue[]): string[] {
  return value.map((one) => nameOf(typeof one === 'number' ? ownLabel(field, one) : one));
}

/** Whether a condition on a field holds, as a clause without a full stop. */
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
