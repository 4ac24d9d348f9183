/** Texts of the list of people. */
import { usePageTexts } from '../texts/index.ts';

const en = {
  find: 'Find people',
  allCommunities: 'All communities',
  nobody: 'Nobody else is in your communities yet.',
  nobodyFound: 'Nobody found.',
  postsIn: 'Posts in',
};

const it: typeof en = {
  find: 'Cerca persone',
  allCommunities: 'Tutte le comunità',
  nobody: 'Nessun altro è ancora nelle tue comunità.',
  nobodyFound: 'Nessuno trovato.',
  postsIn: 'Post in',
};

export const usePeopleTexts = () => usePageTexts({ en, it });
