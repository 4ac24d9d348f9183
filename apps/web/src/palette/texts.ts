/** Texts of the palette. */
import { usePageTexts } from '../texts/index.ts';

const en = {
  placeholder: 'Search posts, communities, pages and actions',
  recent: 'Read lately',
  posts: 'Posts',
  pages: 'Pages',
  actions: 'Actions',
  light: 'Light appearance',
  dark: 'Dark appearance',
};

const it: typeof en = {
  placeholder: 'Cerca post, comunità, pagine e azioni',
  recent: 'Letti di recente',
  posts: 'Post',
  pages: 'Pagine',
  actions: 'Azioni',
  light: 'Aspetto chiaro',
  dark: 'Aspetto scuro',
};

export const usePaletteTexts = () => usePageTexts({ en, it });
