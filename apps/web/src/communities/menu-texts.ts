/** Texts of the menu of a list. */
import { usePageTexts } from '../texts/index.ts';

export const en = {
  formats: { csv: 'Download as CSV', xlsx: 'Download as an Excel workbook' },
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
