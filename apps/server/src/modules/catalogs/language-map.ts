/** Reads texts by language, as administrators write names and labels. */
import { languages } from '@portico/contract';
import type { FieldError } from '../../kernel/errors.ts';
import { readTranslations } from '../../kernel/text-input.ts';
import type { LanguageMap } from './catalog-types.ts';

/**
 * Blank texts count as absent.
 * @param field path of the map in the body
 * @param errors is told everything that is wrong
 * @returns the texts, trimmed
 */
export function readLanguageMap(field: string, value: LanguageMap | undefined, errors: FieldError[]): LanguageMap {
  const before = errors.length;
  const texts = readTranslations(field, value, errors);
  if (errors.length === before && Object.keys(texts).length === 0)
    errors.push({ field, code: 'REQUIRED_FIELD', defaultMessage: 'At least one translation is required.' });
  return texts;
}

/** Position of a language among the published ones; others come after them. */
function placeOf(language: string): number {
  const place = languages.findIndex(({ code }) => code === language);
  return place < 0 ? languages.length : place;
}

/**
 * Texts with one in the tenant's language: left out, it is the first of the others, in the order of the published languages,
 * then by code.
 */
export function fillLanguage(texts: LanguageMap, language: string): LanguageMap {
  if (Object.hasOwn(texts, language)) return texts;
  const [first] = Object.keys(texts).sort((a, b) => placeOf(a) - placeOf(b) || (a < b ? -1 : 1));
  return first === undefined ? texts : { ...texts, [language]: texts[first] as string };
}
