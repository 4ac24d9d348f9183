// Generated from the declarations in src/schemas by `npm run generate`. Do not edit.
import type { Language, Timezone } from './common.generated.ts';
import type { UserInfo, UserInfoArea, UserInfoBusinessUnit, UserSettings } from './user-forms.generated.ts';
import type { License, User } from './users.generated.ts';

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
  /** Address of the photo, good without a token for as long as it is the photo; absent without one. */
  accountPhotoUrl?: string;
  /** True when the user was removed. */
  deleted?: boolean;
  /** True when the user may not sign in. */
  blocked?: boolean;
  /** Identifier of the user in another system. */
  externalId?: string;
  /** True when only administrators see the profile. */
  privateProfile?: boolean;
  /** Licences that are assigned to the user; left out where none is. */
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
  /** Address of the photo, good without a token for as long as it is the photo; absent without one. */
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
