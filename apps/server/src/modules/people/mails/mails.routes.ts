import type { Handlers } from '../../../kernel/operations.ts';
import { discardMail, listOutgoingMails, retryMail } from './administer-mails.ts';
import { sendTestMail } from './send-test-mail.ts';

/** Operations on outgoing mail. */
export const mailHandlers = {
  listMails: ({ scope, body }) => listOutgoingMails(scope, body ?? {}),
  retryMail: async ({ scope, params }) => {
    await retryMail(scope, params.mailId);
    return undefined;
  },
  sendTestMail: ({ scope }) => sendTestMail(scope),
  discardMail: async ({ scope, params }) => {
    await discardMail(scope, params.mailId);
    return undefined;
  },
} satisfies Handlers;
