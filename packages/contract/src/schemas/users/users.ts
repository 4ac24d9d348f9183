/** Accounts, profiles, users and their forms. */
import { AdminCapability, LicenceSubType, LicenceType, LoginProvider } from '../../codes/codes.ts';
import { ACTIVE_STATUS_TOO, UserStatus } from '../../codes/defined-codes.ts';
import { languages } from '../../codes/languages.ts';
import { timeZoneNames } from '../../codes/time-zones.ts';
import { userOrders } from '../../filters.ts';
import { listLimits, profileLengths } from '../../limits.ts';
import * as t from '../fields.ts';

const languageCodes = languages.map(({ code: languageCode }) => languageCode).join(', ');

/** Facts about a user, wherever one appears. */
export const userFields: t.Fields = {
  id: t.int64('Id of the user.'),
  firstName: t.text('First name.'),
  lastName: t.text('Last name.'),
  caption: t.text('Line below the name, such as a job title.'),
  contactEmail: t.text('Address at which colleagues reach the user.'),
  googleAccountId: t.text('Google account linked for signing in.'),
  microsoftAccountId: t.text('Microsoft account linked for signing in.'),
  spidAccountId: t.text('SPID identity linked for signing in.'),
  serviceAccount: t.flag('True for an account of a program rather than of a person.'),
  systemAccount: t.flag('True for an account the portal itself acts under.'),
  activeDWD: t.flag('True when domain-wide delegation is active for the user.'),
  accountPhotoUrl: t.uri(
    'Address of the photo, valid without a token while the photo is in use; absent without a photo.',
  ),
  deleted: t.flag('True when the user was removed.'),
  blocked: t.flag('True when the user may not sign in.'),
  externalId: t.text('Identifier of the user in another system.'),
  privateProfile: t.flag('True when only administrators see the profile.'),
  imported: t.flag('True when an archive of another portal names the user as an author.'),
  licences: t.list('License', 'Licences that are assigned to the user; absent if there is none.'),
  checkGroupMemberResult: t.flag('Whether the user belongs to the group asked about, where one was.'),
  checkAreaMemberResult: t.flag('Whether the user belongs to the area asked about, where one was.'),
  checkBusinessUnitMemberResult: t.flag('Whether the user belongs to the business unit asked about, where one was.'),
  lastAccessTimestamp: t.time('Time at which the user last used the portal.'),
};

const unitFields: t.Fields = {
  id: t.required(t.int64('Id of the unit.')),
  name: t.name('Name of the unit.'),
  externalId: t.text('Identifier of the unit in another system.'),
  description: t.text('Description of the unit.'),
};

const settingsFields: t.Fields = {
  peopleSectionEnabled: t.flag('Whether the user may open the directory of people.'),
  visibleInPeopleSection: t.flag('Whether the user is shown in the directory of people.'),
  reducedProfile: t.flag('Whether others see the short form of the profile only.'),
  viewUserProfiles: t.flag("Whether the user may open other people's profiles."),
};

const editPrivateEmailEnabled = t.flag('Whether the user may change the private address.');
const ownRights = t.wordList(
  Object.values(AdminCapability),
  'Administrative rights of the user, without rights through groups.',
);
const formToken = t.token('Token to send back with the next edit.');
const readToken = t.formToken;
const nextToken = t.token('Token for the next edit.');

const userWriteFields: t.Fields = {
  firstname: t.required(t.name('First name; must not be empty.')),
  lastname: t.required(t.name('Last name; must not be empty.')),
  contactEmail: t.email('Address at which colleagues reach the user; emptied if omitted.'),
  privateEmail: t.email("The user's private address; emptied if omitted."),
  externalId: t.text('Identifier of the user in another system, unique; emptied if omitted.'),
  adminCapabilities: t.wordList(
    Object.values(AdminCapability),
    'Administrative rights of the user; kept if omitted, an empty list removes all. Only ' +
      'rights that the caller holds are given or removed, and a right is never removed from its ' +
      'last holder who can sign in.',
  ),
  userPreferences: t.ref('AdminUserPreferences', 'Language, time zone and notifications; kept if omitted.'),
  userInfo: t.ref('UserInfo', 'Area, business unit and private address; kept if omitted.'),
  userSettings: t.ref('UserSettingsRequest', 'Permissions of the user to see and show data; kept if omitted.'),
};

