/** Texts of mails of notifications by language. No markup: `composeMail` renders them to text and HTML. */
import { HistoryType, NotificationKind } from '@portico/contract';
import type { MailLanguage } from '../../people/index.ts';

/** Event of a notification, as texts name it. */
interface MailedEvent {
  readonly kind: NotificationKind;
  readonly typeId: HistoryType | null;
  readonly author: string;
  readonly task: string;
  readonly transition: string;
  /** Due time of a task in words. */
  readonly due: string;
  readonly overdue: boolean;
}

interface Wording {
  event(event: MailedEvent): string;
  greeting(name: string, portal: string, digest: boolean): string;
  /** Subject of a digest. */
  digest(count: number, portal: string): string;
  more(count: number): string;
  untitled(number: string): string;
  open: string;
  /** How to answer. */
  answers: string;
  /** Reason of the mail. */
  why(portal: string): string;
  unsubscribe(digest: boolean): string;
  settings: string;
  /** Page of the address that ends mail. */
  page: { title: string; ask: string; button: string; done: string; broken: string };
}

/** Actions in posts that a person follows, by the type of the event. */
type Actions = Partial<Record<HistoryType, string>>;

const ENGLISH: Actions = {
  [HistoryType.POST_CREATED]: 'created this post',
  [HistoryType.COMMENT_ADDED]: 'commented',
  [HistoryType.ATTACHMENT_ADDED]: 'attached a file',
  [HistoryType.ATTACHMENT_NEW_VERSION]: 'attached a new version of a file',
  [HistoryType.SCREEN_DATA_MODIFIED]: 'changed data of the workflow',
  [HistoryType.TASK_ASSIGNED]: 'assigned a task',
};
const ITALIAN: Actions = {
  [HistoryType.POST_CREATED]: 'ha creato questo post',
  [HistoryType.COMMENT_ADDED]: 'ha commentato',
  [HistoryType.ATTACHMENT_ADDED]: 'ha allegato un file',
  [HistoryType.ATTACHMENT_NEW_VERSION]: 'ha allegato una nuova versione di un file',
  [HistoryType.SCREEN_DATA_MODIFIED]: 'ha modificato dati del flusso di lavoro',
  [HistoryType.TASK_ASSIGNED]: 'ha assegnato un’attività',
};

const GERMAN: Actions = {
  [HistoryType.POST_CREATED]: 'hat diesen Beitrag erstellt',
  [HistoryType.COMMENT_ADDED]: 'hat kommentiert',
  [HistoryType.ATTACHMENT_ADDED]: 'hat eine Datei angehängt',
  [HistoryType.ATTACHMENT_NEW_VERSION]: 'hat eine neue Version einer Datei angehängt',
  [HistoryType.SCREEN_DATA_MODIFIED]: 'hat Daten des Workflows geändert',
  [HistoryType.TASK_ASSIGNED]: 'hat eine Aufgabe zugewiesen',
};

