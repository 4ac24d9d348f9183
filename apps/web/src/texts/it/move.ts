/** Texts of the page `move` in Italian. */
import type { en as english } from '../../posts/editing/move-texts.ts';

export const move: typeof english = {
  title: 'Sposta in una comunità …',
  move: 'Sposta',
  allKept: 'Valori, commenti, attività e file si spostano con il post. Il post riceve un nuovo numero.',
  someLost:
    'Commenti, attività e file si spostano con il post. Per questi valori l’altra comunità non ha un campo con lo stesso nome:',
  lose: 'Scarta il valore',
  into: (field) => `Sposta in “${field}”`,
  chooseState: 'Scegli lo stato in cui sarà il post.',
  moved: (title, community) => `“${title}” è stato spostato in ${community}.`,
  movedBack: 'Il post è tornato dov’era.',
};
