/** The filter of the list of mails in its address. */
import { stateSearch } from '../state-search.ts';

const STATES = ['waiting', 'failed', 'unsent', 'sent'] as const;
export type MailState = (typeof STATES)[number];

export const readMailsSearch = stateSearch(STATES);
