/** Reads and verifies mails that arrive, within limits of time and memory. */
import { JobFailed, JobThread } from '../threads/job-thread.ts';
import type { Authenticity, KnownRecords } from './authenticity.ts';
import type { IncomingMail } from './incoming.ts';
import type { MailJob } from './mail-thread-script.ts';

const SCRIPT = new URL('./mail-thread-script.ts', import.meta.url);
type MailThread = JobThread<MailJob, IncomingMail | Authenticity>;
/** A usual mail takes some milliseconds. A busy machine must not make it unreadable. */
const LIMITS = { mostMs: 20_000, memoryMb: 256 };
const parser: MailThread = new JobThread(SCRIPT, LIMITS);
/** Waits for DNS, too. */
const verifier: MailThread = new JobThread(SCRIPT, LIMITS);

/** @returns undefined for a message that cannot be read within the limits */
export async function readIncoming(raw: Uint8Array): Promise<IncomingMail | undefined> {
  return (await run(parser, { raw })) as IncomingMail | undefined;
}

/**
 * Verifies the author of a mail, see {@link checkAuthor}.
 * @param known records that are not looked up
 */
export async function verifyAuthor(raw: Uint8Array, known: KnownRecords = {}): Promise<Authenticity> {
  return ((await run(verifier, { raw, known })) as Authenticity | undefined) ?? 'refused';
}

async function run(thread: MailThread, job: MailJob): Promise<IncomingMail | Authenticity | undefined> {
  try {
    return await thread.run(job);
  } catch (error) {
    if (error instanceof JobFailed) return undefined;
    throw error;
  }
}
