/**
 * Stored fields of a user, under domain names, and the keys derived from them for ordering and
 * searching.
 */
import type { LicenceSubType, LicenceType } from '@portico/contract';
import { normaliseText, searchDocument, sortKeyWithTies } from '@portico/platform/text';
import { administrativeRights } from '../../../kernel/access/index.ts';
import type { AdministrativeRight } from '../../../kernel/scope.ts';

/** Everything that can be set on a user. Texts are never empty: null is "no value". */
export interface UserFields {
  firstName: string;
  lastName: string;
  caption: string | null;
  contactEmail: string | null;
  privateEmail: string | null;
  privateEmailVerified: boolean;
  privateEmailVerificationRequired: boolean;
  externalId: string | null;
  serviceAccount: boolean;
  systemAccount: boolean;
  /** The account that the operator keeps for when nobody else gets in. */
  breakGlass: boolean;
  managesUsers: boolean;
  managesWorkplace: boolean;
  blocked: boolean;
  privateProfile: boolean;
  /** Codes of LicenceType that the user has. */
  licenceTypes: LicenceType[];
  /** Level of the licence of type 5, a code of LicenceSubType. */
  licenceSubType: LicenceSubType | null;
  /** Code of a published language, or null for the tenant's default. */
  language: string | null;
  /** IANA name from the published list, or null for the tenant's default. */
  timezone: string | null;
  emailNotifications: boolean;
  /** Hour of the digest of notifications; null: the default. */
  digestHour: number | null;
  peopleSectionEnabled: boolean;
  visibleInPeopleSection: boolean;
  reducedProfile: boolean;
  viewUserProfiles: boolean;
  editPrivateEmailEnabled: boolean;
  areaId: number | null;
  businessUnitId: number | null;
  managerId: number | null;
  roleTitle: string | null;
  phone: string | null;
  internalPhone: string | null;
  mobilePhone: string | null;
  place: string | null;
  biography: string | null;
  photoContentRef: string | null;
  googleAccountId: string | null;
  googleEnabled: boolean;
  microsoftAccountId: string | null;
  microsoftEnabled: boolean;
  spidAccountId: string | null;
  openIdAccountId: string | null;
  samlAccountId: string | null;
  customUsername: string | null;
  customActive: boolean;
  customCanManage: boolean;
  customCanManagePhoto: boolean;
  passwordExpired: boolean;
}

/** Column and type of each field, in the order in which rows are written. */
export const userColumns: Readonly<Record<keyof UserFields, readonly [column: string, type: string]>> = {
  firstName: ['first_name', 'text'],
  lastName: ['last_name', 'text'],
  caption: ['caption', 'text'],
  contactEmail: ['contact_email', 'text'],
  privateEmail: ['private_email', 'text'],
  privateEmailVerified: ['private_email_verified', 'boolean'],
  privateEmailVerificationRequired: ['private_email_verification_required', 'boolean'],
  externalId: ['external_id', 'text'],
  serviceAccount: ['service_account', 'boolean'],
  systemAccount: ['system_account', 'boolean'],
  breakGlass: ['break_glass', 'boolean'],
  managesUsers: ['manages_users', 'boolean'],
  managesWorkplace: ['manages_workplace', 'boolean'],
  blocked: ['blocked', 'boolean'],
  privateProfile: ['private_profile', 'boolean'],
  licenceTypes: ['licence_types', 'smallint[]'],
  licenceSubType: ['licence_sub_type', 'text'],
  language: ['language', 'text'],
  timezone: ['timezone', 'text'],
  emailNotifications: ['email_notifications', 'boolean'],
  digestHour: ['digest_hour', 'smallint'],
  peopleSectionEnabled: ['people_section_enabled', 'boolean'],
  visibleInPeopleSection: ['visible_in_people_section', 'boolean'],
  reducedProfile: ['reduced_profile', 'boolean'],
  viewUserProfiles: ['view_user_profiles', 'boolean'],
  editPrivateEmailEnabled: ['edit_private_email_enabled', 'boolean'],
  areaId: ['area_id', 'bigint'],
  businessUnitId: ['business_unit_id', 'bigint'],
  managerId: ['manager_id', 'bigint'],
  roleTitle: ['role_title', 'text'],
  phone: ['phone', 'text'],
  internalPhone: ['internal_phone', 'text'],
  mobilePhone: ['mobile_phone', 'text'],
  place: ['place', 'text'],
  biography: ['biography', 'text'],
  photoContentRef: ['photo_content_ref', 'text'],
  googleAccountId: ['google_account_id', 'text'],
  googleEnabled: ['google_enabled', 'boolean'],
  microsoftAccountId: ['microsoft_account_id', 'text'],
  microsoftEnabled: ['microsoft_enabled', 'boolean'],
  spidAccountId: ['spid_account_id', 'text'],
  openIdAccountId: ['openid_account_id', 'text'],
  samlAccountId: ['saml_account_id', 'text'],
  customUsername: ['custom_username', 'text'],
  customActive: ['custom_active', 'boolean'],
  customCanManage: ['custom_can_manage', 'boolean'],
  customCanManagePhoto: ['custom_can_manage_photo', 'boolean'],
  passwordExpired: ['password_expired', 'boolean'],
};

