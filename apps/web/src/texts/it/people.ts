/** Texts of the page `people` in Italian. */
import type { en as english } from '../../users/texts.ts';
import { italian } from '../plurals.ts';

export const people: typeof english = {
  find: 'Cerca persone',
  allCommunities: 'Tutte le comunità',
  nobody: 'Nessun altro è ancora nelle tue comunità.',
  nobodyFound: 'Nessuno trovato.',
  postsIn: 'Post in',
  members: (count) => italian(count, { one: '1 membro', other: `${count} membri` }),
};
