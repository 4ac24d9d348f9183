/** Texts of the search over all communities. */
import { usePageTexts } from '../texts/index.ts';

const en = {
  title: 'Search',
  placeholder: 'Words in titles, texts and fields of posts',
  hint: 'Write a word or two to search the posts of all your communities.',
  nothing: 'No post has these words.',
  community: 'Community',
  count: (count: number, shown: string) => (count === 1 ? '1 post' : `${shown} posts`),
  of: (shown: string, total: string) => `${shown} of ${total}`,
  onlySome: (count: string) => `Only ${count} communities were searched; choose those that you mean.`,
  all: (community: string) => `All in ${community}`,
};

const it: typeof en = {
  title: 'Cerca',
  placeholder: 'Parole nei titoli, nei testi e nei campi dei post',
  hint: 'Scrivi una o due parole per cercare nei post di tutte le tue comunità.',
  nothing: 'Nessun post ha queste parole.',
  community: 'Comunità',
  count: (_count, shown) => `${shown} post`,
  of: (shown, total) => `${shown} di ${total}`,
  onlySome: (count) => `Sono state cercate solo ${count} comunità: scegli quelle che intendi.`,
  all: (community) => `Tutti in ${community}`,
};

export const useSearchTexts = () => usePageTexts({ en, it });
