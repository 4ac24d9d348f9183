/** Texts of the search over all communities. */
import { usePageTexts } from '../texts/index.ts';

const en = {
  title: 'Search',
  placeholder: 'Search titles, texts and fields',
  hint: 'Enter one or two words to search the posts of all your communities.',
  nothing: 'No posts contain these words.',
  community: 'Community',
  count: (count: number, shown: string) => (count === 1 ? '1 post' : `${shown} posts`),
  of: (shown: string, total: string) => `${shown} of ${total}`,
  onlySome: (count: string) =>
    `Only the first ${count} communities were searched. Choose communities to search others.`,
  all: (community: string) => `All in ${community}`,
};

const it: typeof en = {
  title: 'Cerca',
  placeholder: 'Cerca in titoli, testi e campi',
  hint: 'Scrivi una o due parole per cercare nei post di tutte le tue comunità.',
  nothing: 'Nessun post contiene queste parole.',
  community: 'Comunità',
  count: (_count, shown) => `${shown} post`,
  of: (shown, total) => `${shown} di ${total}`,
  onlySome: (count) =>
    `La ricerca ha incluso solo le prime ${count} comunità. Scegli le comunità per cercare in altre.`,
  all: (community) => `Tutti in ${community}`,
};

export const useSearchTexts = () => usePageTexts({ en, it });
