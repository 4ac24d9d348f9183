/** Rows of users → the shapes of forms, profile, account and administrative list. Pure. */
import {
  type CurrentUserDataResponse,
  type GetUserCredentialsForEditResponse,
  type GetUserForEditResponse,
  type Language,
  type ListSystemUsersElement,
  LoginProvider,
  languages,
  notificationMailLimits,
  type Timezone,
  timeZoneId,
  type User,
  type UserInfo,
  type UserProfileInfo,
} from '@portico/contract';
import { type PhotoScope, photoUrl } from './photos.ts';
import { rightsGiven } from './user-fields.ts';
import type { UnitRow, UserRow } from './users.repository.ts';
import { presentUser } from './views.ts';

/** Omits properties without a value (docs/decisions/types.md). */
function filled<T extends object>(value: { [K in keyof T]: T[K] | null }): T {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== null && item !== undefined)) as T;
}

function presentLanguage(code: string): Language {
  return { code, description: languages.find((language) => language.code === code)?.description ?? code };
}

function presentTimezone(name: string): Timezone {
  const id = timeZoneId(name);
  return { id, code: name, zoneId: name, description: name.replaceAll('_', ' ') };
}

function presentUnit(unit: UnitRow | null) {
  return unit && filled<{ id: number; name: string; externalId: string; description: string }>(unit);
}

function presentInfo(user: UserRow): UserInfo {
  return filled<UserInfo>({
    area: presentUnit(user.area),
    businessUnit: presentUnit(user.businessUnit),
    privateEmail: user.privateEmail,
    privateEmailVerified: user.privateEmailVerified,
    privateEmailVerificationRequired: user.privateEmailVerificationRequired,
  });
}

const photoOf = (user: UserRow, scope: PhotoScope, size?: 'high') =>
  photoUrl(scope, user.id, user.photoContentRef, size) ?? null;

/** Ways in which the user can sign in now. */
function loginProvidersOf(user: UserRow): LoginProvider[] {
  return [
    ...(user.googleAccountId !== null && user.googleEnabled ? [LoginProvider.GOOGLE] : []),
    ...(user.microsoftAccountId !== null && user.microsoftEnabled ? [LoginProvider.MICROSOFT] : []),
    ...(user.customUsername !== null && user.customActive ? [LoginProvider.CUSTOM] : []),
  ];
}

/**
 * Returns the members for administrators and the person themselves, in addition to
 * {@link presentUser}.
 */
function presentAccounts(user: UserRow) {
  return filled<Pick<User, 'googleAccountId' | 'microsoftAccountId' | 'spidAccountId' | 'lastAccessTimestamp'>>({
    googleAccountId: user.googleAccountId,
    microsoftAccountId: user.microsoftAccountId,
    spidAccountId: user.spidAccountId,
    lastAccessTimestamp: user.lastAccessAt,
  });
}

/** Context of a profile beside the user's row. */
export interface ProfileContext {
  manager?: User | undefined;
  employees: User[];
  /** Whether the caller may change the profile, and whether they may change its photo. */
  editProfile: boolean;
  canManageProfilePhoto: boolean;
  scope: PhotoScope;
}

/** The directory profile. Language and time zone are absent unless the person chose them. */
export function presentProfile(user: UserRow, context: ProfileContext): UserProfileInfo {
  const photo = photoOf(user, context.scope);
  return filled<UserProfileInfo>({
    id: user.id,
    firstName: user.firstName,
    lastName: user.lastName,
    caption: user.caption,
    highResAccountPhotoUrl: photoOf(user, context.scope, 'high'),
    accountPhotoUrl: photo,
    customPhotoUrl: photo,
    contactEmail: user.contactEmail,
    privateEmail: user.privateEmail,
    privateEmailVerified: user.privateEmailVerified,
    phone: user.phone,
    internalPhone: user.internalPhone,
    mobilePhone: user.mobilePhone,
    place: user.place,
    biography: user.biography,
    businessUnit: presentUnit(user.businessUnit),
    area: presentUnit(user.area),
    role: user.roleTitle,
    manager: context.manager ?? null,
    employees: context.employees,
    language: user.language === null ? null : presentLanguage(user.language),
    timezone: user.timezone === null ? null : presentTimezone(user.timezone),
    emailNotificationsEnabled: user.emailNotifications,
    digestHour: user.digestHour ?? notificationMailLimits.digestHour,
    deleted: user.deleted,
    blocked: user.blocked,
    systemAccount: user.systemAccount,
    occToken: user.version,
    canManageProfilePhoto: context.canManageProfilePhoto,
    editProfile: context.editProfile,
    privateProfile: user.privateProfile,
  } as { [K in keyof UserProfileInfo]: UserProfileInfo[K] | null });
}

/** The units by which the list is filtered: each of its users belongs to one of them. */
interface AskedUnits {
  area: boolean;
  businessUnit: boolean;
}

