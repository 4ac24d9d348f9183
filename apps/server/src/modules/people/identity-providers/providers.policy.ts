/** Rights needed for identity providers, and validation of their settings. Pure. */
import type { CreateIdentityProviderRequest } from '@portico/contract';
import { administrativeRights, holds } from '../../../kernel/access/index.ts';
import { type FieldErrors, forbidden } from '../../../kernel/errors.ts';
import type { Actor } from '../../../kernel/scope.ts';
import { maxLengths } from '../users/people.policy.ts';

const KEY = /^[a-z0-9][a-z0-9-]{0,39}$/;
/** Scope in the syntax of RFC 6749 §3.3. */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]{1,100}$/;
const DOMAIN = /^(?=.{1,253}$)[a-z0-9-]+(\.[a-z0-9-]+)*$/;
/** IP address in the syntax of URLs. */
const ADDRESS = /^(\[.*\]|\d+\.\d+\.\d+\.\d+)$/;
const DEFAULT_SCOPES = ['openid', 'email', 'profile'];
const MAX_LIST = 50;
const MAX_SECRET = 2_000;
const MAX_CLAIM = 200;

/** Settings of a provider except its secret and its groups. */
export interface ProviderSettings {
  name: string;
  clientId: string;
  scopes: string[];
  enabled: boolean;
  createsUsers: boolean;
  linksByEmail: boolean;
  /** In lower case. */
  emailDomains: string[];
  groupsClaim: string | null;
}

/** Value of the groups claim and the group that it maps to. */
export interface GroupMapping {
  value: string;
  groupId: number;
}

/**
 * Requires every right that an account can have: the configuration of a provider decides who signs
 * in as whom.
 * @throws PorticoError 403
 */
export function mustManageProviders(actor: Actor): void {
  const missing = administrativeRights.filter((right) => !holds(actor, right));
  if (missing.length > 0) throw forbidden(`Missing administrative right: ${missing.join(', ')}.`);
}

/** Reads the settings of a request; an omitted setting is removed. */
export function readSettings(
  input: Omit<CreateIdentityProviderRequest, 'key' | 'issuer' | 'clientSecret'>,
  errors: FieldErrors,
): ProviderSettings {
  const scopes = readWords('scopes', input.scopes ?? DEFAULT_SCOPES, SCOPE, errors);
  return {
    name: errors.required('name', input.name, maxLengths.name),
    clientId: errors.required('clientId', input.clientId, maxLengths.account),
    scopes: [...new Set(['openid', ...scopes])],
    enabled: input.enabled ?? false,
    createsUsers: input.createUsers ?? false,
    linksByEmail: input.linkByVerifiedEmail ?? false,
    emailDomains: readWords(
      'emailDomains',
      (input.emailDomains ?? []).map((domain) => domain.toLowerCase().replace(/^@/, '')),
      DOMAIN,
      errors,
    ),
    groupsClaim: errors.optional('groupsClaim', input.groupsClaim, MAX_CLAIM),
  };
}

function readWords(field: string, given: readonly string[], form: RegExp, errors: FieldErrors): string[] {
  if (given.length > MAX_LIST) errors.add(field, 'TOO_MANY_ITEMS', `At most ${MAX_LIST}.`, [MAX_LIST]);
  for (const [index, word] of given.entries()) if (!form.test(word)) errors.add(`${field}[${index}]`, 'INVALID_VALUE');
  return [...new Set(given)];
}

/** Reads the mapping of claim values to groups. The transaction checks whether the groups exist. */
export function readMappings(
  input: Pick<CreateIdentityProviderRequest, 'groupsClaim' | 'groupMappings'>,
  errors: FieldErrors,
): GroupMapping[] {
  const mappings: GroupMapping[] = [];
  const seen = new Set<string>();
  for (const [index, given] of (input.groupMappings ?? []).entries()) {
    const at = `groupMappings[${index}]`;
    const value = errors.required(`${at}.value`, given?.value, MAX_CLAIM);
    if (given?.groupId === undefined) continue;
    const key = JSON.stringify([value, given.groupId]);
    if (seen.has(key)) errors.add(at, 'DUPLICATE_VALUE');
    seen.add(key);
    mappings.push({ value, groupId: given.groupId });
  }
  if (mappings.length > 0 && !input.groupsClaim?.trim())
    errors.add('groupsClaim', 'REQUIRED_FIELD', 'groupMappings need the claim that holds the groups.');
  return mappings;
}

/** Returns whether a text can be the key of a provider. */
export const isProviderKey = (text: string): boolean => KEY.test(text);

export function readKey(key: string | undefined, errors: FieldErrors): string {
  const text = errors.required('key', key, 40);
  if (text !== '' && !isProviderKey(text))
    errors.add('key', 'INVALID_VALUE', 'Small letters, digits and dashes, the first no dash.');
  return text;
}

/**
 * @param internalHosts hosts (`name` or `name:port`) of providers in the server's network, which
 * may use http on loopback
 */
export function readIssuer(issuer: string | undefined, internalHosts: readonly string[], errors: FieldErrors): string {
  const text = errors.required('issuer', issuer, maxLengths.address);
  if (text === '') return text;
  const url = URL.parse(text);
  // Rejects a query, a fragment and credentials.
  if (!url || `${url.origin}${url.pathname}` !== url.href) {
    errors.add('issuer', 'INVALID_VALUE', 'Send the issuer as the configuration of the provider names it.');
  } else if (url.protocol !== 'https:' && !(url.protocol === 'http:' && internalHosts.includes(url.host))) {
    errors.add('issuer', 'INVALID_VALUE', 'The issuer must be an https address.');
  } else if (ADDRESS.test(url.hostname) && !internalHosts.includes(url.host)) {
    errors.add('issuer', 'INVALID_VALUE', 'The issuer must have a host name.');
  }
  return text;
}

export function readSecret(secret: string | undefined, errors: FieldErrors): string | null {
  return errors.optional('clientSecret', secret, MAX_SECRET);
}
