/**
 * Texts of mails by template and language. No markup: {@link renderMail} renders them to text and
 * HTML.
 */
import type { MailLanguage, MailTemplate, ObjectValues } from '../mail-types.ts';

/** Values that a text contains. */
interface WordingInput extends Pick<ObjectValues, 'name' | 'about'> {
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
    de: ({ name, portal, until }) => ({
      subject: `Ihre Einladung zu ${portal}`,
      greeting: `Guten Tag ${name},`,
      before: [`in ${portal} wurde ein Konto für Sie angelegt. Wählen Sie ein Passwort, um sich anzumelden:`],
      action: 'Einladung annehmen',
      after: [
        `Der Link funktioniert einmal, bis ${until}.`,
        'Wenn Sie diese Einladung nicht erwarten, müssen Sie nichts tun: Ohne den Link kann niemand das Konto benutzen.',
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
    de: ({ name, portal, until }) => ({
      subject: `Neues Passwort für ${portal}`,
      greeting: `Guten Tag ${name},`,
      before: [`für Ihr Konto in ${portal} wurde ein neues Passwort angefordert. Wählen Sie es hier:`],
      action: 'Neues Passwort wählen',
      after: [
        `Der Link funktioniert einmal, bis ${until}.`,
        'Wenn Sie es nicht angefordert haben, müssen Sie nichts tun: Ihr Passwort bleibt, wie es ist.',
      ],
    }),
  },
  'webhook-failing': {
    en: ({ name, portal, about }) => ({
      subject: `The webhook ${about} of ${portal} fails`,
      greeting: `Hello ${name},`,
      before: [
        `no message of the webhook “${about}” has arrived for an hour. It is tried again, and nothing is lost for three days.`,
      ],
      action: 'Open the portal',
      after: ['The log of its messages says what the receiver answered. You get this mail as its owner.'],
    }),
    it: ({ name, portal, about }) => ({
      subject: `Il webhook ${about} di ${portal} non riesce`,
      greeting: `Ciao ${name},`,
      before: [
        `da un’ora nessun messaggio del webhook “${about}” arriva a destinazione. L’invio viene ripetuto e per tre giorni nulla va perso.`,
      ],
      action: 'Apri il portale',
      after: [
        'Il registro dei messaggi riporta le risposte del destinatario. Ricevi questa mail perché ne sei responsabile.',
      ],
    }),
    de: ({ name, portal, about }) => ({
      subject: `Der Webhook ${about} von ${portal} schlägt fehl`,
      greeting: `Guten Tag ${name},`,
      before: [
        `seit einer Stunde ist keine Nachricht des Webhooks „${about}“ angekommen. Sie werden erneut gesendet, und drei Tage lang geht nichts verloren.`,
      ],
      action: 'Portal öffnen',
      after: [
        'Das Protokoll der Nachrichten nennt die Antworten des Empfängers. Sie erhalten diese E-Mail als Verantwortliche oder Verantwortlicher.',
      ],
    }),
  },
  'webhook-stopped': {
    en: ({ name, portal, about }) => ({
      subject: `The webhook ${about} of ${portal} was stopped`,
      greeting: `Hello ${name},`,
      before: [
        `the portal has stopped the webhook “${about}”. Its settings say why. When it is enabled again, it continues with what it has missed, for up to 30 days.`,
      ],
      action: 'Open the portal',
      after: ['You get this mail as its owner.'],
    }),
    it: ({ name, portal, about }) => ({
      subject: `Il webhook ${about} di ${portal} è stato fermato`,
      greeting: `Ciao ${name},`,
      before: [
        `il portale ha fermato il webhook “${about}”. Le sue impostazioni dicono perché. Quando viene riattivato, riprende da ciò che ha perso, fino a 30 giorni.`,
      ],
      action: 'Apri il portale',
      after: ['Ricevi questa mail perché ne sei responsabile.'],
    }),
    de: ({ name, portal, about }) => ({
      subject: `Der Webhook ${about} von ${portal} wurde angehalten`,
      greeting: `Guten Tag ${name},`,
      before: [
        `das Portal hat den Webhook „${about}“ angehalten. Seine Einstellungen nennen den Grund. Wird er wieder eingeschaltet, holt er nach, was er bis zu 30 Tage lang versäumt hat.`,
      ],
      action: 'Portal öffnen',
      after: ['Sie erhalten diese E-Mail als Verantwortliche oder Verantwortlicher.'],
    }),
  },
  test: {
    en: ({ name, portal }) => ({
      subject: `Test message of ${portal}`,
      greeting: `Hello ${name},`,
      before: ['you asked the portal for this message. It arrived: the portal can send mail.'],
      action: 'Open the portal',
      after: ['You need do nothing.'],
    }),
    it: ({ name, portal }) => ({
      subject: `Messaggio di prova di ${portal}`,
      greeting: `Ciao ${name},`,
      before: ['hai chiesto al portale questo messaggio. È arrivato: il portale può inviare e-mail.'],
      action: 'Apri il portale',
      after: ['Non devi fare nulla.'],
    }),
    de: ({ name, portal }) => ({
      subject: `Testnachricht von ${portal}`,
      greeting: `Guten Tag ${name},`,
      before: [
        'Sie haben diese Nachricht beim Portal angefordert. Sie ist angekommen: Das Portal kann E-Mails senden.',
      ],
      action: 'Portal öffnen',
      after: ['Sie müssen nichts tun.'],
    }),
  },
};
