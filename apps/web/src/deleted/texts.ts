/** Texts of the page of deleted posts. */
import { usePageTexts } from '../texts/index.ts';

const en = {
  title: 'Deleted posts',
  titleOf: (community: string) => `Deleted posts of ${community}`,
  lead: 'What you can restore: your own posts that you deleted, and all posts of communities that you manage. Thirty days after its deletion a post is gone.',
  community: 'Community',
  everywhere: 'Deleted posts of all communities',
  none: 'There is nothing that you can restore.',
  by: (name: string) => `deleted by ${name}`,
  restore: 'Restore',
  restorePost: (title: string) => `Restore ${title}`,
  restored: (title: string) => `“${title}” was restored.`,
  open: 'Open',
  gone: 'It could not be restored. The list was loaded again.',
  more: 'Show more',
};

const it: typeof en = {
  title: 'Post eliminati',
  titleOf: (community) => `Post eliminati di ${community}`,
  lead: 'Ciò che puoi ripristinare: i tuoi post che hai eliminato, e tutti i post delle comunità che gestisci. Trenta giorni dopo l’eliminazione un post non c’è più.',
  community: 'Comunità',
  everywhere: 'Post eliminati di tutte le comunità',
  none: 'Non c’è niente che tu possa ripristinare.',
  by: (name) => `eliminato da ${name}`,
  restore: 'Ripristina',
  restorePost: (title) => `Ripristina ${title}`,
  restored: (title) => `“${title}” è stato ripristinato.`,
  open: 'Apri',
  gone: 'Non è stato possibile ripristinarlo. L’elenco è stato ricaricato.',
  more: 'Mostra altri',
};

export const useDeletedTexts = () => usePageTexts({ en, it });
