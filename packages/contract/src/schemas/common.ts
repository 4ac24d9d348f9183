/** Errors, dates, languages and the report of a dry run. */
import { tableEntities } from '../entities.ts';
import {
  maximumCode,
  maximumCredential,
  maximumLinkToken,
  maximumLogin,
  maximumPasskeyName,
  passwordLengths,
} from '../limits.ts';
import * as t from './fields.ts';

const validationFields = {
  code: t.text('Kind of error; one of the published error codes, such as REQUIRED_FIELD.'),
  args: t.anyList('What the message speaks of: limits, allowed values, nearest names.'),
  defaultMessage: t.text('The error in English, and what to do about it.'),
  field: t.text('Where in the request the error is, as a path such as `customData.12` or `attachments[0].name`.'),
};

const problemFields = {
  code: t.text('Kind of error; one of the published error codes.'),
  message: t.text('The error in English, and what to do about it.'),
  requestId: t.text(
    'Identifier of this request, also in the header `X-Request-Id`; name it when you report a problem.',
  ),
  type: t.text('Address that names the kind of problem, as RFC 9457 has it.'),
  title: t.text('Short name of the kind of problem, as RFC 9457 has it.'),
  status: t.int32('HTTP status of the answer, as RFC 9457 has it.'),
  detail: t.text('What went wrong this time, as RFC 9457 has it.'),
};

export const commonTypes = {
  ValidationError: t.type('One error in a request.', validationFields),
  ValidationErrors: t.type('All errors found in a request.', { list: t.list('ValidationError', 'The errors.') }),
  ValidationErrorResponse: t.type('Answer to a request with invalid values (status 400).', {
    validationErrors: t.ref('ValidationErrors', 'What is wrong, value by value.'),
  }),
  CustomFieldValidationError: t.type('One error in a request that writes custom fields.', {
    ...validationFields,
    validationId: t.int64('Id of the rule of the field that was broken, if it was one.'),
    validationTypeId: t.int32('Code of the rule that was broken, from the published table of validation rules.'),
    customFieldId: t.int64('Id of the custom field that the error is about, if it was one.'),
    externalId: t.text('Identifier of that field in another system, where it has one.'),
  }),
  CustomFieldValidationErrors: t.type('All errors found in a request that writes custom fields.', {
    list: t.list('CustomFieldValidationError', 'The errors.'),
  }),
  CustomFieldValidationErrorResponse: t.type(
    'Answer to a write of posts or screens with invalid values (status 400).',
    {
      validationErrors: t.ref('CustomFieldValidationErrors', 'What is wrong, value by value.'),
    },
  ),
  ZonedDatetime: t.type('A date and time in a time zone, as it is read.', {
    zonedDatetime: t.text('ISO 8601 with the offset that holds at that moment, such as 2026-12-31T18:00:00+01:00.'),
    localDatetime: t.text('ISO 8601 without offset: what a clock in the zone shows.'),
    timezone: t.text('IANA name of the zone.'),
  }),
  ZonedDatetimeInput: t.type('A date and time in a time zone, as it is written.', {
    datetime: t.required(
      t.localDatetime('ISO 8601 without offset, such as 2026-12-31T18:00:00; a `localDatetime` that was read will do.'),
    ),
    timezone: t.zoneName(
      'IANA name of the zone, such as Europe/Rome. Left out: UTC in `scheduledPublication`; `expiration` of tasks and of requests to acknowledge needs one, unless `datetime` ends with an offset such as +01:00; it is UTC then.',
    ),
  }),
  Language: t.type('A language a person may choose.', {
    code: t.text('Code of the language, such as `en`.'),
    description: t.text('Name of the language in itself.'),
  }),
  Timezone: t.type('A time zone a person may choose.', {
    id: t.int64('Id on the published list of zones.'),
    code: t.text('Name of the zone, the same as `zoneId`.'),
    zoneId: t.text('IANA name of the zone.'),
    description: t.text('Name of the zone to show to people.'),
  }),
};

