/** Accounts, profiles, users and their forms. */
import { AdminCapability, LicenceSubType, LicenceType, LoginProvider } from '../codes/codes.ts';
import { ACTIVE_STATUS_TOO, UserStatus } from '../codes/defined-codes.ts';
import { languages } from '../codes/languages.ts';
import { timeZoneNames } from '../codes/time-zones.ts';
import { userOrders } from '../filters.ts';
import { listLimits, profileLengths } from '../limits.ts';
import {
  checked,
  code,
  codeList,
  email,
  type Fields,
  flag,
  ids,
  int64,
  list,
  orderDesc,
  page,
  pageInputs,
  ref,
  required,
  text,
  textOrTexts,
  texts,
  time,
  token,
  type,
  uri,
  word,
  wordList,
} from './fields.ts';

const languageCodes = languages.map(({ code: languageCode }) => languageCode).join(', ');

/** What is said of a user wherever one appears. */
export const userFields: Fields = {
  id: int64('Id of the user.'),
  firstName: text('First name.'),
  lastName: text('Last name.'),
  caption: text('Line below the name, such as a job title.'),
  contactEmail: text('Address at which colleagues reach the user.'),
  googleAccountId: text('Google account linked for signing in.'),
  microsoftAccountId: text('Microsoft account linked for signing in.'),
  spidAccountId: text('SPID identity linked for signing in.'),
  serviceAccount: flag('True for an account of a program rather than of a person.'),
  systemAccount: flag('True for an account the portal itself acts under.'),
  activeDWD: flag('True when domain-wide delegation is active for the user.'),
  accountPhotoUrl: uri(
    'Address of the photo, good without a token for as long as it is the photo; absent without one.',
  ),
  deleted: flag('True when the user was removed.'),
  blocked: flag('True when the user may not sign in.'),
  externalId: text('Identifier of the user in another system.'),
  privateProfile: flag('True when only administrators see the profile.'),
  licences: list('License', 'Licences that are assigned to the user; left out where none is.'),
  checkGroupMemberResult: flag('Whether the user belongs to the group asked about, where one was.'),
  checkAreaMemberResult: flag('Whether the user belongs to the area asked about, where one was.'),
  checkBusinessUnitMemberResult: flag('Whether the user belongs to the business unit asked about, where one was.'),
  lastAccessTimestamp: time('When the user last used the portal.'),
};

const unitFields: Fields = {
  id: required(int64('Id of the unit.')),
  name: text('Name of the unit.'),
  externalId: text('Identifier of the unit in another system.'),
  description: text('What the unit is.'),
};

const settingsFields: Fields = {
  peopleSectionEnabled: flag('Whether the user may open the directory of people.'),
  visibleInPeopleSection: flag('Whether the user is shown in the directory of people.'),
  reducedProfile: flag('Whether others see the short form of the profile only.'),
  viewUserProfiles: flag("Whether the user may open other people's profiles."),
};

const editPrivateEmailEnabled = flag('Whether the user may change the private address.');
const formToken = token('Token to send back with the next edit.');
const readToken = required(token('Token that the form gave; a stale one is a 409.'));
const nextToken = token('Token for the next edit.');

const userWriteFields: Fields = {
  firstname: required(text('First name; must not be empty.')),
  lastname: required(text('Last name; must not be empty.')),
  contactEmail: email('Address at which colleagues reach the user; emptied when left out.'),
  privateEmail: email("The user's private address; emptied when left out."),
  externalId: text('Identifier of the user in another system, unique; emptied when left out.'),
  userPreferences: ref('AdminUserPreferences', 'Language, time zone and notifications; kept when left out.'),
  userInfo: ref('UserInfo', 'Area, business unit and private address; kept when left out.'),
  userSettings: ref('UserSettingsRequest', 'What the user may see and show; kept when left out.'),
};

