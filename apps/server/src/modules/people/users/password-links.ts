/**
 * Links by which people choose a password: invitations, resets by administrators, and forgotten passwords. A link works once
 * and until it expires; its token is in the fragment of the address, which browsers do not send, so that no log contains it.
 */

import type { SetPasswordByLinkResponse, UserLinkResponse } from '@portico/contract';
import type { TenantTx } from '@portico/platform/db/tenant-db';
import { type WriteScope, writeTransaction } from '../../../kernel/access/index.ts';
import { insertEntries } from '../../../kernel/audit/index.ts';
import { invalid } from '../../../kernel/errors.ts';
import type { Scope, TenantScope } from '../../../kernel/scope.ts';
import { enqueueMails } from '../mails/enqueue-mail.ts';
import {
  insertLinks,
  type LinkPurpose,
  linkedAccount,
  neverUsed,
  redeemLink,
  resettableAccount,
} from './one-time-links.repository.ts';
import { administeredUser } from './open-user.ts';
import { hashPassword, passwordError } from './passwords.ts';
import { mustManageUsers } from './people.policy.ts';
import type { UserFields } from './user-fields.ts';
import type { UserRow } from './users.repository.ts';

const HOUR_MS = 3_600_000;
/** Lifetime of links. Milliseconds. */
const LIFETIME_MS: Readonly<Record<LinkPurpose, number>> = {
  invitation: 7 * 24 * HOUR_MS,
  'password-reset': 24 * HOUR_MS,
};

/** Requests for one user name or address within a minute, after which further ones are refused until the minute is over. */
export const RESET_REQUESTS = 5;
/** Maximum of reset links of one account per hour; beyond it, requests send none. */
const MOST_RESETS_AN_HOUR = 3;

/** A link as an operator is shown it. */
export interface PrintedLink {
  username: string;
  /** Valid once; stored nowhere else. */
  link: string;
  /** Epoch milliseconds. */
  expiresAt: number;
}

/**
 * Sends a person the link for a password (operations inviteUser and sendPasswordReset), in their
 * language. If no mail server is configured, the response holds the invitation of an account that
 * was never used, and nothing else does.
 * @throws PorticoError 403 without manageUsers, for system accounts and for holders of a right that
 * the caller lacks; 404 (unknown or deleted)
 * @throws ValidationError for an account that cannot use a link, or without a contact address
 */
export async function sendPasswordLink(scope: Scope, userId: number, purpose: LinkPurpose): Promise<UserLinkResponse> {
  mustManageUsers(scope.actor);
  return writeTransaction(scope, 'none', async (write) => {
    const user = await accountForLink(write, userId);
    const shows = purpose === 'invitation' && !scope.sendsMail && (await neverUsed(write.tx, userId));
    const shown = shows ? await showInvitation(write, userId) : undefined;
    if (shown && user.contactEmail === null) return shown;
    if (user.contactEmail === null)
      throw invalid('userId', 'INVALID_VALUE', 'This account has no contact address that a link could be sent to.');
    const expiresAt = await mailLink(write, purpose, [user.contactEmail], recipientOf(userId, user));
    return {
      userId,
      recipient: user.contactEmail,
      expiryTimestamp: expiresAt,
      sentEmailNotify: scope.sendsMail,
      ...shown,
    };
  });
}

/** Makes an invitation that the administrator hands over, and records that it was shown. */
async function showInvitation(write: WriteScope, userId: number): Promise<UserLinkResponse> {
  const made = await makeLink(write, write.now, { userId, purpose: 'invitation', byMail: false });
  await insertEntries(write.tx, write.tx.caller, [
    { action: 'modified', object: 'user', objectId: userId, after: { invitationShown: made.expiresAt } },
  ]);
  return {
    userId,
    expiryTimestamp: made.expiresAt,
    sentEmailNotify: false,
    invitationLink: made.link,
  };
}

/** Creates a link to be shown instead of sent; otherwise like {@link sendPasswordLink}. */
export async function printPasswordLink(scope: Scope, userId: number, purpose: LinkPurpose): Promise<PrintedLink> {
  mustManageUsers(scope.actor);
  return writeTransaction(scope, 'none', async (write) => {
    const user = await accountForLink(write, userId);
    const { link, expiresAt } = await makeLink(write, write.now, { userId, purpose, byMail: false });
    return { username: user.customUsername!, link, expiresAt };
  });
}

async function accountForLink(write: WriteScope, userId: number): Promise<UserRow> {
  const user = await administeredUser(write, userId);
  if (user.serviceAccount) throw invalid('userId', 'INVALID_VALUE', 'A service account signs in by its keys.');
  if (user.customUsername === null)
    throw invalid('userId', 'INVALID_VALUE', 'This account has no user name; set one in its credentials form first.');
  if (user.blocked) throw invalid('userId', 'INVALID_VALUE', 'This account is blocked; unblock it first.');
  return user;
}