/** Types that Portico adds: errors, dry runs, sessions and ways of signing in. */
export const commonExtensionTypes = {
  Error: t.type('Body of every error that declares no other body.', problemFields),
  ConflictError: t.type('Body of a 409 that a stale token caused.', {
    ...problemFields,
    currentOccToken: t.token('The token that is valid now.'),
    changedBy: t.ref('ChangeAuthor', 'Who made the last change.'),
    changedAt: t.time('When the last change was made.'),
  }),
  ChangeAuthor: t.type('Who made a change.', {
    id: t.int64('Id of the user.'),
    name: t.text('First and last name.'),
  }),
  ValidationProblem: t.type('Body of a 400: errors by field beside the general error fields.', {
    ...problemFields,
    validationErrors: t.ref('ValidationErrors', 'What is wrong, value by value.'),
  }),
  CustomFieldValidationProblem: t.type('Body of a 400 of writes with custom fields, beside the general error fields.', {
    ...problemFields,
    validationErrors: t.ref('CustomFieldValidationErrors', 'What is wrong, value by value.'),
  }),
  DryRunChange: t.type('One object that a write would make, change or remove.', {
    entity: t.text(
      `Kind of object: ${tableEntities.map((name) => `\`${name}\``).join(', ')} or \`file\`. What has no id of its own, such as a watcher or a member, counts as a field of the object it belongs to.`,
    ),
    id: t.int64(
      'Id of the object. One that would be made has the id that this answer calls it by; done in earnest, the write gives another. Absent for a file, which has a `contentRef` instead.',
    ),
    action: t.text('What would happen to it: `created`, `modified` or `deleted`.'),
    fields: t.texts(
      'Names of the fields that would read differently afterwards, tokens, counts and times included; of a new object, those that hold something. Custom fields and screen fields by id: `customData.12`, `currentWorkflowScreenData.7`. Of a user, `sessions` where their sign-ins would end, `links` where they would be sent a one-time link. Empty for what would be deleted.',
    ),
  }),
  DryRunNotification: t.type(
    'Whom a write would concern beside the one who makes it: a person, or the members of a group.',
    {
      userId: t.int64(
        'Who would be told; they can read what they would be told of. Absent for a group and for the rest of a list.',
      ),
      typeId: t.int32('Kind of event, a code of the history. Absent for the rest of a list.'),
      description: t.text(
        'What happened and why they are told, in a sentence or two; of a long list last, how many more would be.',
      ),
    },
  ),
  DryRunWorkflow: t.type('What a write would do to the workflow of a post.', {
    fromState: t.ref('PostWorkflowDefinitionState', 'State before; absent for a new post.'),
    toState: t.ref('PostWorkflowDefinitionState', 'State after, which may be the same.'),
    operation: t.ref('PostWorkflowDefinitionTransition', 'Transition that would be run, if one would.'),
  }),
  DryRun: t.type('What a write would have done; present when `dryRun=true` was asked for.', {
    changes: t.list('DryRunChange', 'Objects that would be made, changed or removed.'),
    notifications: t.list(
      'DryRunNotification',
      'Who would be told, each person once per kind of event; a hundred at most.',
    ),
    workflow: t.ref('DryRunWorkflow', 'Step in the workflow, if there would be one.'),
  }),
  CreateAccessTokenByCredentialsRequest: t.type('Sign-in of a person with a password.', {
    username: t.required(t.text('User name or contact e-mail address, in any case.', { maxLength: maximumLogin })),
    password: t.required(t.text('The password.', { maxLength: passwordLengths.most })),
    newPassword: t.text(
      `The password that takes the place of the present one: required where that must be changed, else only where the user may change it; of ${passwordLengths.least} to ${passwordLengths.most} characters and none of the common ones.`,
      { maxLength: passwordLengths.most },
    ),
    secondFactorCode: t.text(
      'Code that the authenticator app shows, or a recovery code: where the account has such an app, this or `secondFactorPasskey` is required; ignored elsewhere.',
      { maxLength: maximumCode },
    ),
    secondFactorPasskey: t.text(
      'In place of a code: the answer of the browser to the options of `startPasskeySignIn`, as JSON (`toJSON`), by a passkey of the account.',
      { maxLength: maximumCredential },
    ),
  }),
  StartSessionResponse: t.type('A session; the cookie is in the header `Set-Cookie`.', {
    userId: t.int64('Who is signed in.'),
    sessionId: t.int64('Id of the session.'),
    expirationTimestamp: t.time('When the session ends at the latest.'),
    secondFactorSetupRequired: t.flag(
      'True when the tenant requires a second factor and the person has none: the session may only set one up. Absent otherwise.',
    ),
  }),
  UserSession: t.type('A browser in which the caller is signed in.', {
    id: t.int64('Id of the session.'),
    current: t.flag('True for the session of this request.'),
    userAgent: t.text('The browser, as it called itself at the sign-in.'),
    address: t.text('Address from which the sign-in came.'),
    creationTimestamp: t.time('When the session began.'),
    lastUseTimestamp: t.time('When it was last used, within a minute.'),
    expirationTimestamp: t.time('When it ends unless it is used before, and at the latest.'),
  }),
  ListSessionsResponse: t.type('Sessions of the caller.', {
    sessions: t.list('UserSession', 'The last used first.'),
  }),
  RevokeOtherSessionsResponse: t.type('What was revoked.', {
    revokedCount: t.int32('How many sessions ended.'),
  }),
  TotpResponse: t.type('Authenticator app of the caller.', {
    active: t.flag('True when sign-ins with the password need a code of an authenticator app.'),
    recoveryCodesLeft: t.int32('Recovery codes that were not used; absent without an authenticator app.'),
  }),
  StartTotpRequest: t.type('Beginning to set up an authenticator app.', {
    password: t.text('The password of the caller: required of accounts that have one.', {
      maxLength: passwordLengths.most,
    }),
  }),
  StartTotpResponse: t.type('What an authenticator app needs; shown once.', {
    secret: t.text('The secret in base32, to be typed into an app.'),
    uri: t.text('Address `otpauth://…` that a QR code holds.'),
  }),
  TotpCodeRequest: t.type('A code of an authenticator app.', {
    code: t.required(
      t.text('Code that the app shows, of six digits; a recovery code where one is allowed.', {
        maxLength: maximumCode,
      }),
    ),
  }),
  ConfirmSessionRequest: t.type('A second factor: a code or a passkey.', {
    code: t.text('Code that the app shows, or a recovery code.', { maxLength: maximumCode }),
    passkey: t.text(
      'In place of a code: the answer of the browser to the options of `startPasskeySignIn`, as JSON (`toJSON`), by a passkey of the caller.',
      { maxLength: maximumCredential },
    ),
  }),
  ConfirmTotpResponse: t.type('Recovery codes; shown once.', {
    recoveryCodes: t.texts(
      'Codes, each of which signs the caller in once, with the password, when the app is not at hand.',
    ),
  }),
  Passkey: t.type('A passkey of the caller.', {
    id: t.int64('Id of the passkey.'),
    name: t.text('The name that its owner gave it.'),
    transports: t.texts('How browsers reach it: `internal`, `hybrid`, `usb`, `nfc`, `ble`.'),
    synced: t.flag('True when it is copied to other devices of its owner.'),
    creationTimestamp: t.time('When it was added.'),
    lastUseTimestamp: t.time('When it last signed its owner in; absent before.'),
  }),
  ListPasskeysResponse: t.type('Passkeys of the caller.', { passkeys: t.list('Passkey', 'The oldest first.') }),
  PasskeyPasswordRequest: t.type('Confirmation by a password.', {
    password: t.required(t.text('The password of the caller.', { maxLength: passwordLengths.most })),
  }),
  PasskeyOptionsResponse: t.type('What a browser needs to make or use a passkey.', {
    options: t.text(
      'JSON of PublicKeyCredentialCreationOptions or PublicKeyCredentialRequestOptions, as `parseCreationOptionsFromJSON` and `parseRequestOptionsFromJSON` of browsers take it.',
    ),
    expirationTimestamp: t.time('Until when the answer of the browser is accepted, once.'),
  }),
  ConfirmPasskeyRequest: t.type('A passkey that a browser made.', {
    name: t.required(t.name('How its owner calls it; must not be empty.', { maxLength: maximumPasskeyName })),
    credential: t.required(
      t.text('The credential that the browser made, as JSON (`toJSON`).', { maxLength: maximumCredential }),
    ),
  }),
  RenamePasskeyRequest: t.type('Another name of a passkey.', {
    name: t.required(t.name('How its owner calls it.', { pattern: '\\S', maxLength: maximumPasskeyName })),
  }),
  ConfirmPasskeyResponse: t.type('The passkey that was added.', { passkeyId: t.int64('Id of the passkey.') }),
  PasskeySignInRequest: t.type('A sign-in by a passkey.', {
    credential: t.required(
      t.text('The credential that the browser answered with, as JSON (`toJSON`).', { maxLength: maximumCredential }),
    ),
  }),
  CreateAccessTokenByCredentialsResponse: t.type('Result of a sign-in with a password.', {
    accessToken: t.text('Access token: a signed JWT with a numeric `exp`, to be sent as `Authorization: Bearer`.'),
  }),
  UserErasureKept: t.type('What stays when a person is erased, shown as of an erased user.', {
    posts: t.int64('Posts that they wrote, drafts not counted.'),
    attachments: t.int64('Attachments that they added.'),
    commentedPosts: t.int64('Posts that they commented.'),
    openTasks: t.int64('Open tasks that are assigned to them. `leaveUser` gives them to a successor.'),
    fieldPosts: t.int64('Posts that hold them in a field. `leaveUser` puts a successor in their place.'),
  }),
  UserErasureRemoved: t.type('What is removed when a person is erased, beside their profile, credentials and photo.', {
    groups: t.int64('Groups that they are a member of.'),
    viewedPosts: t.int64('Posts that they viewed.'),
    followedPosts: t.int64('Posts that they follow.'),
    roles: t.int64('Roles and memberships that were given to them directly; they have no effect any more.'),
  }),
  UserErasureResponse: t.type('What the erasure of a person keeps and removes.', {
    userId: t.int64('Id of the user.'),
    kept: t.ref('UserErasureKept', 'What stays.'),
    removed: t.ref('UserErasureRemoved', 'What is removed.'),
  }),
  RequestPasswordResetRequest: t.type('Whose password was forgotten.', {
    username: t.required(t.text('User name or contact e-mail address, in any case.', { maxLength: maximumLogin })),
  }),
  SetPasswordByLinkRequest: t.type('A password, chosen by a one-time link.', {
    token: t.required(t.text('Token of the link: what follows its last slash.', { maxLength: maximumLinkToken })),
    newPassword: t.required(
      t.text(
        `The password, of ${passwordLengths.least} to ${passwordLengths.most} characters and none of the common ones.`,
        { maxLength: passwordLengths.most },
      ),
    ),
  }),
  SetPasswordByLinkResponse: t.type('The account whose password was chosen.', {
    username: t.text('User name to sign in with; the contact e-mail address will do as well.'),
  }),
  UserLinkResponse: t.type('A link by which a person chooses a password.', {
    userId: t.int64('Id of the user.'),
    recipient: t.text('Contact e-mail address that the link goes to.'),
    expiryTimestamp: t.time('Until when the link works.'),
    sentEmailNotify: t.flag(
      'True when the mail is on its way; false where there is no mail server, so that it is only listed among the mails that were not sent.',
    ),
    invitationLink: t.text(
      'The invitation itself, to be handed over: only where no mail is sent, for an account that nobody ever signed in to. Shown once, also to requests with an `Idempotency-Key`.',
    ),
  }),
  UserAccessResponse: t.type('Whether an account may sign in.', {
    userId: t.int64('Id of the user.'),
    blocked: t.flag('True when the user may not sign in.'),
    nextOccToken: t.token('Token of the form of the user as it is now.'),
  }),
  CreateAccessTokenByGoogleOAuth2Request: t.type('Exchange of a Google access token.', {
    googleOAuth2Token: t.required(t.text('OAuth 2.0 access token of Google, with the scope `profile` at least.')),
  }),
  CreateAccessTokenByGoogleOAuth2Response: t.type('Result of the exchange of a Google access token.', {
    accessToken: t.text('Access token of the portal: a signed JWT with a numeric `exp`.'),
  }),
};