/** Texts of each language. */
export const wordings: Readonly<Record<MailLanguage, Wording>> = {
  en: {
    event: ({ kind, typeId, author, task, transition, due, overdue }) => {
      switch (kind) {
        case NotificationKind.MENTION:
          return `${author} mentioned you`;
        case NotificationKind.ASSIGNMENT:
          return `${author} assigned you the task “${task}”`;
        case NotificationKind.REPLY:
          return `${author} answered your comment`;
        case NotificationKind.STEP:
          return `${author} ran “${transition}”`;
        case NotificationKind.DUE:
          return overdue ? `The task “${task}” was due on ${due}` : `The task “${task}” is due on ${due}`;
        case NotificationKind.ANNOUNCEMENT:
          return `${author} announced this post`;
        default:
          return `${author} ${(typeId !== null && ENGLISH[typeId]) || 'changed this post'}`;
      }
    },
    greeting: (name, portal, digest) =>
      digest
        ? `Hello ${name}, this is your digest of ${portal}.`
        : `Hello ${name}, there is news for you at ${portal}.`,
    digest: (count, portal) => `${portal}: ${count} ${count === 1 ? 'notification' : 'notifications'}`,
    more: (count) => `and ${count} more`,
    untitled: (number) => `Post ${number}`,
    open: 'Open all notifications',
    answers: 'Answer this mail to comment.',
    why: (portal) => `You get this mail because of your notification settings at ${portal}.`,
    unsubscribe: (digest) => (digest ? 'No more mail of these kinds' : 'No more mail of this kind'),
    settings: 'Change what is mailed',
    page: {
      title: 'Mail of notifications',
      ask: 'Do you want no more mail of this kind? You still find the notifications in the portal.',
      button: 'Send no more mail of this kind',
      done: 'No more mail of this kind is sent to you. You can choose it again in your notification settings.',
      broken: 'This link is not valid. Choose what is mailed in your notification settings.',
    },
  },
  it: {
    event: ({ kind, typeId, author, task, transition, due, overdue }) => {
      switch (kind) {
        case NotificationKind.MENTION:
          return `${author} ti ha menzionato`;
        case NotificationKind.ASSIGNMENT:
          return `${author} ti ha assegnato l’attività “${task}”`;
        case NotificationKind.REPLY:
          return `${author} ha risposto al tuo commento`;
        case NotificationKind.STEP:
          return `${author} ha eseguito “${transition}”`;
        case NotificationKind.DUE:
          return overdue ? `L’attività “${task}” scadeva il ${due}` : `L’attività “${task}” scade il ${due}`;
        case NotificationKind.ANNOUNCEMENT:
          return `${author} ha annunciato questo post`;
        default:
          return `${author} ${(typeId !== null && ITALIAN[typeId]) || 'ha modificato questo post'}`;
      }
    },
    greeting: (name, portal, digest) =>
      digest
        ? `Ciao ${name}, ecco il tuo riepilogo di ${portal}.`
        : `Ciao ${name}, ci sono novità per te su ${portal}.`,
    digest: (count, portal) => `${portal}: ${count} ${count === 1 ? 'notifica' : 'notifiche'}`,
    more: (count) => `e altre ${count}`,
    untitled: (number) => `Post ${number}`,
    open: 'Apri tutte le notifiche',
    answers: 'Rispondi a questo messaggio per commentare.',
    why: (portal) => `Ricevi questo messaggio per le tue impostazioni delle notifiche su ${portal}.`,
    unsubscribe: (digest) => (digest ? 'Niente più messaggi di questi tipi' : 'Niente più messaggi di questo tipo'),
    settings: 'Scegli cosa ricevere',
    page: {
      title: 'Messaggi di notifica',
      ask: 'Non vuoi più ricevere messaggi di questo tipo? Trovi comunque le notifiche nel portale.',
      button: 'Niente più messaggi di questo tipo',
      done: 'Non ti saranno più inviati messaggi di questo tipo. Puoi riattivarli nelle impostazioni delle notifiche.',
      broken: 'Questo link non è valido. Scegli cosa ricevere nelle impostazioni delle notifiche.',
    },
  },
  de: {
    event: ({ kind, typeId, author, task, transition, due, overdue }) => {
      switch (kind) {
        case NotificationKind.MENTION:
          return `${author} hat Sie erwähnt`;
        case NotificationKind.ASSIGNMENT:
          return `${author} hat Ihnen die Aufgabe „${task}“ zugewiesen`;
        case NotificationKind.REPLY:
          return `${author} hat auf Ihren Kommentar geantwortet`;
        case NotificationKind.STEP:
          return `${author} hat „${transition}“ ausgeführt`;
        case NotificationKind.DUE:
          return overdue ? `Die Aufgabe „${task}“ war am ${due} fällig` : `Die Aufgabe „${task}“ ist am ${due} fällig`;
        case NotificationKind.ANNOUNCEMENT:
          return `${author} hat diesen Beitrag angekündigt`;
        default:
          return `${author} ${(typeId !== null && GERMAN[typeId]) || 'hat diesen Beitrag geändert'}`;
      }
    },
    greeting: (name, portal, digest) =>
      digest
        ? `Guten Tag ${name}, hier ist Ihre Zusammenfassung von ${portal}.`
        : `Guten Tag ${name}, in ${portal} gibt es Neues für Sie.`,
    digest: (count, portal) => `${portal}: ${count} ${count === 1 ? 'Benachrichtigung' : 'Benachrichtigungen'}`,
    more: (count) => `und ${count} weitere`,
    untitled: (number) => `Beitrag ${number}`,
    open: 'Alle Benachrichtigungen öffnen',
    answers: 'Antworten Sie auf diese E-Mail, um zu kommentieren.',
    why: (portal) => `Sie erhalten diese E-Mail wegen Ihrer Einstellungen für Benachrichtigungen in ${portal}.`,
    unsubscribe: (digest) => (digest ? 'Keine E-Mails dieser Arten mehr' : 'Keine E-Mails dieser Art mehr'),
    settings: 'E-Mails auswählen',
    page: {
      title: 'E-Mails mit Benachrichtigungen',
      ask: 'Möchten Sie keine E-Mails dieser Art mehr? Die Benachrichtigungen finden Sie weiterhin im Portal.',
      button: 'Keine E-Mails dieser Art mehr senden',
      done: 'Sie erhalten keine E-Mails dieser Art mehr. In Ihren Einstellungen für Benachrichtigungen können Sie sie wieder einschalten.',
      broken: 'Dieser Link ist ungültig. Wählen Sie E-Mails in Ihren Einstellungen für Benachrichtigungen aus.',
    },
  },
};
