/** Signing in, and the caller's own data. */
import { defineOperations } from '../define.ts';
import { examples } from '../examples.ts';
import { sampleUser } from '../sample-values.ts';

export const authOperations = defineOperations('auth', {
  createAccessTokenByServiceAccount: {
    method: 'POST',
    path: '/core/auth/create-access-token-by-service-account',
    body: 'CreateAccessTokenByServiceAccountRequest',
    responses: { 200: 'CreateAccessTokenByServiceAccountResponse' },
    permission: 'public',
    summary: 'Sign in as a service account',
    description:
      'Exchanges a signed assertion for an access token. The assertion is a JWT signed with RS512 whose header carries the numeric `kid` of the key file (`private_key_id`) and whose claims are `iss` (the `client_id`, a number or a string of digits), `aud`, `iat`, `exp` (at most 600 s after `iat`) and a `jti`. `iat` and `exp` may have a fraction. An assertion is accepted once: another assertion with the same key, `jti`, `iat` and `exp` counts as the same. Any failure returns 401.',
    requestExamples: examples<'CreateAccessTokenByServiceAccountRequest'>({
      assertion: { summary: 'Signed assertion', value: { jwtAssertion: 'eyJhbGciOiJSUzUxMiIsImtpZCI6Nn0.….…' } },
    }),
    responseExamples: examples<'CreateAccessTokenByServiceAccountResponse'>({
      token: { summary: 'An access token', value: { accessToken: 'eyJhbGciOiJSUzI1NiIsImtpZCI6IjEifQ.….…' } },
    }),
    clientMethod: 'exchangeAssertion',
    command: {
      examples: [
        '--jwt-assertion @assertion.txt --output json',
        '--url portal.acme.example --jwt-assertion @assertion.txt --fields accessToken',
      ],
    },
  },
  createAccessTokenByGoogleOAuth2: {
    method: 'POST',
    path: '/core/auth/create-access-token-by-google-oauth2-access-token-credentials',
    body: 'CreateAccessTokenByGoogleOAuth2Request',
    responses: { 200: 'CreateAccessTokenByGoogleOAuth2Response' },
    permission: 'public',
    summary: 'Sign in with a token of the identity provider',
    description:
      "Exchanges an OAuth 2.0 access token of Google (scope `profile` at least, issued to one of the client ids of the tenant) for an access token of the portal. The identity must be linked to a user, and the Google block must be enabled in the user's credentials form; otherwise the operation returns 401.",
    requestExamples: examples<'CreateAccessTokenByGoogleOAuth2Request'>({
      token: { summary: 'Token of the provider', value: { googleOAuth2Token: 'ya29.…' } },
    }),
    responseExamples: examples<'CreateAccessTokenByGoogleOAuth2Response'>({
      token: { summary: 'An access token', value: { accessToken: 'eyJhbGciOiJSUzI1NiIsImtpZCI6IjEifQ.….…' } },
    }),
    clientMethod: 'exchangeProviderToken',
    command: {
      examples: [
        '--google-o-auth2-token @token.txt --output json',
        '--url portal.acme.example --google-o-auth2-token @token.txt --fields accessToken',
      ],
    },
  },
  createAccessTokenByCredentials: {
    method: 'POST',
    path: '/core/auth/create-access-token-by-credentials',
    body: 'CreateAccessTokenByCredentialsRequest',
    responses: { 200: 'CreateAccessTokenByCredentialsResponse', 400: 'ValidationErrorResponse' },
    permission: 'public',
    extension: true,
    summary: 'Sign in with a password',
    description:
      'Exchanges the user name (or the contact e-mail address) and the password of a person for an access token. The custom block of their credentials form must be active. Any failure returns the same 401 `INVALID_CREDENTIALS`. If the password must be changed, the correct password without `newPassword` returns 400 `REQUIRED_FIELD` on `newPassword`; with `newPassword`, the operation changes the password, ends every earlier sign-in of the person and returns a token. People can change their password at any time in the same way if the credentials form allows it (`canUserManageCustomCredentials`); otherwise `newPassword` returns 400. After ten failures for one account within a minute, the operation returns 429 `RATE_LIMITED` until the minute is over.',
    requestExamples: examples<'CreateAccessTokenByCredentialsRequest'>({
      password: { summary: 'A person', value: { username: 'ada.rossi', password: 'a password of hers' } },
      change: {
        summary: 'A password that must be changed',
        value: { username: 'ada.rossi', password: 'the one she was given', newPassword: 'a password of hers' },
      },
    }),
    responseExamples: examples<'CreateAccessTokenByCredentialsResponse'>({
      token: { summary: 'An access token', value: { accessToken: 'eyJhbGciOiJSUzI1NiIsImtpZCI6IjEifQ.….…' } },
    }),
    clientMethod: 'exchangePassword',
    command: {
      examples: [
        '--username ada.rossi --password @password.txt --output json',
        '--url portal.acme.example --username ada.rossi --password @password.txt --new-password @new-password.txt',
      ],
    },
  },
  startSession: {
    method: 'POST',
    path: '/core/auth/start-session',
    body: 'CreateAccessTokenByCredentialsRequest',
    responses: { 200: 'StartSessionResponse', 400: 'ValidationErrorResponse', 403: null },
    permission: 'public',
    extension: true,
    summary: 'Sign a browser in with a password',
    description:
      'Works like `createAccessTokenByCredentials`, but the response sets a cookie (`HttpOnly`, `SameSite=Lax`, `Secure` where the portal is reached by https) that signs in requests without an `Authorization` header. Except for GET, these requests are accepted only from pages of the portal itself: their `Origin`, or `Sec-Fetch-Site` if they have none, must name it; otherwise the response is 403 `CROSS_SITE_REQUEST`. A session ends after seven days without use, after 30 days, when it is revoked, and whenever the sign-ins of the account end. A person has at most 50 sessions; beyond that, the least recently used session ends.',
    requestExamples: examples<'CreateAccessTokenByCredentialsRequest'>({
      password: { summary: 'A person', value: { username: 'ada.rossi', password: 'a password of hers' } },
    }),
    clientMethod: 'startSession',
    command: {
      examples: [
        '--username ada.rossi --password @password.txt --output json',
        '--url portal.acme.example --username ada.rossi --password @password.txt --second-factor-code 123456',
      ],
    },
  },
  endSession: {
    method: 'POST',
    path: '/core/auth/end-session',
    responses: { 200: null, 403: null },
    permission: 'public',
    extension: true,
    summary: 'Sign a browser out',
    description:
      'Ends the session of the cookie in the request, and removes the cookie. Without a cookie, nothing happens.',
    clientMethod: 'endSession',
    command: { examples: ['', '--url portal.acme.example'] },
  },
  listSessions: {
    method: 'GET',
    path: '/core/auth/sessions',
    responses: { 200: 'ListSessionsResponse' },
    permission: 'authenticated',
    extension: true,
    summary: 'Sessions of the caller',
    description: 'Returns the browsers in which the caller is signed in, the last used first.',
    clientMethod: 'sessions',
    command: {
      rows: 'sessions',
      columns: ['id', 'userAgent', 'address', 'lastUseTimestamp', 'current'],
      examples: ['', '--output json'],
    },
  },
  revokeSession: {
    method: 'POST',
    path: '/core/auth/manage/sessions/{sessionId}/revoke',
    responses: { 200: null, 404: null },
    permission: 'authenticated',
    extension: true,
    summary: 'Revoke a session of the caller',
    description: 'Signs the browser out from the next request on. A session of another user returns 404.',
    clientMethod: 'revokeSession',
    command: { examples: ['4711', '4711 --dry-run'] },
  },
  revokeOtherSessions: {
    method: 'POST',
    path: '/core/auth/manage/sessions/revoke-others',
    responses: { 200: 'RevokeOtherSessionsResponse' },
    permission: 'authenticated',
    extension: true,
    summary: 'Revoke all other sessions of the caller',
    description:
      'Ends all sessions except the session of the request; a request with an access token ends all sessions. Access tokens stay valid until they expire; `signOutUser` ends these too.',
    clientMethod: 'revokeOtherSessions',
    command: { examples: ['', '--output json'] },
  },
  requestPasswordReset: {
    method: 'POST',
    path: '/core/auth/request-password-reset',
    body: 'RequestPasswordResetRequest',
    responses: { 200: null, 400: 'ValidationErrorResponse' },
    permission: 'public',
    extension: true,
    summary: 'Ask for a new password',
    description:
      'Sends a one-time link to the contact e-mail address of a person with a forgotten password, if their credentials form lets them change it (`canUserManageCustomCredentials`). The response is empty, and is the same whether or not the person exists. A person gets at most three links within an hour; after five requests for one name within a minute, the operation returns 429 `RATE_LIMITED` until the minute is over.',
    requestExamples: examples<'RequestPasswordResetRequest'>({
      person: { summary: 'A person', value: { username: 'ada.rossi' } },
    }),
    clientMethod: 'requestPasswordReset',
    command: { examples: ['--username ada.rossi', '--username ada.rossi@example.org --url portal.acme.example'] },
  },
  setPasswordByLink: {
    method: 'POST',
    path: '/core/auth/set-password-by-link',
    body: 'SetPasswordByLinkRequest',
    responses: { 200: 'SetPasswordByLinkResponse', 400: 'ValidationErrorResponse' },
    permission: 'public',
    extension: true,
    summary: 'Choose a password by a one-time link',
    description:
      'Sets the password of the recipient of an invitation or a reset, and ends all their earlier sign-ins. A link works once. A link that is unknown, used or expired, or older than the last end of the sign-ins of the account or the last change of its contact address, returns 400 `INVALID_VALUE` on `token`. A rejected password does not consume the link.',
    requestExamples: examples<'SetPasswordByLinkRequest'>({
      link: {
        summary: 'A link that was received',
        value: { token: 'l0xUQvB5n1b1…', newPassword: 'a password of hers' },
      },
    }),
    responseExamples: examples<'SetPasswordByLinkResponse'>({
      account: { summary: 'Ways to sign in', value: { username: 'ada.rossi' } },
    }),
    clientMethod: 'setPassword',
    command: {
      examples: [
        '--token @token.txt --new-password @password.txt',
        '--url portal.acme.example --token @token.txt --new-password @password.txt --output json',
      ],
    },
  },
  startPasskeySignIn: {
    method: 'POST',
    path: '/core/auth/start-passkey-sign-in',
    responses: { 200: 'PasskeyOptionsResponse' },
    permission: 'public',
    extension: true,
    summary: 'Begin to sign in by a passkey',
    description:
      'Returns the options that `navigator.credentials.get` takes. They name no account: the browser offers its passkeys for the portal. Their challenge is accepted once, within five minutes.',
    clientMethod: 'startPasskeySignIn',
    command: { examples: ['--output json', '--url portal.acme.example --fields options'] },
  },
  createAccessTokenByPasskey: {
    method: 'POST',
    path: '/core/auth/create-access-token-by-passkey',
    body: 'PasskeySignInRequest',
    responses: { 200: 'CreateAccessTokenByCredentialsResponse', 400: 'ValidationErrorResponse' },
    permission: 'public',
    extension: true,
    summary: 'Sign in by a passkey',
    description:
      "Exchanges the browser's answer to the options of `startPasskeySignIn` for an access token. No second factor is required, since a PIN or biometrics unlock a passkey. Every failure (passkey, challenge, origin, signature, counter, account) returns the same 401 `INVALID_CREDENTIALS`, and counts as a failure of the password.",
    clientMethod: 'exchangePasskey',
    command: {
      examples: [
        '--credential @credential.json --output json',
        '--url portal.acme.example --credential @credential.json',
      ],
    },
  },
  startSessionByPasskey: {
    method: 'POST',
    path: '/core/auth/start-session-by-passkey',
    body: 'PasskeySignInRequest',
    responses: { 200: 'StartSessionResponse', 400: 'ValidationErrorResponse', 403: null },
    permission: 'public',
    extension: true,
    summary: 'Sign a browser in by a passkey',
    description:
      'Works like `createAccessTokenByPasskey`, but the response sets the cookie of a session, like `startSession`.',
    clientMethod: 'startSessionByPasskey',
    command: {
      examples: [
        '--credential @credential.json --output json',
        '--url portal.acme.example --credential @credential.json',
      ],
    },
  },
  listPasskeys: {
    method: 'GET',
    path: '/core/auth/passkeys',
    responses: { 200: 'ListPasskeysResponse' },
    permission: 'authenticated',
    extension: true,
    summary: 'Passkeys of the caller',
    description: 'Returns the passkeys by which the caller can sign in, the oldest first.',
    clientMethod: 'passkeys',
    command: {
      rows: 'passkeys',
      columns: ['id', 'name', 'synced', 'creationTimestamp', 'lastUseTimestamp'],
      examples: ['', '--output json'],
    },
  },
  startPasskey: {
    method: 'POST',
    path: '/core/auth/passkeys/start',
    body: 'PasskeyPasswordRequest',
    responses: { 200: 'PasskeyOptionsResponse', 400: 'ValidationErrorResponse', 403: null, 409: null },
    permission: 'authenticated',
    extension: true,
    summary: 'Begin to add a passkey',
    description:
      'Returns the options that `navigator.credentials.create` takes on a page of the portal. Their challenge is accepted once, within five minutes. A person has at most 20 passkeys; one more returns 409. An account that does not sign in with a password returns 403.',
    clientMethod: 'startPasskey',
    command: { examples: ['--password @password.txt', '--password @password.txt --fields options'] },
  },
  confirmPasskey: {
    method: 'POST',
    path: '/core/auth/manage/passkeys/confirm',
    body: 'ConfirmPasskeyRequest',
    responses: { 200: 'ConfirmPasskeyResponse', 400: 'ValidationErrorResponse', 403: null, 409: null },
    permission: 'authenticated',
    extension: true,
    summary: 'Add a passkey',
    description:
      "Takes the browser's answer to the options of `startPasskey`. From now on the passkey signs the caller in by itself. A passkey that exists already returns 409; an answer to other or expired options returns 400 on `credential`.",
    clientMethod: 'confirmPasskey',
    command: {
      examples: ['--name Laptop --credential @credential.json', '--name Key --credential @credential.json --dry-run'],
    },
  },
  renamePasskey: {
    method: 'POST',
    path: '/core/auth/manage/passkeys/{passkeyId}/rename',
    body: 'RenamePasskeyRequest',
    responses: { 200: null, 400: 'ValidationErrorResponse', 404: null },
    permission: 'authenticated',
    extension: true,
    summary: 'Rename a passkey',
    description: 'Renames the passkey. A passkey of another user returns 404.',
    clientMethod: 'renamePasskey',
    command: { examples: ['4711 --name Laptop', '4711 --name Laptop --dry-run'] },
  },
  removePasskey: {
    method: 'POST',
    path: '/core/auth/manage/passkeys/{passkeyId}/remove',
    body: 'PasskeyPasswordRequest',
    responses: { 200: null, 400: 'ValidationErrorResponse', 403: null, 404: null },
    permission: 'authenticated',
    extension: true,
    summary: 'Remove a passkey',
    description:
      'Removes the passkey and ends the sessions of the caller, except the session of the request. Access tokens stay valid until they expire. A passkey of another user returns 404.',
    clientMethod: 'removePasskey',
    command: { examples: ['4711 --password @password.txt', '4711 --password @password.txt --dry-run'] },
  },
  getTotp: {
    method: 'GET',
    path: '/core/auth/totp',
    responses: { 200: 'TotpResponse' },
    permission: 'authenticated',
    extension: true,
    summary: 'Authenticator app of the caller',
    description:
      'Returns whether sign-ins of the caller with a password require a code, and the number of remaining recovery codes.',
    clientMethod: 'totp',
    command: { examples: ['', '--output json'] },
  },
  startTotp: {
    method: 'POST',
    path: '/core/auth/manage/totp/start',
    body: 'StartTotpRequest',
    responses: { 200: 'StartTotpResponse', 400: 'ValidationErrorResponse', 403: null, 409: null },
    permission: 'authenticated',
    extension: true,
    summary: 'Begin to set up an authenticator app',
    description:
      'Returns a secret for an authenticator app (TOTP, RFC 6238: six digits, 30 seconds). Nothing changes until `confirmTotp`; a second call replaces the secret. An app that is set up already returns 409. An account without a password returns 403, unless the tenant requires a second factor of it; then no secret is sent.',
    clientMethod: 'startTotp',
    command: { examples: ['--password @password.txt', '--password @password.txt --output json'] },
  },
  confirmTotp: {
    method: 'POST',
    path: '/core/auth/manage/totp/confirm',
    body: 'TotpCodeRequest',
    responses: { 200: 'ConfirmTotpResponse', 400: 'ValidationErrorResponse', 404: null, 409: null },
    permission: 'authenticated',
    extension: true,
    summary: 'Confirm an authenticator app',
    description:
      'Takes a code that the app shows. From now on a sign-in with the password requires `secondFactorCode`, or `secondFactorPasskey` with an answer of a passkey. Returns ten recovery codes; each is accepted once in place of a code. Without an earlier `startTotp` the operation returns 404.',
    clientMethod: 'confirmTotp',
    command: { examples: ['--code 123456', '--code "123 456" --output json'] },
  },
  confirmSession: {
    method: 'POST',
    path: '/core/auth/sessions/confirm',
    body: 'ConfirmSessionRequest',
    responses: { 200: null, 400: 'ValidationErrorResponse', 403: null, 404: null },
    permission: 'authenticated',
    extension: true,
    summary: 'Confirm a sign-in by a provider',
    description:
      'Takes a code of the authenticator app, a recovery code, or the answer of a passkey. If the tenant requires a second factor, a browser that an identity provider signed in must confirm it first; until then other operations return 403 `SECOND_FACTOR_CONFIRMATION_REQUIRED`. A code without an authenticator app returns 404, an access token returns 403.',
    clientMethod: 'confirmSession',
    command: { examples: ['--code 123456', '--code abcde-fghjk'] },
  },
  removeTotp: {
    method: 'POST',
    path: '/core/auth/manage/totp/remove',
    body: 'TotpCodeRequest',
    responses: { 200: null, 400: 'ValidationErrorResponse', 404: null },
    permission: 'authenticated',
    extension: true,
    summary: 'Remove an authenticator app',
    description:
      'Takes a code that the app shows, or a recovery code. Afterwards the password alone signs in again. Returns an empty body, or 404 without an app.',
    clientMethod: 'removeTotp',
    command: { examples: ['--code 123456', '--code abcde-fghjk'] },
  },
  currentUserData: {
    method: 'GET',
    path: '/core/auth/current-user-data',
    responses: { 200: 'CurrentUserDataResponse' },
    permission: 'authenticated',
    summary: 'Identity of the caller',
    description:
      'Returns the account of the access token: identity, state, preferences and sign-in methods. `getCurrentUserProfileInfo` returns the directory profile of the same person, in another shape.',
    responseExamples: examples<'CurrentUserDataResponse'>({
      person: {
        summary: 'A person',
        value: {
          userData: { ...sampleUser, contactEmail: 'ada.rossi@example.org', serviceAccount: false },
          userPreferences: { language: { code: 'en', description: 'English' }, emailNotificationsEnabled: true },
          hasGoogleCredentials: false,
          hasMicrosoftCredentials: false,
          hasCustomCredentials: true,
          canManageCustomCredentials: true,
          occToken: 2,
        },
      },
    }),
    clientMethod: 'currentUser',
    command: { object: 'userData', examples: ['', '--output json --fields userData.id,userData.contactEmail'] },
  },
  getCurrentUserProfileInfo: {
    method: 'GET',
    path: '/core/user-profile/info',
    responses: { 200: 'UserProfileInfo' },
    permission: 'authenticated',
    summary: "The caller's directory profile",
    description:
      'Returns the profile that colleagues see: photo, job, contacts, manager and the people who report to the caller. Works for service accounts too.',
    clientMethod: 'profile',
    command: { examples: ['', '--fields firstName,lastName,timezone.zoneId'] },
  },
  editMyProfile: {
    method: 'POST',
    path: '/core/user-profile/manage/edit',
    body: 'EditMyProfileRequest',
    responses: { 200: 'EditUserResponse', 400: 'ValidationErrorResponse', 403: null, 409: null },
    permission: 'authenticated',
    extension: true,
    summary: "Edit the caller's own profile",
    description:
      'Changes what people say about themselves: numbers, biography, private address, photo, language and time zone. Omitted fields are kept. Mails to the person are written in the chosen language if the portal has texts in it, otherwise in the language of the tenant. Names, addresses for colleagues and the place in the organisation are changed by administrators. A photo is a picture that was uploaded with `uploadNewFile`. A private address or a photo that only administrators edit returns 403; so does a change of the private address by a personal access token.',
    requestExamples: examples<'EditMyProfileRequest'>({
      language: { summary: 'Another language', value: { defaultLanguageId: 'it', occToken: 3 } },
    }),
    clientMethod: 'updateProfile',
    formerMethod: 'editProfile',
    command: {
      form: 'getCurrentUserProfileInfo',
      needsValue: true,
      examples: ['--mobile-phone "+39 333 1234567"', '--default-language-id it --dry-run --output json'],
    },
  },
});