/** @param looksLikeUsername the user name of another account that this one's looks like */
export function presentListUser(
  user: UserRow,
  asked: AskedUnits,
  context: ProfileContext,
  looksLikeUsername?: string,
): ListSystemUsersElement {
  return {
    ...presentUser(user, context.scope),
    ...presentAccounts(user),
    ...(asked.area && { checkAreaMemberResult: true }),
    ...(asked.businessUnit && { checkBusinessUnitMemberResult: true }),
    loginProviders: loginProvidersOf(user),
    ...(looksLikeUsername !== undefined && { looksLikeUsername }),
    userProfileInfo: presentProfile(user, context),
  };
}

/**
 * Presents the caller's account. Language and time zone are the effective ones: chosen, or the
 * tenant's.
 */
export function presentCurrentUser(
  user: UserRow,
  defaults: { language: string; timezone: string },
  scope: PhotoScope,
): CurrentUserDataResponse {
  const providers = loginProvidersOf(user);
  return {
    userData: {
      ...presentUser(user, scope),
      ...presentAccounts(user),
      ...filled<{ customAccountId: string; openIdAccountId: string; samlAccountId: string }>({
        customAccountId: user.customUsername,
        openIdAccountId: user.openIdAccountId,
        samlAccountId: user.samlAccountId,
      }),
    },
    userPreferences: {
      language: presentLanguage(user.language ?? defaults.language),
      timezone: presentTimezone(user.timezone ?? defaults.timezone),
      termsAcceptTimestamp: user.termsAcceptedAt ?? undefined,
      emailNotificationsEnabled: user.emailNotifications,
    },
    userInfo: presentInfo(user),
    userSettings: {
      peopleSectionEnabled: user.peopleSectionEnabled,
      reducedProfile: user.reducedProfile,
      viewUserProfiles: user.viewUserProfiles,
      editPrivateEmailEnabled: user.editPrivateEmailEnabled,
    },
    hasGoogleCredentials: providers.includes(LoginProvider.GOOGLE),
    hasMicrosoftCredentials: providers.includes(LoginProvider.MICROSOFT),
    hasCustomCredentials: providers.includes(LoginProvider.CUSTOM),
    canManageCustomCredentials: user.customCanManage,
    occToken: user.version,
  };
}

/**
 * Presents the user form: names in lower case, no id. Preferences are the chosen ones.
 * @param manager of the user
 */
export function presentUserForm(user: UserRow, manager: User | undefined, scope: PhotoScope): GetUserForEditResponse {
  const zone = user.timezone === null ? undefined : timeZoneId(user.timezone);
  return filled<GetUserForEditResponse>({
    firstname: user.firstName,
    lastname: user.lastName,
    contactEmail: user.contactEmail,
    privateEmail: user.privateEmail,
    privateEmailVerified: user.privateEmailVerified,
    externalId: user.externalId,
    adminCapabilities: rightsGiven(user),
    accountPhotoUrl: photoOf(user, scope),
    userPreferences: {
      defaultLanguageId: user.language ?? undefined,
      defaultTimezoneId: zone,
      emailNotificationsEnabled: user.emailNotifications,
    },
    userInfo: {
      ...presentInfo(user),
      ...filled<UserInfo>({
        biography: user.biography,
        internalPhone: user.internalPhone,
        manager: manager ?? null,
        mobilePhone: user.mobilePhone,
        phone: user.phone,
        place: user.place,
        role: user.roleTitle,
      } as { [K in keyof UserInfo]: UserInfo[K] | null }),
    },
    userSettings: {
      peopleSectionEnabled: user.peopleSectionEnabled,
      visibleInPeopleSection: user.visibleInPeopleSection,
      reducedProfile: user.reducedProfile,
      viewUserProfiles: user.viewUserProfiles,
      editPrivateEmailEnabled: user.editPrivateEmailEnabled,
    },
    occToken: user.version,
    blocked: user.blocked,
  } as { [K in keyof GetUserForEditResponse]: GetUserForEditResponse[K] | null });
}

/** The credentials form: a block for each way to sign in that is set up. Sending it back unchanged changes nothing. */
export function presentCredentialsForm(user: UserRow, scope: PhotoScope): GetUserCredentialsForEditResponse {
  const photo = photoOf(user, scope);
  const providers = loginProvidersOf(user);
  return {
    userCredentialsConfiguration: {
      google: providers.includes(LoginProvider.GOOGLE)
        ? { googleAccountId: user.googleAccountId as string, enabled: true }
        : undefined,
      microsoft: providers.includes(LoginProvider.MICROSOFT)
        ? { microsoftAccountId: user.microsoftAccountId as string, enabled: true }
        : undefined,
      custom: providers.includes(LoginProvider.CUSTOM)
        ? {
            username: user.customUsername as string,
            canUserManageCustomCredentials: user.customCanManage,
            active: true,
            profilePhotoUrl: photo ?? undefined,
            canManageProfilePhoto: true,
          }
        : undefined,
    },
    occToken: user.credentialsVersion,
  };
}
