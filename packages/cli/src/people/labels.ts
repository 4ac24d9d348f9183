/** Values of posts as people read them: labels for ids, dates for milliseconds, text for rich text. */
import { type FieldType, fieldTypes, type GetPostDefinitionResponse, type JsonValue } from '@portico/contract';
import { shownMoment } from '../output.ts';

/** A field as far as its values need it. */
interface ReadField {
  id?: number;
  label?: string;
  type?: number;
  enumValues?: readonly { id?: number; label?: string }[];
}

type Values = Readonly<Record<string, JsonValue>>;

/** Returns the values of fields by label, in the order of the definition, without empty ones. */
export function labelledValues(fields: readonly ReadField[], values: Values | undefined): Record<string, unknown> {
  const labelled: Record<string, unknown> = {};
  for (const field of fields) {
    const value = values?.[String(field.id)];
    if (value === undefined || value === null || field.id === undefined) continue;
    const label = field.label || String(field.id);
    // Of two fields with one label, the second is named by its id too.
    labelled[Object.hasOwn(labelled, label) ? `${label} (${field.id})` : label] = shownValue(field, value);
  }
  return labelled;
}

/** Fields of the posts and the screens of a community. */
export function fieldsOf({ fieldDefinitions = [], workflowDefinition }: GetPostDefinitionResponse): {
  ofPosts: readonly ReadField[];
  ofScreens: readonly ReadField[];
} {
  return { ofPosts: fieldDefinitions, ofScreens: workflowDefinition?.screenFieldMetadatas ?? [] };
}

function shownValue(field: ReadField, value: JsonValue): unknown {
  const kind = fieldTypes[field.type as FieldType]?.kind;
  if (Array.isArray(value)) {
    const items = value.map((item) => shownItem(field, item));
    return fieldTypes[field.type as FieldType]?.list || items.length > 1 ? items : items[0];
  }
  if (typeof value === 'number' && kind === 'day') return new Date(value).toISOString().slice(0, 10);
  if (typeof value === 'number' && kind === 'instant') return shownMoment(value);
  if (typeof value === 'string' && kind === 'richText') return plainText(value);
  return shownItem(field, value);
}

function shownItem(field: ReadField, item: JsonValue): unknown {
  if (typeof item === 'number' && fieldTypes[field.type as FieldType]?.kind === 'choice')
    return field.enumValues?.find(({ id }) => id === item)?.label ?? item;
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return item;
  return nameOf(item) ?? item;
}

/** Returns the name of an object of an answer: a person, a group, an entry, a state, a post. */
export function nameOf(item: unknown): string | undefined {
  if (typeof item !== 'object' || item === null) return undefined;
  const { firstName, lastName, label, name, title } = item as Record<string, unknown>;
  const person = [firstName, lastName].filter((part) => typeof part === 'string' && part !== '').join(' ');
  return [person, label, name, title].find((text): text is string => typeof text === 'string' && text !== '');
}

/** Returns the text of a delta, without its formats; the text itself if it is none. */
export function plainText(text: string): string {
  return (
    operationsOf(text)
      ?.map(({ insert }) => (typeof insert === 'string' ? insert : ''))
      .join('')
      .trimEnd() ?? text
  );
}

/** Whether a delta has formats or embedded objects, which plain text loses. */
export function isFormatted(text: string): boolean {
  return (operationsOf(text) ?? []).some(
    ({ insert, attributes }) => typeof insert !== 'string' || Object.keys(attributes ?? {}).length > 0,
  );
}

interface DeltaOperation {
  insert?: unknown;
  attributes?: Record<string, unknown>;
}

function operationsOf(text: string): DeltaOperation[] | undefined {
  try {
    const value = JSON.parse(text) as unknown;
    const operations = Array.isArray(value) ? value : (value as { ops?: unknown } | null)?.ops;
    return Array.isArray(operations) ? (operations as DeltaOperation[]) : undefined;
  } catch {
    return undefined; // not JSON, so plain text
  }
}
