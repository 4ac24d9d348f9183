/** Texts of the list of people. */
import { usePageTexts } from '../texts/index.ts';
import { type Count, english } from '../texts/plurals.ts';

export const en = {
  find: 'Find people',
  allCommunities: 'All communities',
  nobody: 'Nobody else is in your communities yet.',
  nobodyFound: 'Nobody found.',
  postsIn: 'Posts in',
  members: (count: Count) => english(count, { one: '1 member', other: `${count} members` }),
};

export const usePeopleTexts = () => usePageTexts('people', en);
