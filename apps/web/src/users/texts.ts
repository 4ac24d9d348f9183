/** Texts of the list of people. */
import { usePageTexts } from '../texts/index.ts';

const en = {
  find: 'Find people',
  allCommunities: 'All communities',
  nobody: 'Nobody else is in your communities yet.',
  nobodyFound: 'Nobody found.',
  postsIn: 'Posts in',
  members: (count: string) => (count === '1' ? '1 member' : `${count} members`),
};

const it: typeof en = {
  find: 'Cerca persone',
  allCommunities: 'Tutte le comunità',
  nobody: 'Nessun altro è ancora nelle tue comunità.',
  nobodyFound: 'Nessuno trovato.',
  postsIn: 'Post in',
  members: (count) => (count === '1' ? '1 membro' : `${count} membri`),
};

export const usePeopleTexts = () => usePageTexts({ en, it });
