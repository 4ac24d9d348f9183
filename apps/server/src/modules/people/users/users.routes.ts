/** Operations about people: accounts, users and groups. */

import type { Handlers } from '../../../kernel/operations.ts';
import { listUserIdentities, removeUserIdentity } from '../identity-providers/identities.ts';
import { listUserSignIns, revokeUserSession } from '../identity-providers/user-sign-ins.ts';
import { setUserBlocked, signOutUser } from './block-user.ts';
import { changeUsers } from './change-users.ts';
import { createUser } from './create-user.ts';
import { deleteUser } from './delete-user.ts';
import { editUser, editUserCredentials } from './edit-user.ts';
import { eraseUser, getUserErasure } from './erase-user.ts';
import { importUsers } from './import-users.ts';
import { listPeople } from './list-people.ts';
import { listUsers } from './list-users.ts';
import { userOfForm, userOrDeleted } from './open-user.ts';
import { sendPasswordLink } from './password-links.ts';
import { presentCredentialsForm, presentUserForm } from './people.presenter.ts';
import { removeUserTotp } from './totp.ts';
import { loadUserViews } from './views.ts';

/** The operations. */
export const userHandlers = {
  listSystemUsers: ({ scope, body }) => listUsers(scope, body ?? {}),
  listPeople: ({ scope, body }) => listPeople(scope, body ?? {}),
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
  changeUsers: ({ scope, body }) => changeUsers(scope, body ?? {}),
  removeUserTotp: async ({ scope, params }) => {
    await removeUserTotp(scope, params.userId);
    return undefined;
  },
  getUserErasure: ({ scope, params }) => getUserErasure(scope, params.userId),
  eraseUser: ({ scope, params }) => eraseUser(scope, params.userId),
  inviteUser: ({ scope, params }) => sendPasswordLink(scope, params.userId, 'invitation'),
  sendPasswordReset: ({ scope, params }) => sendPasswordLink(scope, params.userId, 'password-reset'),
  listUserIdentities: ({ scope, params }) => listUserIdentities(scope, params.userId),
  listUserSignIns: ({ scope, params }) => listUserSignIns(scope, params.userId),
  revokeUserSession: async ({ scope, params }) => {
    await revokeUserSession(scope, params.userId, params.sessionId);
    return undefined;
  },
  removeUserIdentity: async ({ scope, params }) => {
    await removeUserIdentity(scope, params.userId, params.identityProviderId);
    return undefined;
  },
} satisfies Handlers;
