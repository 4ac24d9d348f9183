/** Templates for new posts in the file of a community: described, normalised and checked. */
import {
  type CommunityFile,
  type CommunityFileField,
  type CommunityFileTemplate,
  type CommunityFileTemplateValue,
  FieldType,
  type JsonValue,
  PartUse,
  Visibility,
} from '@portico/contract';
import { asList } from '@portico/platform/as-list';
import type { FieldError } from '../../../kernel/errors.ts';
import type { CommunityDefinition, FieldDefinition } from '../../communities/index.ts';
import { holdsObjects, isChoice, typeOf } from '../../fields/index.ts';
import type { TemplateRow } from '../../posts/index.ts';
import { describeValues, type FieldKeys } from './file-conditions.ts';
import { idsByKey, keysOf, nameOf, withoutDefaults } from './file-names.ts';
import { describeText, normaliseText } from './file-texts.ts';

/** Switches of a community that decide which texts templates have. */
type TextUse = Pick<CommunityDefinition['community'], 'titleEnabled' | 'descriptionEnabled'>;

/**
 * Returns the templates of a community.
 * @param retired entries of catalogs that are out of use: another tenant does not have them
 */
export function describeTemplates(
  rows: readonly TemplateRow[],
  { fields, community }: Pick<CommunityDefinition, 'fields'> & { readonly community: TextUse },
  keys: FieldKeys,
  retired: ReadonlySet<number>,
) {
  const names = keysOf(rows.map(({ id, name }) => ({ id, name, externalId: null })));
  const files = rows.map((row): CommunityFileTemplate => {
    const { title, description, visibility } = row;
    const texts = {
      ...(title !== null && community.titleEnabled !== PartUse.DISABLED && { title }),
      ...(description !== null &&
        community.descriptionEnabled !== PartUse.DISABLED && { description: describeText(description) }),
    };
    const values = fields.flatMap((field) =>
      describeValue(field, row.customData[field.id] as JsonValue, keys, retired),
    );
    return {
      name: names.get(row.id)!,
      ...withoutDefaults({
        ...texts,
        ...(visibility !== null && { visibility: nameOf(Visibility, visibility) }),
        values,
      }),
    };
  });
  return { files, rows: new Map([...idsByKey(names)].map(([name, id]) => [name, rows.find((row) => row.id === id)!])) };
}

/** @param stored value of the field; undefined without one */
function describeValue(
  field: FieldDefinition,
  stored: JsonValue | undefined,
  keys: FieldKeys,
  retired: ReadonlySet<number>,
): CommunityFileTemplateValue[] {
  if (stored === undefined || holdsObjects(field)) return [];
  const isUsed = (id: JsonValue) =>
    field.catalogId === null
      ? field.enumValueById.get(id as number)?.deleted === false
      : keys.entries.has(id as number) && !retired.has(id as number);
  const given = asList<JsonValue>(stored).filter((value) => !isChoice(field) || isUsed(value));
  if (given.length === 0) return [];
  const values =
    typeOf(field).kind === 'richText'
      ? given.map((text) => describeText(String(text)))
      : describeValues(keys, field.id, given);
  return [{ field: keys.posts.get(field.id)!, values }];
}

/** Returns a template without defaults, its values in the order of the fields. */
export function normaliseTemplate(
  { title, description, values = [], ...template }: CommunityFileTemplate,
  fields: readonly CommunityFileField[],
  normaliseValue: (field: CommunityFileField, value: JsonValue) => JsonValue,
): CommunityFileTemplate {
  const places = new Map(fields.map(({ key }, index) => [key, index]));
  const sorted = values
    .filter((value) => value.values?.length)
    .toSorted((a, b) => (places.get(a.field) ?? 0) - (places.get(b.field) ?? 0));
  return {
    ...withoutDefaults({
      name: template.name,
      ...(title !== undefined && { title: title.trim() === '' ? '' : title.trimStart() }),
      ...(description !== undefined && { description: normaliseText(description) }),
      visibility: template.visibility,
      values: sorted.map(({ field: key, values: given = [] }) => {
        const field = fields[places.get(key) ?? -1];
        const one = (value: JsonValue) => {
          if (!field || kindOf(field) !== 'richText') return field ? normaliseValue(field, value) : value;
          return typeof value === 'string' ? normaliseText(value) : value;
        };
        return { field: key, values: kindOf(field ?? {}) === 'choice' ? given : given.map(one) };
      }),
    }),
  };
}

/** Returns the kind of the values of a field; undefined for a field without a type. */
const kindOf = ({ type }: Pick<CommunityFileField, 'type'>) =>
  type === undefined ? undefined : typeOf({ type: FieldType[type] }).kind;

/** Refuses texts that the community does not have, and values of fields that hold people, groups or posts. */
export function checkTemplates(
  { templates = [], fields = [], community = {} }: CommunityFile,
  refuse: (field: string, message: string, code: FieldError['code']) => void,
): void {
  const types = new Map(fields.map(({ key, type }) => [key, type]));
  for (const [index, { values = [], ...template }] of templates.entries()) {
    const at = `file.templates[${index}]`;
    for (const [text, use] of [
      ['title', community.titleEnabled],
      ['description', community.descriptionEnabled],
    ] as const)
      if (use === 'DISABLED' && template[text]?.trim())
        refuse(`${at}.${text}`, `Posts of the community have no ${text}.`, 'INVALID_VALUE');
    const seen = new Set<string | undefined>();
    for (const [n, { field }] of values.entries()) {
      const type = types.get(field);
      if (seen.has(field))
        refuse(`${at}.values[${n}].field`, 'The template has this field already.', 'DUPLICATE_VALUE');
      seen.add(field);
      if (kindOf({ type }) === 'objects')
        refuse(`${at}.values[${n}].field`, 'A file holds no people, groups and posts.', 'INVALID_VALUE');
    }
  }
}
