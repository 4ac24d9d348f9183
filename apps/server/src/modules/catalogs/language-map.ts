/** Reads texts by language, as administrators write names and labels. */
import type { FieldError } from '../../platform/errors.ts';
import type { LanguageMap } from './catalog-types.ts';

/** Longest name or label, in UTF-16 units: a label is searched and ordered by a key of 200 characters. */
export const maxLabelLength = 200;

/** `en`, `pt-BR`, `zh-Hant`. */
const LANGUAGE = /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/;

/**
 * Blank texts count as absent.
 * @param field where the map stands in the body
 * @param errors is told everything that is wrong
 * @returns the texts, trimmed
 */
export function readLanguageMap(field: string, value: LanguageMap | undefined, errors: FieldError[]): LanguageMap {
  const texts: Record<string, string> = {};
  let faulty = false;
  for (const [language, given] of Object.entries(value ?? {})) {
    const text = given.trim();
    if (text === '') continue;
    const at = `${field}.${language}`;
    if (!LANGUAGE.test(language)) {
      errors.push({ field: at, code: 'INVALID_VALUE', defaultMessage: 'Keys are language codes such as en or pt-BR.' });
      faulty = true;
    } else if (text.length > maxLabelLength) {
      errors.push({
        field: at,
        code: 'TEXT_TOO_LONG',
        defaultMessage: `At most ${maxLabelLength} characters.`,
        args: [maxLabelLength],
      });
      faulty = true;
    } else {
      texts[language] = text;
    }
  }
  if (!faulty && Object.keys(texts).length === 0) {
    errors.push({ field, code: 'REQUIRED_FIELD', defaultMessage: 'A text in one language at least is required.' });
  }
  return texts;
}
