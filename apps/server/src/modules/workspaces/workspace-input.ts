/** Checks the texts of a workspace. */
import type { FieldError } from '../../kernel/errors.ts';
import { isLongerThan } from '../../platform/text/index.ts';
import type { LanguageMap } from './workspaces.repository.ts';

/** Longest name, in code points. */
export const MAX_NAME = 200;
/** Longest text in one language, in code points. */
const MAX_TEXT = 10_000;
/** Longest identifier of another system, in code points. */
export const MAX_EXTERNAL_ID = 255;
/** `en`, `pt-BR`, `zh-Hant`. */
const LANGUAGE = /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/;

/** @returns texts by language; blank ones count as absent */
export function readTexts(field: string, texts: LanguageMap | undefined, errors: FieldError[]): LanguageMap {
  const result: Record<string, string> = {};
  for (const [language, given] of Object.entries(texts ?? {})) {
    const text = given.trim();
    if (text === '') continue;
    const at = `${field}.${language}`;
    if (!LANGUAGE.test(language)) {
      errors.push({ field: at, code: 'INVALID_VALUE', defaultMessage: 'Keys are language codes such as en or pt-BR.' });
    } else if (isLongerThan(text, MAX_TEXT)) {
      errors.push({ field: at, code: 'TEXT_TOO_LONG', args: [MAX_TEXT] });
    } else {
      result[language] = text;
    }
  }
  return result;
}
