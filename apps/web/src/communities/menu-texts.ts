/** Texts of the menu of a list. */
import { usePageTexts } from '../texts/index.ts';
import { type Count, english } from '../texts/plurals.ts';

export const en = {
  noSuchGroups: 'This community has no such groups.',
  groupBy: 'Group by',
  noGroups: 'No groups',
  groupedBy: (name: string) => `Grouped by ${name}`,
  ungroup: 'Remove the groups',
  noneOf: (name: string) => `Without ${name}`,
  groupCount: (count: Count) => english(count, { one: '1 post', other: `${count} posts` }),
  otherGroups: (count: Count) => english(count, { one: '1 other group', other: `${count} other groups` }),
  loadMore: 'Show more',
  sumOf: (field: string, sum: string) => `${field}: ${sum}`,
  onlyNewest: (count: string) => `Counts and sums are those of the newest ${count} posts.`,
  formats: { csv: 'Download as CSV', xlsx: 'Download as an Excel workbook' },
  choose: 'Select posts',
  importFile: 'Import a file …',
  notExported: 'The list was not downloaded.',
  calendar: 'Calendar address …',
  calendarTitle: 'Calendar address',
  calendarHint:
    'Calendar programs that know the address show the events of this community that you may see. Everybody who has the address can read them: keep it secret. A new address ends the former one.',
  createAddress: 'Create the address',
  address: 'Address',
  onlyOnce: 'The address is shown once. Copy it now.',
  copy: 'Copy',
  copied: 'Copied',
};

export const useMenuTexts = () => usePageTexts('listMenu', en);
