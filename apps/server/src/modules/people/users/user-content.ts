/** The part of a user's form that creating and editing share: names, addresses, preferences, place in the organisation. */
import {
  type CreateUserRequest,
  type EditUserRequest,
  languages,
  timeZoneName,
  timeZoneNames,
  type UserInfo,
} from '@portico/contract';
import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import type { FieldErrors } from '../../../kernel/errors.ts';
import { maxLengths, readEmail } from './people.policy.ts';
import type { UserFields } from './user-fields.ts';
import { unitExists, userExists } from './users.repository.ts';

type UserContent = Omit<CreateUserRequest & EditUserRequest, 'occToken'>;

/**
 * Reads a user's form. Names are required; omitted `contactEmail`, `privateEmail` and `externalId`
 * are emptied. Omitted blocks `userPreferences`, `userInfo` and `userSettings` are kept; a sent
 * block replaces its content: an omitted language, time zone, area or business unit is emptied,
 * omitted flags and profile texts keep their value. The private address has two places; the
 * top-level one counts; `userInfo.privateEmail` is read only when a user is created without it.
 * @param current the existing user; undefined for a new one
 */
export function readUserContent(
  content: UserContent,
  current: UserFields | undefined,
  errors: FieldErrors,
): Partial<UserFields> & Pick<UserFields, 'firstName' | 'lastName'> {
  const privateEmailAt = current || content.privateEmail != null ? 'privateEmail' : 'userInfo.privateEmail';
  const privateEmail = content.privateEmail ?? (current ? undefined : content.userInfo?.privateEmail);
  const patch: Partial<UserFields> & Pick<UserFields, 'firstName' | 'lastName'> = {
    firstName: errors.required('firstname', content.firstname, maxLengths.name),
    lastName: errors.required('lastname', content.lastname, maxLengths.name),
    contactEmail: readEmail('contactEmail', content.contactEmail, errors),
    privateEmail: readEmail(privateEmailAt, privateEmail, errors),
    externalId: errors.optional('externalId', content.externalId, maxLengths.externalId),
  };
  if ((patch.privateEmail ?? null) !== (current?.privateEmail ?? null)) patch.privateEmailVerified = false;
  const preferences = content.userPreferences;
  if (preferences) {
    patch.language = readLanguage('userPreferences.defaultLanguageId', preferences.defaultLanguageId, errors);
    patch.timezone = readZone('userPreferences.defaultTimezoneId', preferences.defaultTimezoneId, errors);
    if (preferences.emailNotificationsEnabled !== undefined) {
      patch.emailNotifications = preferences.emailNotificationsEnabled;
    }
  }
  const info = content.userInfo;
  if (info) {
    patch.areaId = info.area?.id ?? null;
    patch.businessUnitId = info.businessUnit?.id ?? null;
    if (info.privateEmailVerificationRequired !== undefined) {
      patch.privateEmailVerificationRequired = info.privateEmailVerificationRequired;
    }
    Object.assign(patch, readProfile(info, current, errors));
  }
  const settings = content.userSettings;
  if (settings?.peopleSectionEnabled !== undefined) patch.peopleSectionEnabled = settings.peopleSectionEnabled;
  if (settings?.visibleInPeopleSection !== undefined) patch.visibleInPeopleSection = settings.visibleInPeopleSection;
  if (settings?.reducedProfile !== undefined) patch.reducedProfile = settings.reducedProfile;
  if (settings?.viewUserProfiles !== undefined) patch.viewUserProfiles = settings.viewUserProfiles;
  return patch;
}

/** Returns the code of a published language. @param field named in errors */
export function readLanguage(field: string, code: string | undefined, errors: FieldErrors): string | null {
  if (!code) return null;
  const known = languages.some((language) => language.code === code);
  if (!known) {
    const codes = languages.map((language) => language.code);
    errors.add(field, 'INVALID_VALUE', `One of: ${codes.join(', ')}.`, codes);
  }
  return code;
}

/** Returns the name of a published time zone. @param field named in errors */
export function readZone(field: string, id: number | undefined, errors: FieldErrors): string | null {
  if (id === undefined) return null;
  const name = timeZoneName(id);
  if (name === undefined) {
    const message = `Time zones have the published ids 1 to ${timeZoneNames.length}.`;
    errors.add(field, 'INVALID_VALUE', message, [1, timeZoneNames.length]);
  }
  return name ?? null;
}

const profileTexts = [
  ['phone', maxLengths.phone],
  ['internalPhone', maxLengths.phone],
  ['mobilePhone', maxLengths.phone],
  ['place', maxLengths.place],
  ['biography', maxLengths.biography],
] as const;

/**
 * Returns the sent profile fields. Includes the manager only if it changes, since the current one
 * may no longer exist.
 */
function readProfile(info: UserInfo, current: UserFields | undefined, errors: FieldErrors): Partial<UserFields> {
  const patch: Partial<UserFields> = {};
  for (const [name, maxLength] of profileTexts) {
    if (info[name] !== undefined) patch[name] = errors.optional(`userInfo.${name}`, info[name], maxLength);
  }
  if (info.role !== undefined) {
    patch.roleTitle = errors.optional('userInfo.role', info.role, maxLengths.role);
    // The caption below the name follows the role unless it has a text of its own.
    if ((current?.caption ?? null) === (current?.roleTitle ?? null)) patch.caption = patch.roleTitle;
  }
  if (info.manager && (info.manager.id ?? null) !== (current?.managerId ?? null)) {
    patch.managerId = info.manager.id ?? null;
  }
  return patch;
}

/**
 * Adds an error for an area, a business unit or a manager that the tenant does not have.
 * @param userId the edited user, who cannot be their own manager; null for a new one
 */
export async function checkUnits(
  tx: TenantExecutor,
  patch: Partial<UserFields>,
  userId: number | null,
  errors: FieldErrors,
): Promise<void> {
  if (patch.managerId != null && (patch.managerId === userId || !(await userExists(tx, patch.managerId)))) {
    errors.add('userInfo.manager.id', 'UNKNOWN_REFERENCE');
  }
  if (patch.areaId != null && !(await unitExists(tx, 'areas', patch.areaId))) {
    errors.add('userInfo.area.id', 'UNKNOWN_REFERENCE');
  }
  if (patch.businessUnitId != null && !(await unitExists(tx, 'business_units', patch.businessUnitId))) {
    errors.add('userInfo.businessUnit.id', 'UNKNOWN_REFERENCE');
  }
}
