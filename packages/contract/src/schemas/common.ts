/** Errors, dates, languages and the report of a dry run. */
import { tableEntities } from '../entities.ts';
import {
  maximumCode,
  maximumCredential,
  maximumLinkToken,
  maximumLogin,
  maximumPasskeyName,
  passwordLengths,
  planLimits,
} from '../limits.ts';
import * as t from './fields.ts';

const validationFields = {
  code: t.text('Kind of error: a published error code, such as REQUIRED_FIELD.'),
  args: t.anyList('Details of the message: limits, allowed values, nearest names.'),
  defaultMessage: t.text('The error in English, and how to correct it.'),
  field: t.text('Place of the error in the request, as a path such as `customData.12` or `attachments[0].name`.'),
};

const problemFields = {
  code: t.text('Kind of error: a published error code.'),
  message: t.text('The error in English, and how to correct it.'),
  requestId: t.text(
    'Identifier of this request, also in the header `X-Request-Id`; name it when you report a problem.',
  ),
  type: t.text('Address that names the kind of problem, as RFC 9457 has it.'),
  title: t.text('Short name of the kind of problem, as RFC 9457 has it.'),
  status: t.int32('HTTP status of the answer, as RFC 9457 has it.'),
  detail: t.text('Explanation of this occurrence, as in RFC 9457.'),
};

