/** Texts of writing many posts at once. */
import { usePageTexts } from '../../texts/index.ts';
import { type Count, english } from '../../texts/plurals.ts';

export const en = {
  bar: 'Selected posts',
  sum: (field: string, sum: string) => `${field}: ${sum} in total`,
  step: 'Take a step',
  edit: 'Edit a field',
  delete: 'Delete',
  deleteTitle: (count: Count) => english(count, { one: 'Delete 1 post', other: `Delete ${count} posts` }),
  editTitle: (field: string, count: Count) =>
    english(count, { one: `${field} of 1 post`, other: `${field} of ${count} posts` }),
  stepTitle: (step: string, count: Count) =>
    english(count, { one: `${step}: 1 post`, other: `${step}: ${count} posts` }),
  emptyField: 'Leave it empty to clear the field.',
  preview: 'Preview',
  previewing: 'Loading the preview …',
  apply: 'Apply',
  wouldChange: (count: string) => `${count} accepted`,
  unchanged: (count: string) => `${count} unchanged`,
  refused: (count: string) => `${count} refused`,
  notRun: (count: string) => `${count} not tried: the request took too long`,
  more: (count: string) => `and ${count} more`,
  done: (count: Count) => english(count, { one: '1 post changed.', other: `${count} posts changed.` }),
  deleted: (count: Count) => english(count, { one: '1 post deleted.', other: `${count} posts deleted.` }),
  partly: (done: Count, failed: string) =>
    english(done, { one: `1 post changed, ${failed} failed.`, other: `${done} posts changed, ${failed} failed.` }),
  undone: (count: Count) =>
    english(count, { one: 'The change of 1 post was undone.', other: `The change of ${count} posts was undone.` }),
  undoFailed: 'Some changes could not be undone. Somebody may have edited the posts meanwhile.',
};

export const useBulkTexts = () => usePageTexts('bulk', en);
