/** Texts of the search over all communities. */
import { usePageTexts } from '../texts/index.ts';

const en = {
  title: 'Search',
  placeholder: 'Words in titles, texts and fields of posts',
  hint: 'Write a word or two to search the posts of all your communities.',
  nothing: 'No post has these words.',
  all: (community: string) => `All in ${community}`,
};

const it: typeof en = {
  title: 'Cerca',
  placeholder: 'Parole nei titoli, nei testi e nei campi dei post',
  hint: 'Scrivi una o due parole per cercare nei post di tutte le tue comunità.',
  nothing: 'Nessun post ha queste parole.',
  all: (community) => `Tutti in ${community}`,
};

export const useSearchTexts = () => usePageTexts({ en, it });
