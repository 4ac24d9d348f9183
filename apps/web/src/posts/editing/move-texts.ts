/** Texts of moving a post to another community. */
import { usePageTexts } from '../../texts/index.ts';

export const en = {
  title: 'Move to community …',
  move: 'Move',
  allKept: 'Values, comments, tasks and files move with the post. It gets a new number.',
  someLost:
    'Comments, tasks and files move with the post. The other community has no field of the same name for these values:',
  lose: 'Discard the value',
  into: (field: string) => `Move to “${field}”`,
  chooseState: 'Choose the state of the post in the other community.',
  moved: (title: string, community: string) => `“${title}” was moved to ${community}.`,
  movedBack: 'The post was moved back.',
};

const it: typeof en = {
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

export const useMoveTexts = () => usePageTexts('move', { en, it });
