/**
 * Texts of mails by template and language. No markup: {@link renderMail} renders them to text and
 * HTML.
 */
import type { LinkValues, MailLanguage, MailTemplate } from '../mail-types.ts';

/** Values that a text contains. */
interface WordingInput extends Pick<LinkValues, 'name'> {
  /** Name of the tenant. */
  readonly portal: string;
  /** Expiry of the link, in words. */
  readonly until: string;
}

interface Wording {
  readonly subject: string;
  readonly greeting: string;
  readonly before: readonly string[];
  /** Text of the link. */
  readonly action: string;
  readonly after: readonly string[];
}

type Write = (input: WordingInput) => Wording;

export const wordings: Readonly<Record<MailTemplate, Readonly<Record<MailLanguage, Write>>>> = {
  invitation: {
    en: ({ name, portal, until }) => ({
      subject: `Your invitation to ${portal}`,
      greeting: `Hello ${name},`,
      before: [`an account was made for you at ${portal}. Choose a password to sign in:`],
      action: 'Accept the invitation',
      after: [
        `The link works once, until ${until}.`,
        'If you do not expect this invitation, do nothing: without the link nobody can use the account.',
      ],
    }),
    it: ({ name, portal, until }) => ({
      subject: `Il tuo invito a ${portal}`,
      greeting: `Ciao ${name},`,
      before: [`è stato creato un account per te su ${portal}. Scegli una password per accedere:`],
      action: 'Accetta l’invito',
      after: [
        `Il link funziona una sola volta, fino al ${until}.`,
        'Se non aspettavi questo invito, ignoralo: senza il link nessuno può usare l’account.',
      ],
    }),
  },
  'password-reset': {
    en: ({ name, portal, until }) => ({
      subject: `Reset your password for ${portal}`,
      greeting: `Hello ${name},`,
      before: [`a new password was asked for your account at ${portal}. Choose one here:`],
      action: 'Choose a new password',
      after: [
        `The link works once, until ${until}.`,
        'If you did not ask for it, do nothing: your password stays as it is.',
      ],
    }),
    it: ({ name, portal, until }) => ({
      subject: `Reimposta la password per ${portal}`,
      greeting: `Ciao ${name},`,
      before: [`è stata chiesta una nuova password per il tuo account su ${portal}. Sceglila qui:`],
      action: 'Scegli una nuova password',
      after: [
        `Il link funziona una sola volta, fino al ${until}.`,
        'Se non l’hai chiesta tu, ignora questo messaggio: la tua password resta quella di prima.',
      ],
    }),
  },
};
