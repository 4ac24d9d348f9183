// Generated from the declarations in src/schemas by `npm run generate`. Do not edit.
import type { Language, Timezone } from './common.generated.ts';

/** A licence that a user holds. */
export interface License {
  /** Id of the licence. */
  id?: number;
  /** Kind of licence. 1 = BASE, 2 = CHAT, 3 = XLEARNING. */
  type?: number;
}

/** A user, as shown beside whatever they made or belong to. */
export interface User {
  /** Id of the user. */
  id?: number;
  /** First name. */
  firstName?: string;
  /** Last name. */
  lastName?: string;
  /** Line below the name, such as a job title. */
  caption?: string;
  /** Address at which colleagues reach the user. */
  contactEmail?: string;
  /** Google account linked for signing in. */
  googleAccountId?: string;
  /** Microsoft account linked for signing in. */
  microsoftAccountId?: string;
  /** SPID identity linked for signing in. */
  spidAccountId?: string;
  /** True for an account of a program rather than of a person. */
  serviceAccount?: boolean;
  /** True for an account the portal itself acts under. */
  systemAccount?: boolean;
  /** True when domain-wide delegation is active for the user. */
  activeDWD?: boolean;
  /** Absolute address of the photo; absent when there is none. */
  accountPhotoUrl?: string;
  /** True when the user was removed. */
  deleted?: boolean;
  /** True when the user may not sign in. */
  blocked?: boolean;
  /** Identifier of the user in another system. */
  externalId?: string;
  /** True when only administrators see the profile. */
  privateProfile?: boolean;
  /** Licences the user holds. */
  licences?: License[];
  /** Whether the user belongs to the group asked about, where one was. */
  checkGroupMemberResult?: boolean;
  /** Whether the user belongs to the area asked about, where one was. */
  checkAreaMemberResult?: boolean;
  /** Whether the user belongs to the business unit asked about, where one was. */
  checkBusinessUnitMemberResult?: boolean;
  /** When the user last used the portal. Epoch milliseconds, UTC. */
  lastAccessTimestamp?: number;
}

/** A user in the administrative list. */
export interface ListSystemUsersElement {
  /** Id of the user. */
  id?: number;
  /** First name. */
  firstName?: string;
  /** Last name. */
  lastName?: string;
  /** Line below the name, such as a job title. */
  caption?: string;
  /** Address at which colleagues reach the user. */
  contactEmail?: string;
  /** Google account linked for signing in. */
  googleAccountId?: string;
  /** Microsoft account linked for signing in. */
  microsoftAccountId?: string;
  /** SPID identity linked for signing in. */
  spidAccountId?: string;
  /** True for an account of a program rather than of a person. */
  serviceAccount?: boolean;
  /** True for an account the portal itself acts under. */
  systemAccount?: boolean;
  /** True when domain-wide delegation is active for the user. */
  activeDWD?: boolean;
  /** Absolute address of the photo; absent when there is none. */
  accountPhotoUrl?: string;
  /** True when the user was removed. */
  deleted?: boolean;
  /** True when the user may not sign in. */
  blocked?: boolean;
  /** Identifier of the user in another system. */
  externalId?: string;
  /** True when only administrators see the profile. */
  privateProfile?: boolean;
  /** Licences the user holds. */
  licences?: License[];
  /** Whether the user belongs to the group asked about, where one was. */
  checkGroupMemberResult?: boolean;
  /** Whether the user belongs to the area asked about, where one was. */
  checkAreaMemberResult?: boolean;
  /** Whether the user belongs to the business unit asked about, where one was. */
  checkBusinessUnitMemberResult?: boolean;
  /** When the user last used the portal. Epoch milliseconds, UTC. */
  lastAccessTimestamp?: number;
  /** Ways in which the user can sign in. Each one of: google, microsoft, custom. */
  loginProviders?: ('google' | 'microsoft' | 'custom')[];
  /** The directory profile of the user. */
  userProfileInfo?: UserProfileInfo;
}

