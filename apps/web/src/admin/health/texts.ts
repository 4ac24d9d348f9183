/** Texts about the use of the portal. */
import { usePageTexts } from '../../texts/index.ts';

export const en = {
  use: 'Use',
  version: 'Version of Portico',
  people: 'People who can sign in',
  seen: (count: string) => `${count} of them in the last 30 days`,
  communities: 'Communities',
  posts: 'Posts',
  files: 'Files',
  filesOf: (size: string, count: string) => `${size} in ${count} files`,
  room: 'Room for files',
  roomUsed: (share: string, quota: string) => `${share} of ${quota} used`,
  noLimit: 'no limit',
  largest: 'Communities with the largest attachments',
  size: 'Size',
  noFiles: 'There are no attachments yet.',
  work: 'Work',
  mails: 'Mails',
  imports: 'Imports',
  definitionChanges: 'Changes of definitions',
  waitingFiles: 'Files to be read and previewed',
  waitingAndFailed: (waiting: string, failed: string) => `${waiting} wait or run, ${failed} failed`,
  unsent: (count: string) => `${count} not sent: there is no mail server`,
};

export const useHealthTexts = () => usePageTexts('adminHealth', en);
