/** The operations about people (specification: Account endpoints, Users, Groups; behaviour §§3.5, 7.1–7.3). */
import type { Handlers } from '../../platform/operations.ts';
import type { Scope } from '../../platform/scope.ts';
import { holds } from '../access/index.ts';
import { createUser } from './create-user.ts';
import { deleteUser } from './delete-user.ts';
import { createGroup, deleteGroup, editGroup } from './edit-group.ts';
import { editGroupMembers } from './edit-group-members.ts';
import { editUser, editUserCredentials } from './edit-user.ts';
import { getGroupForEdit, listGroups } from './list-groups.ts';
import { listGroupMembers, listUsers } from './list-users.ts';
import { caller, userOfForm } from './open-user.ts';
import { presentCredentialsForm, presentCurrentUser, presentProfile, presentUserForm } from './people.presenter.ts';
import { loadProfileRelations, profileContext } from './profile.ts';
import { loadUserViews, type PhotoUrl } from './views.ts';

/** What the operations need of the rest of the server. */
export interface PeopleOptions {
  /** Makes the absolute address of a photo; left out, no photo has one (ruling 6). */
  photoUrl?: (scope: Scope, contentRef: string) => string;
}

/** The operations, with photos where {@link PeopleOptions.photoUrl} says how they are served. */
export function createPeopleHandlers(options: PeopleOptions = {}): Handlers {
  const photos = (scope: Scope): PhotoUrl | undefined => {
    const { photoUrl } = options;
    return photoUrl && ((contentRef) => photoUrl(scope, contentRef));
  };
  return {
    currentUserData: async ({ scope }) => {
      const { defaultLanguage: language, defaultTimezone: timezone } = scope.settings;
      return presentCurrentUser(await caller(scope), { language, timezone }, photos(scope));
    },
    getCurrentUserProfileInfo: async ({ scope }) => {
      const user = await caller(scope);
      const photoUrl = photos(scope);
      const relations = await loadProfileRelations(scope.db, [user], { photoUrl });
      const manages = holds(scope.actor, 'manageUsers');
      const may = { editProfile: manages, photo: manages };
      return presentProfile(user, profileContext(user, relations, may, photoUrl));
    },
    listSystemUsers: ({ scope, body }) => listUsers(scope, body ?? {}, photos(scope)),
    getUserForEdit: async ({ scope, params }) => {
      const user = await userOfForm(scope, params.userId);
      const managers = user.managerId === null ? [] : [user.managerId];
      const views = await loadUserViews(scope.db, managers, { photoUrl: photos(scope) });
      return presentUserForm(user, views.get(user.managerId ?? 0), photos(scope));
    },
    createUser: ({ scope, body }) => createUser(scope, body ?? {}, photos(scope)),
    editUser: ({ scope, params, body }) => editUser(scope, params.userId, body ?? {}, photos(scope)),
    deleteUser: async ({ scope, params }) => {
      await deleteUser(scope, params.userId);
      return undefined;
    },
    getUserCredentialsForEdit: async ({ scope, params }) =>
      presentCredentialsForm(await userOfForm(scope, params.userId), photos(scope)),
    editUserCredentials: ({ scope, params, body }) => editUserCredentials(scope, params.userId, body ?? {}),
    listSystemGroups: ({ scope, body }) => listGroups(scope, body ?? {}),
    listGroupsMembers: ({ scope, params, body }) => listGroupMembers(scope, params.groupId, body ?? {}, photos(scope)),
    getGroupForEdit: ({ scope, params }) => getGroupForEdit(scope, params.groupId, photos(scope)),
    createGroup: ({ scope, body }) => createGroup(scope, body ?? {}),
    editGroup: ({ scope, params, body }) => editGroup(scope, params.groupId, body ?? {}),
    deleteGroup: async ({ scope, params }) => {
      await deleteGroup(scope, params.groupId);
      return undefined;
    },
    editGroupMembers: ({ scope, body }) => editGroupMembers(scope, body ?? {}),
  };
}

/** The operations without photos. */
export const peopleHandlers: Handlers = createPeopleHandlers();
