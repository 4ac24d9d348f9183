/** Texts of forms. Lengths are in code points. */
import { isLongerThan } from '@portico/platform/text';
import type { FieldErrors } from './errors.ts';

export function checkLength(field: string, text: string, most: number, errors: FieldErrors): void {
  if (isLongerThan(text, most)) errors.add(field, 'TEXT_TOO_LONG', undefined, [most]);
}

/** `en`, `pt-BR`, `zh-Hant`. */
const LANGUAGE = /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/;

/** Longest name or label, in code points: a label is searched and ordered by a key of 200 characters. */
const MAX_LABEL = 200;

/** Texts by language. @param most code points of each  @returns them trimmed; blank ones count as absent */
export function readTranslations(
  field: string,
  value: Readonly<Record<string, string>> | undefined,
  errors: FieldErrors,
  most = MAX_LABEL,
): Record<string, string> {
  const texts = Object.entries(value ?? {}).flatMap(([language, given]): [string, string][] =>
    given.trim() === '' ? [] : [[language, given.trim()]],
  );
  for (const [language, text] of texts) {
    const at = `${field}.${language}`;
    if (!LANGUAGE.test(language)) {
      errors.add(at, 'INVALID_VALUE', 'Keys are language codes such as en or pt-BR.');
    } else if (isLongerThan(text, most)) {
      const defaultMessage = `At most ${most} characters (code points).`;
      errors.add(at, 'TEXT_TOO_LONG', defaultMessage, [most]);
    }
  }
  return Object.fromEntries(texts);
}

/** A text that must be there. @returns it trimmed */
export function requiredText(field: string, value: string | undefined, most: number, errors: FieldErrors): string {
  const text = value?.trim() ?? '';
  if (text === '') errors.add(field, 'REQUIRED_FIELD');
  else checkLength(field, text, most, errors);
  return text;
}

/** A text that may be left out. @returns it trimmed; null for a blank one */
export function optionalText(
  field: string,
  value: string | undefined,
  most: number,
  errors: FieldErrors,
): string | null {
  const text = value?.trim() || null;
  if (text !== null) checkLength(field, text, most, errors);
  return text;
}
