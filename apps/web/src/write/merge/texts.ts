/** Texts of conflicts between two people, loaded when there is one. */
import { usePageTexts } from '../../texts/index.ts';

const en = {
  title: (name: string) => `${name} was changed meanwhile`,
  by: (who: string) => `${who} changed it while you were editing.`,
  bySomebody: 'Somebody changed it while you were editing.',
  restMerged: 'All other changes of both are kept.',
  fits: 'Both changed the same paragraph. Check whether both changes fit together.',
  overlap: 'Both changed the same words. Choose for each place.',
  before: 'Original',
  mine: 'Yours',
  theirs: 'Theirs',
  both: 'Both',
  merged: 'Both together',
  place: (number: string) => `Place ${number}`,
  saveMerged: 'Save both',
  editMerged: 'Edit before saving',
  keepMine: 'Keep yours',
  takeTheirs: 'Take theirs',
  save: 'Save',
  nothing: 'nothing',
  lineEnd: 'line end',
};

export type MergeTexts = typeof en;

export const useMergeTexts = (): MergeTexts => usePageTexts('merge', en);
