/** Texts of writing many posts at once. */
import { usePageTexts } from '../../texts/index.ts';
import { type Count, english } from '../../texts/plurals.ts';

export const en = {
  bar: 'Selected posts',
  sum: (field: string, sum: string) => `${field}: ${sum} in total`,
  step: 'Take a step',
  edit: 'Edit a field',
  delete: 'Delete',
  selectAll: (count: Count) =>
    english(count, { one: 'Select the post of this filter', other: `Select all ${count} posts of this filter` }),
  selectFirst: (most: string, total: Count) => `Select the first ${most} of ${total} posts of this filter`,
  reading: (read: string, total: string) => `${read} of ${total} read …`,
  onlyFirst: (most: string) => `The first ${most} posts of the list are selected.`,
  notSelected: 'The posts were not selected.',
  progress: (done: string, total: string) => `${done} of ${total} posts done`,
  stop: 'Stop',
  goOn: (count: Count) => english(count, { one: 'Continue with 1 post', other: `Continue with ${count} posts` }),
  changed: (count: string) => `${count} changed`,
  gone: (count: string) => `${count} deleted`,
  ended: (done: Count, total: string) =>
    english(done, { one: `1 of ${total} posts was changed.`, other: `${done} of ${total} posts were changed.` }),
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
  notRun: (count: string) => `${count} not tried`,
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