export const userTypes = {
  License: type('A licence that a user holds.', {
    id: int64('Id of the licence.'),
    type: code(LicenceType, 'Kind of licence.'),
    subType: word(Object.values(LicenceSubType), 'Level of a licence of type 5; absent for the other types.'),
  }),
  User: type('A user, as shown beside what they made or belong to.', userFields),
  ListSystemUsersElement: type('A user in the administrative list.', {
    ...userFields,
    loginProviders: wordList(Object.values(LoginProvider), 'Ways in which the user can sign in.'),
    userProfileInfo: ref('UserProfileInfo', 'The directory profile of the user.'),
  }),
  ListSystemUsersRequest: type('Filters, order and paging of the list of users.', {
    ...pageInputs,
    adminCapabilities: wordList(
      Object.values(AdminCapability),
      'Only users who hold all of these administrative rights.',
    ),
    fullTextFilter: text('Words looked for in first name, last name and e-mail address, ignoring case and accents.'),
    firstNamePrefixFullTextFilter: text('Beginning of the first name.'),
    lastNamePrefixFullTextFilter: text('Beginning of the last name.'),
    emailPrefixFullTextFilter: text('Beginning of the e-mail address.'),
    externalAuthServiceEmailFullTextFilter: text('Part of the address of a linked Google or Microsoft account.'),
    statusFilter: codeList(
      UserStatus,
      'Only users in one of these states; left out or empty, all who are not deleted. 0 means active too.',
      { also: [ACTIVE_STATUS_TOO] },
    ),
    workspaceIds: ids('Only members of one of these workspaces.'),
    communityIds: ids('Only users with a role in one of these communities.'),
    businessUnitIds: ids('Only users of one of these business units.'),
    areaIds: ids('Only users of one of these areas.'),
    place: text('Words looked for in the place of work.'),
    creationTimestampFrom: time('Only users created at this moment or later.'),
    creationTimestampTo: time('Only users created at this moment or earlier.'),
    lastAccessTimestampFrom: time('Only users who used the portal at this moment or later.'),
    lastAccessTimestampTo: time('Only users whose last use was at this moment or earlier.'),
    externalIdFullTextFilter: text('Part of the external identifier.'),
    personalEmailFullTextFilter: text('Part of the private e-mail address.'),
    role: text('Part of the job role in the profile.'),
    managerIds: ids('Only users who report to one of these users.'),
    lang: textOrTexts(`Only users who chose one of these languages. Codes: ${languageCodes}.`),
    timeZoneIds: ids('Only users who chose one of these time zones, by published id.'),
    loginProviderFilter: checked(
      textOrTexts('Only users who can sign in through one of these: google, microsoft, custom.'),
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
    peopleSectionEnabled: flag('Only users who may (true) or may not (false) open the directory of people.'),
    visibleInPeopleSection: flag('Only users who are (true) or are not (false) shown in the directory of people.'),
    reducedProfile: flag('Only users with the short (true) or the full (false) profile.'),
    viewUserProfiles: flag("Only users who may (true) or may not (false) open other people's profiles."),
    orderTypeId: word(userOrders, 'What to order by; ties by last name, first name and id.', { default: 'lastName' }),
    orderDesc: orderDesc(false),
  }),
  ListSystemUsersResponse: page('ListSystemUsersElement', 'A page of users for administrators.'),
  ListUsersResponse: page('User', 'A page of users.'),
};

/** Fields of the profile that administrators write in `userInfo` and read in the form of a user. */
export const profileExtension: Fields = {
  biography: text('What the user says about themselves; kept when left out, `""` empties it.'),
  internalPhone: text('Extension within the organisation; kept when left out, `""` empties it.'),
  manager: ref(
    'User',
    'To whom the user reports. In writes its `id` counts; kept when left out, an object without `id` removes it.',
  ),
  mobilePhone: text('Mobile number; kept when left out, `""` empties it.'),
  phone: text('Telephone number; kept when left out, `""` empties it.'),
  place: text('Place of work; kept when left out, `""` empties it.'),
  role: text('Job role; kept when left out, `""` empties it.'),
};

const phoneText = (description: string) =>
  text(`${description} Kept when left out, \`""\` empties it.`, { maxLength: profileLengths.phone });

/** What people change about themselves. */
export const ownProfileTypes = {
  EditMyProfileRequest: type('What the caller changes about themselves; what is left out is kept.', {
    phone: phoneText('Telephone number.'),
    internalPhone: phoneText('Extension within the organisation.'),
    mobilePhone: phoneText('Mobile number.'),
    biography: text('What the person says about themselves; `""` empties it.', {
      maxLength: profileLengths.biography,
    }),
    privateEmail: checked(
      text(
        'Private address; `""` removes it. Where administrators keep it (`editPrivateEmailEnabled`), a change is a 403.',
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
    defaultLanguageId: checked(text(`Code of the language of pages and mails. One of: ${languageCodes}.`), {
      enum: languages.map(({ code: languageCode }) => languageCode),
    }),
    defaultTimezoneId: checked(int64('Id of the time zone on the published list.'), {
      minimum: 1,
      maximum: timeZoneNames.length,
    }),
    emailNotificationsEnabled: flag('Whether notifications come by e-mail.'),
    profilePhoto: ref('UpdateCustomProfilePhoto', 'Sent only to change or remove the uploaded photo.'),
    occToken: required(token('`occToken` of `getCurrentUserProfileInfo`; a stale one is a 409.')),
  }),
};

/** What administrators read and write about a user. */
export const userFormTypes = {
  GetUserForEditResponse: type('What an administrator can edit about a user.', {
    firstname: text('First name.'),
    lastname: text('Last name.'),
    contactEmail: text('Address at which colleagues reach the user.'),
    privateEmail: text("The user's private address."),
    privateEmailVerified: flag('True when the user proved that the private address is theirs.'),
    externalId: text('Identifier of the user in another system.'),
    accountPhotoUrl: uri('Absolute address of the photo in use; absent when there is none.'),
    userPreferences: ref('AdminUserPreferences', 'Language, time zone and notifications.'),
    userInfo: ref('UserInfo', 'Area, business unit and private address.'),
    userSettings: ref('UserSettingsResponse', 'What the user may see and show.'),
    occToken: formToken,
    blocked: flag('True when the user may not sign in; read-only here.'),
  }),
  CreateUserRequest: type('A new user.', {
    ...userWriteFields,
    userCredentialsConfiguration: ref('UserCredentialsConfiguration', 'Ways in which the user may sign in.'),
    resetUserCustomCredentialsCommand: ref(
      'ResetUserCustomCredentialsCommand',
      'How the first password comes about; needed only with a `custom` block in the credentials.',
    ),
  }),
  CreateUserResponse: type('The user that was created.', {
    userId: int64('Id of the new user.'),
    accountPhotoUrl: uri(
      'Address of the photo, good without a token for as long as it is the photo; absent without one.',
    ),
    generatedPassword: {
      ...texts('The generated password as a list of one; present only when one was generated, and shown only now.'),
      maxItems: 1,
    },
    expiredCredentials: flag('True when the password must be changed at the first sign-in.'),
    sentEmailNotify: flag(
      'True when an invitation to choose a password is on its way to the addresses that were named.',
    ),
    nextOccToken: nextToken,
  }),
  EditUserRequest: type('New content of a user; what is left out is emptied or kept as said per field.', {
    ...userWriteFields,
    occToken: readToken,
  }),
  EditUserResponse: type('Result of the edit of a user.', {
    accountPhotoUrl: uri(
      'Address of the photo, good without a token for as long as it is the photo; absent without one.',
    ),
    nextOccToken: nextToken,
  }),
  DeleteUserResponse: type('The user that was deleted.', { userId: int64('Id of the user.') }),
  AdminUserPreferences: type("A user's preferences, in the forms of administrators.", {
    defaultLanguageId: checked(text(`Code of the language. One of: ${languageCodes}.`), {
      enum: languages.map(({ code: languageCode }) => languageCode),
    }),
    defaultTimezoneId: checked(int64('Id of the time zone on the published list.'), {
      minimum: 1,
      maximum: timeZoneNames.length,
    }),
    emailNotificationsEnabled: flag('Whether the user gets notifications by e-mail.'),
  }),
  UserInfo: type('Where a user belongs, their private address, and what their profile says.', {
    ...profileExtension,
    area: ref('UserInfoArea', 'Area of the organisation the user works in.'),
    businessUnit: ref('UserInfoBusinessUnit', 'Business unit the user works in.'),
    privateEmail: email("The user's private address."),
    privateEmailVerified: flag('True when the user proved that the private address is theirs; read-only.'),
    privateEmailVerificationRequired: flag('True when the private address has yet to be proved.'),
  }),
  UserInfoArea: type('An area of the organisation. In writes its `id` counts.', unitFields),
  UserInfoBusinessUnit: type('A business unit of the organisation. In writes its `id` counts.', unitFields),
  UserSettings: type('What the signed-in user may see and show.', {
    peopleSectionEnabled: settingsFields.peopleSectionEnabled!,
    reducedProfile: settingsFields.reducedProfile!,
    viewUserProfiles: settingsFields.viewUserProfiles!,
    editPrivateEmailEnabled,
  }),
  UserSettingsRequest: type('What a user may see and show, as administrators write it.', settingsFields),
  UserSettingsResponse: type('What a user may see and show, as administrators read it.', {
    ...settingsFields,
    editPrivateEmailEnabled,
  }),
  UserCredentialsConfiguration: type('The ways in which a user may sign in. A block that is left out is kept.', {
    google: ref('GoogleUserCredentialsConfiguration', 'Sign-in with a Google account.'),
    microsoft: ref('MicrosoftUserCredentialsConfiguration', 'Sign-in with a Microsoft account.'),
    custom: ref('CustomUserCredentialsConfiguration', 'Sign-in with a user name and a password of the portal.'),
  }),
  GoogleUserCredentialsConfiguration: type('Sign-in with a Google account.', {
    googleAccountId: text('E-mail address of the Google account.'),
    enabled: flag('Whether this way is open; false without an account id removes it.'),
    profilePhotoUrl: text('Photo that Google knows; cannot be written.'),
  }),
  MicrosoftUserCredentialsConfiguration: type('Sign-in with a Microsoft account.', {
    microsoftAccountId: text('E-mail address of the Microsoft account.'),
    enabled: flag('Whether this way is open; false without an account id removes it.'),
    profilePhotoUrl: text('Photo that Microsoft knows; cannot be written.'),
  }),
  CustomUserCredentialsConfiguration: type('Sign-in with a user name and a password of the portal.', {
    username: text('User name, within the domains of the tenant.'),
    canUserManageCustomCredentials: flag('Whether users may change their own user name and password.'),
    active: required(
      flag('Whether this way is open; must be sent with the block, false without a user name removes it.'),
    ),
    profilePhotoUrl: text('Photo that was uploaded for the user; cannot be written.'),
    profilePhoto: ref('UpdateCustomProfilePhoto', 'Sent only to change or remove the uploaded photo.'),
    canManageProfilePhoto: flag('Whether the caller may change the photo; cannot be written.'),
  }),
  UpdateCustomProfilePhoto: type('A new photo, or its removal.', {
    newContentRef: text('Reference of the uploaded picture; null removes the present one.'),
  }),
  ResetUserCustomCredentialsCommand: type('How the first password of a user comes about.', {
    generatePassword: flag('True has the portal make up a password.'),
    password: { ...texts('The password as a list of one, when none is to be generated.'), 'x-or-text': true },
    forceCredentialsExpiration: flag('Whether the password must be changed at the first sign-in.'),
    emailNotifyRecipients: checked(
      texts('Addresses that are sent an invitation: a one-time link to choose a password, never the password.'),
      {
        items: { type: 'string', format: 'email' },
      },
    ),
  }),
  GetUserCredentialsForEditResponse: type("A user's ways of signing in, to be edited.", {
    userCredentialsConfiguration: ref('UserCredentialsConfiguration', 'The ways that are set up.'),
    occToken: token('Token of this form; another one than that of the user form.'),
  }),
  EditUserCredentialsRequest: type("New content of a user's ways of signing in.", {
    userCredentialsConfiguration: ref('UserCredentialsConfiguration', 'The blocks to change.'),
    occToken: required(token('Token that the credentials form gave; a stale one is a 409.')),
  }),
  EditUserCredentialsResponse: type('Result of the edit of credentials.', { nextOccToken: nextToken }),
};

/** Signing in, and the account and profile of the caller. */
export const accountTypes = {
  CreateAccessTokenByServiceAccountRequest: type('Exchange of a signed assertion.', {
    jwtAssertion: required(text('JWT signed with RS512 by the key of the service account.')),
  }),
  CreateAccessTokenByServiceAccountResponse: type('Result of the exchange of an assertion.', {
    accessToken: text('Access token: a signed JWT with a numeric `exp`, to be sent as `Authorization: Bearer`.'),
  }),
  CurrentUserData: type('The account of the caller.', {
    ...userFields,
    customAccountId: text('User name for signing in with a password of the portal.'),
    openIdAccountId: text('Linked account at an OpenID provider.'),
    samlAccountId: text('Linked account at a SAML provider.'),
  }),
  CoreUserPreferences: type("The caller's preferences.", {
    language: ref('Language', 'Language of the pages.'),
    timezone: ref('Timezone', 'Time zone of the pages.'),
    termsAcceptTimestamp: time('When the terms of use were accepted.'),
    emailNotificationsEnabled: flag('Whether notifications come by e-mail too.'),
  }),
  CurrentUserDataResponse: type('Who the caller is.', {
    userData: ref('CurrentUserData', 'The account.'),
    userPreferences: ref('CoreUserPreferences', 'Chosen language and time zone.'),
    userInfo: ref('UserInfo', 'Where the caller belongs.'),
    userSettings: ref('UserSettings', 'What the caller may see and show.'),
    hasGoogleCredentials: flag('True when signing in with Google is set up.'),
    hasMicrosoftCredentials: flag('True when signing in with Microsoft is set up.'),
    hasCustomCredentials: flag('True when signing in with a password of the portal is set up.'),
    canManageCustomCredentials: flag('True when the caller may change their own user name and password.'),
    occToken: token('Version of the account.'),
  }),
  UserProfileInfo: type('The directory profile of a person.', {
    id: int64('Id of the user.'),
    firstName: text('First name.'),
    lastName: text('Last name.'),
    caption: text('Line below the name, such as a job title.'),
    highResAccountPhotoUrl: uri('Absolute address of the photo in high resolution; absent when there is none.'),
    accountPhotoUrl: uri(
      'Address of the photo, good without a token for as long as it is the photo; absent without one.',
    ),
    customPhotoUrl: uri('Photo that was uploaded; absent when there is none.'),
    googlePhotoUrl: uri('Photo that Google knows; absent when there is none.'),
    microsoftPhotoUrl: uri('Photo that Microsoft knows; absent when there is none.'),
    contactEmail: text('Address at which colleagues reach the person.'),
    privateEmail: text('Private address.'),
    privateEmailVerified: flag('True when the private address was proved.'),
    phone: text('Telephone number.'),
    internalPhone: text('Extension within the organisation.'),
    mobilePhone: text('Mobile number.'),
    place: text('Place of work.'),
    biography: text('What the person says about themselves.'),
    businessUnit: ref('UserInfoBusinessUnit', 'Business unit the person works in.'),
    area: ref('UserInfoArea', 'Area of the organisation the person works in.'),
    role: text('Job role.'),
    manager: ref('User', 'To whom the person reports.'),
    employees: list('User', 'Who reports to the person.'),
    language: ref('Language', 'Chosen language.'),
    timezone: ref('Timezone', 'Chosen time zone.'),
    emailNotificationsEnabled: flag('Whether notifications come by e-mail too.'),
    deleted: flag('True when the user was removed.'),
    blocked: flag('True when the user may not sign in.'),
    systemAccount: flag('True for an account the portal itself acts under.'),
    occToken: token('Version of the profile.'),
    canManageProfilePhoto: flag('Whether the caller may change the photo.'),
    editProfile: flag('Whether the caller may change this profile.'),
    privateProfile: flag('True when only administrators see the profile.'),
  }),
};
