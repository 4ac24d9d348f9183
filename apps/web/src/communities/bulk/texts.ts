/** Texts of writing many posts at once. */
import { usePageTexts } from '../../texts/index.ts';

const en = {
  bar: 'Selected posts',
  step: 'Take a step',
  edit: 'Edit a field',
  delete: 'Delete',
  deleteTitle: (count: string) => `Delete ${count} posts`,
  deleteOne: 'Delete 1 post',
  editTitle: (field: string, count: string) => `${field} of ${count} posts`,
  stepTitle: (step: string, count: string) => `${step}: ${count} posts`,
  emptyField: 'Leave it empty to clear the field.',
  preview: 'Preview',
  previewing: 'Loading the preview …',
  apply: 'Apply',
  wouldChange: (count: string) => `${count} accepted`,
  unchanged: (count: string) => `${count} unchanged`,
  refused: (count: string) => `${count} refused`,
  notRun: (count: string) => `${count} not tried: the request took too long`,
  more: (count: string) => `and ${count} more`,
  done: (count: string) => `${count} posts changed.`,
  deleted: (count: string) => `${count} posts deleted.`,
  partly: (done: string, failed: string) => `${done} posts changed, ${failed} failed.`,
  undone: (count: string) => `The change of ${count} posts was undone.`,
  undoFailed: 'Some changes could not be undone. Somebody may have edited the posts meanwhile.',
};

const it: typeof en = {
  bar: 'Post selezionati',
  step: 'Esegui un passaggio',
  edit: 'Modifica un campo',
  delete: 'Elimina',
  deleteTitle: (count) => `Elimina ${count} post`,
  deleteOne: 'Elimina 1 post',
  editTitle: (field, count) => `${field} di ${count} post`,
  stepTitle: (step, count) => `${step}: ${count} post`,
  emptyField: 'Lascialo vuoto per svuotare il campo.',
  preview: 'Anteprima',
  previewing: 'Caricamento dell’anteprima …',
  apply: 'Applica',
  wouldChange: (count) => `${count} accettati`,
  unchanged: (count) => `${count} invariati`,
  refused: (count) => `${count} rifiutati`,
  notRun: (count) => `${count} non provati: la richiesta è durata troppo`,
  more: (count) => `e altri ${count}`,
  done: (count) => `${count} post modificati.`,
  deleted: (count) => `${count} post eliminati.`,
  partly: (done, failed) => `${done} post modificati, ${failed} non riusciti.`,
  undone: (count) => `La modifica di ${count} post è stata annullata.`,
  undoFailed: 'Non tutto è stato annullato. Forse qualcuno ha cambiato qualcosa nel frattempo.',
};

export const useBulkTexts = () => usePageTexts({ en, it });