/** Filters, order and paging of the list of users. */
export interface ListSystemUsersRequest {
  /** `nextPageToken` of the page before, unchanged; left out for the first page. */
  pageToken?: string;
  /** How many items a page holds at most: at least 1; more than 500 is cut to 500. Default 20. */
  pageSize?: number;
  /** Asks for `totalItemsCount`, which costs a count. Default false. */
  calculateTotalItemsCount?: boolean;
  /** Only users who hold all of these administrative rights. Each one of: manageUsers, manageDigitalWorplace. */
  adminCapabilities?: ('manageUsers' | 'manageDigitalWorplace')[];
  /** Words looked for in first name, last name and e-mail address, ignoring case and accents. */
  fullTextFilter?: string;
  /** Beginning of the first name. */
  firstNamePrefixFullTextFilter?: string;
  /** Beginning of the last name. */
  lastNamePrefixFullTextFilter?: string;
  /** Beginning of the e-mail address. */
  emailPrefixFullTextFilter?: string;
  /** Part of the address of a linked Google or Microsoft account. */
  externalAuthServiceEmailFullTextFilter?: string;
  /** Only users in one of these states; left out, all but the deleted ones. 1 = ACTIVE, 2 = BLOCKED, 3 = DELETED. */
  statusFilter?: number[];
  /** Only members of one of these workspaces. */
  workspaceIds?: number[];
  /** Only users with a role in one of these communities. */
  communityIds?: number[];
  /** Only users of one of these business units. */
  businessUnitIds?: number[];
  /** Only users of one of these areas. */
  areaIds?: number[];
  /** Words looked for in the place of work. */
  place?: string;
  /** Only users created at this moment or later. Epoch milliseconds, UTC. */
  creationTimestampFrom?: number;
  /** Only users created at this moment or earlier. Epoch milliseconds, UTC. */
  creationTimestampTo?: number;
  /** Only users who used the portal at this moment or later. Epoch milliseconds, UTC. */
  lastAccessTimestampFrom?: number;
  /** Only users whose last use was at this moment or earlier. Epoch milliseconds, UTC. */
  lastAccessTimestampTo?: number;
  /** Part of the external identifier. */
  externalIdFullTextFilter?: string;
  /** Part of the private e-mail address. */
  personalEmailFullTextFilter?: string;
  /** Part of the job role in the profile. */
  role?: string;
  /** Only users who report to one of these users. */
  managerIds?: number[];
  /** Only users who chose one of these languages. Codes: en, it, fr, de, es, pt, nl, pl, cs, ro, sv, da, fi, el, tr, uk, ru, ar, zh, ja, ko. */
  lang?: string[] | string;
  /** Only users who chose one of these time zones, by published id. */
  timeZoneIds?: number[];
  /** Only users who can sign in through one of these: google, microsoft, custom. */
  loginProviderFilter?: string[] | string;
  /** Only users who may (true) or may not (false) open the directory of people. */
  peopleSectionEnabled?: boolean;
  /** Only users who are (true) or are not (false) shown in the directory of people. */
  visibleInPeopleSection?: boolean;
  /** Only users with the short (true) or the full (false) profile. */
  reducedProfile?: boolean;
  /** Only users who may (true) or may not (false) open other people's profiles. */
  viewUserProfiles?: boolean;
  /** What to order by; ties by last name, first name and id. One of: lastName, firstName, contactEmail, externalId, role, place, businessUnit, area, creationTimestamp, lastAccessTimestamp, id. Default `lastName`. */
  orderTypeId?: 'lastName' | 'firstName' | 'contactEmail' | 'externalId' | 'role' | 'place' | 'businessUnit' | 'area' | 'creationTimestamp' | 'lastAccessTimestamp' | 'id';
  /** Direction of the order: true runs from the highest to the lowest. Default false. */
  orderDesc?: boolean;
}

/** A page of users for administrators. */
export interface ListSystemUsersResponse {
  /** The elements of this page. */
  items?: ListSystemUsersElement[];
  /** Token of the next page; absent on the last one. */
  nextPageToken?: string;
  /** How many elements all pages hold together; present only when it was asked for. */
  totalItemsCount?: number;
}