export const commonTypes = {
  ValidationError: t.type('An error in a request.', validationFields),
  ValidationErrors: t.type('All errors found in a request.', { list: t.list('ValidationError', 'The errors.') }),
  ValidationErrorResponse: t.type('Answer to a request with invalid values (status 400).', {
    validationErrors: t.ref('ValidationErrors', 'The errors, value by value.'),
  }),
  CustomFieldValidationError: t.type('An error in a request that writes custom fields.', {
    ...validationFields,
    validationId: t.int64('Id of the rule of the field that was broken, if it was one.'),
    validationTypeId: t.int32('Code of the rule that was broken, from the published table of validation rules.'),
    customFieldId: t.int64('Id of the custom field that the error is about, if it was one.'),
    externalId: t.text('Identifier of that field in another system, if it has one.'),
  }),
  CustomFieldValidationErrors: t.type('All errors found in a request that writes custom fields.', {
    list: t.list('CustomFieldValidationError', 'The errors.'),
  }),
  CustomFieldValidationErrorResponse: t.type(
    'Answer to a write of posts or screens with invalid values (status 400).',
    {
      validationErrors: t.ref('CustomFieldValidationErrors', 'The errors, value by value.'),
    },
  ),
  ZonedDatetime: t.type('A date and time in a time zone, as it is read.', {
    zonedDatetime: t.text('ISO 8601 with the offset valid at that moment, such as 2026-12-31T18:00:00+01:00.'),
    localDatetime: t.text('ISO 8601 without offset: local time in the zone.'),
    timezone: t.text('IANA name of the zone.'),
  }),
  ZonedDatetimeInput: t.type('A date and time in a time zone, as it is written.', {
    datetime: t.requiredByRule(
      t.localDatetime(
        'ISO 8601 without offset, such as 2026-12-31T18:00:00; a `localDatetime` from a ' + 'response is accepted.',
      ),
    ),
    timezone: t.zoneName(
      'IANA name of the zone, such as Europe/Rome. Default: UTC in `scheduledPublication`; ' +
        '`expiration` of tasks and of requests to acknowledge requires a zone, unless `datetime` ' +
        'ends with an offset such as +01:00; the default is UTC then.',
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
    changedBy: t.ref('ChangeAuthor', 'Author of the last change.'),
    changedAt: t.time('Time at which the last change was made.'),
  }),
  ChangeAuthor: t.type('Author of a change.', {
    id: t.int64('Id of the user.'),
    name: t.text('First and last name.'),
  }),
  ValidationProblem: t.type('Body of a 400: errors by field beside the general error fields.', {
    ...problemFields,
    validationErrors: t.ref('ValidationErrors', 'The errors, value by value.'),
  }),
  CustomFieldValidationProblem: t.type('Body of a 400 of writes with custom fields, beside the general error fields.', {
    ...problemFields,
    validationErrors: t.ref('CustomFieldValidationErrors', 'The errors, value by value.'),
  }),
  DryRunChange: t.type('An object that a write would create, change or remove.', {
    entity: t.text(
      `Kind of object: ${tableEntities.map((name) => `\`${name}\``).join(', ')} or \`file\`. ` +
        'Records without an id, such as a watcher or a member, count as a field of their object.',
    ),
    id: t.int64(
      'Id of the object. An object that would be created has an id that holds in this response ' +
        'only; the real write assigns another. Absent for a file, which has a `contentRef` ' +
        'instead.',
    ),
    action: t.text('Effect on the object: `created`, `modified` or `deleted`.'),
    fields: t.texts(
      'Names of the fields that would change, including tokens, counts and times; for a new ' +
        'object, the fields with a value. Custom fields and screen fields by id: ' +
        '`customData.12`, `currentWorkflowScreenData.7`. For a user, `sessions` if their ' +
        'sign-ins would end, `links` if they would be sent a one-time link. Empty for objects ' +
        'that would be deleted.',
    ),
  }),
  DryRunNotification: t.type(
    'People other than the caller that a write would concern: a person, or the members of a group.',
    {
      userId: t.int64(
        'Person who would be notified; they can read the object of the notification. Absent ' +
          'for a group and for the rest of a list.',
      ),
      typeId: t.int32('Kind of event, a code of the history. Absent for the rest of a list.'),
      description: t.text(
        'The event and the reason of the notification, in a sentence or two; the last entry of ' +
          'a long list counts the other people.',
      ),
    },
  ),
  DryRunWorkflow: t.type('Effect of a write on the workflow of a post.', {
    fromState: t.ref('PostWorkflowDefinitionState', 'State before; absent for a new post.'),
    toState: t.ref('PostWorkflowDefinitionState', 'State after, which may be the same.'),
    operation: t.ref('PostWorkflowDefinitionTransition', 'Transition that would be run, if one would.'),
  }),
  DryRun: t.type('Effects that the write would have had; present with `dryRun=true`.', {
    changes: t.list('DryRunChange', 'Objects that would be created, changed or removed.'),
    notifications: t.list(
      'DryRunNotification',
      'People who would be notified, each once per kind of event; a hundred at most.',
    ),
    workflow: t.ref('DryRunWorkflow', 'Step in the workflow, if there would be one.'),
    accessChanges: t.list(
      'AccessChange',
      `People who would gain or lose rights, by community and permission; ${planLimits.listed} at most.`,
    ),
  }),
  AccessChange: t.type('People who gain or lose one right.', {
    communityId: t.int64('The community of the permission; absent for administrative rights.'),
    communityName: t.text('Its name.'),
    permission: t.text('The permission, or the administrative right; `seeCommunity` is sight of the community.'),
    gaining: t.list(
      'NamedPerson',
      `People who gain it, the first ${planLimits.names}, as far as the caller may know them.`,
    ),
    gainingCount: t.count('Number of people who gain it.'),
    losing: t.list(
      'NamedPerson',
      `People who lose it, the first ${planLimits.names}, as far as the caller may know them.`,
    ),
    losingCount: t.count('Number of people who lose it.'),
  }),
  NamedPerson: t.type('A person.', { id: t.int64('Id of the user.'), name: t.text('First and last name.') }),
  CreateAccessTokenByCredentialsRequest: t.type('Sign-in of a person with a password.', {
    username: t.required(
      t.text('User name or contact e-mail address, in any case.', { maxLength: maximumLogin }),
      'username is required: a user name or an e-mail address.',
    ),
    password: t.required(t.text('The password.', { maxLength: passwordLengths.most }), 'password is required.'),
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
    userId: t.int64('The signed-in person.'),
    sessionId: t.int64('Id of the session.'),
    expirationTimestamp: t.time('Latest end of the session.'),
    secondFactorSetupRequired: t.flag(
      'True when the tenant requires a second factor and the person has none: the session may only set one up. Absent otherwise.',
    ),
  }),
  UserSession: t.type('A browser in which the caller is signed in.', {
    id: t.int64('Id of the session.'),
    current: t.flag('True for the session of this request.'),
    userAgent: t.text('The browser, as it called itself at the sign-in.'),
    address: t.text('Address from which the sign-in came.'),
    creationTimestamp: t.time('Time at which the session began.'),
    lastUseTimestamp: t.time('Time at which it was last used, within a minute.'),
    expirationTimestamp: t.time('Time of its end unless it is used before.'),
  }),
  ListSessionsResponse: t.type('Sessions of the caller.', {
    sessions: t.list('UserSession', 'The last used first.'),
  }),
  RevokeOtherSessionsResponse: t.type('The revoked session.', {
    revokedCount: t.int32('Number of ended sessions.'),
  }),
  TotpResponse: t.type('Authenticator app of the caller.', {
    active: t.flag('True if sign-ins with the password require a code of an authenticator app.'),
    recoveryCodesLeft: t.int32('Recovery codes that were not used; absent without an authenticator app.'),
  }),
  StartTotpRequest: t.type('Beginning to set up an authenticator app.', {
    password: t.text('The password of the caller: required of accounts with a password.', {
      maxLength: passwordLengths.most,
    }),
  }),
  StartTotpResponse: t.type('Secret for an authenticator app; shown once.', {
    secret: t.shownOnce(t.text('The secret in base32, to be typed into an app.')),
    uri: t.shownOnce(t.text('Address `otpauth://…` that a QR code holds.')),
  }),
  TotpCodeRequest: t.type('A code of an authenticator app.', {
    code: t.required(
      t.text('Code of six digits that the app shows, or a recovery code if allowed.', {
        maxLength: maximumCode,
      }),
      'code is required.',
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
    recoveryCodes: t.shownOnce(
      t.texts('Codes, each of which signs the caller in once, with the password, when the app is not at hand.'),
    ),
  }),
  Passkey: t.type('A passkey of the caller.', {
    id: t.int64('Id of the passkey.'),
    name: t.text('The name that its owner gave it.'),
    transports: t.texts('Transports by which browsers reach it: `internal`, `hybrid`, `usb`, `nfc`, `ble`.'),
    synced: t.flag('True when it is copied to other devices of its owner.'),
    creationTimestamp: t.time('Time at which it was added.'),
    lastUseTimestamp: t.time('Time at which it last signed its owner in; absent before.'),
  }),
  ListPasskeysResponse: t.type('Passkeys of the caller.', { passkeys: t.list('Passkey', 'The oldest first.') }),
  PasskeyPasswordRequest: t.type('Confirmation by a password.', {
    password: t.required(
      t.text('The password of the caller.', { maxLength: passwordLengths.most }),
      'password is required.',
    ),
  }),
  PasskeyOptionsResponse: t.type('Options for a browser to create or use a passkey.', {
    options: t.text(
      'JSON of PublicKeyCredentialCreationOptions or PublicKeyCredentialRequestOptions, as `parseCreationOptionsFromJSON` and `parseRequestOptionsFromJSON` of browsers take it.',
    ),
    expirationTimestamp: t.time('Time until which the answer of the browser is accepted, once.'),
  }),
  ConfirmPasskeyRequest: t.type('A passkey that a browser created.', {
    name: t.required(
      t.name('Name that its owner gives it; must not be empty.', { maxLength: maximumPasskeyName }),
      'name is required.',
    ),
    credential: t.required(
      t.text('The credential that the browser created, as JSON (`toJSON`).', { maxLength: maximumCredential }),
      'credential is required.',
    ),
  }),
  RenamePasskeyRequest: t.type('Another name of a passkey.', {
    name: t.required(
      t.name('Name that its owner gives it.', { pattern: '\\S', maxLength: maximumPasskeyName }),
      'name is required.',
    ),
  }),
  ConfirmPasskeyResponse: t.type('The passkey that was added.', { passkeyId: t.int64('Id of the passkey.') }),
  PasskeySignInRequest: t.type('A sign-in by a passkey.', {
    credential: t.required(
      t.text('The credential that the browser answered with, as JSON (`toJSON`).', { maxLength: maximumCredential }),
      'credential is required.',
    ),
  }),
  CreateAccessTokenByCredentialsResponse: t.type('Result of a sign-in with a password.', {
    accessToken: t.text('Access token: a signed JWT with a numeric `exp`, to be sent as `Authorization: Bearer`.'),
  }),
  UserErasureKept: t.type('Data that stay when a person is erased, shown as by an erased user.', {
    posts: t.int64('Posts that they wrote, drafts not counted.'),
    attachments: t.int64('Attachments that they added.'),
    commentedPosts: t.int64('Posts that they commented.'),
    openTasks: t.int64('Open tasks that are assigned to them. `leaveUser` assigns them to a successor.'),
    fieldPosts: t.int64('Posts that hold them in a field. `leaveUser` puts a successor in their place.'),
  }),
  UserErasureRemoved: t.type(
    'Data that are removed when a person is erased, in addition to profile, credentials and ' + 'photo.',
    {
      groups: t.int64('Groups that they are a member of.'),
      viewedPosts: t.int64('Posts that they viewed.'),
      followedPosts: t.int64('Posts that they follow.'),
      roles: t.int64('Roles and memberships that were given to them directly; they have no effect any more.'),
    },
  ),
  UserErasureResponse: t.type('Data that the erasure of a person keeps and removes.', {
    userId: t.int64('Id of the user.'),
    kept: t.ref('UserErasureKept', 'What stays.'),
    removed: t.ref('UserErasureRemoved', 'Data that are removed.'),
  }),
  RequestPasswordResetRequest: t.type('Person whose password was forgotten.', {
    username: t.required(
      t.text('User name or contact e-mail address, in any case.', { maxLength: maximumLogin }),
      'username is required: a user name or an e-mail address.',
    ),
  }),
  SetPasswordByLinkRequest: t.type('A password, chosen by a one-time link.', {
    token: t.required(
      t.text('Token of the link: the text after its last slash.', { maxLength: maximumLinkToken }),
      'token is required: the last part of the link.',
    ),
    newPassword: t.required(
      t.text(
        `The password, of ${passwordLengths.least} to ${passwordLengths.most} characters and none of the common ones.`,
        { maxLength: passwordLengths.most },
      ),
      'newPassword is required.',
    ),
  }),
  SetPasswordByLinkResponse: t.type('The account of the new password.', {
    username: t.text('User name to sign in with; the contact e-mail address will do as well.'),
  }),
  UserLinkResponse: t.type('A link by which a person chooses a password.', {
    userId: t.int64('Id of the user.'),
    recipient: t.text('Contact e-mail address that the link goes to.'),
    expiryTimestamp: t.time('Expiry of the link.'),
    sentEmailNotify: t.flag(
      'True if the mail is being sent; false if there is no mail server and the mail is only ' +
        'listed among the mails that were not sent.',
    ),
    invitationLink: t.shownOnce(
      t.text(
        'The invitation itself, to be handed over: only where no mail is sent, for an account that nobody ever signed in to. Shown once, also to requests with an `Idempotency-Key`.',
      ),
    ),
  }),
  UserAccessResponse: t.type('Whether an account may sign in.', {
    userId: t.int64('Id of the user.'),
    blocked: t.flag('True when the user may not sign in.'),
    nextOccToken: t.token('Current token of the form of the user.'),
  }),
  CreateAccessTokenByGoogleOAuth2Request: t.type('Exchange of a Google access token.', {
    googleOAuth2Token: t.required(
      t.text('OAuth 2.0 access token of Google, with the scope `profile` at least.'),
      'googleOAuth2Token is required: an access token of the identity provider.',
    ),
  }),
  CreateAccessTokenByGoogleOAuth2Response: t.type('Result of the exchange of a Google access token.', {
    accessToken: t.text('Access token of the portal: a signed JWT with a numeric `exp`.'),
  }),
};
