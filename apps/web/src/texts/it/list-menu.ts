/** Texts of the page `listMenu` in Italian. */
import type { en as english } from '../../communities/menu-texts.ts';
import { italian } from '../plurals.ts';

export const listMenu: typeof english = {
  noSuchGroups: 'Questa community non ha questi gruppi.',
  groupBy: 'Raggruppa per',
  noGroups: 'Nessun gruppo',
  groupedBy: (name) => `Raggruppati per ${name}`,
  ungroup: 'Togli i gruppi',
  noneOf: (name) => `Senza ${name}`,
  groupCount: (count) => `${count} post`,
  otherGroups: (count) => italian(count, { one: '1 altro gruppo', other: `${count} altri gruppi` }),
  loadMore: 'Mostra altri',
  sumOf: (field, sum) => `${field}: ${sum}`,
  onlyNewest: (count) => `Conteggi e somme sono quelli dei ${count} post più recenti.`,
  formats: { csv: 'Scarica come CSV', xlsx: 'Scarica come cartella di Excel' },
  choose: 'Seleziona post',
  importFile: 'Importa un file …',
  notExported: 'L’elenco non è stato scaricato.',
  calendar: 'Indirizzo del calendario …',
  calendarTitle: 'Indirizzo del calendario',
  calendarHint:
    'I programmi di calendario che conoscono l’indirizzo mostrano gli eventi di questa comunità che puoi vedere. Chiunque ha l’indirizzo può leggerli: tienilo segreto. Un nuovo indirizzo annulla il precedente.',
  createAddress: 'Crea l’indirizzo',
  address: 'Indirizzo',
  onlyOnce: 'L’indirizzo si vede una volta sola. Copialo adesso.',
  copy: 'Copia',
  copied: 'Copiato',
};