/** A page of users. */
export interface ListUsersResponse {
  /** The elements of this page. */
  items?: User[];
  /** Token of the next page; absent on the last one. */
  nextPageToken?: string;
  /** How many elements all pages hold together; present only when it was asked for. */
  totalItemsCount?: number;
}

/** What an administrator can edit about a user. */
export interface GetUserForEditResponse {
  /** First name. */
  firstname?: string;
  /** Last name. */
  lastname?: string;
  /** Address at which colleagues reach the user. */
  contactEmail?: string;
  /** The user's private address. */
  privateEmail?: string;
  /** True when the user proved that the private address is theirs. */
  privateEmailVerified?: boolean;
  /** Identifier of the user in another system. */
  externalId?: string;
  /** Absolute address of the photo in use; absent when there is none. */
  accountPhotoUrl?: string;
  /** Language, time zone and notifications. */
  userPreferences?: AdminUserPreferences;
  /** Area, business unit and private address. */
  userInfo?: UserInfo;
  /** What the user may see and show. */
  userSettings?: UserSettingsResponse;
  /** Token to send back with the next edit. */
  occToken?: number;
  /** True when the user may not sign in; read-only here. */
  blocked?: boolean;
}

/** A new user. */
export interface CreateUserRequest {
  /** First name; must not be empty. */
  firstname?: string;
  /** Last name; must not be empty. */
  lastname?: string;
  /** Address at which colleagues reach the user; emptied when left out. */
  contactEmail?: string;
  /** The user's private address; emptied when left out. */
  privateEmail?: string;
  /** Identifier of the user in another system, unique; emptied when left out. */
  externalId?: string;
  /** Language, time zone and notifications; kept when left out. */
  userPreferences?: AdminUserPreferences;
  /** Area, business unit and private address; kept when left out. */
  userInfo?: UserInfo;
  /** What the user may see and show; kept when left out. */
  userSettings?: UserSettingsRequest;
  /** Ways in which the user may sign in. */
  userCredentialsConfiguration?: UserCredentialsConfiguration;
  /** How the first password comes about; needed only with a `custom` block in the credentials. */
  resetUserCustomCredentialsCommand?: ResetUserCustomCredentialsCommand;
}

/** The user that was created. */
export interface CreateUserResponse {
  /** Id of the new user. */
  userId?: number;
  /** Absolute address of the photo; absent when there is none. */
  accountPhotoUrl?: string;
  /** The generated password as a list of one; present only when one was generated, and shown only now. */
  generatedPassword?: string[];
  /** True when the password must be changed at the first sign-in. */
  expiredCredentials?: boolean;
  /** True when a message about the new password was sent. */
  sentEmailNotify?: boolean;
  /** Token for the next edit. */
  nextOccToken?: number;
}

/** New content of a user; what is left out is emptied or kept as said per field. */
export interface EditUserRequest {
  /** First name; must not be empty. */
  firstname?: string;
  /** Last name; must not be empty. */
  lastname?: string;
  /** Address at which colleagues reach the user; emptied when left out. */
  contactEmail?: string;
  /** The user's private address; emptied when left out. */
  privateEmail?: string;
  /** Identifier of the user in another system, unique; emptied when left out. */
  externalId?: string;
  /** Language, time zone and notifications; kept when left out. */
  userPreferences?: AdminUserPreferences;
  /** Area, business unit and private address; kept when left out. */
  userInfo?: UserInfo;
  /** What the user may see and show; kept when left out. */
  userSettings?: UserSettingsRequest;
  /** Token that the form gave; a stale one is a 409. */
  occToken?: number;
}

/** Result of the edit of a user. */
export interface EditUserResponse {
  /** Absolute address of the photo; absent when there is none. */
  accountPhotoUrl?: string;
  /** Token for the next edit. */
  nextOccToken?: number;
}

