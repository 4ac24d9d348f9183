/** Every type of field. To add one, see "Add a field type" in docs/recipes.md. */
import { FieldType, fieldTypes as facts, fieldTypeName, fieldTypesWhere, generalMetadataKeys } from '@portico/contract';
import { unknownName } from '@portico/platform/text';
import { bigint } from './types/bigint.ts';
import { date } from './types/date.ts';
import { datetime } from './types/datetime.ts';
import { decimal } from './types/decimal.ts';
import { deltaArea } from './types/delta-area.ts';
import { enumeration } from './types/enum.ts';
import { enumList } from './types/enum-list.ts';
import { feedback } from './types/feedback.ts';
import { flag } from './types/flag.ts';
import { genericEntityList } from './types/generic-entity-list.ts';
import { hierarchicalEnum } from './types/hierarchical-enum.ts';
import { int } from './types/int.ts';
import { link } from './types/link.ts';
import type {
  FieldTypeImplementation,
  FieldTypeSpec,
  MetadataKey,
  StoredValue,
  TextType,
} from './types/shared/field-type.ts';
import { string } from './types/string.ts';
import { textArea } from './types/text-area.ts';

const implementations: Readonly<Record<FieldType, FieldTypeImplementation>> = {
  [FieldType.INT]: int,
  [FieldType.BIGINT]: bigint,
  [FieldType.DECIMAL]: decimal,
  [FieldType.DATE]: date,
  [FieldType.DATETIME]: datetime,
  [FieldType.STRING]: string,
  [FieldType.ENUM]: enumeration,
  [FieldType.ENUM_LIST]: enumList,
  [FieldType.TEXT_AREA]: textArea,
  [FieldType.FLAG]: flag,
  [FieldType.DELTA_AREA]: deltaArea,
  [FieldType.FEEDBACK]: feedback,
  [FieldType.HIERARCHICAL_ENUM]: hierarchicalEnum,
  [FieldType.LINK]: link,
  [FieldType.GENERIC_ENTITY_LIST]: genericEntityList,
};

const specs = Object.fromEntries(
  Object.values(FieldType).map((type) => [type, { ...facts[type], ...implementations[type] }]),
) as unknown as Readonly<Record<FieldType, FieldTypeSpec>>;

type Typed = { readonly type: FieldType };

/** Returns the type of a field. */
export function typeOf({ type }: Typed): FieldTypeSpec {
  return specs[type];
}

/** Returns the type of a field whose values are text, otherwise undefined. */
export function textTypeOf(field: Typed): TextType | undefined {
  const type = typeOf(field);
  return type.filter === 'text' ? type : undefined;
}

/** Returns whether values are text that filters and search find. */
export function holdsText(field: Typed): boolean {
  return typeOf(field).column === 'txt';
}

/** Returns whether values are texts of many lines, which may be long. */
export function holdsLongText({ type }: Typed): boolean {
  const { kind, textForm } = facts[type];
  return kind === 'richText' || textForm === 'lines';
}

/** Returns whether values are ids of enum values, catalog entries or other objects. */
export function holdsIds(field: Typed): boolean {
  return typeOf(field).column === 'ref';
}

/** Returns whether values are chosen from a list: the field's own, or a catalog. */
export function isChoice(field: Typed): boolean {
  return typeOf(field).kind === 'choice';
}

/** Returns whether values are ids of people, groups or posts. */
export function holdsObjects(field: Typed): boolean {
  return typeOf(field).kind === 'objects';
}

/** Returns the ids of a stored value of a field that holds ids. */
export function storedIds(value: unknown): number[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? (value as number[]) : [value as number];
}

/** Returns whether two stored values are the same. */
export function sameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  return (
    Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((element, index) => element === b[index])
  );
}

/** Returns the text of a stored value of a text type; for rich text the plain text. */
export function storedText(field: Typed, value: StoredValue): string {
  return textTypeOf(field)?.plainText(value) ?? String(value);
}

const DAY_MS = 86_400_000;

/**
 * Returns a moment as a value of a date field; for a field of days, the day in UTC. @param ms epoch
 * milliseconds
 */
export function momentIn(field: Typed, ms: number): number {
  return typeOf(field).kind === 'day' ? Math.floor(ms / DAY_MS) * DAY_MS : ms;
}

const YES_OR_NO: MetadataKey = {
  accepts: (text) => text === 'true' || text === 'false',
  message: 'The text true or false.',
};

const knownMetadata = (type: FieldType): string[] => Object.keys(facts[type].metadataKeys ?? {});

/** Checked keys of the metadata: the keys of every type, and `generate_post_comment` on any. */
const metadataKeys: ReadonlyMap<string, MetadataKey> = new Map([
  ...Object.values(specs).flatMap((spec) => Object.entries(spec.metadata ?? {})),
  ['generate_post_comment', YES_OR_NO],
]);

/**
 * Returns the invalid keys of the metadata of a field, each with the accepted values.
 * @param stored present metadata: a text that is stored already is accepted, unless the key is
 *   required
 */
export function metadataProblems(
  field: Typed & { readonly metadata?: Readonly<Record<string, string>> },
  stored: Readonly<Record<string, string>> = {},
): { key: string; message: string }[] {
  const own = typeOf(field).metadata ?? {};
  const ofType = [...knownMetadata(field.type), ...generalMetadataKeys];
  const known: string[] = [...ofType, ...metadataKeys.keys()];
  const unknown = Object.entries(field.metadata ?? {}).flatMap(([key, text]) =>
    known.includes(key) || stored[key] === text
      ? []
      : [{ key, message: unknownName('A field of this type', 'metadata key', key, ofType) }],
  );
  const invalid = [...metadataKeys].flatMap(([key, { accepts, message, required }]) => {
    const text = field.metadata?.[key];
    const checked = required ? Object.hasOwn(own, key) : text !== undefined && stored[key] !== text;
    return checked && !accepts(text ?? '') ? [{ key, message }] : [];
  });
  return [...unknown, ...invalid];
}

/** Returns the names of the types whose facts hold, for messages. */
export function typeNamesWhere(holds: (spec: FieldTypeSpec) => boolean): string {
  return Object.values(FieldType)
    .filter((type) => holds(specs[type]))
    .map(fieldTypeName)
    .join(', ');
}

/** Codes of the types whose values are people, groups or posts. */
export const objectTypes: readonly FieldType[] = fieldTypesWhere(({ kind }) => kind === 'objects');
