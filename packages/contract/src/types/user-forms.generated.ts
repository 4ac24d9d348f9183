// Generated from the declarations in src/schemas by `npm run generate`. Do not edit.
import type { User } from './users.generated.ts';

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
  /** Administrative rights of the user; what groups give is apart. Each one of: manageUsers, manageDigitalWorplace. */
  adminCapabilities?: ('manageUsers' | 'manageDigitalWorplace')[];
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
  /** Administrative rights of the user; kept when left out, an empty list takes all. Only rights that the caller holds are given or taken, and none is taken from the last person who holds it and can sign in. Each one of: manageUsers, manageDigitalWorplace. */
  adminCapabilities?: ('manageUsers' | 'manageDigitalWorplace')[];
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
  /** Address of the photo, good without a token for as long as it is the photo; absent without one. */
  accountPhotoUrl?: string;
  /** The generated password as a list of one; present only when one was generated, and shown only now. */
  generatedPassword?: string[];
  /** True when the password must be changed at the first sign-in. */
  expiredCredentials?: boolean;
  /** True when an invitation to choose a password is on its way to the addresses that were named. */
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
  /** Administrative rights of the user; kept when left out, an empty list takes all. Only rights that the caller holds are given or taken, and none is taken from the last person who holds it and can sign in. Each one of: manageUsers, manageDigitalWorplace. */
  adminCapabilities?: ('manageUsers' | 'manageDigitalWorplace')[];
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
  /** Address of the photo, good without a token for as long as it is the photo; absent without one. */
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

/** Where a user belongs, their private address, and what their profile says. */
export interface UserInfo {
  /** What the user says about themselves; kept when left out, `""` empties it. */
  biography?: string;
  /** Extension within the organisation; kept when left out, `""` empties it. */
  internalPhone?: string;
  /** To whom the user reports. In writes its `id` counts; kept when left out, an object without `id` removes it. */
  manager?: User;
  /** Mobile number; kept when left out, `""` empties it. */
  mobilePhone?: string;
  /** Telephone number; kept when left out, `""` empties it. */
  phone?: string;
  /** Place of work; kept when left out, `""` empties it. */
  place?: string;
  /** Job role; kept when left out, `""` empties it. */
  role?: string;
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
  /** Addresses that are sent an invitation: a one-time link to choose a password, never the password. */
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