/** The user that was deleted. */
export interface DeleteUserResponse {
  /** Id of the user. */
  userId?: number;
}

/** A user's preferences, in the forms of administrators. */
export interface AdminUserPreferences {
  /** Code of the language. One of: en, it, fr, de, es, pt, nl, pl, cs, ro, sv, da, fi, el, tr, uk, ru, ar, zh, ja, ko. */
  defaultLanguageId?: string;
  /** Id of the time zone on the published list. */
  defaultTimezoneId?: number;
  /** Whether the user gets notifications by e-mail. */
  emailNotificationsEnabled?: boolean;
}

/** Where a user belongs, and their private address. */
export interface UserInfo {
  /** Area of the organisation the user works in. */
  area?: UserInfoArea;
  /** Business unit the user works in. */
  businessUnit?: UserInfoBusinessUnit;
  /** The user's private address. */
  privateEmail?: string;
  /** True when the user proved that the private address is theirs; read-only. */
  privateEmailVerified?: boolean;
  /** True when the private address has yet to be proved. */
  privateEmailVerificationRequired?: boolean;
}

/** An area of the organisation. In writes its `id` counts. */
export interface UserInfoArea {
  /** Id of the unit. */
  id?: number;
  /** Name of the unit. */
  name?: string;
  /** Identifier of the unit in another system. */
  externalId?: string;
  /** What the unit is. */
  description?: string;
}

/** A business unit of the organisation. In writes its `id` counts. */
export interface UserInfoBusinessUnit {
  /** Id of the unit. */
  id?: number;
  /** Name of the unit. */
  name?: string;
  /** Identifier of the unit in another system. */
  externalId?: string;
  /** What the unit is. */
  description?: string;
}

/** What the signed-in user may see and show. */
export interface UserSettings {
  /** Whether the user may open the directory of people. */
  peopleSectionEnabled?: boolean;
  /** Whether others see the short form of the profile only. */
  reducedProfile?: boolean;
  /** Whether the user may open other people's profiles. */
  viewUserProfiles?: boolean;
  /** Whether the user may change the private address. */
  editPrivateEmailEnabled?: boolean;
}

/** What a user may see and show, as administrators write it. */
export interface UserSettingsRequest {
  /** Whether the user may open the directory of people. */
  peopleSectionEnabled?: boolean;
  /** Whether the user is shown in the directory of people. */
  visibleInPeopleSection?: boolean;
  /** Whether others see the short form of the profile only. */
  reducedProfile?: boolean;
  /** Whether the user may open other people's profiles. */
  viewUserProfiles?: boolean;
}

/** What a user may see and show, as administrators read it. */
export interface UserSettingsResponse {
  /** Whether the user may open the directory of people. */
  peopleSectionEnabled?: boolean;
  /** Whether the user is shown in the directory of people. */
  visibleInPeopleSection?: boolean;
  /** Whether others see the short form of the profile only. */
  reducedProfile?: boolean;
  /** Whether the user may open other people's profiles. */
  viewUserProfiles?: boolean;
  /** Whether the user may change the private address. */
  editPrivateEmailEnabled?: boolean;
}

/** The ways in which a user may sign in. A block that is left out is kept. */
export interface UserCredentialsConfiguration {
  /** Sign-in with a Google account. */
  google?: GoogleUserCredentialsConfiguration;
  /** Sign-in with a Microsoft account. */
  microsoft?: MicrosoftUserCredentialsConfiguration;
  /** Sign-in with a user name and a password of the portal. */
  custom?: CustomUserCredentialsConfiguration;
}

/** Sign-in with a Google account. */
export interface GoogleUserCredentialsConfiguration {
  /** E-mail address of the Google account. */
  googleAccountId?: string;
  /** Whether this way is open; false without an account id removes it. */
  enabled?: boolean;
  /** Photo that Google knows; cannot be written. */
  profilePhotoUrl?: string;
}

