import type { MergeTexts } from '../../write/merge/texts.ts';

export const merge: MergeTexts = {
  title: (name) => `${name} è cambiato nel frattempo`,
  by: (who) => `${who} l’ha cambiato mentre scrivevi.`,
  bySomebody: 'Qualcuno l’ha cambiato mentre scrivevi.',
  restMerged: 'Tutte le altre modifiche di entrambi restano.',
  fits: 'Entrambi avete cambiato lo stesso paragrafo. Controlla che le due modifiche stiano bene insieme.',
  overlap: 'Entrambi avete cambiato le stesse parole. Scegli per ogni punto.',
  before: 'Originale',
  mine: 'Tuo',
  theirs: 'Dell’altra persona',
  both: 'Entrambi',
  merged: 'Le due modifiche insieme',
  place: (number) => `Punto ${number}`,
  saveMerged: 'Salva entrambe',
  editMerged: 'Modifica prima di salvare',
  keepMine: 'Tieni il tuo',
  takeTheirs: 'Prendi quello dell’altra persona',
  save: 'Salva',
  nothing: 'niente',
  lineEnd: 'fine riga',
};
