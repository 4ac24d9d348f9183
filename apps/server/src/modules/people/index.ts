/** People: users, groups, profiles, credentials. What other modules may use of them. */

export {
  createServiceAccount,
  createUserRecord,
  createUserRecords,
  ensureAreas,
  ensureBusinessUnits,
  ensureUsers,
  type NamedPerson,
  type OrganisationPlace,
  type ServiceAccountRecord,
  setOrganisation,
  splitName,
  type UnitRecord,
  type UserRecord,
  type UserRecordPatch,
  updateUserRecord,
} from './accounts.ts';
export { blockUser, setUserBlocked, signOutUser } from './block-user.ts';
export { createUser } from './create-user.ts';
export { deleteUser } from './delete-user.ts';
export {
  createGroup,
  createGroupRecord,
  deleteGroup,
  editGroup,
  type GroupRecord,
  setGroupTags,
  type TagRecord,
} from './edit-group.ts';
export { editGroupMembers } from './edit-group-members.ts';
export { editUser, editUserCredentials } from './edit-user.ts';
export { getGroupForEdit, listGroups } from './list-groups.ts';
export { listGroupMembers, listUsers } from './list-users.ts';
export { hashPassword, verifyPassword } from './passwords.ts';
export { peopleHandlers } from './people.routes.ts';
export { findPhoto, photoUrls, USER_PHOTO_PATH } from './photos.ts';
export { ACCESS_INTERVAL_MS, AccessRecorder, recordAccess } from './record-access.ts';
export {
  type GroupViewOptions,
  type GroupViewRow,
  groupViewColumns,
  loadGroupViews,
  loadUserViews,
  type PhotoUrl,
  presentGroup,
  presentUser,
  type UserViewRow,
  userViewColumns,
  type ViewOptions,
} from './views.ts';
