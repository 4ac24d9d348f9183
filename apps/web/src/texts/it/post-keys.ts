/** Texts of the page `postKeys` in Italian. */
import type { en as english } from '../../posts/editing/key-texts.ts';

export const postKeys: typeof english = {
  editText: 'Modifica il testo',
  editTitle: 'Modifica il titolo',
  comment: 'Scrivi un commento',
  follow: 'Scegli le notifiche',
  like: 'Metti “Mi piace”',
  actions: 'Azioni sul post',
  step: 'Vai ai passaggi',
};
