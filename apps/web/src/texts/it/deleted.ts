/** Texts of the page `deleted` in Italian. */
import type { en as english } from '../../posts/deleted/texts.ts';

export const deleted: typeof english = {
  title: 'Post eliminati',
  titleOf: (community) => `Post eliminati di ${community}`,
  lead: 'Puoi ripristinare i post che hai scritto ed eliminato, e tutti i post delle comunità che gestisci. Trenta giorni dopo l’eliminazione i post sono rimossi per sempre.',
  community: 'Comunità',
  everywhere: 'Post eliminati di tutte le comunità',
  none: 'Nessun post da ripristinare.',
  by: (name) => `eliminato da ${name}`,
  restore: 'Ripristina',
  restorePost: (title) => `Ripristina ${title}`,
  restored: (title) => `“${title}” è stato ripristinato.`,
  open: 'Apri',
  gone: 'Non è stato possibile ripristinarlo. L’elenco è stato ricaricato.',
  more: 'Mostra altri',
};
