/** The filter of the list of mails in its address. */
const STATES = ['waiting', 'failed', 'unsent', 'sent'] as const;
export type MailState = (typeof STATES)[number];

interface MailsSearch {
  state?: MailState;
}

export const readMailsSearch = ({ state }: Record<string, unknown>): MailsSearch =>
  STATES.includes(state as MailState) ? { state: state as MailState } : {};
