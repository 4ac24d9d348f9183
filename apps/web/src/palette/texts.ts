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

export const usePaletteTexts = () => usePageTexts('palette', en);
