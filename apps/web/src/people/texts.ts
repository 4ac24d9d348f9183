/** Texts of the list of people. */
import { usePageTexts } from '../texts/index.ts';

const en = {
  find: 'Find people',
  allCommunities: 'All communities',
  nobody: 'You share no community with anybody yet.',
  nobodyFound: 'Nobody with this name.',
  postsIn: 'Posts in',
};

const it: typeof en = {
  find: 'Cerca persone',
  allCommunities: 'Tutte le comunità',
  nobody: 'Non condividi ancora comunità con nessuno.',
  nobodyFound: 'Nessuno con questo nome.',
  postsIn: 'Post in',
};

export const usePeopleTexts = () => usePageTexts({ en, it });