/** Sign-in with a Microsoft account. */
export interface MicrosoftUserCredentialsConfiguration {
  /** E-mail address of the Microsoft account. */
  microsoftAccountId?: string;
  /** Whether this way is open; false without an account id removes it. */
  enabled?: boolean;
  /** Photo that Microsoft knows; cannot be written. */
  profilePhotoUrl?: string;
}

/** Sign-in with a user name and a password of the portal. */
export interface CustomUserCredentialsConfiguration {
  /** User name, within the domains of the tenant. */
  username?: string;
  /** Whether users may change their own user name and password. */
  canUserManageCustomCredentials?: boolean;
  /** Whether this way is open; must be sent with the block, false without a user name removes it. */
  active?: boolean;
  /** Photo that was uploaded for the user; cannot be written. */
  profilePhotoUrl?: string;
  /** Sent only to change or remove the uploaded photo. */
  profilePhoto?: UpdateCustomProfilePhoto;
  /** Whether the caller may change the photo; cannot be written. */
  canManageProfilePhoto?: boolean;
}

/** A new photo, or its removal. */
export interface UpdateCustomProfilePhoto {
  /** Reference of the uploaded picture; null removes the present one. */
  newContentRef?: string;
}

/** How the first password of a user comes about. */
export interface ResetUserCustomCredentialsCommand {
  /** True has the portal make up a password. */
  generatePassword?: boolean;
  /** The password as a list of one, when none is to be generated. */
  password?: string[] | string;
  /** Whether the password must be changed at the first sign-in. */
  forceCredentialsExpiration?: boolean;
  /** Addresses that are told about the new credentials. */
  emailNotifyRecipients?: string[];
}

/** A user's ways of signing in, to be edited. */
export interface GetUserCredentialsForEditResponse {
  /** The ways that are set up. */
  userCredentialsConfiguration?: UserCredentialsConfiguration;
  /** Token of this form; another one than that of the user form. */
  occToken?: number;
}

/** New content of a user's ways of signing in. */
export interface EditUserCredentialsRequest {
  /** The blocks to change. */
  userCredentialsConfiguration?: UserCredentialsConfiguration;
  /** Token that the credentials form gave; a stale one is a 409. */
  occToken?: number;
}

/** Result of the edit of credentials. */
export interface EditUserCredentialsResponse {
  /** Token for the next edit. */
  nextOccToken?: number;
}

/** Exchange of a signed assertion. */
export interface CreateAccessTokenByServiceAccountRequest {
  /** JWT signed with RS512 by the key of the service account. */
  jwtAssertion?: string;
}

/** Result of the exchange of an assertion. */
export interface CreateAccessTokenByServiceAccountResponse {
  /** Access token: a signed JWT with a numeric `exp`, to be sent as `Authorization: Bearer`. */
  accessToken?: string;
}

/** The account of the caller. */
export interface CurrentUserData {
  /** Id of the user. */
  id?: number;
  /** First name. */
  firstName?: string;
  /** Last name. */
  lastName?: string;
  /** Line below the name, such as a job title. */
  caption?: string;
  /** Address at which colleagues reach the user. */
  contactEmail?: string;
  /** Google account linked for signing in. */
  googleAccountId?: string;
  /** Microsoft account linked for signing in. */
  microsoftAccountId?: string;
  /** SPID identity linked for signing in. */
  spidAccountId?: string;
  /** True for an account of a program rather than of a person. */
  serviceAccount?: boolean;
  /** True for an account the portal itself acts under. */
  systemAccount?: boolean;
  /** True when domain-wide delegation is active for the user. */
  activeDWD?: boolean;
  /** Absolute address of the photo; absent when there is none. */
  accountPhotoUrl?: string;
  /** True when the user was removed. */
  deleted?: boolean;
  /** True when the user may not sign in. */
  blocked?: boolean;
  /** Identifier of the user in another system. */
  externalId?: string;
  /** True when only administrators see the profile. */
  privateProfile?: boolean;
  /** Licences the user holds. */
  licences?: License[];
  /** Whether the user belongs to the group asked about, where one was. */
  checkGroupMemberResult?: boolean;
  /** Whether the user belongs to the area asked about, where one was. */
  checkAreaMemberResult?: boolean;
  /** Whether the user belongs to the business unit asked about, where one was. */
  checkBusinessUnitMemberResult?: boolean;
  /** When the user last used the portal. Epoch milliseconds, UTC. */
  lastAccessTimestamp?: number;
  /** User name for signing in with a password of the portal. */
  customAccountId?: string;
  /** Linked account at an OpenID provider. */
  openIdAccountId?: string;
  /** Linked account at a SAML provider. */
  samlAccountId?: string;
}