/** Fields of a listed user that `includeAccess` adds. */
export const listedAccess = {
  adminCapabilities: t.wordList(
    Object.values(AdminCapability),
    'Administrative rights of the user, directly or by a group; present only with `includeAccess`.',
  ),
  groups: t.list('UserGroup', 'Groups of the user, by name; present only with `includeAccess`.'),
};

export const userTypes = {
  License: t.type('A licence that a user holds.', {
    id: t.int64('Id of the licence.'),
    type: t.code(LicenceType, 'Kind of licence.'),
    subType: t.word(Object.values(LicenceSubType), 'Level of a licence of type 5; absent for the other types.'),
  }),
  User: t.type('A user, as shown with their objects and memberships.', userFields),
  ListSystemUsersElement: t.type('A user in the administrative list.', {
    ...userFields,
    loginProviders: t.wordList(Object.values(LoginProvider), 'Ways in which the user can sign in.'),
    looksLikeUsername: t.text(
      'User name of another user that looks like this user name, by letters beyond ASCII; absent if there is none.',
    ),
    userProfileInfo: t.ref('UserProfileInfo', 'The directory profile of the user.'),
    ...listedAccess,
  }),
  ListSystemUsersRequest: t.type('Filters, order and paging of the list of users.', {
    ...t.pageInputs,
    adminCapabilities: t.wordList(
      Object.values(AdminCapability),
      'Only users who hold all of these administrative rights.',
    ),
    fullTextFilter: t.text('Words looked for in first name, last name and e-mail address, ignoring case and accents.'),
    firstNamePrefixFullTextFilter: t.text('Beginning of the first name.'),
    lastNamePrefixFullTextFilter: t.text('Beginning of the last name.'),
    emailPrefixFullTextFilter: t.text('Beginning of the e-mail address.'),
    externalAuthServiceEmailFullTextFilter: t.text('Part of the address of a linked Google or Microsoft account.'),
    statusFilter: t.codeList(
      UserStatus,
      'Only users in one of these states. If omitted or empty, all users who are not deleted. 0 also means active.',
      { also: [ACTIVE_STATUS_TOO] },
    ),
    workspaceIds: t.filterIds('Only members of one of these workspaces.'),
    communityIds: t.filterIds('Only users with a role in one of these communities.'),
    groupIds: t.filterIds('Only members of one of these groups.'),
    roleIds: t.filterIds(
      'Only users who were given one of these roles, directly or by a group: in a community, in a workspace, or everywhere.',
    ),
    includeAccess: t.flag('Whether each element has the rights and groups of the user. Default false.'),
    businessUnitIds: t.filterIds('Only users of one of these business units.'),
    areaIds: t.filterIds('Only users of one of these areas.'),
    place: t.text('Words looked for in the place of work.'),
    creationTimestampFrom: t.time('Only users created at this moment or later.'),
    creationTimestampTo: t.time('Only users created at this moment or earlier.'),
    lastAccessTimestampFrom: t.time('Only users who used the portal at this moment or later.'),
    lastAccessTimestampTo: t.time('Only users whose last use was at this moment or earlier.'),
    externalIdFullTextFilter: t.text('Part of the external identifier.'),
    personalEmailFullTextFilter: t.text('Part of the private e-mail address.'),
    role: t.text('Part of the job role in the profile.'),
    managerIds: t.filterIds('Only users who report to one of these users.'),
    lang: t.textOrTexts(`Only users who chose one of these languages. Codes: ${languageCodes}.`),
    timeZoneIds: t.filterIds('Only users who chose one of these time zones, by published id.'),
    loginProviderFilter: t.checked(
      t.textOrTexts('Only users who can sign in through one of these: google, microsoft, custom.'),
      {
        anyOf: [
          {
            type: 'array',
            maxItems: listLimits.items,
            items: { type: 'string', enum: Object.values(LoginProvider) },
          },
          { type: 'string', enum: Object.values(LoginProvider) },
        ],
      },
    ),
    peopleSectionEnabled: t.flag('Only users who may (true) or may not (false) open the directory of people.'),
    visibleInPeopleSection: t.flag('Only users who are (true) or are not (false) shown in the directory of people.'),
    reducedProfile: t.flag('Only users with the short (true) or the full (false) profile.'),
    viewUserProfiles: t.flag("Only users who may (true) or may not (false) open other people's profiles."),
    orderTypeId: t.word(userOrders, 'Sort order; ties by last name, first name and id.', { default: 'lastName' }),
    orderDesc: t.orderDesc(false),
  }),
  ListSystemUsersResponse: t.page('ListSystemUsersElement', 'A page of users for administrators.'),
  ListUsersResponse: t.page('User', 'A page of users.'),
};

