/** Texts of the list of people. */
import { usePageTexts } from '../texts/index.ts';
import { type Count, english, italian } from '../texts/plurals.ts';

export const en = {
  find: 'Find people',
  allCommunities: 'All communities',
  nobody: 'Nobody else is in your communities yet.',
  nobodyFound: 'Nobody found.',
  postsIn: 'Posts in',
  members: (count: Count) => english(count, { one: '1 member', other: `${count} members` }),
};

const it: typeof en = {
  find: 'Cerca persone',
  allCommunities: 'Tutte le comunità',
  nobody: 'Nessun altro è ancora nelle tue comunità.',
  nobodyFound: 'Nessuno trovato.',
  postsIn: 'Post in',
  members: (count) => italian(count, { one: '1 membro', other: `${count} membri` }),
};

export const usePeopleTexts = () => usePageTexts('people', { en, it });
