import type { MergeTexts } from '../../write/merge/texts.ts';

export const merge: MergeTexts = {
  title: (name) => `${name} wurde inzwischen geändert`,
  by: (who) => `${who} hat es geändert, während Sie es bearbeitet haben.`,
  bySomebody: 'Jemand hat es geändert, während Sie es bearbeitet haben.',
  restMerged: 'Alle anderen Änderungen von beiden bleiben erhalten.',
  fits: 'Beide haben denselben Absatz geändert. Prüfen Sie, ob beide Änderungen zusammenpassen.',
  overlap: 'Beide haben dieselben Wörter geändert. Wählen Sie für jede Stelle.',
  before: 'Vorher',
  mine: 'Von Ihnen',
  theirs: 'Von der anderen Person',
  both: 'Beides',
  merged: 'Beides zusammen',
  place: (number) => `Stelle ${number}`,
  saveMerged: 'Beides speichern',
  editMerged: 'Vor dem Speichern bearbeiten',
  keepMine: 'Ihre Fassung behalten',
  takeTheirs: 'Andere Fassung übernehmen',
  save: 'Speichern',
  nothing: 'nichts',
  lineEnd: 'Zeilenende',
};