/** Fields of the profile that administrators write in `userInfo` and read in the form of a user. */
export const profileExtension: t.Fields = {
  biography: t.text('Self-description of the user; kept if omitted, `""` empties it.'),
  internalPhone: t.text('Extension within the organisation; kept if omitted, `""` empties it.'),
  manager: t.ref(
    'User',
    'Manager of the user. Writes use its `id`; kept if omitted, an object without `id` removes it.',
  ),
  mobilePhone: t.text('Mobile number; kept if omitted, `""` empties it.'),
  phone: t.text('Telephone number; kept if omitted, `""` empties it.'),
  place: t.name('Place of work; kept if omitted, `""` empties it.'),
  role: t.name('Job role; kept if omitted, `""` empties it.'),
};

const phoneText = (description: string) =>
  t.text(`${description} Kept if omitted, \`""\` empties it.`, { maxLength: profileLengths.phone });

/** Settings that people change about themselves. */
export const ownProfileTypes = {
  EditMyProfileRequest: t.type('Changes of the caller to their own data; omitted fields are kept.', {
    phone: phoneText('Telephone number.'),
    internalPhone: phoneText('Extension within the organisation.'),
    mobilePhone: phoneText('Mobile number.'),
    biography: t.text('Self-description of the person; `""` empties it.', {
      maxLength: profileLengths.biography,
    }),
    privateEmail: t.checked(
      t.text(
        'Private address; `""` removes it. If only administrators edit it ' +
          '(`editPrivateEmailEnabled`), a change returns 403.',
        {
          maxLength: profileLengths.address,
        },
      ),
      {
        anyOf: [
          { type: 'string', format: 'email' },
          { type: 'string', maxLength: 0 },
        ],
      },
    ),
    defaultLanguageId: t.checked(
      t.text(`Code of the language of pages and mails. Possible values: ${languageCodes}.`),
      {
        enum: languages.map(({ code: languageCode }) => languageCode),
      },
    ),
    defaultTimezoneId: t.checked(t.int64('Id of the time zone on the published list.'), {
      minimum: 1,
      maximum: timeZoneNames.length,
    }),
    emailNotificationsEnabled: t.flag('Whether notifications are sent by e-mail.'),
    digestHour: t.checked(
      t.int32(
        'Hour of the day, in the time zone of the person, at which the digest of notifications is mailed, 0 to 23.',
      ),
      { minimum: 0, maximum: 23 },
    ),
    profilePhoto: t.ref('UpdateCustomProfilePhoto', 'Sent only to change or remove the uploaded photo.'),
    occToken: t.required(
      t.token('`occToken` of `getCurrentUserProfileInfo`; a stale token returns 409.'),
      'Send the occToken of getCurrentUserProfileInfo.',
    ),
  }),
};

