/** Names fields and choices in answers: the opposite direction of custom-data.ts. */
import type { GetPostDefinitionResponse, JsonValue } from '@portico/contract';
import { type Field, factsOf } from './filters.ts';
import { findNamed, type Named } from './names.ts';

type Definitions = (communityId: number) => Promise<GetPostDefinitionResponse>;

/**
 * Replaces the keys of `customData` by labels of fields, and ids of the values of a field by their
 * labels, in every post of an answer. Writes accept the result. What no label names alone, such as
 * two fields with one label, keeps its id.
 * @param definitionOf reads the definition of a community
 */
export async function labelAnswer<T>(answer: T, definitionOf: Definitions): Promise<T> {
  return (await labelled(answer, undefined, definitionOf)) as T;
}

async function labelled(value: unknown, communityId: unknown, definitionOf: Definitions): Promise<unknown> {
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (const item of value) items.push(await labelled(item, communityId, definitionOf));
    return items;
  }
  if (typeof value !== 'object' || value === null) return value;
  const own = (value as { communityId?: unknown }).communityId ?? communityId;
  const copy: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    const isValues = name === 'customData' && typeof member === 'object' && member !== null && typeof own === 'number';
    copy[name] = isValues
      ? labelValues((await definitionOf(own)).fieldDefinitions ?? [], member as Record<string, JsonValue>)
      : await labelled(member, own, definitionOf);
  }
  return copy;
}

/** Returns values by label of their fields, with labels for ids of values. */
function labelValues(fields: readonly Field[], values: Readonly<Record<string, JsonValue>>): Record<string, JsonValue> {
  const named: Record<string, JsonValue> = {};
  for (const [key, value] of Object.entries(values)) {
    const field = fields.find(({ id }) => String(id) === key);
    if (!field) {
      named[key] = value;
      continue;
    }
    named[labelOf(fields, field) ?? key] = factsOf(field)?.kind === 'choice' ? labelChoice(field, value) : value;
  }
  return named;
}

function labelChoice(field: Field, value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map((item) => labelChoice(field, item));
  // Entries of catalogs are objects, which have their own labels.
  if (typeof value !== 'number') return value;
  const choices = field.enumValues ?? [];
  const choice = choices.find(({ id }) => id === value);
  return (choice && labelOf(choices, choice)) ?? value;
}

/** Returns the label by which an object is found; undefined if it names another one, or several. */
function labelOf<T extends Named>(list: readonly T[], item: T): string | undefined {
  return item.label && findNamed(list, item.label) === item ? item.label : undefined;
}
