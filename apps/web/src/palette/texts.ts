/** Texts of the palette. */
import { usePageTexts } from '../texts/index.ts';

const en = {
  placeholder: 'Search posts, communities, pages and actions',
  recent: 'Recently read',
  posts: 'Posts',
  postsOf: (shown: string, total: string) => `Posts: ${shown} of ${total}`,
  all: (total: string) => `All results (${total})`,
  narrow: 'Filter by',
  everywhere: (text: string) => `Search all posts for “${text}”`,
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
  narrow: 'Filtra per',
  everywhere: (text) => `Cerca “${text}” in tutti i post`,
  pages: 'Pagine',
  deleted: 'Post eliminati',
  actions: 'Azioni',
  light: 'Aspetto chiaro',
  dark: 'Aspetto scuro',
};

export const usePaletteTexts = () => usePageTexts({ en, it });
