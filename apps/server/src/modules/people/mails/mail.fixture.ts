/** A queued mail for tests. */
import { enqueueMails } from './enqueue-mail.ts';
import type { MailTemplate } from './mail-types.ts';

/** Queues a mail. @returns its id */
export async function enqueueMail<T extends MailTemplate>(
  write: Parameters<typeof enqueueMails<T>>[0],
  mail: Parameters<typeof enqueueMails<T>>[1][number],
): Promise<number> {
  const [id] = await enqueueMails(write, [mail]);
  return id!;
}
