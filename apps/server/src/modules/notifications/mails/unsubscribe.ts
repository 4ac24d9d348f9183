/**
 * Addresses that end mail of notifications without a sign-in (RFC 8058): the signed token names the
 * person, and kinds by community.
 */
import { MailFrequency, type NotificationKind } from '@portico/contract';
import { writeTransaction } from '../../../kernel/access/index.ts';
import type { Scope, TenantScope } from '../../../kernel/scope.ts';
import { mailLanguageOf } from '../../people/index.ts';
import { writePreferences } from '../notifications.repository.ts';
import { wordings } from './wording.ts';

/** Path below which the addresses are served, without trailing slash. */
export const UNSUBSCRIBE_PATH = '/portal/unsubscribe';
/** The `kind` under which tokens are signed. */
const TOKEN_KIND = 'unsubscribe';
/** Most kinds of communities of an address: a header has lines of at most 998 characters (RFC 5322). */
const MOST_ENTRIES = 20;

/** Payload of a token. The names are short because every mail contains them. */
interface UnsubscribePayload {
  /** Tenant. */
  readonly t: number;
  /** User. */
  readonly u: number;
  /** Community and kind. */
  readonly e: readonly (readonly [communityId: number, kind: NotificationKind])[];
}

/** Kind of notification in a community. */
interface MailedKind {
  readonly communityId: number;
  readonly kind: NotificationKind;
}

/** Returns the address that ends mail of these kinds; of many, the first. */
export function unsubscribeAddress(
  { tenant, settings, ownAddress }: Pick<TenantScope, 'tenant' | 'settings' | 'ownAddress'>,
  userId: number,
  kinds: readonly MailedKind[],
): string {
  const pairs = new Map(kinds.map(({ communityId, kind }) => [`${communityId} ${kind}`, [communityId, kind] as const]));
  const payload: UnsubscribePayload = { t: tenant.id, u: userId, e: [...pairs.values()].slice(0, MOST_ENTRIES) };
  return `${ownAddress}${UNSUBSCRIBE_PATH}/${settings.links.sign(TOKEN_KIND, payload)}`;
}

/** A request to end mail. */
interface Unsubscription {
  readonly userId: number;
  readonly kinds: readonly MailedKind[];
}

/** Reads a token. @returns undefined for a token that was altered or belongs to another tenant */
export function readUnsubscription(
  { tenant, settings }: Pick<TenantScope, 'tenant' | 'settings'>,
  token: string,
): Unsubscription | undefined {
  const payload = settings.links.verify<UnsubscribePayload>(TOKEN_KIND, token);
  if (!payload || payload.t !== tenant.id) return undefined;
  return { userId: payload.u, kinds: payload.e.map(([communityId, kind]) => ({ communityId, kind })) };
}

/** Ends mail of kinds. @param scope of the person */
export async function unsubscribe(scope: Scope, kinds: readonly MailedKind[]): Promise<void> {
  await writeTransaction(scope, 'none', (write) =>
    writePreferences(
      write,
      kinds.map((kind) => ({ ...kind, enabled: null, push: null, mail: MailFrequency.NEVER })),
    ),
  );
}

/** Texts of the page at such an address. */
export type UnsubscriptionTexts = ReturnType<typeof unsubscriptionTexts>;

/** @param accepted header `Accept-Language` @param fallback language of the tenant */
export function unsubscriptionTexts(accepted: string | undefined, fallback: string) {
  const language = mailLanguageOf(...(accepted ?? '').split(',').map((part) => part.trim()), fallback);
  return { language, ...wordings[language].page };
}
