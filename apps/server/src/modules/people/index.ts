/** Accounts: signing in, users, groups, areas, business units, identity providers, mail. */

export { areaHandlers } from './areas/areas.routes.ts';
export { AccessTokens, MAX_TOKEN_SECONDS } from './auth/access-tokens.ts';
export {
  authHandlers,
  ownIdentityHandlers,
  ownProfileHandlers,
  passwordLinkHandlers,
  signInHandlers,
} from './auth/auth.routes.ts';
export { deviceSignInsDue, forgetDeviceSignIns } from './auth/device-sign-ins.repository.ts';
export { CODE_FAILURES, DEVICE_POLLS, DEVICE_REQUESTS, deviceSignInHandlers } from './auth/device-sign-ins.ts';
export { DEFAULT_TOKEN_INFO_URL } from './auth/identity-provider.ts';
export { forgetPersonalTokens, personalTokensDue } from './auth/personal-tokens.repository.ts';
export { acceptPersonalToken, isPersonalToken, mustPermit, personalTokenHandlers } from './auth/personal-tokens.ts';
export { hasRequiredProvider } from './auth/required-provider.ts';
export { mustHaveSecondFactor, requiresSecondFactor } from './auth/required-second-factor.ts';
export { assertionsDue, forgetExpiredAssertions } from './auth/service-account.ts';
export {
  activeKeySql,
  createServiceAccountKey,
  giveServiceAccountKey,
  holdServiceAccount,
  listServiceAccountKeys,
  type ServiceAccountKeyFile,
  withdrawServiceAccountKey,
} from './auth/service-account-keys.ts';
export {
  acceptSession,
  forgetSessions,
  idleSessionsDue,
  readOpenSession,
  sessionHandlers,
  sessionsDue,
  startSession,
} from './auth/sessions.ts';
export {
  insertSigningKey,
  listSigningKeys,
  MAX_SIGNING_KEYS,
  newSigningKey,
  rotateSigningKey,
  SigningKeys,
  withdrawSigningKey,
} from './auth/signing-keys.ts';
export { businessUnitHandlers } from './business-units/business-units.routes.ts';
export { groupHandlers } from './groups/groups.routes.ts';
export { createIdentityProvider } from './identity-providers/edit-provider.ts';
export { forgetSignInStates, signInStatesDue } from './identity-providers/identities.repository.ts';
export { identityProviderHandlers, type ProviderSignIns } from './identity-providers/identity-providers.routes.ts';
export { loadProviderClient } from './identity-providers/load-provider-client.ts';
export { forgetUnreadableClientSecrets } from './identity-providers/providers.repository.ts';
export { PROVIDERS_PATH } from './identity-providers/redirect-uri.ts';
export { beginSignIn, finishSignIn, SIGN_IN_MS, START_PAGE } from './identity-providers/sign-in.ts';
export { SignInFailure } from './identity-providers/sign-in-failure.ts';
export { isTrialState } from './identity-providers/trial.ts';
export { enqueueMails } from './mails/enqueue-mail.ts';
export { LEASE_MS, MAX_ATTEMPTS, MailSender, SendingPause, waitAfter } from './mails/mail-sender.ts';
export { escapeHtml, mailLanguageOf, plainName } from './mails/mail-text.ts';
export { type MailLanguage, type MailState, mailStates } from './mails/mail-types.ts';
export { mailHandlers } from './mails/mails.routes.ts';
export {
  cancelMails,
  dueMails,
  endedMailsDue,
  expiredMailsDue,
  failedMailsDue,
  forgetMails,
  forgetUnreadableMails,
  listMails,
  type MailReport,
  mailsDue,
  readMailFigures,
  retryMails,
} from './mails/outgoing-mails.repository.ts';
export { exportPerson } from './personal-data/export-person.ts';
export {
  createServiceAccount,
  createUserRecord,
  createUserRecords,
  ensureAreas,
  ensureBusinessUnits,
  ensureUsers,
  findDeletedUsers,
  findUsers,
  setOrganisation,
  type UserRecord,
  updateServiceAccount,
  updateUserRecord,
} from './users/accounts.ts';
export { blockUser, setUserBlocked, signOutUser } from './users/block-user.ts';
export {
  type BreakGlassAccount,
  type BreakGlassSecrets,
  makeBreakGlass,
  readBreakGlass,
  withdrawBreakGlass,
} from './users/break-glass.ts';
export { changeRights } from './users/change-rights.ts';
export { deleteUnusedPeople } from './users/delete-unused.ts';
export { deleteUser } from './users/delete-user.ts';
export { createGroup, createGroupRecord, deleteGroup } from './users/edit-group.ts';
export { selfAddedMembers } from './users/groups.repository.ts';
export { type AccountState, leaveAccount, readAccountState } from './users/leave-account.ts';
export { holdingSql, listPeopleFields, type PeopleField } from './users/left-behind.ts';
export { findPeopleByWords, listPeople } from './users/list-people.ts';
export { forgetLinks, type LinkPurpose, linksDue } from './users/one-time-links.repository.ts';
export { giveOneTimePassword, type OneTimePassword } from './users/one-time-password.ts';
export { challengesDue, forgetChallenges } from './users/passkeys.repository.ts';
export {
  type PrintedLink,
  printPasswordLink,
  RESET_REQUESTS,
  sendPasswordLink,
} from './users/password-links.ts';
export { maxLengths, readRights } from './users/people.policy.ts';
export { findPhoto, USER_PHOTO_PATH } from './users/photos.ts';
export { unknownPrincipals } from './users/principals.ts';
export { AccessRecorder, backfillAccess } from './users/record-access.ts';
export { findSearchedUsers } from './users/searched-users.ts';
export { ACCOUNT_FAILURES } from './users/sign-in.ts';
export { insertSystemAccount } from './users/system-account.ts';
export { forgetUnreadableTotp } from './users/totp.repository.ts';
export { readUseFigures } from './users/use-figures.ts';
export { erasureDue, finishErasure } from './users/users.repository.ts';
export { userHandlers } from './users/users.routes.ts';
export { loadGroupViews, loadUserViews, loadUserViews as usersOf } from './users/views.ts';
