/** Decides whether a person gets mail of notifications at all. */
import { MailReason } from '@portico/contract';
import { isMailAddress } from '@portico/platform/mail';
import type { TenantScope } from '../../kernel/scope.ts';
import type { Recipient } from './recipients.ts';

/** Domain of the people of the demo: they are invented, and get no mail. */
const DEMO_DOMAIN = '@alveria.example';

/** Parts of a scope that decide about mail. */
export type MailTerms = Pick<TenantScope, 'settings' | 'sendsMail' | 'ownAddress'>;

/**
 * Returns why a person gets no mail of notifications.
 * @param recipient undefined: there is no such account
 * @returns undefined if they get mail
 */
export function whyHeld(terms: MailTerms, recipient: Recipient | undefined): MailReason | undefined {
  if (!terms.settings.notificationMails) return MailReason.TENANT_OFF;
  if (!terms.sendsMail || terms.ownAddress === null) return MailReason.NO_SERVER;
  if (!recipient?.active) return MailReason.NO_RECIPIENT;
  const { address } = recipient;
  if (address?.toLowerCase().endsWith(DEMO_DOMAIN)) return MailReason.NO_RECIPIENT;
  if (!recipient.wantsMail) return MailReason.PERSON_OFF;
  if (address === null || !isMailAddress(address)) return MailReason.NO_ADDRESS;
  return recipient.refused ? MailReason.UNDELIVERABLE : undefined;
}
