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

export const useMoveTexts = () => usePageTexts('move', en);
