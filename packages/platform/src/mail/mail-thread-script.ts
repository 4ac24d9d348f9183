/** Reads and verifies mails in a separate thread. */
import { serveJobs } from '../threads/thread-script.ts';
import { type Authenticity, checkAuthor, type KnownRecords } from './authenticity.ts';
import { type IncomingMail, parseIncoming } from './incoming.ts';

/** A mail to parse, or to verify where `known` is given. */
export interface MailJob {
  readonly raw: Uint8Array;
  readonly known?: KnownRecords;
}

serveJobs(async ({ raw, known }: MailJob): Promise<IncomingMail | Authenticity> => {
  return known === undefined ? parseIncoming(raw) : checkAuthor(raw, known);
});
