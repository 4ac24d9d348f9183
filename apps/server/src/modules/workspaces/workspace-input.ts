/** Checks the texts of a workspace. */
import type { FieldError } from '../../kernel/errors.ts';
import { isLongerThan } from '../../platform/text/index.ts';
import type { LanguageMap } from './workspaces.repository.ts';

/** Longest name, in code points. */
const MAX_NAME = 200;
/** Longest text in one language, in code points. */
const MAX_TEXT = 10_000;
/** Longest identifier of another system, in code points. */
const MAX_EXTERNAL_ID = 255;
/** `en`, `pt-BR`, `zh-Hant`. */
const LANGUAGE = /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/;

/** @returns the name, trimmed */
export function readWorkspaceName(name: string | undefined, errors: FieldError[]): string {
  const text = name?.trim() ?? '';
  if (text === '') errors.push({ field: 'name', code: 'REQUIRED_FIELD' });
  else if (isLongerThan(text, MAX_NAME)) errors.push({ field: 'name', code: 'TEXT_TOO_LONG', args: [MAX_NAME] });
  return text;
}

/** @returns the identifier of another system, trimmed; null for one that is left out or blank */
export function readExternalId(externalId: string | undefined, errors: FieldError[]): string | null {
  const text = externalId?.trim() ?? '';
  if (isLongerThan(text, MAX_EXTERNAL_ID))
    errors.push({ field: 'externalId', code: 'TEXT_TOO_LONG', args: [MAX_EXTERNAL_ID] });
  return text === '' ? null : text;
}

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
