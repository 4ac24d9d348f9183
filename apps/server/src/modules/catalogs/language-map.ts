/** Reads texts by language, as administrators write names and labels. */
import { languages } from '@portico/contract';
import type { FieldError } from '../../kernel/errors.ts';
import { isLongerThan } from '../../platform/text/index.ts';
import type { LanguageMap } from './catalog-types.ts';

/** Longest name or label, in code points: a label is searched and ordered by a key of 200 characters. */
const maxLabelLength = 200;

/** `en`, `pt-BR`, `zh-Hant`. */
const LANGUAGE = /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/;

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

/** As {@link readLanguageMap}, where there need not be any text. */
export function readTranslations(field: string, value: LanguageMap | undefined, errors: FieldError[]): LanguageMap {
  const texts: Record<string, string> = {};
  for (const [language, given] of Object.entries(value ?? {})) {
    const text = given.trim();
    if (text === '') continue;
    const at = `${field}.${language}`;
    if (!LANGUAGE.test(language)) {
      errors.push({ field: at, code: 'INVALID_VALUE', defaultMessage: 'Keys are language codes such as en or pt-BR.' });
    } else if (isLongerThan(text, maxLabelLength)) {
      errors.push({
        field: at,
        code: 'TEXT_TOO_LONG',
        defaultMessage: `At most ${maxLabelLength} characters (code points).`,
        args: [maxLabelLength],
      });
    } else {
      texts[language] = text;
    }
  }
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
