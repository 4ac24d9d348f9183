/** Texts of the page `fieldErrors` in Italian. */
import type { en as english } from '../../texts/field-errors.ts';
import { italian } from '../plurals.ts';

export const fieldErrors: typeof english = {
  required: 'Questo campo è obbligatorio.',
  tooLong: 'Questo testo è troppo lungo. Accorcialo.',
  mostCharacters: (most) =>
    italian(most, { one: 'Scrivi al massimo 1 carattere.', other: `Scrivi al massimo ${most} caratteri.` }),
  leastCharacters: (least) =>
    italian(least, { one: 'Scrivi almeno 1 carattere.', other: `Scrivi almeno ${least} caratteri.` }),
  tooMany: 'Le voci sono troppe. Togline alcune.',
  mostEntries: (most) => italian(most, { one: 'Scegli al massimo 1 voce.', other: `Scegli al massimo ${most} voci.` }),
  leastEntries: (least) => italian(least, { one: 'Scegli almeno 1 voce.', other: `Scegli almeno ${least} voci.` }),
  entriesOnce: 'Scegli ogni voce una volta sola.',
  wholeNumber: 'Scrivi un numero intero.',
  between: (least, most) => `Scrivi un numero da ${least} a ${most}.`,
  inSteps: (least, most, step) => `Scrivi un numero da ${least} a ${most} a passi di ${step}.`,
  leastNumber: (least) => `Scrivi almeno ${least}.`,
  mostNumber: (most) => `Scrivi al massimo ${most}.`,
  decimals: (most) =>
    italian(most, { one: 'Scrivi al massimo 1 decimale.', other: `Scrivi al massimo ${most} decimali.` }),
  noDecimals: 'Scrivi un numero senza decimali.',
  digits: (most) => `Scrivi un numero di al massimo ${most} cifre.`,
  noDate: 'Questa data non esiste. Scrivine un’altra.',
  noTimeZone: 'Questo fuso orario è sconosciuto. Scegline un altro.',
  notBefore: (when) => `Scegli una data non anteriore a questa: ${when}.`,
  notAfter: (when) => `Scegli una data non successiva a questa: ${when}.`,
  notPast: 'Scegli una data che non sia nel passato.',
  notFuture: 'Scegli una data che non sia nel futuro.',
  email: 'Scrivi un indirizzo e-mail.',
  address: 'Scrivi un indirizzo che comincia con http:// o https://.',
  pattern: (pattern) => `Il testo deve avere questa forma: ${pattern}`,
  badCharacters: 'Questo testo ha caratteri che non si possono salvare. Toglili.',
  noReference: 'Ciò che è scelto qui non esiste più, o non puoi usarlo. Scegli altro.',
  notChoosable: (names) => `Qui non si può scegliere: ${names}. Scegli altro.`,
  taken: 'È già in uso. Scegli altro.',
  readOnly: 'Non puoi cambiare questo campo.',
  goneField: 'Questo campo non esiste più. Copia quello che hai scritto e ricarica la pagina.',
  fileTooLarge: 'Il file è troppo grande. Allegane uno più piccolo.',
  mostBytes: (most) => `Il file supera ${most}. Allegane uno più piccolo.`,
  noRoom: 'Non c’è più spazio per questo file. Allegane uno più piccolo, o chiedi a un amministratore.',
  uploadExpired: 'Il caricamento è scaduto. Togli il file e allegalo di nuovo.',
  notScheduled: 'Scegli un’ora futura. Ciò che è già pubblicato non si può pianificare.',
  firstNumber: (first) => `La prima modifica che si può inviare di nuovo ha il numero ${first}.`,
  endBeforeStart: 'La fine deve essere dopo l’inizio.',
  linkUsed: 'Questo link è stato usato, sostituito o è scaduto. Chiedine uno nuovo.',
  password:
    'Scegli un’altra password: almeno otto caratteri, non comune, diversa dal nome utente e dalla password attuale.',
};
