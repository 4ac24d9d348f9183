/** Texts of the palette. */
import { usePageTexts } from '../texts/index.ts';

export const en = {
  placeholder: 'Search everything, pages and actions',
  recent: 'Recently read',
  results: 'Results',
  resultsOf: (shown: string, total: string) => `Results: ${shown} of ${total}`,
  all: (total: string) => `All results (${total})`,
  narrow: 'Filter by',
  everywhere: (text: string) => `Search everything for “${text}”`,
  pages: 'Pages',
  deleted: 'Deleted posts',
  actions: 'Actions',
  light: 'Light appearance',
  dark: 'Dark appearance',
};

const it: typeof en = {
  placeholder: 'Cerca ovunque, pagine e azioni',
  recent: 'Letti di recente',
  results: 'Risultati',
  resultsOf: (shown, total) => `Risultati: ${shown} di ${total}`,
  all: (total) => `Tutti i risultati (${total})`,
  narrow: 'Filtra per',
  everywhere: (text) => `Cerca “${text}” ovunque`,
  pages: 'Pagine',
  deleted: 'Post eliminati',
  actions: 'Azioni',
  light: 'Aspetto chiaro',
  dark: 'Aspetto scuro',
};

export const usePaletteTexts = () => usePageTexts('palette', { en, it });