/** The caller's preferences. */
export interface CoreUserPreferences {
  /** Language of the pages. */
  language?: Language;
  /** Time zone of the pages. */
  timezone?: Timezone;
  /** When the terms of use were accepted. Epoch milliseconds, UTC. */
  termsAcceptTimestamp?: number;
  /** Whether notifications come by e-mail too. */
  emailNotificationsEnabled?: boolean;
}

/** Who the caller is. */
export interface CurrentUserDataResponse {
  /** The account. */
  userData?: CurrentUserData;
  /** Chosen language and time zone. */
  userPreferences?: CoreUserPreferences;
  /** Where the caller belongs. */
  userInfo?: UserInfo;
  /** What the caller may see and show. */
  userSettings?: UserSettings;
  /** True when signing in with Google is set up. */
  hasGoogleCredentials?: boolean;
  /** True when signing in with Microsoft is set up. */
  hasMicrosoftCredentials?: boolean;
  /** True when signing in with a password of the portal is set up. */
  hasCustomCredentials?: boolean;
  /** True when the caller may change their own user name and password. */
  canManageCustomCredentials?: boolean;
  /** Version of the account. */
  occToken?: number;
}

/** The directory profile of a person. */
export interface UserProfileInfo {
  /** Id of the user. */
  id?: number;
  /** First name. */
  firstName?: string;
  /** Last name. */
  lastName?: string;
  /** Line below the name, such as a job title. */
  caption?: string;
  /** Absolute address of the photo in high resolution; absent when there is none. */
  highResAccountPhotoUrl?: string;
  /** Absolute address of the photo; absent when there is none. */
  accountPhotoUrl?: string;
  /** Photo that was uploaded; absent when there is none. */
  customPhotoUrl?: string;
  /** Photo that Google knows; absent when there is none. */
  googlePhotoUrl?: string;
  /** Photo that Microsoft knows; absent when there is none. */
  microsoftPhotoUrl?: string;
  /** Address at which colleagues reach the person. */
  contactEmail?: string;
  /** Private address. */
  privateEmail?: string;
  /** True when the private address was proved. */
  privateEmailVerified?: boolean;
  /** Telephone number. */
  phone?: string;
  /** Extension within the organisation. */
  internalPhone?: string;
  /** Mobile number. */
  mobilePhone?: string;
  /** Place of work. */
  place?: string;
  /** What the person says about themselves. */
  biography?: string;
  /** Business unit the person works in. */
  businessUnit?: UserInfoBusinessUnit;
  /** Area of the organisation the person works in. */
  area?: UserInfoArea;
  /** Job role. */
  role?: string;
  /** To whom the person reports. */
  manager?: User;
  /** Who reports to the person. */
  employees?: User[];
  /** Chosen language. */
  language?: Language;
  /** Chosen time zone. */
  timezone?: Timezone;
  /** Whether notifications come by e-mail too. */
  emailNotificationsEnabled?: boolean;
  /** True when the user was removed. */
  deleted?: boolean;
  /** True when the user may not sign in. */
  blocked?: boolean;
  /** True for an account the portal itself acts under. */
  systemAccount?: boolean;
  /** Version of the profile. */
  occToken?: number;
  /** Whether the caller may change the photo. */
  canManageProfilePhoto?: boolean;
  /** Whether the caller may change this profile. */
  editProfile?: boolean;
  /** True when only administrators see the profile. */
  privateProfile?: boolean;
}
