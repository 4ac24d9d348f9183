/** Texts of fields for the search over everything. */

import { type CommunityDefinition, isRestricted } from '../../communities/index.ts';
import type { StoredValue } from '../../fields/index.ts';
import { textTypeOf } from '../../fields/index.ts';
import { fieldRules } from './field-rules.ts';

/** The text of a field of a post. */
interface FieldText {
  readonly label: string;
  readonly text: string;
}

/**
 * Returns the texts of the text fields that everybody sees, in the order of the form; fields of
 * workflow screens come last.
 */
export function openFieldTexts(
  definition: CommunityDefinition,
  post: { customData: Readonly<Record<string, unknown>>; screenData: Readonly<Record<string, unknown>> },
): FieldText[] {
  const rules = fieldRules(definition);
  const texts: FieldText[] = [];
  for (const [fields, data] of [
    [rules.post, post.customData],
    [rules.screen, post.screenData],
  ] as const) {
    for (const field of fields) {
      const value = data[String(field.id)] as StoredValue | undefined;
      const type = textTypeOf(field);
      if (value === undefined || !type || isRestricted(field)) continue;
      texts.push({ label: field.label, text: type.plainText(value) });
    }
  }
  return texts;
}
