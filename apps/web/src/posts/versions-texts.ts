/** Texts of the versions of a post. */
import { usePageTexts } from '../texts/index.ts';
import { type Count, english } from '../texts/plurals.ts';

export const en = {
  title: 'Versions',
  back: 'Back to the post',
  now: 'Current version',
  only: 'This post has not been edited yet.',
  first: 'oldest version',
  parts: {
    title: 'Title',
    description: 'Text',
    hashtags: 'Hashtags',
    event: 'Event',
    attachments: 'Attachments',
    field: 'Field',
  },
  eventParts: { startAt: 'Start', endAt: 'End', timezone: 'Time zone', location: 'Place' },
  fields: (count: Count) => english(count, { one: '1 field', other: `${count} fields` }),
  differences: 'Changes if you restore this version',
  same: 'This version is the same as the current one.',
  filesStay: 'Files stay as they are.',
  bringFilesBack: 'Bring back the files that were removed since',
  newFilesStay: 'Files that were added since stay.',
  nothing: 'nothing',
  restore: 'Restore this version',
  restored: 'The version was restored.',
  conflict: 'The post was edited meanwhile. The list was reloaded.',
  undo: 'Undo',
};

export const useVersionTexts = () => usePageTexts('versions', en);
