import { usePageTexts } from '../../texts/index.ts';

export const en = {
  editText: 'Edit the text',
  editTitle: 'Edit the title',
  comment: 'Write a comment',
  follow: 'Choose notifications',
  like: 'Like the post',
  actions: 'Actions on the post',
  step: 'Go to the steps',
};

export const useKeyTexts = () => usePageTexts('postKeys', en);
