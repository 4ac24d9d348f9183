/** Texts of the page `adminAudit` in Italian. */
import type { en as english } from '../../admin/audit/texts.ts';
import { italian } from '../plurals.ts';

export const adminAudit: typeof english = {
  empty: 'Nessuna voce ha queste proprietà.',
  from: 'Dal',
  to: 'Al',
  action: 'Azione',
  everyAction: 'Tutte le azioni',
  actions: {
    created: 'Creato',
    modified: 'Modificato',
    deleted: 'Eliminato',
    signedIn: 'Accesso',
    signInFailed: 'Accesso fallito',
    exported: 'Esportato',
  },
  kind: 'Tipo di oggetto',
  everyKind: 'Tutti i tipi',
  object: 'Oggetto',
  objectId: 'Id dell’oggetto',
  actor: 'Account',
  anybody: 'Chiunque',
  when: 'Momento',
  changes: 'Modifiche',
  showChanges: (count) => italian(count, { one: '1 campo', other: `${count} campi` }),
  before: 'Prima',
  after: 'Dopo',
  operation: 'Operazione',
  address: 'Indirizzo',
  operator: (account) => `dall’operatore ${account}`,
  times: (count) => `${count} volte`,
  oldestFirst: 'Prima le più vecchie',
  clear: 'Azzera i filtri',
  download: 'Scarica come CSV',
  notDownloaded: 'Il registro non è stato scaricato.',
  verify: 'Verifica il registro',
  verifying: (count) => `${count} voci verificate finora …`,
  whole: (count, waiting) =>
    `Il registro è integro: ${italian(count, { one: '1 voce verificata', other: `${count} voci verificate` })}, ${waiting} non ancora concatenate.`,
  fault: (problem) => `Il registro ha un difetto: ${problem}`,
  notVerified: 'Il registro non è stato verificato.',
};
