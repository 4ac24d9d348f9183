/** Texts of the menu of a list. */
import { usePageTexts } from '../texts/index.ts';

export const en = {
  formats: { csv: 'Download as CSV', xlsx: 'Download as an Excel workbook' },
  notExported: 'The list was not downloaded.',
  calendar: 'Calendar address …',
  calendarTitle: 'Calendar address',
  calendarHint:
    'Calendar programs that know the address show the events of this community that you may see. Everybody who has the address can read them: keep it secret. A new address ends the former one.',
  createAddress: 'Create the address',
  address: 'Address',
  onlyOnce: 'The address is shown once. Copy it now.',
  copy: 'Copy',
  copied: 'Copied',
};

const it: typeof en = {
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

export const useMenuTexts = () => usePageTexts('listMenu', { en, it });
