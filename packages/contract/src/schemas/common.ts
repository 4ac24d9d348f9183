/** Errors, dates, languages and what a dry run reports. */
import {
  maximumCode,
  maximumCredential,
  maximumLinkToken,
  maximumLogin,
  maximumPasskeyName,
  passwordLengths,
} from '../limits.ts';
import {
  anyList,
  flag,
  int32,
  int64,
  list,
  localDatetime,
  ref,
  required,
  text,
  texts,
  time,
  token,
  type,
  zoneName,
} from './fields.ts';

const validationFields = {
  code: text('Kind of error; one of the published error codes, such as REQUIRED_FIELD.'),
  args: anyList('What the message speaks of: limits, allowed values, nearest names.'),
  defaultMessage: text('The error in English, and what to do about it.'),
  field: text('Where in the request the error is, as a path such as `customData.12` or `attachments[0].name`.'),
};

const problemFields = {
  code: text('Kind of error; one of the published error codes.'),
  message: text('The error in English, and what to do about it.'),
  requestId: text('Identifier of this request, also in the header `X-Request-Id`; name it when you report a problem.'),
  type: text('Address that names the kind of problem, as RFC 9457 has it.'),
  title: text('Short name of the kind of problem, as RFC 9457 has it.'),
  status: int32('HTTP status of the answer, as RFC 9457 has it.'),
  detail: text('What went wrong this time, as RFC 9457 has it.'),
};

export const commonTypes = {
  ValidationError: type('One error in a request.', validationFields),
  ValidationErrors: type('All errors found in a request.', { list: list('ValidationError', 'The errors.') }),
  ValidationErrorResponse: type('Answer to a request with invalid values (status 400).', {
    validationErrors: ref('ValidationErrors', 'What is wrong, value by value.'),
  }),
  CustomFieldValidationError: type('One error in a request that writes custom fields.', {
    ...validationFields,
    validationId: int64('Id of the rule of the field that was broken, if it was one.'),
    validationTypeId: int32('Code of the rule that was broken, from the published table of validation rules.'),
    customFieldId: int64('Id of the custom field that the error is about, if it was one.'),
    externalId: text('Identifier of that field in another system, where it has one.'),
  }),
  CustomFieldValidationErrors: type('All errors found in a request that writes custom fields.', {
    list: list('CustomFieldValidationError', 'The errors.'),
  }),
  CustomFieldValidationErrorResponse: type('Answer to a write of posts or screens with invalid values (status 400).', {
    validationErrors: ref('CustomFieldValidationErrors', 'What is wrong, value by value.'),
  }),
  ZonedDatetime: type('A date and time in a time zone, as it is read.', {
    zonedDatetime: text('ISO 8601 with the offset that holds at that moment, such as 2026-12-31T18:00:00+01:00.'),
    localDatetime: text('ISO 8601 without offset: what a clock in the zone shows.'),
    timezone: text('IANA name of the zone.'),
  }),
  ZonedDatetimeInput: type('A date and time in a time zone, as it is written.', {
    datetime: required(
      localDatetime('ISO 8601 without offset, such as 2026-12-31T18:00:00; a `localDatetime` that was read will do.'),
    ),
    timezone: zoneName('IANA name of the zone, such as Europe/Rome; UTC when left out.'),
  }),
  Language: type('A language a person may choose.', {
    code: text('Code of the language, such as `en`.'),
    description: text('Name of the language in itself.'),
  }),
  Timezone: type('A time zone a person may choose.', {
    id: int64('Id on the published list of zones.'),
    code: text('Name of the zone, the same as `zoneId`.'),
    zoneId: text('IANA name of the zone.'),
    description: text('Name of the zone to show to people.'),
  }),
};

