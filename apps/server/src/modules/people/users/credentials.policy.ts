/** Validates a credentials block and derives the changes to a user's sign-in methods. Pure. */
import type { UserCredentialsConfiguration } from '@portico/contract';
import { type FieldErrors, ValidationError } from '../../../kernel/errors.ts';
import { inDomains, maxLengths } from './people.policy.ts';
import type { UserFields } from './user-fields.ts';

/** Changes that a credentials block makes. */
interface CredentialsChange {
  patch: Partial<UserFields>;
  /** True when the user name and with it the password is removed. */
  removesPassword: boolean;
  /** Photo: a content reference to attach, null to remove the current one, undefined to keep it. */
  photo: string | null | undefined;
}

const PATH = 'userCredentialsConfiguration';

/**
 * Reads a credentials block. An omitted provider is kept. `enabled` (or `active`) false without an
 * account removes that sign-in method; false together with an account is INVALID_VALUE. True
 * without an account keeps the current one. `custom.active` must be sent with its block. Accounts
 * outside the tenant's domains are INVALID_DOMAIN.
 * @param current existing sign-in methods
 * @param domains login domains of the tenant; empty allows all
 */
export function readCredentials(
  block: UserCredentialsConfiguration | undefined,
  current: UserFields,
  domains: readonly string[],
  errors: FieldErrors,
): CredentialsChange {
  const change: CredentialsChange = { patch: {}, removesPassword: false, photo: undefined };
  if (!block) return change;

  const provider = (
    name: 'google' | 'microsoft',
    accountField: string,
    sent: { accountId: string | undefined; enabled: boolean | undefined } | undefined,
    present: string | null,
  ): { accountId: string | null; enabled: boolean } | undefined => {
    if (!sent) return undefined;
    const path = `${PATH}.${name}`;
    const accountId = readAccount(`${path}.${accountField}`, sent.accountId, domains, errors);
    if (sent.enabled === false) {
      if (sent.accountId?.trim()) errors.add(`${path}.enabled`, 'INVALID_VALUE', REMOVES_OR_NAMES);
      return { accountId: null, enabled: false };
    }
    if (sent.enabled === undefined && accountId === null) return undefined;
    const kept = accountId ?? present;
    if (kept === null) errors.add(`${path}.${accountField}`, 'REQUIRED_FIELD');
    return { accountId: kept, enabled: true };
  };

  if (current.serviceAccount) {
    if (block.google?.enabled || block.google?.googleAccountId?.trim())
      errors.add(`${PATH}.google`, 'INVALID_VALUE', NOT_LINKED);
    if (block.microsoft?.enabled || block.microsoft?.microsoftAccountId?.trim())
      errors.add(`${PATH}.microsoft`, 'INVALID_VALUE', NOT_LINKED);
    if (block.custom?.active || block.custom?.username?.trim())
      errors.add(`${PATH}.custom`, 'INVALID_VALUE', NOT_LINKED);
  }
  const google = provider(
    'google',
    'googleAccountId',
    block.google && { accountId: block.google.googleAccountId, enabled: block.google.enabled },
    current.googleAccountId,
  );
  if (google) Object.assign(change.patch, { googleAccountId: google.accountId, googleEnabled: google.enabled });
  const microsoft = provider(
    'microsoft',
    'microsoftAccountId',
    block.microsoft && { accountId: block.microsoft.microsoftAccountId, enabled: block.microsoft.enabled },
    current.microsoftAccountId,
  );
  if (microsoft) {
    Object.assign(change.patch, { microsoftAccountId: microsoft.accountId, microsoftEnabled: microsoft.enabled });
  }
  if (block.custom) readCustom(block.custom, current, domains, errors, change);
  return change;
}

/** Fields by which a person signs in; a program signs in by its keys only. */
const identityFields = [
  'googleAccountId',
  'microsoftAccountId',
  'spidAccountId',
  'openIdAccountId',
  'samlAccountId',
  'customUsername',
] as const satisfies readonly (keyof UserFields)[];

const NOT_LINKED = 'A service account signs in by its keys; it is never linked to the identity of a person.';

/** @throws ValidationError when a service account would be linked to a person's identity */
export function mustNotLink(account: Partial<UserFields>): void {
  const linked = identityFields.filter((field) => account[field] != null);
  if (linked.length > 0)
    throw new ValidationError(linked.map((field) => ({ field, code: 'INVALID_VALUE', defaultMessage: NOT_LINKED })));
}

/**
 * Returns the reason why a text is rejected as a new user name: it looks like another text to a
 * reader.
 * @returns undefined for an acceptable user name
 */
export function usernameFault(username: string): string | undefined {
  if (/[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Zl}\p{Zp}]/u.test(username))
    return 'A user name has no invisible characters.';
  return username.normalize('NFKC') === username
    ? undefined
    : `A user name has no compatibility characters; write "${username.normalize('NFKC')}".`;
}

/** Adds the error of a photo that is not a picture this caller uploaded and has not used yet. */
export function photoError(errors: FieldErrors): void {
  errors.add(`${PATH}.custom.profilePhoto.newContentRef`, 'CONTENT_REF_INVALID');
}

const REMOVES_OR_NAMES =
  'false removes this way of signing in and cannot come with an account; send true, or leave the account out.';

function readAccount(
  field: string,
  value: string | undefined,
  domains: readonly string[],
  errors: FieldErrors,
): string | null {
  const account = errors.optional(field, value, maxLengths.account);
  if (account !== null && !inDomains(account, domains)) {
    errors.add(field, 'INVALID_DOMAIN', `Accounts of these domains are taken: ${domains.join(', ')}.`, [...domains]);
  }
  return account;
}

function readCustom(
  custom: NonNullable<UserCredentialsConfiguration['custom']>,
  current: UserFields,
  domains: readonly string[],
  errors: FieldErrors,
  change: CredentialsChange,
): void {
  const path = `${PATH}.custom`;
  const username = readAccount(`${path}.username`, custom.username, domains, errors);
  if (custom.profilePhoto) change.photo = custom.profilePhoto.newContentRef ?? null;
  if (custom.active === undefined) return;
  if (custom.active) {
    const kept = username ?? current.customUsername;
    if (kept === null) errors.add(`${path}.username`, 'REQUIRED_FIELD');
    const fault = username !== null && username !== current.customUsername ? usernameFault(username) : undefined;
    if (fault) errors.add(`${path}.username`, 'INVALID_VALUE', fault);
    change.patch.customUsername = kept;
    change.patch.customActive = true;
    if (custom.canUserManageCustomCredentials !== undefined) {
      change.patch.customCanManage = custom.canUserManageCustomCredentials;
    }
    return;
  }
  if (custom.username?.trim()) errors.add(`${path}.active`, 'INVALID_VALUE', REMOVES_OR_NAMES);
  change.patch.customUsername = null;
  change.patch.customActive = false;
  change.patch.customCanManage = false;
  change.patch.passwordExpired = false;
  change.removesPassword = true;
}
