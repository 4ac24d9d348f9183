/** Reads texts by language from the names and labels of administrators. */
import { languages } from '@portico/contract';
import type { FieldErrors } from '../../../kernel/errors.ts';
import { readTranslations } from '../../../kernel/text-input.ts';
import type { LanguageMap } from './catalog-types.ts';

/**
 * Reads texts by language. Blank texts count as absent.
 * @param field path of the map in the body
 * @param errors receives all errors
 * @returns the texts, trimmed
 */
export function readLanguageMap(field: string, value: LanguageMap | undefined, errors: FieldErrors): LanguageMap {
  const before = errors.length;
  const texts = readTranslations(field, value, errors);
  if (errors.length === before && Object.keys(texts).length === 0)
    errors.add(field, 'REQUIRED_FIELD', 'At least one translation is required.');
  return texts;
}

/** Returns the position of a language among the published ones; others come after them. */
function placeOf(language: string): number {
  const place = languages.findIndex(({ code }) => code === language);
  return place < 0 ? languages.length : place;
}

/**
 * Returns texts with a text in the tenant's language. If it is missing, the first other text is
 * used, in the order of the published languages, then by code.
 */
export function fillLanguage(texts: LanguageMap, language: string): LanguageMap {
  if (Object.hasOwn(texts, language)) return texts;
  const [first] = Object.keys(texts).sort((a, b) => placeOf(a) - placeOf(b) || (a < b ? -1 : 1));
  return first === undefined ? texts : { ...texts, [language]: texts[first] as string };
}
