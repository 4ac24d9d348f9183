/** Texts of the page `bulk` in Italian. */
import type { en as english } from '../../communities/bulk/texts.ts';
import { italian } from '../plurals.ts';

export const bulk: typeof english = {
  bar: 'Post selezionati',
  sum: (field: string, sum: string) => `${field}: ${sum} in totale`,
  step: 'Esegui un passaggio',
  edit: 'Modifica un campo',
  delete: 'Elimina',
  selectAll: (count) =>
    italian(count, {
      one: 'Seleziona il post di questo filtro',
      other: `Seleziona tutti i ${count} post di questo filtro`,
    }),
  selectFirst: (most, total) => `Seleziona i primi ${most} di ${total} post di questo filtro`,
  reading: (read, total) => `${read} di ${total} letti …`,
  onlyFirst: (most) => `I primi ${most} post dell’elenco sono selezionati.`,
  notSelected: 'I post non sono stati selezionati.',
  progress: (done, total) => `${done} di ${total} post fatti`,
  stop: 'Ferma',
  goOn: (count) => `Continua con ${count} post`,
  changed: (count) => `${count} modificati`,
  gone: (count) => `${count} eliminati`,
  ended: (done, total) =>
    italian(done, {
      one: `1 di ${total} post è stato modificato.`,
      other: `${done} di ${total} post sono stati modificati.`,
    }),
  deleteTitle: (count) => `Elimina ${count} post`,
  editTitle: (field, count) => `${field} di ${count} post`,
  stepTitle: (step, count) => `${step}: ${count} post`,
  emptyField: 'Lascialo vuoto per svuotare il campo.',
  preview: 'Anteprima',
  previewing: 'Caricamento dell’anteprima …',
  apply: 'Applica',
  wouldChange: (count) => `${count} accettati`,
  unchanged: (count) => `${count} invariati`,
  refused: (count) => `${count} rifiutati`,
  notRun: (count) => `${count} non provati`,
  more: (count) => `e altri ${count}`,
  done: (count) => italian(count, { one: '1 post modificato.', other: `${count} post modificati.` }),
  deleted: (count) => italian(count, { one: '1 post eliminato.', other: `${count} post eliminati.` }),
  partly: (done, failed) =>
    italian(done, {
      one: `1 post modificato, ${failed} non riusciti.`,
      other: `${done} post modificati, ${failed} non riusciti.`,
    }),
  undone: (count) => `La modifica di ${count} post è stata annullata.`,
  undoFailed: 'Non tutto è stato annullato. Forse qualcuno ha cambiato qualcosa nel frattempo.',
};
