/** Texts of the page `adminHealth` in Italian. */
import type { en as english } from '../../admin/health/texts.ts';

export const adminHealth: typeof english = {
  use: 'Uso',
  version: 'Versione di Portico',
  people: 'Persone che possono accedere',
  seen: (count) => `${count} negli ultimi 30 giorni`,
  communities: 'Comunità',
  posts: 'Post',
  files: 'File',
  filesOf: (size, count) => `${size} in ${count} file`,
  room: 'Spazio per i file',
  roomUsed: (share, quota) => `usato il ${share} di ${quota}`,
  noLimit: 'senza limite',
  largest: 'Comunità con gli allegati più grandi',
  size: 'Dimensione',
  noFiles: 'Non ci sono ancora allegati.',
  work: 'Lavoro',
  mails: 'E-mail',
  imports: 'Importazioni',
  definitionChanges: 'Modifiche delle definizioni',
  waitingFiles: 'File da leggere e mostrare in anteprima',
  waitingAndFailed: (waiting, failed) => `${waiting} in attesa o in corso, ${failed} falliti`,
  unsent: (count) => `${count} non inviate: manca un server di posta`,
};