/** Settings that administrators read and write about a user. */
export const userFormTypes = {
  GetUserForEditResponse: t.type('Data of a user that an administrator can edit.', {
    firstname: t.name('First name.'),
    lastname: t.name('Last name.'),
    contactEmail: t.text('Address at which colleagues reach the user.'),
    privateEmail: t.text("The user's private address."),
    privateEmailVerified: t.flag('True when the user proved that the private address is theirs.'),
    externalId: t.text('Identifier of the user in another system.'),
    adminCapabilities: ownRights,
    accountPhotoUrl: t.uri('Absolute address of the photo in use; absent when there is none.'),
    userPreferences: t.ref('AdminUserPreferences', 'Language, time zone and notifications.'),
    userInfo: t.ref('UserInfo', 'Area, business unit and private address.'),
    userSettings: t.ref('UserSettingsResponse', 'Permissions of the user to see and show data.'),
    occToken: formToken,
    blocked: t.flag('True when the user may not sign in; read-only here.'),
  }),
  CreateUserRequest: t.type('A new user.', {
    ...userWriteFields,
    userCredentialsConfiguration: t.ref('UserCredentialsConfiguration', 'Ways in which the user may sign in.'),
    resetUserCustomCredentialsCommand: t.ref(
      'ResetUserCustomCredentialsCommand',
      'Source of the first password; required only with a `custom` block in the credentials.',
    ),
  }),
  CreateUserResponse: t.type('The user that was created.', {
    userId: t.int64('Id of the new user.'),
    accountPhotoUrl: t.uri(
      'Address of the photo, valid without a token while the photo is in use; absent without a photo.',
    ),
    generatedPassword: t.shownOnce({
      ...t.texts('The generated password as a list of one; present only when one was generated, and shown only now.'),
      maxItems: 1,
    }),
    expiredCredentials: t.flag('True when the password must be changed at the first sign-in.'),
    sentEmailNotify: t.flag(
      'True when an invitation to choose a password is on its way to the addresses that were named.',
    ),
    nextOccToken: nextToken,
  }),
  EditUserRequest: t.type('New content of a user; omitted fields are emptied or kept, as described for each field.', {
    ...userWriteFields,
    occToken: readToken,
  }),
  EditUserResponse: t.type('Result of the edit of a user.', {
    accountPhotoUrl: t.uri(
      'Address of the photo, valid without a token while the photo is in use; absent without a photo.',
    ),
    nextOccToken: nextToken,
  }),
  DeleteUserResponse: t.type('The user that was deleted.', { userId: t.int64('Id of the user.') }),
  AdminUserPreferences: t.type("A user's preferences, in the forms of administrators.", {
    defaultLanguageId: t.checked(t.text(`Code of the language. Possible values: ${languageCodes}.`), {
      enum: languages.map(({ code: languageCode }) => languageCode),
    }),
    defaultTimezoneId: t.checked(t.int64('Id of the time zone on the published list.'), {
      minimum: 1,
      maximum: timeZoneNames.length,
    }),
    emailNotificationsEnabled: t.flag('Whether the user gets notifications by e-mail.'),
  }),
  UserInfo: t.type('Units of a user, their private address, and their profile.', {
    ...profileExtension,
    area: t.ref('UserInfoArea', 'Area of the organisation the user works in.'),
    businessUnit: t.ref('UserInfoBusinessUnit', 'Business unit the user works in.'),
    privateEmail: t.email("The user's private address."),
    privateEmailVerified: t.flag('True when the user proved that the private address is theirs; read-only.'),
    privateEmailVerificationRequired: t.flag('True when the private address has yet to be proved.'),
  }),
  UserInfoArea: t.type('An area of the organisation. Writes use its `id`.', unitFields),
  UserInfoBusinessUnit: t.type('A business unit of the organisation. Writes use its `id`.', unitFields),
  UserSettings: t.type('Permissions of the signed-in user to see and show data.', {
    peopleSectionEnabled: settingsFields.peopleSectionEnabled!,
    reducedProfile: settingsFields.reducedProfile!,
    viewUserProfiles: settingsFields.viewUserProfiles!,
    editPrivateEmailEnabled,
  }),
  UserSettingsRequest: t.type(
    'Permissions of a user to see and show data, as administrators write them.',
    settingsFields,
  ),
  UserSettingsResponse: t.type('Permissions of a user to see and show data, as administrators read them.', {
    ...settingsFields,
    editPrivateEmailEnabled,
  }),
  UserCredentialsConfiguration: t.type('The sign-in methods of a user. Omitted blocks are kept.', {
    google: t.ref('GoogleUserCredentialsConfiguration', 'Sign-in with a Google account.'),
    microsoft: t.ref('MicrosoftUserCredentialsConfiguration', 'Sign-in with a Microsoft account.'),
    custom: t.ref('CustomUserCredentialsConfiguration', 'Sign-in with a user name and a password of the portal.'),
  }),
  GoogleUserCredentialsConfiguration: t.type('Sign-in with a Google account.', {
    googleAccountId: t.text('E-mail address of the Google account.'),
    enabled: t.flag('Whether this way is open; false without an account id removes it.'),
    profilePhotoUrl: t.text('Photo that Google knows; cannot be written.'),
  }),
  MicrosoftUserCredentialsConfiguration: t.type('Sign-in with a Microsoft account.', {
    microsoftAccountId: t.text('E-mail address of the Microsoft account.'),
    enabled: t.flag('Whether this way is open; false without an account id removes it.'),
    profilePhotoUrl: t.text('Photo that Microsoft knows; cannot be written.'),
  }),
  CustomUserCredentialsConfiguration: t.type('Sign-in with a user name and a password of the portal.', {
    username: t.text('User name, within the domains of the tenant.'),
    canUserManageCustomCredentials: t.flag('Whether users may change their own user name and password.'),
    active: t.required(
      t.flag('Whether this way is open; must be sent with the block, false without a user name removes it.'),
    ),
    profilePhotoUrl: t.text('Photo that was uploaded for the user; cannot be written.'),
    profilePhoto: t.ref('UpdateCustomProfilePhoto', 'Sent only to change or remove the uploaded photo.'),
    canManageProfilePhoto: t.flag('Whether the caller may change the photo; cannot be written.'),
  }),
  UpdateCustomProfilePhoto: t.type('A new photo, or its removal.', {
    newContentRef: t.text('Reference of the uploaded picture; null removes the present one.'),
  }),
  ResetUserCustomCredentialsCommand: t.type('Source of the first password of a user.', {
    generatePassword: t.flag('True has the portal make up a password.'),
    password: {
      ...t.texts('The password as a list with one element, unless it is to be generated.'),
      'x-or-text': true,
    },
    forceCredentialsExpiration: t.flag('Whether the password must be changed at the first sign-in.'),
    emailNotifyRecipients: t.checked(
      t.texts('Addresses that are sent an invitation: a one-time link to choose a password, never the password.'),
      {
        items: { type: 'string', format: 'email' },
      },
    ),
  }),
  GetUserCredentialsForEditResponse: t.type("A user's ways of signing in, to be edited.", {
    userCredentialsConfiguration: t.ref('UserCredentialsConfiguration', 'The ways that are set up.'),
    occToken: t.token('Token of this form; another one than that of the user form.'),
  }),
  EditUserCredentialsRequest: t.type("New content of a user's ways of signing in.", {
    userCredentialsConfiguration: t.ref('UserCredentialsConfiguration', 'The blocks to change.'),
    occToken: t.required(
      t.token('Token that the credentials form returned; a stale token returns 409.'),
      'Send the occToken that the form gave.',
    ),
  }),
  EditUserCredentialsResponse: t.type('Result of the edit of credentials.', { nextOccToken: nextToken }),
};

