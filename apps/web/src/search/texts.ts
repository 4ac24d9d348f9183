/** Texts of the search over everything. */
import { usePageTexts } from '../texts/index.ts';
import { type Count, english } from '../texts/plurals.ts';

export const en = {
  title: 'Search',
  placeholder: 'Search posts, comments, tasks, files and people',
  hint: 'Enter some words. Narrow with in:community, by:person, state:name, before:2026-03, has:file, "a phrase" or -word.',
  nothing: 'Nothing contains these words.',
  community: 'Community',
  kind: 'Kind',
  kinds: {
    post: 'Posts',
    comment: 'Comments',
    task: 'Tasks',
    file: 'Files',
    person: 'People',
    community: 'Communities',
  },
  count: (count: Count) => english(count, { one: '1 result', other: `${count} results` }),
  atLeast: (shown: string) => `${shown} or more results`,
  corrected: (words: string) => `Results for “${words}”`,
  someWords: 'Nothing has all of these words. These results have some of them.',
  ignored: (parts: string) => `Not known, therefore ignored: ${parts}`,
  indexing: 'The search is being prepared: some comments, tasks and files are not found yet.',
  restricted: 'Texts of fields that only some people see are found with the name of the field, as label:value.',
  inPost: (title: string) => `in ${title}`,
  more: 'More results',
  alsoFinds: 'The search also finds:',
  correctedFinds: (words: string) => `The search finds “${words}”:`,
};

export const useSearchTexts = () => usePageTexts('search', en);
