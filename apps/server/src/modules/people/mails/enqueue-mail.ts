/** Puts mail into the queue, in the transaction of the write that causes it. */
import { randomUUID } from 'node:crypto';
import { isMailAddress } from '@portico/platform/mail';
import type { WriteScope } from '../../../kernel/access/index.ts';
import { invalid } from '../../../kernel/errors.ts';
import { mailLanguageOf } from './mail-text.ts';
import type { MailTemplate, MailTemplates } from './mail-types.ts';
import { insertMails } from './outgoing-mails.repository.ts';

/** Maximum length of a link. Characters. */
const MAX_LINK = 2_048;
/** Maximum length of a stored name; mails show less. Characters. */
const MAX_NAME = 500;

/** Mail to one person. */
export interface NewMail<T extends MailTemplate> {
  /** Address without a name. */
  readonly to: string;
  /**
   * Recipient's account; the mail is erased with it. Omitted for a recipient without an account.
   */
  readonly userId?: number;
  readonly template: T;
  readonly values: MailTemplates[T];
  /**
   * Language of the recipient, for example `it` or `it-IT`. Falls back to the tenant's language,
   * then to English.
   */
  readonly language: string;
}

type MailScope = Pick<WriteScope, 'tx' | 'now' | 'settings' | 'sealer'>;

/**
 * Queues mails, in a fixed number of statements. They are sent within seconds after the commit, and
 * never after their links have expired.
 * @returns their ids in the order given, as `portico admin mail list` shows them
 * @throws ValidationError for an invalid recipient address
 */
export async function enqueueMails<T extends MailTemplate>(
  write: MailScope,
  mails: readonly NewMail<T>[],
): Promise<number[]> {
  const rows = mails.map(({ to, userId, template, values, language }) => {
    if (!isMailAddress(to)) throw invalid('to', 'INVALID_VALUE', 'An e-mail address such as ada@example.org.');
    if (!/^https?:$/.test(URL.parse(values.link)?.protocol ?? '') || values.link.length > MAX_LINK)
      throw new Error('The link of a mail is not an address of a page, or too long.');
    return {
      messageId: randomUUID(),
      recipient: to,
      userId: userId ?? null,
      template,
      language: mailLanguageOf(language, write.settings.defaultLanguage),
      content: { ...values, name: values.name.slice(0, MAX_NAME) },
      expiresAt: values.expiry,
    };
  });
  return insertMails(write.tx, write.sealer, rows, write.now);
}
