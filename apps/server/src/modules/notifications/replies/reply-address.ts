/**
 * Addresses that take answers to a mail: the local part names tenant, person, post and last day, and
 * ends with a code of the tenant's key. It survives servers that write addresses in lower case.
 */
import type { TenantSettings } from '../../../kernel/scope.ts';

const KIND = 'mail-reply';
/** Days after which answers to a mail are not taken any more. */
const DAYS = 30;
const DAY_MS = 86_400_000;
/** Longest local part of an address (RFC 5321). */
const MAX_LOCAL = 64;

/** The mail that an answer belongs to. */
export interface ReplyTarget {
  readonly tenantId: number;
  readonly userId: number;
  readonly postId: number;
  /** Last day on which answers are taken, in days since 1970. */
  readonly lastDay: number;
}

/** An address that somebody wrote to, not yet verified. */
interface GivenAddress {
  readonly target: ReplyTarget;
  readonly code: string;
}

const dayOf = (at: number) => Math.floor(at / DAY_MS);
const textOf = ({ tenantId, userId, postId, lastDay }: ReplyTarget) =>
  [tenantId, userId, postId, lastDay].map((number) => number.toString(36)).join('-');

/**
 * Returns the address for answers to a mail.
 * @param address of the installation  @param now epoch milliseconds
 * @returns undefined where the local part would be too long
 */
export function replyAddress(
  address: string,
  { links }: Pick<TenantSettings, 'links'>,
  mail: Omit<ReplyTarget, 'lastDay'>,
  now: number,
): string | undefined {
  const at = address.lastIndexOf('@');
  const text = textOf({ ...mail, lastDay: dayOf(now) + DAYS });
  const local = `${address.slice(0, at)}+${text}-${links.code(KIND, text)}`;
  return local.length > MAX_LOCAL ? undefined : `${local}${address.slice(at)}`;
}

/** Reads the first of several addresses that has the form of one for answers. @param recipients in lower case */
export function readReplyAddress(address: string, recipients: readonly string[]): GivenAddress | undefined {
  const at = address.lastIndexOf('@');
  const [start, end] = [`${address.slice(0, at)}+`, address.slice(at)];
  for (const recipient of recipients) {
    if (!recipient.startsWith(start) || !recipient.endsWith(end)) continue;
    const parts = recipient.slice(start.length, recipient.length - end.length).split('-');
    const [tenantId, userId, postId, lastDay] = parts.slice(0, 4).map((part) => Number.parseInt(part, 36)) as number[];
    const code = parts[4];
    if (parts.length !== 5 || !code || ![tenantId, userId, postId, lastDay].every(Number.isSafeInteger)) continue;
    const target = { tenantId: tenantId!, userId: userId!, postId: postId!, lastDay: lastDay! };
    if (parts.slice(0, 4).join('-') === textOf(target)) return { target, code };
  }
  return undefined;
}

/** Whether the tenant's key made an address, and it still holds. @param now epoch milliseconds */
export function isReplyAddress({ links }: Pick<TenantSettings, 'links'>, { target, code }: GivenAddress, now: number) {
  return links.isCode(KIND, textOf(target), code) && dayOf(now) <= target.lastDay;
}
