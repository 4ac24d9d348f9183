/** Takes answers to mails of notifications: each becomes a comment of its author. */
import { createHash } from 'node:crypto';
import {
  confirmsAuthor,
  type IncomingMail,
  type KnownRecords,
  MOST_MAIL_BYTES,
  readIncoming,
  verifyAuthor,
} from '@portico/platform/mail';
import { PorticoError, ValidationError } from '../../../kernel/errors.ts';
import type { Scope, TenantScope } from '../../../kernel/scope.ts';
import { createPostComment } from '../../post-parts/index.ts';
import { readRecipients } from '../recipients.ts';
import { isReplyAddress, type ReplyTarget, readReplyAddress } from './reply-address.ts';

/** Why a mail was dropped. */
type DropReason =
  | 'tooLarge'
  | 'unreadable'
  | 'otherAddress'
  | 'automatic'
  | 'withoutMessageId'
  | 'invalidAddress'
  | 'otherAuthor'
  | 'notAuthentic'
  | 'withoutText'
  | 'refused';

/** Outcome of a mail: a comment, or the reason why there is none. */
export type ReplyOutcome =
  | { readonly taken: true; readonly tenant: string; readonly postId: number; readonly commentId: number }
  | { readonly taken: false; readonly reason: DropReason; readonly tenant?: string; readonly code?: string };

/** Services that taking an answer needs. */
interface ReplyServices {
  /** Address of the installation for answers. */
  readonly address: string;
  /** `authserv-id` of the receiving server; undefined: mails are verified here. */
  readonly trustedServer: string | undefined;
  /** Keys of signatures that are not looked up in DNS. */
  readonly keys?: KnownRecords | undefined;
  /** @returns undefined for a tenant that does not exist or is disabled */
  tenantScope(tenantId: number): Promise<TenantScope | undefined>;
  /** @returns undefined if the person cannot sign in */
  personScope(tenant: TenantScope, userId: number): Promise<Scope | undefined>;
}

/** Codes of errors that pass: the mail is handed over again. */
const PASSING: ReadonlySet<string> = new Set(['UNAVAILABLE', 'STORAGE_FULL', 'CONFLICT', 'RATE_LIMITED']);

/** DNS did not answer. */
class ReplyNotVerified extends Error {
  override name = 'ReplyNotVerified';
}

/**
 * Writes the comment of a mail. Each `Message-ID` gives one comment at most.
 * @param raw undefined: the mail is too large
 * @throws ReplyNotVerified, or PorticoError: the mail is to be handed over again
 */
export async function takeReply(services: ReplyServices, raw: Uint8Array | undefined): Promise<ReplyOutcome> {
  if (raw === undefined || raw.byteLength > MOST_MAIL_BYTES) return { taken: false, reason: 'tooLarge' };
  const mail = await readIncoming(raw);
  if (!mail) return { taken: false, reason: 'unreadable' };
  const given = readReplyAddress(services.address, mail.recipients);
  if (!given) return { taken: false, reason: 'otherAddress' };
  if (mail.automatic) return { taken: false, reason: 'automatic' };
  if (mail.messageId === '') return { taken: false, reason: 'withoutMessageId' };
  const tenantScope = await services.tenantScope(given.target.tenantId);
  if (!tenantScope || !isReplyAddress(tenantScope.settings, given, tenantScope.clock.now()))
    return { taken: false, reason: 'invalidAddress' };
  const tenant = tenantScope.tenant.name;
  const [recipient] = await readRecipients(tenantScope.db, [given.target.userId], tenantScope.clock.now());
  if (!recipient?.active || mail.from === '' || recipient.address?.toLowerCase() !== mail.from)
    return { taken: false, reason: 'otherAuthor', tenant };
  if (!(await isAuthentic(services, raw, mail))) return { taken: false, reason: 'notAuthentic', tenant };
  if (mail.answer === '') return { taken: false, reason: 'withoutText', tenant };
  const scope = await services.personScope(tenantScope, given.target.userId);
  if (!scope) return { taken: false, reason: 'otherAuthor', tenant };
  return write(scope, given.target, mail);
}

async function isAuthentic({ trustedServer, keys }: ReplyServices, raw: Uint8Array, mail: IncomingMail) {
  if (trustedServer !== undefined) return confirmsAuthor(mail.authenticationResults, trustedServer, mail.from);
  const verified = await verifyAuthor(raw, keys);
  if (verified === 'unknown') throw new ReplyNotVerified('The keys of the signature could not be read from DNS.');
  return verified === 'confirmed';
}

async function write(
  scope: Scope,
  { postId }: ReplyTarget,
  { answer, messageId }: IncomingMail,
): Promise<ReplyOutcome> {
  const tenant = scope.tenant.name;
  try {
    const { comment } = await createPostComment(scope, postId, {
      comment: JSON.stringify([{ insert: `${answer}\n` }]),
      commentFormat: 1,
      clientUid: `mail:${createHash('sha256').update(messageId).digest('base64url')}`,
    });
    return { taken: true, tenant, postId, commentId: comment.id as number };
  } catch (error) {
    if (error instanceof ValidationError) return { taken: false, reason: 'refused', tenant, code: 'VALIDATION_ERROR' };
    if (!(error instanceof PorticoError) || PASSING.has(error.code)) throw error;
    return { taken: false, reason: 'refused', tenant, code: error.code };
  }
}