/** Field of a user or group for each administrative right. */
const rightFields: Readonly<Record<AdministrativeRight, 'managesUsers' | 'managesWorkplace'>> = {
  manageUsers: 'managesUsers',
  manageDigitalWorplace: 'managesWorkplace',
};

/** Returns the administrative rights that a record or a change of a user or group gives. */
export function rightsGiven(
  fields: Partial<Pick<UserFields, 'managesUsers' | 'managesWorkplace'>>,
): AdministrativeRight[] {
  return administrativeRights.filter((right) => fields[rightFields[right]] === true);
}

/** Returns the fields for exactly these rights. */
export function fieldsOfRights(
  rights: readonly AdministrativeRight[],
): Pick<UserFields, 'managesUsers' | 'managesWorkplace'> {
  return { managesUsers: rights.includes('manageUsers'), managesWorkplace: rights.includes('manageDigitalWorplace') };
}

/** Sign-in methods of a user: the account, and the field that switches it on. */
const credentialFields = [
  ['googleAccountId', 'googleEnabled'],
  ['microsoftAccountId', 'microsoftEnabled'],
  ['customUsername', 'customActive'],
  ['spidAccountId', null],
  ['openIdAccountId', null],
  ['samlAccountId', null],
] as const satisfies readonly (readonly [keyof UserFields, keyof UserFields | null])[];

/**
 * Returns whether a change ends the user's sessions: it blocks the user, or removes, replaces or
 * switches off one of their sign-in methods. A first credential of its kind ends nothing.
 * @param changesPassword the change sets or removes the password
 */
export function endsSessions(
  current: UserFields & { hasPassword: boolean },
  patch: Partial<UserFields>,
  changesPassword: boolean,
): boolean {
  const next = { ...current, ...patch };
  if (next.blocked && !current.blocked) return true;
  if (changesPassword && current.hasPassword) return true;
  return credentialFields.some(
    ([account, enabled]) =>
      current[account] !== null &&
      (next[account] !== current[account] || (enabled !== null && current[enabled] && !next[enabled])),
  );
}

/** Returns the fields of a user with a name and nothing else. */
export function newUser(firstName: string, lastName: string): UserFields {
  return {
    firstName,
    lastName,
    caption: null,
    contactEmail: null,
    privateEmail: null,
    privateEmailVerified: false,
    privateEmailVerificationRequired: false,
    externalId: null,
    serviceAccount: false,
    systemAccount: false,
    breakGlass: false,
    managesUsers: false,
    managesWorkplace: false,
    blocked: false,
    privateProfile: false,
    licenceTypes: [],
    licenceSubType: null,
    language: null,
    timezone: null,
    emailNotifications: true,
    digestHour: null,
    peopleSectionEnabled: true,
    visibleInPeopleSection: true,
    reducedProfile: false,
    viewUserProfiles: true,
    editPrivateEmailEnabled: true,
    areaId: null,
    businessUnitId: null,
    managerId: null,
    roleTitle: null,
    phone: null,
    internalPhone: null,
    mobilePhone: null,
    place: null,
    biography: null,
    photoContentRef: null,
    googleAccountId: null,
    googleEnabled: false,
    microsoftAccountId: null,
    microsoftEnabled: false,
    spidAccountId: null,
    openIdAccountId: null,
    samlAccountId: null,
    customUsername: null,
    customActive: false,
    customCanManage: false,
    customCanManagePhoto: true,
    passwordExpired: false,
  };
}

/** Sort keys of a user; null where the value is empty, which lists put last (docs/decisions/lists.md). */
interface UserKeys {
  lastKey: string;
  firstKey: string;
  emailKey: string | null;
  externalKey: string | null;
  roleKey: string | null;
  placeKey: string | null;
}

const keyOf = (text: string | null) => (text === null ? null : sortKeyWithTies(text) || null);

export function userKeys(user: UserFields): UserKeys {
  return {
    lastKey: sortKeyWithTies(user.lastName),
    firstKey: sortKeyWithTies(user.firstName),
    emailKey: keyOf(user.contactEmail),
    externalKey: keyOf(user.externalId),
    roleKey: keyOf(user.roleTitle),
    placeKey: keyOf(user.place),
  };
}

/** Normalised texts that the filters of the list of users look in (table user_search). */
interface UserDocuments {
  /** First name, last name, contact address: words and their parts. */
  doc: string;
  /** Place of work: words and their parts. */
  placeDoc: string;
  /** The caption below the name: words and their parts. */
  captionDoc: string;
  /** The others are plain normal forms, for "part of" filters. */
  roleDoc: string;
  externalDoc: string;
  personalDoc: string;
  providerDoc: string;
}

export function userDocuments(user: UserFields): UserDocuments {
  const accounts = [user.googleAccountId, user.microsoftAccountId].filter((account) => account !== null);
  return {
    doc: searchDocument([user.firstName, user.lastName, user.contactEmail ?? '']),
    placeDoc: searchDocument([user.place ?? '']),
    captionDoc: searchDocument([user.caption ?? '']),
    roleDoc: normaliseText(user.roleTitle ?? ''),
    externalDoc: normaliseText(user.externalId ?? ''),
    personalDoc: normaliseText(user.privateEmail ?? ''),
    // A line each, so that no part reaches from one account into the other: normal forms hold no new line.
    providerDoc: accounts.map(normaliseText).join('\n'),
  };
}
