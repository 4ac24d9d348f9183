/**
 * Rights to administer people (docs/decisions/people.md), and validation of inputs about people.
 * Pure.
 */
import { profileLengths } from '@portico/contract';
import { administrativeRights, requireRight } from '../../../kernel/access/index.ts';
import { type FieldErrors, forbidden } from '../../../kernel/errors.ts';
import type { Actor, AdministrativeRight } from '../../../kernel/scope.ts';

/**
 * Maximum text lengths, in code points. External ids, addresses and user names are keys of unique
 * indexes.
 */
export const maxLengths = {
  name: 200,
  address: profileLengths.address,
  externalId: 255,
  account: 320,
  phone: profileLengths.phone,
  place: 200,
  role: 200,
  biography: profileLengths.biography,
} as const;

/** @throws PorticoError 403 without the right `manageUsers` */
export function mustManageUsers(actor: Actor): void {
  requireRight(actor, 'manageUsers');
}

/** Message for changes to system accounts and system groups. */
export const KEPT_BY_PORTAL = 'The system account and system groups cannot be changed.';

/** @throws PorticoError 403 for system accounts and groups, and for the operator's account */
export function mustNotBeSystem(entity: { systemAccount: boolean; breakGlass?: boolean }): void {
  if (entity.breakGlass) throw forbidden("The break-glass administrator is the operator's: portico admin break-glass.");
  if (entity.systemAccount) throw forbidden(KEPT_BY_PORTAL);
}

/**
 * Reads the member `adminCapabilities` of a form.
 * @returns the rights, each once; undefined where the form leaves them out, which keeps them
 */
export function readRights(
  sent: readonly string[] | undefined,
  errors: FieldErrors,
): AdministrativeRight[] | undefined {
  if (sent === undefined) return undefined;
  const known = administrativeRights.filter((right) => sent.includes(right));
  if (sent.some((right) => !administrativeRights.includes(right as AdministrativeRight)))
    errors.add('adminCapabilities', 'INVALID_VALUE', `Of: ${administrativeRights.join(', ')}.`, administrativeRights);
  return known;
}

/** Reads an optional e-mail address. @returns it trimmed, or null */
export function readEmail(field: string, value: string | undefined, errors: FieldErrors): string | null {
  const text = errors.optional(field, value, maxLengths.address);
  if (text !== null && !isEmail(text))
    errors.add(field, 'INVALID_VALUE', 'This is not an e-mail address; send one such as name@example.org.');
  return text;
}

/**
 * Returns whether a text has the form of one e-mail address; only a message can tell whether it
 * exists.
 */
export function isEmail(text: string): boolean {
  return /^[^\s@<>,;"]+@[^\s@<>,;"]+$/u.test(text);
}

/**
 * Returns whether an account lies within the domains of the tenant. An empty list of domains allows
 * everything.
 * @param account address or user name; without `@` it lies in no domain
 */
export function inDomains(account: string, domains: readonly string[]): boolean {
  if (domains.length === 0) return true;
  const at = account.lastIndexOf('@');
  if (at < 0) return false;
  const domain = account.slice(at + 1).toLowerCase();
  return domains.some((allowed) => allowed.toLowerCase().replace(/^@/, '') === domain);
}