/** Types that Portico adds: errors, dry runs, sessions and ways of signing in. */
export const commonExtensionTypes = {
  Error: type('Body of every error that declares no other body.', problemFields),
  ConflictError: type('Body of a 409 that a stale token caused.', {
    ...problemFields,
    currentOccToken: token('The token that is valid now.'),
    changedBy: ref('ChangeAuthor', 'Who made the last change.'),
    changedAt: time('When the last change was made.'),
  }),
  ChangeAuthor: type('Who made a change.', {
    id: int64('Id of the user.'),
    name: text('First and last name.'),
  }),
  ValidationProblem: type('Body of a 400: errors by field beside the general error fields.', {
    ...problemFields,
    validationErrors: ref('ValidationErrors', 'What is wrong, value by value.'),
  }),
  CustomFieldValidationProblem: type('Body of a 400 of writes with custom fields, beside the general error fields.', {
    ...problemFields,
    validationErrors: ref('CustomFieldValidationErrors', 'What is wrong, value by value.'),
  }),
  DryRunChange: type('One object that a write would make, change or remove.', {
    entity: text(
      'Kind of object: `post`, `comment`, `task`, `attachment`, `user`, `group`, `area`, `businessUnit`, `role`, `catalog`, `catalogEntry`, `workspace`, `community`, `identityProvider`, `tenant`, `notification`, `notificationPreference`, `following`, `calendarFeed`, `savedView`, `postTemplate`, `import`, `favouriteCommunity`, `communityVisit`, `waitingMark` or `file`. What has no id of its own, such as a watcher or a member, counts as a field of the object it belongs to.',
    ),
    id: int64(
      'Id of the object. One that would be made has the id that this answer calls it by; done in earnest, the write gives another. Absent for a file, which has a `contentRef` instead.',
    ),
    action: text('What would happen to it: `created`, `modified` or `deleted`.'),
    fields: texts(
      'Names of the fields that would read differently afterwards, tokens, counts and times included; of a new object, those that hold something. Custom fields and screen fields by id: `customData.12`, `currentWorkflowScreenData.7`. Of a user, `sessions` where their sign-ins would end, `links` where they would be sent a one-time link. Empty for what would be deleted.',
    ),
  }),
  DryRunNotification: type(
    'Whom a write would concern beside the one who makes it: a person, or the members of a group.',
    {
      userId: int64(
        'Who would be told; they can read what they would be told of. Absent for a group and for the rest of a list.',
      ),
      typeId: int32('Kind of event, a code of the history. Absent for the rest of a list.'),
      description: text(
        'What happened and why they are told, in a sentence or two; of a long list last, how many more would be.',
      ),
    },
  ),
  DryRunWorkflow: type('What a write would do to the workflow of a post.', {
    fromState: ref('PostWorkflowDefinitionState', 'State before; absent for a new post.'),
    toState: ref('PostWorkflowDefinitionState', 'State after, which may be the same.'),
    operation: ref('PostWorkflowDefinitionTransition', 'Transition that would be run, if one would.'),
  }),
  DryRun: type('What a write would have done; present when `dryRun=true` was asked for.', {
    changes: list('DryRunChange', 'Objects that would be made, changed or removed.'),
    notifications: list(
      'DryRunNotification',
      'Who would be told, each person once per kind of event; a hundred at most.',
    ),
    workflow: ref('DryRunWorkflow', 'Step in the workflow, if there would be one.'),
  }),
  CreateAccessTokenByCredentialsRequest: type('Sign-in of a person with a password.', {
    username: required(text('User name or contact e-mail address, in any case.', { maxLength: maximumLogin })),
    password: required(text('The password.', { maxLength: passwordLengths.most })),
    newPassword: text(
      `The password that takes the place of the present one: required where that must be changed, else only where the user may change it; of ${passwordLengths.least} to ${passwordLengths.most} characters and none of the common ones.`,
      { maxLength: passwordLengths.most },
    ),
    secondFactorCode: text(
      'Code that the authenticator app shows, or a recovery code: where the account has such an app, this or `secondFactorPasskey` is required; ignored elsewhere.',
      { maxLength: maximumCode },
    ),
    secondFactorPasskey: text(
      'In place of a code: the answer of the browser to the options of `startPasskeySignIn`, as JSON (`toJSON`), by a passkey of the account.',
      { maxLength: maximumCredential },
    ),
  }),
  StartSessionResponse: type('A session; the cookie is in the header `Set-Cookie`.', {
    userId: int64('Who is signed in.'),
    sessionId: int64('Id of the session.'),
    expirationTimestamp: time('When the session ends at the latest.'),
    secondFactorSetupRequired: flag(
      'True when the tenant requires a second factor and the person has none: the session may only set one up. Absent otherwise.',
    ),
  }),
  UserSession: type('A browser in which the caller is signed in.', {
    id: int64('Id of the session.'),
    current: flag('True for the session of this request.'),
    userAgent: text('The browser, as it called itself at the sign-in.'),
    address: text('Address from which the sign-in came.'),
    creationTimestamp: time('When the session began.'),
    lastUseTimestamp: time('When it was last used, within a minute.'),
    expirationTimestamp: time('When it ends unless it is used before, and at the latest.'),
  }),
  ListSessionsResponse: type('Sessions of the caller.', {
    sessions: list('UserSession', 'The last used first.'),
  }),
  RevokeOtherSessionsResponse: type('What was revoked.', {
    revokedCount: int32('How many sessions ended.'),
  }),
  TotpResponse: type('Authenticator app of the caller.', {
    active: flag('True when sign-ins with the password need a code of an authenticator app.'),
    recoveryCodesLeft: int32('Recovery codes that were not used; absent without an authenticator app.'),
  }),
  StartTotpRequest: type('Beginning to set up an authenticator app.', {
    password: text('The password of the caller: required of accounts that have one.', {
      maxLength: passwordLengths.most,
    }),
  }),
  StartTotpResponse: type('What an authenticator app needs; shown once.', {
    secret: text('The secret in base32, to be typed into an app.'),
    uri: text('Address `otpauth://…` that a QR code holds.'),
  }),
  TotpCodeRequest: type('A code of an authenticator app.', {
    code: required(
      text('Code that the app shows, of six digits; a recovery code where one is allowed.', { maxLength: maximumCode }),
    ),
  }),
  ConfirmSessionRequest: type('A second factor: a code or a passkey.', {
    code: text('Code that the app shows, or a recovery code.', { maxLength: maximumCode }),
    passkey: text(
      'In place of a code: the answer of the browser to the options of `startPasskeySignIn`, as JSON (`toJSON`), by a passkey of the caller.',
      { maxLength: maximumCredential },
    ),
  }),
  ConfirmTotpResponse: type('Recovery codes; shown once.', {
    recoveryCodes: texts(
      'Codes, each of which signs the caller in once, with the password, when the app is not at hand.',
    ),
  }),
  Passkey: type('A passkey of the caller.', {
    id: int64('Id of the passkey.'),
    name: text('The name that its owner gave it.'),
    transports: texts('How browsers reach it: `internal`, `hybrid`, `usb`, `nfc`, `ble`.'),
    synced: flag('True when it is copied to other devices of its owner.'),
    creationTimestamp: time('When it was added.'),
    lastUseTimestamp: time('When it last signed its owner in; absent before.'),
  }),
  ListPasskeysResponse: type('Passkeys of the caller.', { passkeys: list('Passkey', 'The oldest first.') }),
  PasskeyPasswordRequest: type('Confirmation by a password.', {
    password: required(text('The password of the caller.', { maxLength: passwordLengths.most })),
  }),
  PasskeyOptionsResponse: type('What a browser needs to make or use a passkey.', {
    options: text(
      'JSON of PublicKeyCredentialCreationOptions or PublicKeyCredentialRequestOptions, as `parseCreationOptionsFromJSON` and `parseRequestOptionsFromJSON` of browsers take it.',
    ),
    expirationTimestamp: time('Until when the answer of the browser is accepted, once.'),
  }),
  ConfirmPasskeyRequest: type('A passkey that a browser made.', {
    name: required(text('How its owner calls it; must not be empty.', { maxLength: maximumPasskeyName })),
    credential: required(
      text('The credential that the browser made, as JSON (`toJSON`).', { maxLength: maximumCredential }),
    ),
  }),
  RenamePasskeyRequest: type('Another name of a passkey.', {
    name: required(text('How its owner calls it.', { pattern: '\\S', maxLength: maximumPasskeyName })),
  }),
  ConfirmPasskeyResponse: type('The passkey that was added.', { passkeyId: int64('Id of the passkey.') }),
  PasskeySignInRequest: type('A sign-in by a passkey.', {
    credential: required(
      text('The credential that the browser answered with, as JSON (`toJSON`).', { maxLength: maximumCredential }),
    ),
  }),
  CreateAccessTokenByCredentialsResponse: type('Result of a sign-in with a password.', {
    accessToken: text('Access token: a signed JWT with a numeric `exp`, to be sent as `Authorization: Bearer`.'),
  }),
  UserErasureKept: type('What stays when a person is erased, shown as of an erased user.', {
    posts: int64('Posts that they wrote, drafts not counted.'),
    attachments: int64('Attachments that they added.'),
    commentedPosts: int64('Posts that they commented.'),
  }),
  UserErasureRemoved: type('What is removed when a person is erased, beside their profile, credentials and photo.', {
    groups: int64('Groups that they are a member of.'),
    viewedPosts: int64('Posts that they viewed.'),
    followedPosts: int64('Posts that they follow.'),
  }),
  UserErasureResponse: type('What the erasure of a person keeps and removes.', {
    userId: int64('Id of the user.'),
    kept: ref('UserErasureKept', 'What stays.'),
    removed: ref('UserErasureRemoved', 'What is removed.'),
  }),
  RequestPasswordResetRequest: type('Whose password was forgotten.', {
    username: required(text('User name or contact e-mail address, in any case.', { maxLength: maximumLogin })),
  }),
  SetPasswordByLinkRequest: type('A password, chosen by a one-time link.', {
    token: required(text('Token of the link: what follows its last slash.', { maxLength: maximumLinkToken })),
    newPassword: required(
      text(
        `The password, of ${passwordLengths.least} to ${passwordLengths.most} characters and none of the common ones.`,
        { maxLength: passwordLengths.most },
      ),
    ),
  }),
  SetPasswordByLinkResponse: type('The account whose password was chosen.', {
    username: text('User name to sign in with; the contact e-mail address will do as well.'),
  }),
  UserLinkResponse: type('A link by which a person chooses a password.', {
    userId: int64('Id of the user.'),
    recipient: text('Contact e-mail address that the link goes to.'),
    expiryTimestamp: time('Until when the link works.'),
    sentEmailNotify: flag(
      'True when the mail is on its way; false where there is no mail server, so that it is only listed among the mails that were not sent.',
    ),
  }),
  UserAccessResponse: type('Whether an account may sign in.', {
    userId: int64('Id of the user.'),
    blocked: flag('True when the user may not sign in.'),
    nextOccToken: token('Token of the form of the user as it is now.'),
  }),
  CreateAccessTokenByGoogleOAuth2Request: type('Exchange of a Google access token.', {
    googleOAuth2Token: required(text('OAuth 2.0 access token of Google, with the scope `profile` at least.')),
  }),
  CreateAccessTokenByGoogleOAuth2Response: type('Result of the exchange of a Google access token.', {
    accessToken: text('Access token of the portal: a signed JWT with a numeric `exp`.'),
  }),
};
