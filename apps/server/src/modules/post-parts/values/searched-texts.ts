/** Texts of fields for the search over everything. */

import { type CommunityDefinition, type FieldDefinition, isRestricted } from '../../communities/index.ts';
import { isChoice, type StoredValue, storedIds, textTypeOf } from '../../fields/index.ts';

/** The text of a field of a post. */
interface FieldText {
  readonly label: string;
  readonly text: string;
}

/**
 * Returns the texts of the text and choice fields that everybody sees, in the order of the form;
 * fields of workflow screens come last.
 */
export function openFieldTexts(
  definition: CommunityDefinition,
  post: { customData: Readonly<Record<string, unknown>>; screenData: Readonly<Record<string, unknown>> },
): FieldText[] {
  const texts: FieldText[] = [];
  for (const [fields, data] of [
    [definition.fields, post.customData],
    [definition.workflow?.fields ?? [], post.screenData],
  ] as const) {
    for (const field of fields) {
      const value = data[String(field.id)] as StoredValue | undefined;
      if (value === undefined || isRestricted(field)) continue;
      const text = textTypeOf(field)?.plainText(value) ?? (isChoice(field) ? labelsOf(field, value) : '');
      if (text !== '') texts.push({ label: field.label, text });
    }
  }
  return texts;
}

/** Returns the labels of the chosen values, in all languages. */
const labelsOf = (field: Pick<FieldDefinition, 'enumValueById'>, value: StoredValue): string =>
  storedIds(value)
    .flatMap((id) => field.enumValueById.get(id) ?? [])
    .map((chosen) => labelTexts(chosen).join(' · '))
    .join(', ');

const labelTexts = ({ label, translations }: FieldDefinition['enumValues'][number]): string[] => [
  ...new Set([label, ...Object.values(translations)]),
];

/** Returns the labels that {@link openFieldTexts} takes from a definition: they change without its posts. */
export function openLabels({ fields, workflow }: CommunityDefinition): string {
  const choices = [...fields, ...(workflow?.fields ?? [])].filter((field) => isChoice(field) && !isRestricted(field));
  return choices
    .flatMap((field) => field.enumValues.map((value) => `${value.id} ${labelTexts(value).join(' ')}`))
    .join('\n');
}
