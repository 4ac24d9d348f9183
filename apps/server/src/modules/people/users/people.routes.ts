/** Operations about people: accounts, users and groups. */

import { holds } from '../../../kernel/access/index.ts';
import type { Handlers } from '../../../kernel/operations.ts';
import { setUserBlocked, signOutUser } from './block-user.ts';
import { createUser } from './create-user.ts';
import { deleteUser } from './delete-user.ts';
import { createGroup, deleteGroup, editGroup } from './edit-group.ts';
import { editGroupMembers } from './edit-group-members.ts';
import { editMyProfile } from './edit-my-profile.ts';
import { editUser, editUserCredentials } from './edit-user.ts';
import { eraseUser, getUserErasure } from './erase-user.ts';
import { importUsers } from './import-users.ts';
import { getGroupForEdit, listGroups } from './list-groups.ts';
import { listPeople, listPeopleGroups } from './list-people.ts';
import { listGroupMembers, listUsers } from './list-users.ts';
import { caller, userOfForm, userOrDeleted } from './open-user.ts';
import { sendPasswordLink } from './password-links.ts';
import { presentCredentialsForm, presentCurrentUser, presentProfile, presentUserForm } from './people.presenter.ts';
import { loadProfileRelations, profileContext } from './profile.ts';
import { removeUserTotp } from './totp.ts';
import { AREA, BUSINESS_UNIT, createUnit, deleteUnit, editUnit, listUnits } from './units.ts';
import { loadUserViews } from './views.ts';

/** The operations. */
export const peopleHandlers = {
  currentUserData: async ({ scope }) => {
    const { defaultLanguage: language, defaultTimezone: timezone } = scope.settings;
    return presentCurrentUser(await caller(scope), { language, timezone }, scope);
  },
  getCurrentUserProfileInfo: async ({ scope }) => {
    const user = await caller(scope);
    const relations = await loadProfileRelations(scope, [user]);
    const manages = holds(scope.actor, 'manageUsers');
    const may = { editProfile: manages, photo: manages };
    return presentProfile(user, profileContext(user, relations, may, scope));
  },
  editMyProfile: ({ scope, body }) => editMyProfile(scope, body ?? {}),
  listSystemUsers: ({ scope, body }) => listUsers(scope, body ?? {}),
  listPeople: ({ scope, body }) => listPeople(scope, body ?? {}),
  listPeopleGroups: ({ scope, body }) => listPeopleGroups(scope, body ?? {}),
  getUserForEdit: async ({ scope, params }) => {
    const user = await userOrDeleted(scope, params.userId);
    // Existing clients recognise a deleted user by the missing body (docs/decisions/types.md).
    if (user.deleted) return undefined;
    const managers = user.managerId === null ? [] : [user.managerId];
    const views = await loadUserViews(scope, scope.db, managers);
    return presentUserForm(user, views.get(user.managerId ?? 0), scope);
  },
  createUser: ({ scope, body }) => createUser(scope, body ?? {}),
  importUsers: ({ scope, body }) => importUsers(scope, body ?? {}),
  editUser: ({ scope, params, body }) => editUser(scope, params.userId, body ?? {}),
  deleteUser: async ({ scope, params }) => {
    await deleteUser(scope, params.userId);
    return undefined;
  },
  getUserCredentialsForEdit: async ({ scope, params }) =>
    presentCredentialsForm(await userOfForm(scope, params.userId), scope),
  editUserCredentials: ({ scope, params, body }) => editUserCredentials(scope, params.userId, body ?? {}),
  blockUser: ({ scope, params }) => setUserBlocked(scope, params.userId, true),
  unblockUser: ({ scope, params }) => setUserBlocked(scope, params.userId, false),
  signOutUser: ({ scope, params }) => signOutUser(scope, params.userId),
  removeUserTotp: async ({ scope, params }) => {
    await removeUserTotp(scope, params.userId);
    return undefined;
  },
  getUserErasure: ({ scope, params }) => getUserErasure(scope, params.userId),
  eraseUser: ({ scope, params }) => eraseUser(scope, params.userId),
  inviteUser: ({ scope, params }) => sendPasswordLink(scope, params.userId, 'invitation'),
  sendPasswordReset: ({ scope, params }) => sendPasswordLink(scope, params.userId, 'password-reset'),
  listAreas: ({ scope, body }) => listUnits(AREA, scope, body ?? {}),
  createArea: ({ scope, body }) => createUnit(AREA, scope, body ?? {}),
  editArea: ({ scope, params, body }) => editUnit(AREA, scope, params.areaId, body ?? {}),
  deleteArea: async ({ scope, params }) => {
    await deleteUnit(AREA, scope, params.areaId);
    return undefined;
  },
  listBusinessUnits: ({ scope, body }) => listUnits(BUSINESS_UNIT, scope, body ?? {}),
  createBusinessUnit: ({ scope, body }) => createUnit(BUSINESS_UNIT, scope, body ?? {}),
  editBusinessUnit: ({ scope, params, body }) => editUnit(BUSINESS_UNIT, scope, params.businessUnitId, body ?? {}),
  deleteBusinessUnit: async ({ scope, params }) => {
    await deleteUnit(BUSINESS_UNIT, scope, params.businessUnitId);
    return undefined;
  },
  listSystemGroups: ({ scope, body }) => listGroups(scope, body ?? {}),
  listGroupsMembers: ({ scope, params, body }) => listGroupMembers(scope, params.groupId, body ?? {}),
  getGroupForEdit: ({ scope, params }) => getGroupForEdit(scope, params.groupId),
  createGroup: ({ scope, body }) => createGroup(scope, body ?? {}),
  editGroup: ({ scope, params, body }) => editGroup(scope, params.groupId, body ?? {}),
  deleteGroup: async ({ scope, params }) => {
    await deleteGroup(scope, params.groupId);
    return undefined;
  },
  editGroupMembers: ({ scope, body }) => editGroupMembers(scope, body ?? {}),
} satisfies Handlers;
