/** Roles and the permissions of which they are made. */
import { communityPermissions } from '../codes/permissions.ts';
import { roleLimits } from '../limits.ts';
import * as t from './fields.ts';

const names = communityPermissions.map(({ name }) => name);
const permissions = t.wordList(names, 'What the role permits. What these imply is added.');

const roleFields = {
  name: t.required(
    t.name(`Name of the role, which no other has, whatever the case and accents. 1 to ${roleLimits.name} characters.`),
  ),
  description: t.text(`What the role is for. At most ${roleLimits.description} characters.`),
  permissions: t.required(permissions),
  externalId: t.text(
    `Identifier of the role in another system and key of the role in files of communities, unique. At most ${roleLimits.name} characters. Left out, an edit keeps it; an empty text takes it away.`,
  ),
};

export const roleTypes = {
  AvailableRole: t.type('A role that can be given.', {
    id: t.int64('Id of the role.'),
    name: t.text('Name of the role.'),
    description: t.text('What the role is for.'),
    externalId: t.text('Identifier of the role in another system; absent where there is none.'),
    builtIn: t.flag('True for the roles that every tenant has, which cannot be changed.'),
    permissions: t.wordList(names, 'What the role permits in a community.'),
    countsAsRoleId: t.int64(
      'Id of the strongest built-in role all of whose permissions it has: as that it counts where fields, transitions and screens are open to built-in roles.',
    ),
    occToken: t.token('Token to send back with an edit; absent for built-in roles.'),
  }),
  RolePermission: t.type('A permission in a community.', {
    name: t.word(names, 'Name of the permission.'),
    description: t.text('What it permits.'),
    implies: t.wordList(names, 'Permissions that come with it.'),
  }),
  ListRolesResponse: t.type('Roles and permissions.', {
    roles: t.list('AvailableRole', 'All roles: the built-in ones, then those of the tenant by name.'),
    permissions: t.list('RolePermission', 'Permissions of which roles are made.'),
  }),
  CreateRoleRequest: t.type('A new role.', roleFields),
  CreateRoleResponse: t.type('Result of the creation of a role.', {
    id: t.int64('Id of the new role.'),
    nextOccToken: t.token('Token for the next edit.'),
  }),
  EditRoleRequest: t.type('What a role is; a description that is left out is emptied.', {
    ...roleFields,
    occToken: t.required(t.token('Token that the role was read with; a stale one is a 409.')),
  }),
  EditRoleResponse: t.type('Result of the edit of a role.', { nextOccToken: t.token('Token for the next edit.') }),
};