/** Recipient of a link. */
interface LinkRecipient {
  userId: number;
  name: string;
  language: string | null;
}

export const recipientOf = (
  userId: number,
  { firstName, lastName, language }: Pick<UserFields, 'firstName' | 'lastName' | 'language'>,
): LinkRecipient => ({ userId, name: [firstName, lastName].filter(Boolean).join(' '), language });

/** Parts of a scope and its transaction that creating a link needs. */
type LinkScope = Pick<TenantScope, 'settings' | 'ownAddress' | 'sealer'> & { readonly tx: TenantTx };

/**
 * Makes a link and queues mails with it.
 * @param to addresses
 * @returns when it expires, in epoch milliseconds
 */
export async function mailLink(
  write: LinkScope & { readonly now: number },
  purpose: LinkPurpose,
  to: readonly string[],
  { userId, name, language }: LinkRecipient,
): Promise<number> {
  const { link, expiresAt } = await makeLink(write, write.now, { userId, purpose, byMail: true });
  const mail = linkMail(write, purpose, { userId, name, language }, link, expiresAt);
  await enqueueMails(
    write,
    to.map((address) => ({ ...mail, to: address })),
  );
  return expiresAt;
}

/** Makes a link for each of many people and queues a mail with it; otherwise as {@link mailLink}. */
export async function mailLinks(
  write: LinkScope & { readonly now: number },
  purpose: LinkPurpose,
  people: readonly { to: string; recipient: LinkRecipient }[],
): Promise<number> {
  const expiresAt = write.now + LIFETIME_MS[purpose];
  if (people.length === 0) return expiresAt;
  const userIds = people.map(({ recipient }) => recipient.userId);
  const tokens = await insertLinks(write.tx, userIds, { purpose, byMail: true, now: write.now, expiresAt });
  await enqueueMails(
    write,
    people.map(({ to, recipient }, index) => {
      const link = addressOf(write.ownAddress as string, purpose, tokens[index] as string);
      return { ...linkMail(write, purpose, recipient, link, expiresAt), to };
    }),
  );
  return expiresAt;
}

const addressOf = (ownAddress: string, purpose: LinkPurpose, token: string) =>
  `${ownAddress}/portal/#/${purpose}/${token}`;

function linkMail(
  { settings }: LinkScope,
  template: LinkPurpose,
  { userId, name, language }: LinkRecipient,
  link: string,
  expiry: number,
) {
  return { userId, template, values: { name, link, expiry }, language: language ?? settings.defaultLanguage };
}

async function makeLink(
  { tx, ownAddress }: LinkScope,
  now: number,
  link: { userId: number; purpose: LinkPurpose; byMail: boolean },
): Promise<{ link: string; expiresAt: number }> {
  if (ownAddress === null)
    throw invalid('userId', 'INVALID_VALUE', 'The tenant has no host name that a link could lead to.');
  const expiresAt = now + LIFETIME_MS[link.purpose];
  const { userId, ...rest } = link;
  const [token] = await insertLinks(tx, [userId], { ...rest, now, expiresAt });
  return { link: addressOf(ownAddress, link.purpose, token as string), expiresAt };
}

/**
 * Sends the link for a forgotten password, if the login names a person with the permission to
 * change their password, and they have not received too many links.
 * @param login user name or contact address
 */
export async function sendForgotten(scope: TenantScope, login: string): Promise<void> {
  if (scope.ownAddress === null) {
    scope.log.warn({ tenant: scope.tenant.name }, 'no link for a forgotten password: the tenant has no host name');
    return;
  }
  const now = scope.clock.now();
  await scope.db.transaction(async (tx) => {
    const account = await resettableAccount(tx, login, now - HOUR_MS);
    if (!account || account.recentLinks >= MOST_RESETS_AN_HOUR) return;
    await mailLink({ ...scope, tx, now }, 'password-reset', [account.contactEmail], account);
  });
}

export async function setPassword(
  scope: TenantScope,
  { token, newPassword }: { token: string; newPassword: string },
): Promise<SetPasswordByLinkResponse> {
  const account = await linkedAccount(scope.db, token, scope.clock.now());
  if (!account) throw voidLink();
  const error = passwordError(newPassword, account.username);
  if (error) throw invalid('newPassword', 'INVALID_VALUE', error);
  // Before the transaction, so that it holds no lock meanwhile.
  const hash = await hashPassword(newPassword);
  const redeemed = await scope.db
    .boundTo({ ...scope.db.caller, userId: account.userId })
    .transaction((tx) => redeemLink(tx, account, token, hash, scope.clock.now()));
  if (!redeemed) throw voidLink();
  return { username: account.username ?? undefined };
}

const voidLink = () =>
  invalid('token', 'INVALID_VALUE', 'This link was used, has expired or was replaced. Ask for a new one.');
