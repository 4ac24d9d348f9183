/** Texts of the page `listMenu` in Italian. */
import type { en as english } from '../../communities/menu-texts.ts';

export const listMenu: typeof english = {
  formats: { csv: 'Scarica come CSV', xlsx: 'Scarica come cartella di Excel' },
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
