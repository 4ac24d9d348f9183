/** Reads a person's identity from the claims of a provider. Pure. */
import { oneLine } from '@portico/contract';
import { cutCodePoints, isLongerThan, storableText } from '@portico/platform/text';
import type { ProviderClaims } from './provider-client.ts';
import type { ProviderSettings } from './providers.policy.ts';
import { SignInFailure } from './sign-in-failure.ts';

const MAX_SUBJECT = 255;
const MAX_NAME = 200;
const MAX_ADDRESS = 320;

/** Identity of a person at a provider. */
export interface Identity {
  subject: string;
  /** Null without an address, or if the provider does not state that it is verified. */
  verifiedEmail: string | null;
  firstName: string;
  lastName: string;
  /**
   * Values of the groups claim; null if the provider states that they are elsewhere, so that
   * memberships stay.
   */
  groups: ReadonlySet<string> | null;
}

type Rules = Pick<ProviderSettings, 'emailDomains' | 'groupsClaim'>;

/** Returns whether a required claim is missing, so that the userinfo endpoint is called. */
export function lacksClaims(claims: ProviderClaims, { groupsClaim }: Rules): boolean {
  return claims['email'] === undefined || (groupsClaim !== null && claims[groupsClaim] === undefined);
}

/**
 * @throws SignInFailure for a subject that cannot be stored, and for addresses outside the
 * provider's domains
 */
export function identityOf(claims: ProviderClaims, { emailDomains, groupsClaim }: Rules): Identity {
  const subject = textOf(claims.sub, MAX_SUBJECT);
  if (subject === null || subject !== claims.sub)
    throw new SignInFailure('sign-in-refused', 'the subject is too long or cannot be kept');
  const email = textOf(claims['email'], MAX_ADDRESS);
  const verified = claims['email_verified'] === true || claims['email_verified'] === 'true';
  const verifiedEmail = verified && email !== null && /^[^\s@<>,;"]+@[^\s@<>,;"]+$/u.test(email) ? email : null;
  if (emailDomains.length > 0) {
    const domain = verifiedEmail?.slice(verifiedEmail.lastIndexOf('@') + 1).toLowerCase();
    if (domain === undefined) throw new SignInFailure('sign-in-refused', 'the provider names no verified address');
    if (!emailDomains.includes(domain))
      throw new SignInFailure('sign-in-refused', 'the address is not of an allowed domain');
  }
  return { subject, verifiedEmail, ...nameOf(claims, email ?? subject), groups: groupsOf(claims, groupsClaim) };
}

function nameOf(claims: ProviderClaims, fallback: string): { firstName: string; lastName: string } {
  const part = (claim: string) => {
    const value = claims[claim];
    return textOf(typeof value === 'string' ? cutName(oneLine(value)) : value, MAX_NAME);
  };
  const given = part('given_name') ?? '';
  const family = part('family_name');
  if (family !== null) return { firstName: given, lastName: family };
  const other = part('name') ?? part('preferred_username');
  return { firstName: '', lastName: other ?? (given || cutName(fallback.split('@')[0] as string)) };
}

/** Truncates a name that is too long. */
const cutName = (name: string) => cutCodePoints(name.trim(), MAX_NAME).trim();

/**
 * Some providers send a claim with one value as a text. A missing claim gives no group, unless the
 * response states that it is elsewhere: as a distributed claim (OpenID Connect Core 5.6.2), or by
 * Microsoft's `hasgroups`.
 */
function groupsOf(claims: ProviderClaims, claim: string | null): ReadonlySet<string> | null {
  if (claim === null) return new Set();
  const elsewhere = claims['_claim_names'];
  if (claims[claim] === undefined) {
    if (typeof elsewhere === 'object' && elsewhere !== null && Object.hasOwn(elsewhere, claim)) return null;
    if (claim === 'groups' && (claims['hasgroups'] === true || claims['hasgroups'] === 'true')) return null;
  }
  return new Set([claims[claim]].flat().filter((value) => typeof value === 'string'));
}

/** @returns null unless the claim is a text that is not empty, not too long, and can be stored */
function textOf(claim: unknown, most: number): string | null {
  if (typeof claim !== 'string') return null;
  const text = claim.trim();
  return text === '' || isLongerThan(text, most) || storableText(text) !== text ? null : text;
}
