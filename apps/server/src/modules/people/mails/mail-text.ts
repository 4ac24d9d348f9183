/** Texts of mails: names of users as one line, HTML, the language of a recipient. */
import { oneLine } from '@portico/contract';
import { type MailLanguage, mailLanguages } from './mail-types.ts';

/** Maximum length of a name in a mail. Characters. */
const MAX_NAME = 100;

/** Restricts a name to one line of bounded length: names are user input. */
export function plainName(name: string, most = MAX_NAME): string {
  return oneLine(name).replaceAll(/\s+/gu, ' ').trim().slice(0, most).toWellFormed();
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** Returns the language of a mail: the first of these, such as `it` or `it-IT`, that mails have, else English. */
export function mailLanguageOf(...languages: readonly (string | null)[]): MailLanguage {
  for (const language of languages) {
    const [base] = (language ?? '').toLowerCase().split(/[-_]/);
    const found = mailLanguages.find((known) => known === base);
    if (found) return found;
  }
  return mailLanguages[0];
}