/** Signing in, and the account and profile of the caller. */
export const accountTypes = {
  CreateAccessTokenByServiceAccountRequest: t.type('Exchange of a signed assertion.', {
    jwtAssertion: t.required(
      t.text('JWT signed with RS512 by the key of the service account.'),
      'jwtAssertion is required: a JWT signed RS512 with the key file.',
    ),
  }),
  CreateAccessTokenByServiceAccountResponse: t.type('Result of the exchange of an assertion.', {
    accessToken: t.text('Access token: a signed JWT with a numeric `exp`, to be sent as `Authorization: Bearer`.'),
  }),
  CurrentUserData: t.type('The account of the caller.', {
    ...userFields,
    customAccountId: t.text('User name for signing in with a password of the portal.'),
    openIdAccountId: t.text('Linked account at an OpenID provider.'),
    samlAccountId: t.text('Linked account at a SAML provider.'),
  }),
  CoreUserPreferences: t.type("The caller's preferences.", {
    language: t.ref('Language', 'Language of the pages.'),
    timezone: t.ref('Timezone', 'Time zone of the pages.'),
    termsAcceptTimestamp: t.time('Time at which the terms of use were accepted.'),
    emailNotificationsEnabled: t.flag('Whether notifications are sent by e-mail too.'),
  }),
  CurrentUserDataResponse: t.type('Identity of the caller.', {
    userData: t.ref('CurrentUserData', 'The account.'),
    userPreferences: t.ref('CoreUserPreferences', 'Chosen language and time zone.'),
    userInfo: t.ref('UserInfo', 'Units of the caller.'),
    userSettings: t.ref('UserSettings', 'Permissions of the caller to see and show data.'),
    hasGoogleCredentials: t.flag('True when signing in with Google is set up.'),
    hasMicrosoftCredentials: t.flag('True when signing in with Microsoft is set up.'),
    hasCustomCredentials: t.flag('True when signing in with a password of the portal is set up.'),
    canManageCustomCredentials: t.flag('True when the caller may change their own user name and password.'),
    occToken: t.token('Version of the account.'),
  }),
  UserProfileInfo: t.type('The directory profile of a person.', {
    id: t.int64('Id of the user.'),
    firstName: t.text('First name.'),
    lastName: t.text('Last name.'),
    caption: t.text('Line below the name, such as a job title.'),
    highResAccountPhotoUrl: t.uri('Absolute address of the photo in high resolution; absent when there is none.'),
    accountPhotoUrl: t.uri(
      'Address of the photo, valid without a token while the photo is in use; absent without a photo.',
    ),
    customPhotoUrl: t.uri('Photo that was uploaded; absent when there is none.'),
    googlePhotoUrl: t.uri('Photo that Google knows; absent when there is none.'),
    microsoftPhotoUrl: t.uri('Photo that Microsoft knows; absent when there is none.'),
    contactEmail: t.text('Address at which colleagues reach the person.'),
    privateEmail: t.text('Private address.'),
    privateEmailVerified: t.flag('True when the private address was proved.'),
    phone: t.text('Telephone number.'),
    internalPhone: t.text('Extension within the organisation.'),
    mobilePhone: t.text('Mobile number.'),
    place: t.text('Place of work.'),
    biography: t.text('Self-description of the person.'),
    businessUnit: t.ref('UserInfoBusinessUnit', 'Business unit the person works in.'),
    area: t.ref('UserInfoArea', 'Area of the organisation the person works in.'),
    role: t.text('Job role.'),
    manager: t.ref('User', 'Manager of the person.'),
    employees: t.list('User', 'People who report to the person.'),
    language: t.ref('Language', 'Chosen language.'),
    timezone: t.ref('Timezone', 'Chosen time zone.'),
    emailNotificationsEnabled: t.flag('Whether notifications are sent by e-mail too.'),
    digestHour: t.int32('Hour at which the digest of notifications is mailed, in the time zone of the person.'),
    deleted: t.flag('True when the user was removed.'),
    blocked: t.flag('True when the user may not sign in.'),
    systemAccount: t.flag('True for an account the portal itself acts under.'),
    occToken: t.token('Version of the profile.'),
    canManageProfilePhoto: t.flag('Whether the caller may change the photo.'),
    editProfile: t.flag('Whether the caller may change this profile.'),
    privateProfile: t.flag('True when only administrators see the profile.'),
  }),
};
