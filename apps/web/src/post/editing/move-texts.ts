/** Texts of moving a post to another community. */
import { usePageTexts } from '../../texts/index.ts';

const en = {
  title: 'Move to community …',
  move: 'Move',
  allKept: 'Everything goes along: values, comments, tasks and files. The post gets a number there.',
  someLost: 'Comments, tasks and files go along. For these values the other community has no field of the same name:',
  lose: 'Leave the value out',
  into: (field: string) => `Into “${field}”`,
  chooseState: 'Choose the state in which the post is there.',
  moved: (title: string, community: string) => `“${title}” is now in ${community}.`,
  movedBack: 'It is where it was.',
};

const it: typeof en = {
  title: 'Sposta in una comunità …',
  move: 'Sposta',
  allKept: 'Viene tutto con sé: valori, commenti, attività e file. Là il post riceve un numero.',
  someLost:
    'Commenti, attività e file vengono con sé. Per questi valori l’altra comunità non ha un campo con lo stesso nome:',
  lose: 'Tralascia il valore',
  into: (field) => `In “${field}”`,
  chooseState: 'Scegli lo stato in cui sarà il post.',
  moved: (title, community) => `“${title}” ora è in ${community}.`,
  movedBack: 'È di nuovo dov’era.',
};

export const useMoveTexts = () => usePageTexts({ en, it });
