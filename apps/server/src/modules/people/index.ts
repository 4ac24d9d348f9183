/** People: users, groups, profiles, credentials. Functions for other modules. */

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
} from './accounts.ts';
export { blockUser, setUserBlocked, signOutUser } from './block-user.ts';
export {
  type BreakGlassAccount,
  type BreakGlassSecrets,
  makeBreakGlass,
  readBreakGlass,
  withdrawBreakGlass,
} from './break-glass.ts';
export { changeRights } from './change-rights.ts';
export { deleteUnusedPeople } from './delete-unused.ts';
export { deleteUser } from './delete-user.ts';
export { describePerson } from './describe-person.ts';
export {
  createGroup,
  createGroupRecord,
  deleteGroup,
} from './edit-group.ts';
export { setMemberships } from './edit-group-members.ts';
export { selfAddedMembers } from './groups.repository.ts';
export { type AccountState, leaveAccount, readAccountState } from './leave-account.ts';
export { holdingSql, listPeopleFields, type PeopleField } from './left-behind.ts';
export { forgetLinks, type LinkPurpose, linksDue } from './one-time-links.repository.ts';
export { giveOneTimePassword, type OneTimePassword } from './one-time-password.ts';
export { administeredUser, userOfForm } from './open-user.ts';
export { challengesDue, forgetChallenges } from './passkeys.repository.ts';
export {
  type PrintedLink,
  passwordLinkHandlers,
  printPasswordLink,
  RESET_REQUESTS,
  sendPasswordLink,
} from './password-links.ts';
export { FieldErrors, maxLengths, readRights } from './people.policy.ts';
export { peopleHandlers } from './people.routes.ts';
export { findPhoto, USER_PHOTO_PATH } from './photos.ts';
export { unknownPrincipals } from './principals.ts';
export { AccessRecorder, backfillAccess } from './record-access.ts';
export { ACCOUNT_FAILURES, signInHandlers } from './sign-in.ts';
export { insertSystemAccount } from './system-account.ts';
export { forgetUnreadableTotp } from './totp.repository.ts';
export { endSessions, erasureDue, finishErasure } from './users.repository.ts';
export {
  loadGroupViews,
  loadUserViews,
} from './views.ts';
