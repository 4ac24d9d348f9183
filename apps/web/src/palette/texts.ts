/** Texts of the palette. */
import { usePageTexts } from '../texts/index.ts';

const en = {
  placeholder: 'Search posts, communities, pages and actions',
  recent: 'Read lately',
  posts: 'Posts',
  postsOf: (shown: string, total: string) => `Posts: ${shown} of ${total}`,
  all: (total: string) => `All results (${total})`,
  narrow: 'Only in',
  everywhere: (text: string) => `Search “${text}” in the texts of all posts`,
  pages: 'Pages',
  deleted: 'Deleted posts',
  actions: 'Actions',
  light: 'Light appearance',
  dark: 'Dark appearance',
};

const it: typeof en = {
  placeholder: 'Cerca post, comunità, pagine e azioni',
  recent: 'Letti di recente',
  posts: 'Post',
  postsOf: (shown, total) => `Post: ${shown} di ${total}`,
  all: (total) => `Tutti i risultati (${total})`,
  narrow: 'Solo in',
  everywhere: (text) => `Cerca “${text}” nei testi di tutti i post`,
  pages: 'Pagine',
  deleted: 'Post eliminati',
  actions: 'Azioni',
  light: 'Aspetto chiaro',
  dark: 'Aspetto scuro',
};

export const usePaletteTexts = () => usePageTexts({ en, it });
