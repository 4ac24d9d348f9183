/** Takes answers to mails of notifications. */
import { type KnownRecords, type Mailbox, takeUnread } from '@portico/platform/mail';
import { type ReplyOutcome, takeReply } from '../modules/notifications/index.ts';
import { findPersonScope, type TenantServices, tenantScope } from '../modules/tenants/index.ts';

/** Configuration of answers, see process/config/mail.ts. */
export interface Replies {
  readonly address: string;
  readonly mailbox: Mailbox | undefined;
  readonly trustedServer: string | undefined;
}

/** Reads the unread mails of the mailbox. A mail that cannot be taken now stays unread. */
export async function receiveReplies(services: TenantServices, replies: Replies): Promise<void> {
  if (!replies.mailbox) return;
  await takeUnread(replies.mailbox, async (raw) => {
    await receiveReply(services, replies, raw);
  });
}

/**
 * Takes one mail, and logs the outcome without text and address.
 * @param raw undefined: the mail is too large  @throws as {@link takeReply}
 */
export async function receiveReply(
  services: TenantServices,
  replies: Pick<Replies, 'address' | 'trustedServer'>,
  raw: Uint8Array | undefined,
  keys?: KnownRecords,
): Promise<ReplyOutcome> {
  const outcome = await takeReply(
    {
      ...replies,
      keys,
      tenantScope: async (id) => {
        const tenant = await services.tenants.byId(id);
        return tenant && tenantScope(services, tenant, `https://${tenant.name}.invalid`);
      },
      personScope: ({ tenant }, userId) => findPersonScope(services, tenant, userId),
    },
    raw,
  );
  const { taken, ...fields } = outcome;
  if (taken) services.log.info(fields, 'an answer to a mail became a comment');
  else services.log.warn(fields, 'an answer to a mail was dropped');
  return outcome;
}
