/** Texts of fields for the search over everything. */

import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import {
  type CommunityDefinition,
  type FieldDefinition,
  isRestricted,
  loadCatalogEntries,
} from '../../communities/index.ts';
import { isChoice, type StoredValue, storedIds, textTypeOf } from '../../fields/index.ts';

/** The text of a field of a post. */
interface FieldText {
  readonly label: string;
  readonly text: string;
}

/** Values of a post by field id. */
export interface FieldData {
  readonly customData: Readonly<Record<string, unknown>>;
  readonly screenData: Readonly<Record<string, unknown>>;
}

/** Labels of catalog entries in all languages, by entry id. */
export type EntryLabels = ReadonlyMap<number, readonly string[]>;

/** Reads the labels of the catalog entries that {@link openFieldTexts} of posts needs, in one statement at most. */
export async function readEntryLabels(
  db: TenantExecutor,
  posts: Iterable<readonly [CommunityDefinition, FieldData]>,
): Promise<EntryLabels> {
  const ids = new Set<number>();
  for (const [definition, data] of posts)
    for (const [field, value] of openValues(definition, data))
      if (isOfCatalog(field)) for (const id of storedIds(value)) ids.add(id);
  const entries = await loadCatalogEntries(db, ids);
  return new Map([...entries].map(([id, { label }]) => [id, [...new Set(Object.values(label))]]));
}

const isOfCatalog = (field: FieldDefinition) => isChoice(field) && field.catalogId !== null;

/**
 * Returns the texts of the text and choice fields that everybody sees, in the order of the form;
 * fields of workflow screens come last.
 * @param entries labels of the catalog entries among the values
 */
export function openFieldTexts(definition: CommunityDefinition, data: FieldData, entries: EntryLabels): FieldText[] {
  return openValues(definition, data).flatMap(([field, value]) => {
    const text = textTypeOf(field)?.plainText(value) ?? (isChoice(field) ? labelsOf(field, value, entries) : '');
    return text === '' ? [] : [{ label: field.label, text }];
  });
}

/** Returns the fields that everybody sees and that have a value. */
function openValues(
  definition: CommunityDefinition,
  { customData, screenData }: FieldData,
): [FieldDefinition, StoredValue][] {
  const found: [FieldDefinition, StoredValue][] = [];
  for (const [fields, data] of [
    [definition.fields, customData],
    [definition.workflow?.fields ?? [], screenData],
  ] as const) {
    for (const field of fields) {
      const value = data[String(field.id)] as StoredValue | undefined;
      if (value !== undefined && !isRestricted(field)) found.push([field, value]);
    }
  }
  return found;
}

/** Returns the labels of the chosen values, in all languages. */
const labelsOf = (field: FieldDefinition, value: StoredValue, entries: EntryLabels): string =>
  storedIds(value)
    .flatMap((id) => {
      const own = field.enumValueById.get(id);
      const labels = field.catalogId === null ? own && labelTexts(own) : entries.get(id);
      return labels ? [labels.join(' · ')] : [];
    })
    .join(', ');

const labelTexts = ({ label, translations }: FieldDefinition['enumValues'][number]): string[] => [
  ...new Set([label, ...Object.values(translations)]),
];

/**
 * Returns a text that changes with the labels that {@link openFieldTexts} adds: they change without
 * their posts.
 * @param labelsVersion version of the labels of catalog entries
 */
export function openLabels({ fields, workflow }: CommunityDefinition, labelsVersion: number): string {
  const choices = [...fields, ...(workflow?.fields ?? [])].filter((field) => isChoice(field) && !isRestricted(field));
  return choices
    .flatMap((field) =>
      field.catalogId === null
        ? field.enumValues.map((value) => `${value.id} ${labelTexts(value).join(' ')}`)
        : [`${field.catalogId} ${labelsVersion}`],
    )
    .join('\n');
}
